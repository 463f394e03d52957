"""Any byte of any row of a ledger of 500 events, changed: `verify` says so."""

from __future__ import annotations

import random
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import apsw
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from tests.ledger.makings import MARA, MOMENT, draft
from tests.ledger.test_verify import GOVERNED, TABLES, assert_reported, columns, keys, tampered
from tests.standins import plain_vector
from tur_engine.ledger import Encoded, NewEvent
from tur_engine.ledger.bodies import body
from tur_engine.ledger.effects import arrive
from tur_engine.ledger.ledger import Ledger
from tur_engine.ledger.verify import verify
from tur_engine.records import EventKind, Status

EVENTS = 500


@pytest.fixture(scope="module")
def large(told_once: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Ledger]:
    """The story, governed, and memories behind it up to 500 events."""
    path = tmp_path_factory.mktemp("large") / "ledger.db"
    shutil.copyfile(told_once, path)
    ledger, chance = Ledger(path), random.Random(500)
    words = "harbour lighthouse ferry timetable crane customs pilot anchor tide quay".split()
    with ledger.writing() as tx:
        tx.append([NewEvent(kind, MARA, {"effects": [effect]}) for kind, effect in GOVERNED])
        events = []
        for number in range(EVENTS - ledger.head()):
            text = f"berth {number}: {' '.join(chance.choices(words, k=8))}"
            encoded, vector = Encoded(draft(text, topic=f"berth {number % 9}"), MOMENT), body(plain_vector(text))
            data = {"memory": encoded.data, "effects": [arrive(encoded.digest, Status.ACTIVE, vector.ref)]}
            events.append(NewEvent(EventKind.LEARNED, MARA, data, [*encoded.bodies, vector]))
        tx.append(events)
    assert ledger.head() == EVENTS
    yield ledger
    report = verify(ledger)
    assert report.ok, report.problem
    ledger.close()


@settings(max_examples=25)
@given(data=st.data())
def test_a_changed_byte_is_reported(large: Ledger, data: st.DataObject) -> None:
    change_one(large, data)


@pytest.mark.soak
@settings(max_examples=2500)
@given(data=st.data())
def test_thousands_of_changed_bytes_are_reported(large: Ledger, data: st.DataObject) -> None:
    change_one(large, data)


def change_one(ledger: Ledger, data: st.DataObject) -> None:
    table = data.draw(st.sampled_from([name for name in TABLES if name != "words"]))
    with ledger.reading() as db:
        where, rows = keys(db, table)
        names = columns(db, table)
    row, name = data.draw(st.sampled_from(rows)), data.draw(st.sampled_from(names))
    with tampered(ledger) as db:
        value = db.execute(f"SELECT {name} FROM {table} WHERE {where}", row).get
        assume(value is not None and value not in (b"", ""))
        place, bit = data.draw(st.integers(0, width(value) - 1)), data.draw(st.integers(0, 7))
        mark, other = flipped(value, place, bit)
        if (table, name) == ("vectors", "embedding"):
            mark = "vec_bit(?)"
        try:
            db.execute(f"UPDATE {table} SET {name}={mark} WHERE {where}", (other, *row))
        except (apsw.ConstraintError, apsw.SQLError):  # the table itself refuses it
            return
        if (table, name) == ("vectors", "mid") and db.execute("SELECT 1 FROM vectors WHERE mid=?", row).get:
            return  # vec0 passes over a new key without a word: nothing was changed
        assert_reported(ledger, f"{table}.{name} {row}: {value!r} -> {other!r}")


def width(value: Any) -> int:
    return 8 if isinstance(value, int) else len(value.encode() if isinstance(value, str) else value)


def flipped(value: Any, place: int, bit: int) -> tuple[str, Any]:
    """Return how SQL takes the changed value, and the value."""
    if isinstance(value, int):
        raw = bytearray(value.to_bytes(8, "big", signed=True))
    else:
        raw = bytearray(value.encode() if isinstance(value, str) else value)
    raw[place] ^= 1 << bit
    if isinstance(value, int):
        return "?", int.from_bytes(raw, "big", signed=True)
    return ("CAST(? AS TEXT)" if isinstance(value, str) else "?"), bytes(raw)
