"""What a quarantined agent writes and decides waits for people; people let it in (CONTRACTS 6)."""

from __future__ import annotations

import pytest

from tests.engine.scripted import AGENT, MARA, OTHER, Store, draft_of
from tests.govern.signing import RITA, governed
from tur_engine.errors import InvariantViolation, NotAllowed
from tur_engine.records import Author, MemoryType, OnConflict, Outcome, Verb

A, B, C = "The cache is Redis", "The cache is a file", "The cache is Memcached"


@pytest.fixture
def guarded(store: Store) -> Store:
    store.script.clash(A, B, C)
    governed(store.engine).quarantine(str(AGENT), RITA, "it writes nonsense")
    return store


@pytest.mark.parametrize("on_conflict", [OnConflict.ALLOW, OnConflict.HOLD])
def test_what_it_learns_is_held_though_nothing_clashes(guarded: Store, on_conflict: OnConflict) -> None:
    dry = guarded.learn("The lift works", AGENT, on_conflict=on_conflict, dry_run=True)
    result = guarded.learn("The lift works", AGENT, on_conflict=on_conflict)
    for answer in (dry, result):
        assert (answer.outcome, answer.conflicts) == (Outcome.CONFLICT, ())
        assert answer.warnings == ("held for a person: its author agent:claude-code is quarantined",)
    assert guarded.live() == set()
    assert guarded.texts("lift") == []
    (waiting,) = guarded.engine.held_back()
    assert (waiting.belief.id, waiting.reason) == (result.id, "its author agent:claude-code is quarantined")
    assert guarded.learn("The door works", OTHER, on_conflict=on_conflict).outcome is Outcome.COMMITTED
    guarded.verified()


def test_whoever_carries_its_words_in(guarded: Store) -> None:
    """A batch may name other authors: neither the author nor the caller gets by."""
    report = guarded.seen_by(AGENT).learn_many([draft_of("The lift works", OTHER)])
    assert (report.held, report.committed) == (1, 0)
    report = guarded.seen_by(OTHER).learn_many([draft_of("The door works", AGENT)])
    assert (report.held, report.committed) == (1, 0)
    guarded.learn("The gate works", AGENT)
    assert guarded.learn("The gate works", OTHER, on_conflict=OnConflict.ALLOW).outcome is Outcome.CONFLICT
    assert guarded.live() == set()


def test_its_clashes_are_for_people(guarded: Store) -> None:
    guarded.known(A, OTHER)
    result = guarded.learn(B, AGENT, supersedes=[guarded.engine.memories()[0].id], on_conflict=OnConflict.ALLOW)
    (report,) = result.conflicts
    assert (result.outcome, report.conflict.state) == (Outcome.CONFLICT, "escalated")
    assert guarded.live() == {A}
    for verb in Verb:
        with pytest.raises(NotAllowed, match="quarantined"):
            guarded.settle(report.conflict, verb, AGENT)
    for verb in (Verb.SUPERSEDE, Verb.FORCE, Verb.DISMISS):
        with pytest.raises(NotAllowed, match="quarantined"):
            guarded.settle(report.conflict, verb, OTHER)
    guarded.settle(report.conflict, Verb.SUPERSEDE, MARA)
    assert guarded.live() == {B}


def test_its_verbs_on_what_others_wrote_are_escalated(guarded: Store) -> None:
    guarded.known(A, OTHER)
    conflict = guarded.held(B, OTHER)
    result = guarded.settle(conflict, Verb.SUPERSEDE, AGENT)
    assert (result.verb, result.conflict.state) == ("escalate", "escalated")
    assert guarded.live() == {A}


def test_it_neither_undoes_nor_reaffirms(store: Store) -> None:
    store.script.clash(A, B)
    store.known(A, AGENT)
    resting = store.known("Deploys flush the cache", AGENT, rests_on=[store.engine.memories()[0].id])
    store.settle(store.held(B, AGENT), Verb.SUPERSEDE, AGENT)
    governed(store.engine).quarantine(str(AGENT), RITA, "it writes nonsense")
    agent = store.seen_by(AGENT)
    for act in (agent.undo, lambda: agent.reaffirm(resting), lambda: agent.undo_session(agent=AGENT)):
        with pytest.raises(NotAllowed, match="is quarantined"):
            act()


def test_its_held_word_is_not_let_in_when_what_it_clashed_with_falls(store: Store) -> None:
    store.script.clash(A, B)
    store.script.clash(A, C)
    store.known(A, OTHER)
    mine = store.held(B, AGENT)
    deciding = store.held(C, OTHER)
    governed(store.engine).quarantine(str(AGENT), RITA, "it writes nonsense")
    store.settle(deciding, Verb.SUPERSEDE)
    assert store.live() == {C}
    assert [item.belief.id for item in store.engine.held_back()] == [mine.challenger.id]
    store.verified()


def test_released_it_writes_again_and_people_let_the_held_in(guarded: Store) -> None:
    held = guarded.learn("The lift works", AGENT).id or ""
    with pytest.raises(NotAllowed, match="quarantined"):
        guarded.engine.admit(held)
    governed(guarded.engine).release(str(AGENT), RITA, "mended")
    assert guarded.live() == set(), "a release alone lets nothing in"
    with pytest.raises(NotAllowed, match="waits for a person"):
        guarded.seen_by(OTHER).admit(held)
    seq = guarded.engine.admit(held, reason="it is right")
    assert (guarded.live(), guarded.engine.head()) == ({"The lift works"}, seq)
    entry = guarded.engine.history()[-1]
    assert (entry.summary, entry.reason) == ('admitted "The lift works"', "it is right")
    assert guarded.learn("The door works", AGENT).outcome is Outcome.COMMITTED
    with pytest.raises(NotAllowed, match="is not held back: it is active"):
        guarded.engine.admit(held)
    guarded.verified()


def test_what_is_let_in_is_weighed_against_the_invariants(guarded: Store) -> None:
    held = guarded.learn(B, AGENT).id or ""
    guarded.approve(C, MemoryType.CORE)
    governed(guarded.engine).release(str(AGENT), RITA, "mended")
    with pytest.raises((InvariantViolation, NotAllowed)):
        guarded.engine.admit(held)
    assert guarded.live() == {C}


def test_others_and_people_are_not_touched(guarded: Store) -> None:
    assert guarded.learn("The lift works", Author.parse("human:claude-code")).outcome is Outcome.COMMITTED
    assert guarded.learn("The door works", Author.parse("agent:claude")).outcome is Outcome.COMMITTED
