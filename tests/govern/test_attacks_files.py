"""Whoever has the file can change it; `verify` tells (CONTRACTS 6). Which W is where: the table in test_attacks.py."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import Programs, tur
from tests.engine.scripted import MARA, Store
from tests.govern.asking import TLS, ask
from tests.govern.attacking import DAMAGED, by_hand
from tests.govern.signing import governed, put_in_force, signer
from tur_engine.engine import Engine
from tur_engine.governor import Governor
from tur_engine.ledger import NewEvent, witness
from tur_engine.ledger.bodies import Body
from tur_engine.ledger.canonical import GENESIS, canonical
from tur_engine.ledger.merkle import Peaks
from tur_engine.records import Draft, EventKind, MemoryType

__all__ = ["tur"]

OPEN = 2**62
TEXT = "All service traffic must use TLS encryption"
EMBEDDING = 32 + 384
MALLORY = signer("mallory")

EDITS = {
    "W17 a mark that the text was redacted": "UPDATE bodies SET body = NULL, salt = NULL, redacted_seq = 3 "
    f"WHERE CAST(body AS TEXT) = '{TEXT}'",
    "W18 the text": "UPDATE bodies SET body = CAST(replace(CAST(body AS TEXT), 'must', 'may') AS BLOB) "
    f"WHERE CAST(body AS TEXT) = '{TEXT}'",
    "W18 the id": "UPDATE memories SET digest = replace(digest, substr(digest, 1, 8), '00000000')",
    "W19 the memory is deleted": "DELETE FROM memories",
    "W19 its approval is deleted": "DELETE FROM approvals",
    "W19 the reviewers are deleted": "DELETE FROM reviewer_keys",
    "W19 the proposals are deleted": "DELETE FROM proposals",
    "W20 who wrote an event": "UPDATE events SET actor = 'human:rita' WHERE seq = 2",
    "W20 what kind an event is": "UPDATE events SET kind = 'noted' WHERE seq = 2",
    "W20 when an event was": "UPDATE events SET at = '2020-01-01T00:00:00.000000Z' WHERE seq = 2",
    "W20 the type": "UPDATE memories SET type = 'fact'",
    "W20 the scope": "UPDATE scopes SET scope = 'incarnation:docs'",
    "W20 the words it is found by": "DELETE FROM words",
    "W21 the status": "UPDATE standing SET status = 'superseded'",
    "W32 an edge": f"INSERT INTO edges SELECT mid, mid, 'superseded_by', 2, {OPEN} FROM memories",
    "a vector in the index": "UPDATE vectors_vector_chunks00 SET vectors = zeroblob(length(vectors))",
    "a vector as it came in": f"UPDATE bodies SET body = zeroblob({EMBEDDING}) WHERE length(body) = {EMBEDDING}",
}


@pytest.fixture(scope="module")
def signed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store where Rita has signed one invariant: events founded, proposed, enrolled, approved."""
    with Engine.init(tmp_path_factory.mktemp("signed"), actor=MARA) as engine:
        proposed = engine.learn(Draft(content=TEXT, type=MemoryType.CORE, author=MARA))
        put_in_force(engine, proposed.proposal_id or "")
        return engine.path


@pytest.fixture
def store(signed: Path, workdir: Path) -> Path:
    """A copy of it in the working folder, which this machine has not seen yet."""
    (workdir / ".tur").mkdir()
    return Path(shutil.copyfile(signed, workdir / ".tur" / "ledger.db"))


@pytest.mark.parametrize("what", EDITS)
def test_the_database_is_edited_by_hand(tur: Programs, store: Path, what: str) -> None:
    """W17-W21, W32, and the vectors that an invariant is found by."""
    before = store.read_bytes()
    with by_hand(store) as db:
        db.execute(EDITS[what])
        assert db.changes() > 0
    assert store.read_bytes() != before
    assert tur("verify").code == DAMAGED


def test_what_is_not_edited_verifies(tur: Programs, store: Path) -> None:
    told = tur("verify", "--json")
    assert (told.code, told.json["checkpoints"], told.json["witness"]) == (0, 2, witness.NONE)


# the whole chain ----------------------------------------------------------------------


def rewrite(store: Path, change: Callable[[int, dict[str, Any]], bool]) -> None:
    """Write the chain anew from the first event, so that all hashes are right again.

    It ends before the event that `change` says no to; texts that only later ones name go too.
    """
    previous, peaks, named = GENESIS, Peaks(), b""
    with by_hand(store) as db:
        rows: list[Any] = db.execute("SELECT seq, json FROM events ORDER BY seq").fetchall()
        for seq, payload in rows:
            event = json.loads(payload)
            event["previous"] = previous
            if not change(seq, event):
                db.execute("DELETE FROM events WHERE seq >= ?", (seq,))
                break
            fresh = canonical(event)
            row = (event["at"], event["actor"], event["kind"], fresh, sha256(fresh).digest(), seq)
            db.execute("UPDATE events SET at=?, actor=?, kind=?, json=?, hash=? WHERE seq=?", row)
            previous, peaks, named = sha256(fresh).hexdigest(), peaks.extend([fresh]), named + fresh
        refs: list[Any] = db.execute("SELECT ref FROM bodies").fetchall()
        for (ref,) in refs:
            if ref.hex().encode() not in named:
                db.execute("DELETE FROM bodies WHERE ref = ?", (ref,))
        db.executemany("UPDATE meta SET value=? WHERE key=?", [(peaks.dump(), "peaks"), (previous, "head_hash")])


