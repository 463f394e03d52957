"""The words that two texts have in common: those that rapidfuzz finds, place by place."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rapidfuzz.distance import LCSseq

from tur_engine.detect.alignment import stretches

words = st.lists(st.sampled_from("abcd"), max_size=12) | st.lists(st.sampled_from("abcdefgh"), max_size=150)


@settings(max_examples=2000)
@given(words, words)
def test_they_are_the_ones_of_the_library(left: list[str], right: list[str]) -> None:
    known = [op for op in LCSseq.opcodes(left, right) if op.tag == "equal"]
    assert stretches(left, right) == [(op.src_start, op.dest_start, op.src_end - op.src_start) for op in known]


@pytest.mark.parametrize(
    ("left", "right", "common"),
    [
        ("", "a b", []),
        ("a b c", "a b c", [(0, 0, 3)]),
        ("the port is 80", "the api port is 81", [(0, 0, 1), (1, 2, 2)]),
    ],
)
def test_examples(left: str, right: str, common: list[tuple[int, int, int]]) -> None:
    assert stretches(left.split(), right.split()) == common
