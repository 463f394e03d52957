"""`1`, `true`, `"1"` and null are four values, from the draft through the ledger and back."""

from __future__ import annotations

from typing import Any

import pytest

from tests.ledger.makings import MOMENT, draft
from tur_engine.engine import Engine
from tur_engine.ledger import Encoded
from tur_engine.records import Outcome

VALUES: list[Any] = [1, True, "1", None, 0, False, "", "true", "null", 1.5, "1.5", 2**53 - 1, -(2**53) + 1, 1e20, 1e300]


@pytest.mark.parametrize("value", VALUES, ids=repr)
def test_a_value_comes_back_as_it_was_given(engine: Engine, value: Any) -> None:
    result = engine.learn(draft("database: one", fields={"v": value}))
    (kept,) = engine.memory(result.id or "").memory.fields.values()
    assert kept == value
    assert type(kept) is type(value)
    assert engine.verify().ok


def test_whole_floats_are_integers_as_in_json(engine: Engine) -> None:
    """RFC 8785 writes 1.0 as 1; both compare equal (CONTRACTS 8)."""
    result = engine.learn(draft("database: one", fields={"v": 1.0}))
    assert engine.memory(result.id or "").memory.fields == {"v": 1}


def test_only_equal_values_have_one_key() -> None:
    keys = {Encoded(draft("database: one", fields={"v": value}), MOMENT).key for value in VALUES}
    assert len(keys) == len(VALUES)


def test_the_same_value_again_is_a_duplicate(engine: Engine) -> None:
    first = engine.learn(draft("Database: one", fields={"v": True, "w": None}, topic="x"))
    again = engine.learn(draft("database:  ONE", fields={"w": None, "v": True}, topic="x"))
    assert again.outcome is Outcome.DUPLICATE
    assert again.duplicate_of == first.id
