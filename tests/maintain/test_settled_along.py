"""A verb on one conflict settles others too: how many, and which, is told before as it is afterwards."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from tests.engine.scripted import AGENT, Store
from tur_engine.records import Conflict, Effect, OnConflict, Outcome, Verb

A, B, C = "The cache is Redis", "The cache is Memcached", "The cache is a file"
NEW = "The cache is in the process"


def told(effects: Sequence[Effect]) -> list[str]:
    return [effect.sentence for effect in effects if effect.change == "conflict"]


@pytest.fixture
def contested(store: Store) -> dict[str, Conflict]:
    """One that stands in three conflicts, by the other side of each."""
    for text in (B, C, NEW):
        store.script.clash(A, text)
    store.known(A, AGENT)
    for text in (B, C, NEW):
        assert store.learn(text, on_conflict=OnConflict.ALLOW).outcome is Outcome.COMMITTED
    return {each.challenger.memory.content: each for each in store.engine.conflicts()}


@pytest.mark.parametrize(
    ("verb", "others"),
    [(Verb.SUPERSEDE, True), (Verb.REFUTE, False), (Verb.FORCE, False), (Verb.DISMISS, False), (Verb.ABORT, False)],
)
def test_a_preview_tells_what_the_verb_tells_afterwards(
    store: Store, contested: dict[str, Conflict], verb: Verb, others: bool
) -> None:
    before = told(store.engine.preview(contested[B].id, verb).effects)
    after = told(store.settle(contested[B], verb).effects)
    assert before == after
    rest = [contested[text].id[:17] for text in (C, NEW)]
    assert len(after) == int(others)
    if others:
        [sentence] = after
        assert sentence.startswith("2 other conflicts are settled with it (")
        assert all(name in sentence for name in rest)


def test_it_stands_in_the_summary_that_every_surface_shows(store: Store, contested: dict[str, Conflict]) -> None:
    store.settle(contested[NEW], Verb.DISMISS)
    summary = store.engine.preview(contested[B].id, Verb.SUPERSEDE).summary
    assert summary.endswith(f"1 other conflict is settled with it ({contested[C].id[:17]})")


def test_of_many_three_are_named(store: Store) -> None:
    texts = [f"The cache is number {n}" for n in range(6)]
    for text in texts:
        store.script.clash(A, text)
    store.known(A, AGENT)
    for text in texts:
        store.learn(text, on_conflict=OnConflict.ALLOW)
    [sentence] = told(store.engine.preview(store.engine.conflicts()[0].id, Verb.SUPERSEDE).effects)
    assert sentence.startswith("5 other conflicts are settled with it (conflict-")
    assert sentence.endswith(" and 2 more)")


def test_of_a_case_what_had_its_own_verb_is_not_settled_along(store: Store) -> None:
    for text in (A, B, C):
        store.script.clash(text, NEW)
        store.known(text, AGENT)
    store.held(NEW, AGENT)
    found = {each.incumbent.memory.content: each for each in store.engine.conflicts()}
    preview = store.engine.preview(found[A].id, Verb.SUPERSEDE)
    assert told((*preview.effects, *preview.later)) == []  # the others of the case wait for verbs of their own
    [ended] = told(store.engine.preview(found[A].id, Verb.REFUTE).effects)
    assert ended.startswith("2 other conflicts are settled with it (")
    for text in (A, B):
        assert told(store.settle(found[text], Verb.SUPERSEDE).effects) == []
    assert told(store.engine.preview(found[C].id, Verb.SUPERSEDE).effects) == []
    assert told(store.settle(found[C], Verb.SUPERSEDE).effects) == []


def test_what_waits_tells_what_its_own_incumbent_takes_along(store: Store, contested: dict[str, Conflict]) -> None:
    held = "The cache is a table"
    for text in (A, "The office cat is called Biscuit"):
        store.script.clash(text, held)
    store.known("The office cat is called Biscuit")
    store.held(held, AGENT)
    of_a = next(
        each
        for each in store.engine.conflicts()
        if (each.challenger.memory.content, each.incumbent.memory.content) == (held, A)
    )
    preview = store.engine.preview(of_a.id, Verb.SUPERSEDE)
    assert told(preview.effects) == []
    [sentence] = told(preview.later)
    assert sentence.startswith("3 other conflicts are settled with it (")


def test_supersedes_tells_it_in_a_dry_run_and_when_it_is_learned(store: Store, contested: dict[str, Conflict]) -> None:
    newest = "The cache is a table"
    store.script.clash(A, newest)
    old = contested[B].incumbent.id
    checked = store.learn(newest, supersedes=[old], dry_run=True)
    assert checked.outcome is Outcome.COMMITTED
    [sentence] = [each for each in checked.warnings if "other conflicts" in each]
    assert sentence.startswith("3 other conflicts are settled with it (")
    assert sentence in store.learn(newest, supersedes=[old]).warnings
    assert store.engine.conflicts() == []
