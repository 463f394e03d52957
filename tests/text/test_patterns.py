"""Patterns compiled late answer as those compiled at once."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tur_engine.patterns import later

GIVEN = r"(?P<word>[a-z]+)\s*(\d*)"


@given(st.text("ab1 \n", max_size=12))
def test_it_answers_as_a_pattern_does(text: str) -> None:
    ours, theirs = later(GIVEN, re.IGNORECASE), re.compile(GIVEN, re.IGNORECASE)
    for _ in range(2):  # the second time nothing is compiled
        assert ours.findall(text) == theirs.findall(text)
        assert ours.sub("-", text) == theirs.sub("-", text)
        assert [m.span() for m in ours.finditer(text)] == [m.span() for m in theirs.finditer(text)]
        assert (ours.search(text) is None) == (theirs.search(text) is None)
    assert (ours.pattern, ours.flags) == (theirs.pattern, theirs.flags)


def test_bytes_too() -> None:
    assert later(rb"\d+").findall(b"1 22") == [b"1", b"22"]


def test_a_bad_pattern_is_told_when_it_is_asked_for() -> None:
    with pytest.raises(re.error):
        later("(").search("x")
