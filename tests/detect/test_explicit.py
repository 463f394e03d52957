"""Explicit evidence: a declared contradiction, from either side."""

from __future__ import annotations

import pytest

from tests.detect.sides import memory
from tur_engine.detect.evidence import gather
from tur_engine.detect.pair import Pair
from tur_engine.records import Memory, Relation


def declaring(target: str) -> tuple[Memory, Memory]:
    return memory("Plums ripen in September."), memory(
        "Buses are late.", 2, relations=(Relation(type="contradicts", target=target),)
    )


def test_a_declared_contradiction_is_taken_from_either_side() -> None:
    old, new = declaring(memory("x").digest)
    for one, other in ((old, new), (new, old)):
        first = gather(Pair.of(one, other))[0]
        assert first.kind == "explicit"
        assert first.weight > 5


@pytest.mark.parametrize("relation", ["refines", "supports"])
def test_other_relations_say_nothing(relation: str) -> None:
    old = memory("Plums ripen in September.")
    new = memory("Buses are late.", 2, relations=(Relation(type=relation, target=old.digest),))
    assert gather(Pair.of(old, new)) == ()


def test_a_contradiction_with_a_third_memory_says_nothing() -> None:
    old, new = declaring(f"{77:064x}")
    assert gather(Pair.of(old, new)) == ()
