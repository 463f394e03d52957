"""The tables of the search extensions: sound ones fit, whatever was learned and taken out; one wrong entry does not."""

from __future__ import annotations

import random
from collections.abc import Iterator
from contextlib import closing

import apsw
import pytest

from tur_engine.ledger import schema, shadows
from tur_engine.ledger.connection import load_extension


@pytest.fixture
def db() -> Iterator[apsw.Connection]:
    with closing(apsw.Connection(":memory:")) as db:
        load_extension(db)
        db.execute(schema.SEARCH)
        yield db


def fill(db: apsw.Connection, chance: random.Random, rounds: int) -> None:
    """Words in several segments and on many pages; one word goes over pages; some rows are taken out again."""
    words = [f"{chance.getrandbits(16):x}" * chance.randint(1, 3) for _ in range(3000)]
    rows: list[int] = []
    for _ in range(rounds):
        with db:
            for _ in range(chance.randint(1, 200)):
                rows.append(len(rows) + 1)
                text = " ".join(chance.choices(words, k=12)) + " common" * chance.randint(0, 3)
                db.execute("INSERT INTO words(rowid, tokens) VALUES(?,?)", (rows[-1], text))
        if chance.random() < 0.2:
            with db:
                for mid in chance.sample(rows, min(5, len(rows))):
                    db.execute("DELETE FROM words WHERE rowid=?", (mid,))
                db.execute("INSERT INTO words(words) VALUES('optimize')")


def test_what_the_extension_made_fits(db: apsw.Connection, chance: random.Random) -> None:
    for _ in range(4):
        fill(db, chance, 6)
        shadows.check(db, 10_000)
    assert db.execute("SELECT count(*) FROM words_idx").get > 20
