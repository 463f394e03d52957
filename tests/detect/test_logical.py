"""Logical evidence: one memory's assumption against the other's content."""

from __future__ import annotations

from tests.detect.sides import memory
from tur_engine.detect.evidence import gather
from tur_engine.detect.pair import Pair
from tur_engine.records import Evidence, Memory


def logical(old: Memory, new: Memory) -> list[Evidence]:
    return [e for e in gather(Pair.of(old, new)) if e.kind == "logical"]


def test_an_assumption_that_the_newcomer_denies() -> None:
    old = memory("Nightly exports can be read by partners.", assumptions=("The exports bucket is public.",))
    new = memory("The exports bucket is private.", 2)
    (piece,) = logical(old, new)
    assert piece.weight > 0.8
    assert '"The exports bucket is public."' in piece.sentence
    assert piece.challenger_words == "private"
    assert piece.challenger_spans


def test_an_assumption_of_the_newcomer_works_the_same() -> None:
    old = memory("The gateway times out after 30 seconds.")
    new = memory(
        "Long reports can be rendered in one request.", 2, assumptions=("The gateway times out after 300 seconds.",)
    )
    (piece,) = logical(old, new)
    assert piece.incumbent_words == "30 seconds"


def test_assumptions_that_hold_or_concern_something_else_say_nothing() -> None:
    old = memory(
        "Reports are rendered in one request.", assumptions=("The gateway times out after 30 s.", "Plums are ripe.")
    )
    new = memory("The gateway times out after 30000 ms.", 2)
    assert logical(old, new) == []
