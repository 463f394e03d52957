"""A backup put in the store's place: verified by the caller, signed in the copy, what stood there kept beside it."""

from __future__ import annotations

import os
from pathlib import Path

import apsw
import pytest

from tests.govern.signing import RITA, governed, signer
from tests.ledger.makings import MARA, bare, content
from tur_engine.engine import Engine
from tur_engine.errors import BadInput, IntegrityFailure, NotAllowed, StoreError
from tur_engine.govern.signer import Signer
from tur_engine.governor import Governor
from tur_engine.ledger import witness
from tur_engine.ledger.restore import Restored, restore
from tur_engine.records import EventKind


@pytest.fixture
def backup(engine: Engine, tmp_path: Path) -> Path:
    """A copy of the store with one note; by now the store has another."""
    engine.note("before")
    target = tmp_path / "backup.db"
    engine.backup(target)
    engine.note("behind it")
    return target


def test_the_store_is_as_it_was_then_and_what_stood_there_is_kept(engine: Engine, backup: Path) -> None:
    now, then = content(engine.path), content(backup)
    done = restore(backup, engine.path)
    assert done.head.size == 2
    assert done.kept is not None
    assert done.kept.parent == engine.path.parent
    assert content(done.kept) == now
    assert content(engine.path) == then
    with Engine.open(engine.path, actor=MARA) as restored:
        report = restored.verify()
        assert report.ok, report.problem
        assert report.witness.startswith("agrees: this machine saw 2 events")
        restored.note("it can be written")
        assert restored.verify().ok
    with pytest.raises(StoreError, match="was replaced by another file"):
        engine.note("into the old one")


def test_a_log_that_lies_beside_is_not_played_into_it(engine: Engine, backup: Path) -> None:
    """Another program holds the store open, so its log cannot be folded in."""
    with bare(engine.path) as other:
        other.execute("BEGIN")
        other.execute("SELECT * FROM events").fetchall()
        engine.note("only in the log")
        due = content(engine.path)["events"]
        done = restore(backup, engine.path)
        other.execute("COMMIT")
    assert done.kept is not None
    assert content(engine.path) == content(backup)
    assert content(done.kept)["events"] == due


def test_where_nothing_stands(engine: Engine, backup: Path, tmp_path: Path) -> None:
    engine.close()
    for file in engine.path.parent.iterdir():
        file.unlink()
    done = restore(backup, engine.path)
    assert done.kept is None
    assert content(engine.path) == content(backup)
    assert os.listdir(engine.path.parent) == ["ledger.db"]


def test_a_damaged_store_is_replaced_and_kept(engine: Engine, backup: Path) -> None:
    engine.close()
    engine.path.write_bytes(b"dear diary\n" * 500)
    done = restore(backup, engine.path)
    assert done.kept is not None
    assert done.kept.read_bytes() == b"dear diary\n" * 500
    assert content(engine.path) == content(backup)


def test_it_is_signed_where_there_are_reviewers(engine: Engine, tmp_path: Path) -> None:
    governed(engine)
    target = tmp_path / "backup.db"
    engine.backup(target)
    head = engine.status().head
    engine.note("behind it")

    def sign(fresh: Path) -> None:
        with Engine.open(fresh, actor=MARA) as copy:
            Governor(copy).restored(RITA, size=head.size, root=head.root, reason="lost a day")

    done = restore(target, engine.path, sign)
    assert done.head.size == head.size + 1
    with Engine.open(engine.path, actor=MARA) as restored:
        assert [entry.kind for entry in restored.history()][-1] is EventKind.RESTORED
        report = restored.verify()
        assert report.ok, report.problem


def test_a_backup_from_before_the_first_reviewer_is_refused(engine: Engine, backup: Path) -> None:
    """Or whoever may write files would be rid of the reviewers, unsigned."""
    governed(engine)
    before = content(engine.path)
    with pytest.raises(NotAllowed, match="does not have the reviewer who was enrolled first"):
        restore(backup, engine.path)
    assert content(engine.path) == before
    engine.close()
    engine.path.unlink()
    with pytest.raises(NotAllowed):  # the witness knows, too
        restore(backup, engine.path)


