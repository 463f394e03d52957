"""Temporal evidence: the later side tells a change; `occurred_at` decides which is later."""

from __future__ import annotations

import pytest

from tests.detect.sides import memory, weight
from tur_engine.detect.evidence import gather
from tur_engine.detect.pair import Pair

OLD, NEW = "The weekly sync is at ten.", "The weekly sync is now at eleven."


def temporal(old: str, new: str, old_days: int, new_days: int) -> float:
    pair = Pair.of(memory(old, 1, days=old_days), memory(new, 2, days=new_days))
    return next((e.weight for e in gather(pair) if e.kind == "temporal"), 0.0)


def test_a_change_told_by_the_later_side_speaks_for_a_clash() -> None:
    assert temporal(OLD, NEW, 0, 5) > 0.5


def test_a_change_told_by_the_earlier_side_is_old_news() -> None:
    assert temporal(OLD, NEW, 5, 0) == 0


def test_of_equal_dates_either_side_may_tell_it() -> None:
    assert weight(OLD, NEW, "temporal") == weight(NEW, OLD, "temporal") > 0.5


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("The sync is at ten.", "Plums are now ripe."),  # nothing in common
        ("The sync is now at ten.", "The sync is now at eleven."),  # both tell a change: neither is the older state
        ("The sync is at ten.", "The sync is in the big room."),
        ("Mara joined the company in 2019.", "Mara became its head in 2022."),  # two steps of one way
    ],
)
def test_no_change_no_evidence(old: str, new: str) -> None:
    assert weight(old, new, "temporal") == 0
