"""Whoever has the file can change it; `verify` tells (CONTRACTS 6; weaknesses W17-W21 of the peer)."""

from __future__ import annotations

import shutil
import sqlite3
from pathlib import Path

import pytest

from tests.cli.conftest import Programs, invariant, store, tur
from tur_engine.ledger import witness

__all__ = ["invariant", "store", "tur"]

EDITS = {
    "the kind of an event": "UPDATE events SET kind = 'noted' WHERE seq = 2",
    "the text of a memory": "UPDATE bodies SET body = CAST(replace(CAST(body AS TEXT), 'must', 'may') AS BLOB)",
    "the status of an invariant": "UPDATE standing SET status = 'superseded'",
    "the tail of the log": "DELETE FROM events WHERE seq = (SELECT max(seq) FROM events)",
    "the reviewers": "DELETE FROM reviewer_keys",
}


def edit(store: Path, sql: str) -> None:
    """Change the file as whoever may write it can: triggers and foreign keys are no obstacle."""
    with sqlite3.connect(store) as db:
        db.execute("PRAGMA foreign_keys = OFF")
        for (name,) in db.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'").fetchall():
            db.execute(f'DROP TRIGGER "{name}"')
        assert db.execute(sql).rowcount > 0
    db.close()


@pytest.mark.parametrize("what", EDITS)
def test_the_database_is_edited_by_hand(tur: Programs, store: Path, invariant: str, what: str) -> None:
    assert tur("verify").code == 0
    edit(store, EDITS[what])
    assert tur("verify").code == 5


@pytest.mark.parametrize("witness_too", [False, True])
def test_an_older_backup_without_the_invariant_is_put_back(
    tur: Programs, store: Path, tmp_path: Path, witness_too: bool
) -> None:
    tur("note", "before")
    old = tmp_path / "old.db"
    with sqlite3.connect(store) as db:
        db.execute("VACUUM INTO ?", (str(old),))
    db.close()
    assert tur("learn", "Every change is reviewed", "--type", "core").code == 0
    for file in store.parent.glob("ledger.db*"):
        file.unlink()
    shutil.copyfile(old, store)
    if not witness_too:
        assert tur("verify").code == 5
        return
    for file in witness.place("x").parent.glob("*.json"):
        file.unlink()
    told = tur("verify", "--json")
    assert told.json["witness"] == witness.NONE
