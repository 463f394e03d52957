"""Mechanical evidence: same scoping key, same field, two values (`1 == 1.0`, `1 != true`, `1 != "1"`)."""

from __future__ import annotations

import math

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from tests.detect.sides import memory
from tur_engine.detect.evidence import gather
from tur_engine.detect.pair import Pair
from tur_engine.records import Scalar
from tur_engine.records.fields import conflicting_fields, same

scalars = st.one_of(
    st.none(), st.booleans(), st.integers(-100, 100), st.floats(-100, 100, allow_nan=False), st.text(max_size=5)
)
names = st.sampled_from(["port", "owner", "region", "replicas"])
fields = st.dictionaries(names, scalars, max_size=4)


def test_two_values_of_one_field_clash() -> None:
    old = memory("The database.", topic="db", fields={"port": 5432, "engine": "postgres"})
    new = memory("The database.", 2, topic="db", fields={"port": 6432, "engine": "postgres"})
    assert conflicting_fields(old, new) == ("port",)
    (piece,) = (e for e in gather(Pair.of(old, new)) if e.kind == "mechanical")
    assert piece.weight > 3
    assert "5432" in piece.sentence
    assert "6432" in piece.sentence


@pytest.mark.parametrize(
    ("one", "other", "equal"),
    [(1, 1.0, True), (1, True, False), (0, False, False), (1, "1", False), ("a", "a", True), (True, True, True)],
)
def test_values_compare_by_type_and_value(one: Scalar, other: Scalar, equal: bool) -> None:
    assert same(one, other) is equal
    assert same(other, one) is equal


def test_null_is_not_compared() -> None:
    old, new = memory("x", topic="db", fields={"port": None}), memory("x", 2, topic="db", fields={"port": 1})
    assert conflicting_fields(old, new) == ()


def test_other_topics_are_never_compared() -> None:
    old, new = memory("x", topic="db", fields={"port": 1}), memory("x", 2, topic="api", fields={"port": 2})
    assert conflicting_fields(old, new) == ()


def test_a_shared_scoping_field_stands_in_for_the_topic_and_is_no_conflict_itself() -> None:
    old = memory("x", fields={"entity": "cart", "ttl": 14, "topic": "a"})
    new = memory("x", 2, fields={"entity": "cart", "ttl": 30, "topic": "b"})
    assert conflicting_fields(old, new) == ("ttl",)


@given(fields, fields)
def test_detection_is_symmetric_sorted_and_true(one: dict[str, Scalar], other: dict[str, Scalar]) -> None:
    old, new = memory("x", topic="t", fields=one), memory("x", 2, topic="t", fields=other)
    found = conflicting_fields(old, new)
    assert found == conflicting_fields(new, old) == tuple(sorted(found))
    for name in one.keys() & other.keys():
        differ = one[name] is not None and other[name] is not None and not same(one[name], other[name])
        assert (name in found) is differ


@given(fields)
def test_a_memory_never_clashes_with_itself(one: dict[str, Scalar]) -> None:
    assert conflicting_fields(memory("x", topic="t", fields=one), memory("x", 2, topic="t", fields=one)) == ()


@given(st.integers(-(2**40), 2**40))
def test_a_whole_float_is_its_integer(number: int) -> None:
    assume(math.isfinite(float(number)))
    assert same(number, float(number))
