"""What this machine saw of a store: a chain that verifies by itself is still told from the one that was seen."""

from __future__ import annotations

import json
import logging
import os
import shutil
import threading
from pathlib import Path

import pytest

from tests.govern.signing import governed
from tests.ledger.makings import BOT, MARA
from tur_engine.engine import Engine
from tur_engine.ledger import Ledger, NewEvent, witness
from tur_engine.ledger.verify import verify
from tur_engine.records import EventKind


def kept(engine: Engine) -> witness.Witness:
    found = witness.read(engine.status().store_id)
    assert found is not None
    return found


def copy_of(engine: Engine, target: Path) -> Path:
    engine.backup(target)
    return target


def put_back(engine: Engine, backup: Path) -> Path:
    """Replace the store's file behind everybody's back."""
    path = engine.path
    engine.close()
    for file in path.parent.glob("ledger.db*"):
        file.unlink()
    shutil.copyfile(backup, path)
    return path


def test_every_write_is_seen(engine: Engine, home: Path) -> None:
    for _ in range(3):
        engine.note("hello")
        found, head = kept(engine), engine.status().head
        assert (found.size, found.root, found.key) == (head.size, head.root, "")
    assert home in witness.place("x").parents
    report = engine.verify()
    assert report.ok
    assert report.witness == f"agrees: this machine saw 4 events, root {head.root[:16]}"


def test_a_state_directory_of_ones_own(engine: Engine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    assert engine.verify().witness == witness.NONE
    engine.note("hello")
    assert (tmp_path / "state" / "tur-tui" / "witness" / f"{engine.status().store_id}.json").is_file()


def test_an_older_copy_put_back_is_reported(engine: Engine, tmp_path: Path) -> None:
    engine.note("one")
    backup = copy_of(engine, tmp_path / "old.db")
    engine.note("two")
    with Engine.open(put_back(engine, backup), actor=MARA) as again:
        report = again.verify()
        assert not report.ok
        assert report.first_bad == 3
        assert "this machine saw 3 events of this store, it holds 2" in report.problem
        assert verify(again._ledger, witnessed=False).ok
        again.note("another two")
        assert "with another root" in again.verify().witness  # the writer did not take the trace away
        again.note("three")
        assert not again.verify().ok
        assert kept(again).size == 3


def test_a_chain_rewritten_whole_is_reported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Same store id, same size, every hash sound: another history."""
    monkeypatch.setattr("tur_engine.ledger.ledger.os.urandom", lambda count: b"\x07" * count)
    with Engine.init(tmp_path / "one", actor=MARA) as engine:
        engine.note("one")
    with Engine.init(tmp_path / "other", actor=BOT) as forged:
        forged.note("other")
        report = forged.verify()
    assert not report.ok
    assert report.first_bad is None
    assert "the chain was rewritten" in report.problem


def test_a_writer_catches_up_where_others_were_not_seen(engine: Engine) -> None:
    path = witness.place(engine.status().store_id)
    before = path.read_bytes()
    for _ in range(5):
        engine.note("hello")
    path.write_bytes(before)
    assert engine.verify().ok
    engine.note("once more")
    assert kept(engine).size == 7


def test_it_never_moves_back(engine: Engine) -> None:
    with Ledger(engine.path).writing() as slow:
        slow.append([NewEvent(EventKind.NOTED, MARA, {"effects": []})])
    engine.note("quicker")
    late = kept(engine)
    witness.record(late.store, slow.before, slow.after, witness.NOBODY, lambda low, high: ())
    assert kept(engine) == late


def test_another_first_key_is_reported(engine: Engine) -> None:
    enrolled = {"op": "key", "key": "ab" * 32, "public": "cd" * 32, "name": "mara", "on": True}
    with engine._ledger.writing() as tx:
        tx.append([NewEvent(EventKind.ENROLLED, MARA, {"effects": [enrolled]})])
    found = kept(engine)
    assert found.key == "cd" * 32
    witness.place(found.store).write_text(
        json.dumps(json.loads(witness.place(found.store).read_text()) | {"key": "ef"})
    )
    report = verify(engine._ledger)
    assert not report.ok
    assert "its first reviewer key is not the one" in report.problem
    engine.note("hello")
    assert kept(engine).key == "ef"


def test_one_that_was_lost_leaves_a_trace(engine: Engine) -> None:
    """The next write begins it anew, and from then on `verify` says so."""
    engine.note("one")
    witness.place(engine.status().store_id).unlink()
    assert engine.verify().witness == witness.NONE
    engine.note("two")
    engine.note("three")
    report = engine.verify()
    assert report.ok
    assert "agrees: this machine saw 4 events" in report.witness
    assert report.witness.endswith("; it began at event 3, nothing here tells of what came before")


def test_a_reviewers_key_is_named_as_the_list_of_keys_names_it(engine: Engine) -> None:
    key = governed(engine).keys()[0]
    assert f"; first reviewer {key.id[:12]}" in engine.verify().witness


def test_one_of_an_older_version_is_taken_up(engine: Engine) -> None:
    path = witness.place(engine.status().store_id)
    old = json.loads(path.read_text())
    del old["since"], old["revoked"]
    path.write_text(json.dumps(old))
    engine.note("hello")
    assert (kept(engine).size, kept(engine).since) == (2, 0)
    assert "it began" not in engine.verify().witness


@pytest.mark.parametrize(
    "content", [b"", b"{", b"[]", b"{}", b"\xff", b'{"store":1,"size":2,"root":3,"key":4,"peaks":5}']
)
def test_one_that_cannot_be_read(engine: Engine, content: bytes, caplog: pytest.LogCaptureFixture) -> None:
    path = witness.place(engine.status().store_id)
    path.write_bytes(content)
    report = engine.verify()
    assert report.ok
    assert report.witness.startswith(f"not compared: {path} cannot be read")
    with caplog.at_level(logging.WARNING):
        engine.note("hello")
    assert "is written anew" in caplog.text
    assert engine.verify().witness.startswith("agrees")


def test_a_place_that_cannot_be_written_stops_no_write(
    engine: Engine, home: Path, caplog: pytest.LogCaptureFixture
) -> None:
    shutil.rmtree(witness.place("x").parent)
    witness.place("x").parent.write_text("a file where the folder should be")
    with caplog.at_level(logging.WARNING):
        engine.note("hello")
    assert engine.head() == 2
    assert "the witness of store" in caplog.text


def test_many_writers_at_once(engine: Engine) -> None:
    def work() -> None:
        for _ in range(10):
            engine.note("hello")

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert engine.verify().ok
    engine.note("the last one")
    assert kept(engine).size == 42
    assert os.listdir(witness.place("x").parent) == [f"{kept(engine).store}.json"]