def older(seq: int, event: dict[str, Any]) -> bool:
    """The proposal was made long ago, by somebody else."""
    if seq == 2:
        event |= {"at": "2020-01-01T00:00:00.000000Z", "actor": "human:rita"}
    return True


def test_the_whole_chain_is_rewritten_without_a_key(tur: Programs, store: Path) -> None:
    """W18 in earnest: every hash is recomputed; the signatures name another tree, with or without a witness."""
    rewrite(store, older)
    assert tur.adm("rebuild").code == DAMAGED
    ran = tur("verify", "--json")
    assert (ran.code, ran.json["first_bad"]) == (DAMAGED, 3)
    assert "another state of the ledger" in ran.json["problem"]


@pytest.mark.parametrize("witnessed", [True, False])
def test_the_reviewer_is_replaced_by_ones_own_key(tur: Programs, store: Path, witnessed: bool) -> None:
    """All that was signed is dropped and signed anew: only what this machine saw of the store can tell."""
    assert tur("note", "this machine has seen it").code == 0
    rewrite(store, lambda seq, event: event["kind"] != EventKind.ENROLLED)
    assert tur.adm("rebuild").code == 0
    if not witnessed:
        forget()
    with Engine.open(store, actor=MARA) as engine:
        governor = Governor(engine)
        governor._enrol_first(MALLORY)
        governor.approve(governor.proposals()[0].id, MALLORY)
        for count in range(5):
            engine.note(f"more events than before, {count}")
    ran = tur("verify", "--json")
    assert ran.code == (DAMAGED if witnessed else 0)
    told = ran.json["problem"] if witnessed else ran.json["witness"]
    assert ("the chain was rewritten" if witnessed else "agrees") in told


def forget() -> None:
    """Delete what this machine knows of stores."""
    for file in witness.place("x").parent.glob("*.json"):
        file.unlink()


@pytest.mark.parametrize("witnessed", [True, False])
def test_an_older_copy_takes_the_stores_place(
    tur: Programs, store: Path, tmp_path: Path, signed: Path, witnessed: bool
) -> None:
    rewrite(store, lambda seq, event: event["kind"] != EventKind.ENROLLED)
    assert tur.adm("rebuild").code == 0
    old = Path(shutil.copyfile(store, tmp_path / "old.db"))
    shutil.copyfile(signed, store)
    assert tur("note", "this machine has seen it").code == 0
    for file in store.parent.glob("ledger.db*"):
        file.unlink()
    shutil.copyfile(old, store)
    if not witnessed:
        forget()
    ran = tur("verify", "--json")
    assert ran.code == (DAMAGED if witnessed else 0)
    told = ran.json["problem"] if witnessed else ran.json["witness"]
    assert ("an older copy was put in its place" if witnessed else witness.NONE) in told


def test_the_tail_is_cut_off(tur: Programs, store: Path) -> None:
    with by_hand(store) as db:
        db.execute("DELETE FROM events WHERE seq = (SELECT max(seq) FROM events)")
    assert tur("verify").code == DAMAGED


# from elsewhere -----------------------------------------------------------------------


def test_an_approval_is_replayed_in_another_store(tmp_path: Path) -> None:
    """The same reviewer, the same proposal, the approval to the byte: it was made for the other store."""
    one, other = Store(tmp_path / "one"), Store(tmp_path / "other")
    for each in (one, other):
        governed(each.engine)
    put_in_force(one.engine, ask(one, TLS))
    for kind in (EventKind.PROPOSED, EventKind.APPROVED):
        event = copied(one, kind)
        assert other.engine.verify().ok
        with other.engine._ledger.writing() as tx:
            seq = tx.append([event]).seqs[0]
    report = other.engine.verify()
    assert (report.ok, report.first_bad) == (False, seq)
    assert "made for something else" in report.problem
    one.close()
    other.close()


def copied(store: Store, kind: EventKind) -> NewEvent:
    """The latest event of a kind, with every body that it names."""
    with store.engine._reads() as (db, reads):
        _, actor, data = reads.event(reads.kinds(str(kind))[-1])
        named = json.dumps(data)
        rows: list[Any] = db.execute("SELECT hex(ref), salt, body FROM bodies").fetchall()
    bodies = [Body(salt, text) for ref, salt, text in rows if ref.lower() in named]
    return NewEvent(kind, actor, data, bodies)
