"""Words for ages, statuses and values."""

from __future__ import annotations

from datetime import timedelta

import pytest

from tests.ui.stage import MOMENT, belief
from tur_engine.records import Status
from tur_tui.drawing.wording import age, age_in_words, content, scalar, standing


@pytest.mark.parametrize(
    ("ago", "short", "long"),
    [
        (timedelta(seconds=2), "now", "just now"),
        (timedelta(seconds=-90), "now", "just now"),
        (timedelta(seconds=42), "42s", "42 seconds ago"),
        (timedelta(minutes=1), "1m", "1 minute ago"),
        (timedelta(hours=5, minutes=59), "5h", "5 hours ago"),
        (timedelta(days=3), "3d", "3 days ago"),
        (timedelta(days=20), "2w", "2 weeks ago"),
        (timedelta(days=200), "6mo", "6 months ago"),
        (timedelta(days=729), "24mo", "24 months ago"),
        (timedelta(days=1500), "4y", "4 years ago"),
    ],
)
def test_ages(ago: timedelta, short: str, long: str) -> None:
    assert age(MOMENT - ago, MOMENT) == short
    assert age_in_words(MOMENT - ago, MOMENT) == long
    assert len(short) <= 4


def test_standing_says_what_is_in_question() -> None:
    assert standing(belief("x")) == "active"
    assert standing(belief("x", status=Status.SUSPECT)) == "suspect, rests on 1 fallen"
    assert standing(belief("x", against=["a" * 64])) == "active, contested"
    assert standing(belief("x", status=Status.PENDING)) == "pending approval"


def test_values_read_as_people_write_them() -> None:
    assert [scalar(value) for value in (None, True, 5432, 1.5, "a\nb")] == ["null", "true", "5432", "1.5", "a b"]


def test_a_redacted_memory_says_so() -> None:
    gone = belief("x").memory.model_copy(update={"content": "", "redacted": True})
    assert content(gone) == "(redacted)"