def restored_by(engine: Engine, backup: Path, who: Signer) -> Restored:
    """Restore it as the command line does."""
    with Engine.open(backup, actor=MARA, read_only=True) as then:
        head = then.status().head

    def sign(fresh: Path) -> None:
        with Engine.open(fresh, actor=MARA) as copy:
            Governor(copy).restored(who, size=head.size, root=head.root, reason="lost a day")

    return restore(backup, engine.path, sign)


@pytest.mark.parametrize("gone", ["nothing", "the store", "the witness"])
def test_a_key_that_was_revoked_since_does_not_sign(engine: Engine, tmp_path: Path, gone: str) -> None:
    """Store and witness know, each by itself; the witness goes on knowing after a restoration."""
    governor, sam = governed(engine), signer("sam")
    governor.enrol(sam.public, "sam", [RITA])
    backup = tmp_path / "backup.db"
    engine.backup(backup)
    governor.revoke("sam", [RITA], "sam left")
    before = content(engine.path)
    if gone == "the store":
        engine.close()
        engine.path.unlink()
    elif gone == "the witness":
        witness.place(engine.status().store_id).unlink()
    with pytest.raises(NotAllowed, match=f"{sam.key_id[:12]} was revoked after this backup was made"):
        restored_by(engine, backup, sam)
    assert not engine.path.exists() if gone == "the store" else content(engine.path) == before
    done = restored_by(engine, backup, RITA)
    assert done.known
    assert done.barred == {sam.key_hex}
    with Engine.open(engine.path, actor=MARA) as again:
        with pytest.raises(NotAllowed):  # in what stands there now, it may sign
            restored_by(again, backup, sam)
        fresh = Governor(again)
        fresh.revoke("sam", [RITA], "sam left, still")
        fresh.enrol(sam.public, "sam", [RITA])
        later = tmp_path / "later.db"
        again.backup(later)
        assert restored_by(again, later, sam).barred == frozenset()  # enrolled again by those who may


def test_where_nobody_knows_whose_store_it_is(engine: Engine, backup: Path) -> None:
    """Nothing can tell then; it is said, and `verify` says where the witness began."""
    governed(engine)
    witness.place(engine.status().store_id).unlink()
    engine.close()
    engine.path.unlink()
    done = restore(backup, engine.path)
    assert not done.known
    with Engine.open(engine.path, actor=MARA) as restored:
        assert restored.verify().witness.endswith("; it began at event 2, nothing here tells of what came before")


def test_what_is_no_backup_of_it(engine: Engine, backup: Path, tmp_path: Path) -> None:
    with Engine.init(tmp_path / "other", actor=MARA, nested=True) as other:
        foreign = other.path
    before = content(engine.path)
    for source, error, words in (
        (foreign, BadInput, "is a backup of another store"),
        (engine.path, BadInput, "is the store itself"),
        (tmp_path / "nowhere.db", StoreError, "there is no store at"),
    ):
        with pytest.raises(error, match=words):
            restore(source, engine.path)
    backup.write_bytes(b"x" * 5000)
    with pytest.raises(IntegrityFailure):
        restore(backup, engine.path)
    assert content(engine.path) == before


@pytest.mark.parametrize("error", [OSError(28, "No space left on device"), KeyboardInterrupt()])
def test_a_failure_on_the_way_leaves_the_store(engine: Engine, backup: Path, error: BaseException) -> None:
    before = content(engine.path)

    def fail(fresh: Path) -> None:
        raise error

    with pytest.raises((StoreError, KeyboardInterrupt)):
        restore(backup, engine.path, fail)
    assert content(engine.path) == before
    assert sorted(os.listdir(engine.path.parent))[0] == "ledger.db"
    assert not issubclass(apsw.Error, StoreError)
    engine.note("it goes on")
