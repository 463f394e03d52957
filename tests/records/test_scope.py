"""Scopes: written and read back, overlapping, narrower."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.strategies import scopes
from tur_engine.errors import BadInput
from tur_engine.records import Level, Scope


@given(scopes)
def test_what_is_written_is_read_back(scope: Scope) -> None:
    assert Scope.parse(str(scope)) == scope


@given(st.text(st.sampled_from("incarnationuser:@/. ab\\"), max_size=30))
def test_whatever_is_read_is_written_the_same(text: str) -> None:
    try:
        scope = Scope.parse(text)
    except BadInput:
        return
    assert Scope.parse(str(scope)) == scope


@pytest.mark.parametrize(
    ("text", "scope"),
    [
        ("incarnation", Scope()),
        ("user:src/api", Scope(level=Level.USER, path="src/api")),
        ("universal@main", Scope(level=Level.UNIVERSAL, branch="main")),
        ("persona:a:b/c@feature/x", Scope(level=Level.PERSONA, path="a:b/c", branch="feature/x")),
        ("incarnation:node_modules/@types@", Scope(path="node_modules/@types")),
        ("incarnation:node_modules/@types@main", Scope(path="node_modules/@types", branch="main")),
        ("incarnation:", Scope()),
        ("incarnation:.", Scope()),
        ("incarnation:./src//api/", Scope(path="src/api")),
        ("incarnation:src\\api", Scope(path="src/api")),
    ],
)
def test_forms(text: str, scope: Scope) -> None:
    assert Scope.parse(text) == scope


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("project", "unknown scope level 'project'; use one of universal, user, persona, incarnation"),
        ("", "unknown scope level ''"),
        ("Incarnation", "unknown scope level"),
        ("incarnation:../other", "leaves the store; give a path relative to its root"),
        ("incarnation:src/../../etc", "leaves the store"),
        ("incarnation:/etc", "leaves the store"),
        ("incarnation:C:\\Users", "leaves the store"),
        ("incarnation:a\x1b[0m", "scope path holds a control character"),
        ("incarnation@ \u200b", "scope branch is empty"),
        ("incarnation:" + "x" * 2000, "scope path has 2,000 characters"),
    ],
)
def test_refusals(text: str, why: str) -> None:
    with pytest.raises(BadInput) as refusal:
        Scope.parse(text)
    assert why in str(refusal.value)


def test_a_branch_with_the_sign_that_splits_is_refused() -> None:
    with pytest.raises(BadInput, match="holds an @, which splits a scope"):
        Scope(branch="a@b")


@given(scopes, scopes)
def test_overlap_goes_both_ways(one: Scope, other: Scope) -> None:
    assert one.overlaps(other) is other.overlaps(one)
    assert one.overlaps(one)


@given(scopes, scopes)
def test_what_lies_within_overlaps(one: Scope, other: Scope) -> None:
    assert one.within(one)
    if one.within(other):
        assert one.overlaps(other)
    if one.within(other) and other.within(one):
        assert (one.path, one.branch) == (other.path, other.branch)


@given(scopes, scopes, scopes)
def test_within_is_passed_on(one: Scope, two: Scope, three: Scope) -> None:
    if one.within(two) and two.within(three):
        assert one.within(three)


@given(scopes, st.sampled_from(Level))
def test_levels_never_separate(scope: Scope, level: Level) -> None:
    other = scope.model_copy(update={"level": level})
    assert scope.overlaps(other)
    assert scope.within(other)


@pytest.mark.parametrize(
    ("one", "other", "overlap"),
    [
        ("incarnation", "user:src", True),
        ("incarnation:src", "incarnation:src/api", True),
        ("incarnation:src/api", "incarnation:src/web", False),
        ("incarnation:src", "incarnation:srcs", False),  # by parts, not by letters
        ("incarnation@main", "incarnation@dev", False),
        ("incarnation@main", "incarnation", True),
        ("incarnation:src@main", "incarnation:src/api@dev", False),
        ("incarnation:src@main", "incarnation:doc@main", False),
        ("incarnation:src", "incarnation@dev", True),
    ],
)
def test_overlaps(one: str, other: str, overlap: bool) -> None:
    assert Scope.parse(one).overlaps(Scope.parse(other)) is overlap


@pytest.mark.parametrize(
    ("narrow", "wide", "within"),
    [
        ("incarnation:src/api", "incarnation:src", True),
        ("incarnation:src", "incarnation:src/api", False),
        ("incarnation:src@main", "incarnation", True),
        ("incarnation", "incarnation@main", False),
        ("incarnation:src@main", "incarnation@dev", False),
        ("incarnation:srcs", "incarnation:src", False),
    ],
)
def test_within(narrow: str, wide: str, within: bool) -> None:
    assert Scope.parse(narrow).within(Scope.parse(wide)) is within
