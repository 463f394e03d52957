"""What the tests of attacks share: a store with one invariant in force, and what must be true of it afterwards."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import apsw
import pytest

from tests.cli.conftest import Programs, Ran
from tests.cli.test_governance import propose
from tur_engine.ledger.connection import load_extension

OPPOSITE = "Service traffic must not use TLS encryption"
ERROR, USAGE, HELD, CLASH, DAMAGED = 1, 2, 3, 4, 5


@pytest.fixture
def held(tur: Programs, with_passphrase: Callable[..., Ran], reviewer: str) -> str:
    """A store where one invariant is in force; the invariant's id."""
    proposal = propose(tur)
    assert with_passphrase("proposal", "approve", proposal).code == 0
    return proposal.replace("proposal", "core")


def stands(tur: Programs, held: str) -> None:
    """The invariant is in force, nothing holds beside it that says the opposite, and the ledger verifies."""
    shown = tur("show", held, "--json").json
    assert (shown["status"], shown["approved"], shown["contested_by"]) == ("active", True, [])
    assert OPPOSITE not in [memory["content"] for memory in tur("list", "--json").json["memories"]]
    assert tur("verify").code == 0


def waiting(tur: Programs) -> list[str]:
    """The proposals that wait, none of them signed."""
    found = tur.adm("proposal", "list", "--json").json["proposals"]
    assert [each["signatures"] for each in found] == [[] for _ in found]
    return [str(each["id"]) for each in found]


@contextmanager
def by_hand(store: Path) -> Iterator[apsw.Connection]:
    """The file as whoever may write it sees it: triggers and foreign keys are no obstacle."""
    with closing(apsw.Connection(str(store))) as db, db:
        load_extension(db)
        db.execute("PRAGMA foreign_keys = OFF")
        for (name,) in db.execute("SELECT name FROM sqlite_schema WHERE type = 'trigger'").fetchall():
            db.execute(f'DROP TRIGGER "{name}"')
        yield db
