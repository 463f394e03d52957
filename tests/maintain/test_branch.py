"""Verb `b`: one side is narrowed, and inside its place the narrow memory holds alone (CONTRACTS 3)."""

from __future__ import annotations

import pytest

from tests.engine.scripted import Store
from tur_engine.errors import NotAllowed
from tur_engine.records import Conflict, Scope, Verb

WIDE = "The package manager is pnpm"
NARROW = "The package manager is npm"


@pytest.fixture
def pair(store: Store) -> Store:
    store.script.clash(WIDE, NARROW)
    store.known(WIDE)
    store.held(NARROW)
    return store


def only(store: Store) -> Conflict:
    (found,) = store.engine.conflicts()
    return found


def test_inside_the_narrow_one_shadows_outside_the_wide_one_holds(pair: Store) -> None:
    pair.settle(only(pair), Verb.BRANCH, scope=Scope(path="services/legacy"))
    ask = "which package manager"
    assert pair.texts(ask, path="services/legacy") == [NARROW]
    assert pair.texts(ask, path="services/legacy/db") == [NARROW]
    assert pair.texts(ask, path="services/api") == [WIDE]
    assert set(pair.texts(ask, path="services")) == {WIDE, NARROW}, "both hold in part of it"
    assert set(pair.texts(ask)) == {WIDE, NARROW}
    pair.engine.undo()
    assert pair.texts(ask, path="services/legacy") == [WIDE]


def test_a_branch_works_as_a_path_does(pair: Store) -> None:
    pair.settle(only(pair), Verb.BRANCH, side="incumbent", scope=Scope.parse("incarnation@release"))
    ask = "which package manager"
    assert pair.texts(ask, branch="release") == [WIDE]
    assert pair.texts(ask, branch="main") == [NARROW]
    assert set(pair.texts(ask, path="src")) == {WIDE, NARROW}, "the branch is not known there"


def test_shadowing_ends_with_the_narrow_one(pair: Store) -> None:
    pair.settle(only(pair), Verb.BRANCH, scope=Scope(path="services/legacy"))
    third = "The package manager is whatever the lock file says"
    pair.script.clash(NARROW, third)
    pair.settle(pair.held(third, scope="incarnation:services"), Verb.SUPERSEDE)
    assert set(pair.texts("which package manager", path="services/legacy")) == {WIDE, third}


def test_the_pair_is_never_raised_again(pair: Store) -> None:
    pair.settle(only(pair), Verb.BRANCH, scope=Scope(path="services/legacy"))
    pair.script.asked.clear()
    assert pair.learn(WIDE).outcome == "duplicate"
    assert pair.learn(NARROW).outcome == "duplicate"
    assert pair.engine.conflicts() == []
    assert pair.learn(NARROW, scope="incarnation:services/legacy").outcome != "committed"


@pytest.mark.parametrize(
    ("now", "asked", "allowed"),
    [
        ("incarnation", "incarnation:src", True),
        ("incarnation", "user:src@main", True),
        ("incarnation:src", "incarnation:src/api", True),
        ("incarnation:src", "incarnation:src@main", True),
        ("incarnation:src", "incarnation:src", False),
        ("incarnation:src", "user:src", False),
        ("incarnation:src", "incarnation:lib", False),
        ("incarnation:src", "incarnation:source", False),
        ("incarnation:src/api", "incarnation:src", False),
        ("incarnation@main", "incarnation:src", False),
        ("incarnation@main", "incarnation:src@main", True),
    ],
)
def test_the_scope_must_be_a_narrower_part(store: Store, now: str, asked: str, allowed: bool) -> None:
    store.script.clash(WIDE, NARROW)
    store.known(WIDE)
    conflict = store.held(NARROW, scope=now)
    if allowed:
        store.settle(conflict, Verb.BRANCH, scope=Scope.parse(asked))
        assert str(store.engine.memory(conflict.challenger.id).memory.scope) == asked
        return
    with pytest.raises(NotAllowed, match="is not a narrower part of"):
        store.settle(conflict, Verb.BRANCH, scope=Scope.parse(asked))
    assert store.engine.conflicts()[0].state == "detected"


def test_a_preview_does_not_know_the_place_yet(store: Store) -> None:
    store.script.clash(WIDE, NARROW)
    store.known(WIDE)
    conflict = store.held(NARROW, scope="incarnation:services")
    preview = store.engine.preview(conflict.id, Verb.BRANCH)
    assert preview.allowed
    assert "holds only where you say" in preview.summary


def test_newcomers_meet_the_narrow_one_inside_only(pair: Store) -> None:
    pair.settle(only(pair), Verb.BRANCH, scope=Scope(path="services/legacy"))
    other = "The package manager is yarn"
    pair.script.clash(NARROW, other)
    pair.known(other, scope="incarnation:services/web")
    assert (
        pair.held("The package manager is yarn", scope="incarnation:services/legacy/db").incumbent.memory.content
        == NARROW
    )
    pair.verified()
