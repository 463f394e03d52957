"""Several incumbents against one candidate: one case (CONTRACTS 3)."""

from __future__ import annotations

import pytest

from tests.engine.scripted import AGENT, MARA, OTHER, Store
from tur_engine.errors import NotAllowed
from tur_engine.records import Conflict, Scope, Verb

A, B, C = "The cache is Redis", "The cache is Memcached", "The cache is a file"
NEW = "The cache is in the process"


@pytest.fixture
def case(store: Store) -> Store:
    """Three that agreed to differ, and a candidate that clashes with each."""
    for text in (A, B, C):
        store.script.clash(text, NEW)
        store.known(text, AGENT)
    store.held(NEW, AGENT)
    return store


def pairs(store: Store, *, all: bool = False) -> dict[str, Conflict]:
    """The latest conflict with each incumbent."""
    return {c.incumbent.memory.content: c for c in sorted(store.engine.conflicts(all=all), key=lambda c: c.seq)}


def test_nothing_changes_until_every_pair_has_its_verb(case: Store) -> None:
    found = pairs(case)
    before = case.picture()
    first = case.settle(found[A], Verb.SUPERSEDE, reason="slow")
    assert set(first.waiting) == {found[B].id, found[C].id}
    assert (first.effects, first.conflict.state) == ((), "resolving")
    second = case.settle(found[B], Verb.FORCE)
    assert second.waiting == (found[C].id,)
    after = case.picture()
    assert [after[k] for k in ("status", "suspect", "scope")] == [before[k] for k in ("status", "suspect", "scope")]
    chosen = case.engine.conflict(found[A].id).chosen
    assert chosen is not None
    assert (chosen.verb, chosen.by, chosen.reason, chosen.seq) == (Verb.SUPERSEDE, MARA, "slow", first.seq)
    assert case.live() == {A, B, C}

    last = case.settle(found[C], Verb.BRANCH, side="challenger", scope=Scope.parse("incarnation:workers"))
    assert last.waiting == ()
    assert case.live() == {B, C, NEW}
    assert case.edges() == {(A, "superseded_by", NEW), (NEW, "competes_with", B), (NEW, "scope_branch", C)}
    drawn = {e.type: e for e in case.engine.edges(found[A].challenger.id)}
    assert (drawn["superseded_by"].reason, drawn["superseded_by"].seq) == ("slow", last.seq)
    assert (drawn["competes_with"].reason, drawn["scope_branch"].scope) == ("", "incarnation:workers")
    assert str(case.engine.memory(found[A].challenger.id).memory.scope) == "incarnation:workers"
    settled = pairs(case, all=True)
    told = {text: (str(c.settlement.verb), c.settlement.reason) for text, c in settled.items() if c.settlement}
    assert told == {A: ("supersede", "slow"), B: ("force", ""), C: ("scope_branch", "")}
    case.verified()


def test_who_chose_first_is_who_settled_it(case: Store) -> None:
    found = pairs(case)
    case.settle(found[A], Verb.SUPERSEDE, OTHER, reason="slow")
    case.settle(found[B], Verb.SUPERSEDE, MARA)
    case.settle(found[C], Verb.DISMISS, MARA, reason="for tests only")
    settled = pairs(case, all=True)
    by = {text: str(c.settlement.by) for text, c in settled.items() if c.settlement}
    assert by == {A: "agent:aider", B: "human:mara", C: "human:mara"}


@pytest.mark.parametrize("verb", [Verb.REFUTE, Verb.ABORT])
def test_refute_and_abort_end_the_whole_case(case: Store, verb: Verb) -> None:
    found = pairs(case)
    case.settle(found[A], Verb.SUPERSEDE)
    case.settle(found[B], verb, reason="a mistake")
    assert case.engine.conflicts() == []
    assert case.live() == {A, B, C}
    assert case.status(found[A].challenger.id) == ("refuted" if verb is Verb.REFUTE else "retracted")
    against = {(NEW, "refuted_by", text) for text in (A, B, C)} if verb is Verb.REFUTE else set()
    assert case.edges() == against
    case.verified()
    case.engine.undo()
    assert {str(c.state) for c in case.engine.conflicts()} == {"detected"}
    assert set(pairs(case)) == {A, B, C}
    assert case.status(found[A].challenger.id) == "held"


@pytest.mark.parametrize("verb", list(Verb))
def test_all_settles_the_case_with_one_verb(case: Store, verb: Verb) -> None:
    found = pairs(case)
    case.settle(found[B], verb, whole_case=True)
    assert case.engine.conflicts() == []
    expected = {
        Verb.SUPERSEDE: {NEW},
        Verb.MERGE: {"Both of them, each in its place"},
        Verb.REFUTE: {A, B, C},
        Verb.ABORT: {A, B, C},
    }
    assert case.live() == expected.get(verb, {A, B, C, NEW})
    settled = {c.settlement.verb for c in pairs(case, all=True).values() if c.settlement}
    assert settled == {verb}
    case.verified()
    case.engine.undo()
    assert case.live() == {A, B, C}
    assert len(case.engine.conflicts()) == 3
    case.verified()


def test_all_on_an_active_newcomer_settles_each_of_its_conflicts(store: Store) -> None:
    for text in (A, B):
        store.script.clash(text, NEW)
        store.known(text)
    conflict = store.contested(NEW)
    store.settle(conflict, Verb.SUPERSEDE, whole_case=True)
    assert (store.live(), store.engine.conflicts()) == ({NEW}, [])


def test_pairs_of_an_active_newcomer_are_settled_one_by_one(store: Store) -> None:
    for text in (A, B):
        store.script.clash(text, NEW)
        store.known(text)
    store.contested(NEW)
    found = pairs(store)
    store.settle(found[A], Verb.SUPERSEDE)
    assert store.live() == {B, NEW}
    assert [c.id for c in store.engine.conflicts()] == [found[B].id]


def test_a_choice_may_be_changed_while_it_waits(case: Store) -> None:
    found = pairs(case)
    case.settle(found[A], Verb.SUPERSEDE)
    case.settle(found[A], Verb.FORCE, reason="on second thoughts")
    chosen = case.engine.conflict(found[A].id).chosen
    assert chosen is not None
    assert (chosen.verb, chosen.reason) == (Verb.FORCE, "on second thoughts")
    case.engine.undo()
    chosen = case.engine.conflict(found[A].id).chosen
    assert chosen is not None
    assert chosen.verb is Verb.SUPERSEDE
    for text in (B, C):
        case.settle(found[text], Verb.DISMISS)
    assert case.status(found[A].incumbent.id) == "superseded"


def test_a_choice_taken_back_opens_the_pair_again(case: Store) -> None:
    found = pairs(case)
    case.settle(found[A], Verb.SUPERSEDE)
    undone = case.engine.undo()
    assert undone.conflict.reopens == found[A].id
    assert (undone.conflict.state, undone.conflict.chosen) == ("detected", None)
    with pytest.raises(NotAllowed, match="give the conflict its verb again"):
        case.engine.undo(f"#{undone.seq}")
    for conflict in pairs(case).values():
        case.settle(conflict, Verb.DISMISS)
    assert case.live() == {A, B, C, NEW}
    case.verified()


def test_a_choice_that_was_carried_out_is_undone_with_the_case_only(case: Store) -> None:
    found = pairs(case)
    chosen = case.settle(found[A], Verb.SUPERSEDE, OTHER)
    case.settle(found[B], Verb.DISMISS, OTHER)
    last = case.settle(found[C], Verb.DISMISS, MARA)
    with pytest.raises(NotAllowed, match=rf"event {last.seq} \(resolved\) came later"):
        case.seen_by(OTHER).undo()
    case.engine.undo()
    assert set(pairs(case)) == {A, B, C}
    assert len(case.engine.conflicts()) == 3, "one open conflict a pair"
    with pytest.raises(NotAllowed, match="lapsed"):
        case.engine.undo(f"#{chosen.seq}")
    with pytest.raises(NotAllowed, match="has no decision to undo"):
        case.seen_by(OTHER).undo()
    case.verified()


def test_other_conflicts_of_what_fell_are_moot(store: Store) -> None:
    other = "The cache is off"
    store.script.clash(A, NEW)
    store.script.clash(A, other)
    store.known(A)
    first, second = store.held(NEW), store.held(other)
    result = store.settle(first, Verb.SUPERSEDE)
    assert store.engine.conflicts() == []
    assert store.live() == {NEW, other}, "it clashed with nothing else"
    assert any(f'"{other}" is admitted' in e.sentence for e in result.effects)
    moot = store.engine.conflict(second.id)
    assert moot.settlement is not None
    assert (moot.settlement.seq, moot.settlement.verb) == (result.seq, Verb.SUPERSEDE)
    store.verified()
    store.engine.undo()
    assert store.live() == {A}
    assert set(pairs(store)) == {A}
    assert len(store.engine.conflicts()) == 2
    store.verified()


def test_a_candidate_with_another_clash_stays_held_when_one_goes_moot(store: Store) -> None:
    other = "The cache is off"
    store.script.clash(A, NEW, other)
    store.known(A)
    store.held(NEW)
    store.held(other)
    store.settle(pairs_of(store, A, NEW), Verb.SUPERSEDE)
    (left,) = store.engine.conflicts()
    assert (left.incumbent.memory.content, left.challenger.memory.content) == (NEW, other)
    assert store.live() == {NEW}


def pairs_of(store: Store, old: str, new: str) -> Conflict:
    (found,) = [
        c for c in store.engine.conflicts() if (c.incumbent.memory.content, c.challenger.memory.content) == (old, new)
    ]
    return found


def test_the_last_open_pair_going_moot_carries_out_the_choices_that_wait(store: Store) -> None:
    other = "The cache is off"
    for text in (A, B):
        store.script.clash(text, NEW)
        store.known(text)
    store.script.clash(B, other)
    store.held(NEW)
    store.settle(pairs_of(store, A, NEW), Verb.SUPERSEDE)
    store.settle(store.held(other), Verb.SUPERSEDE)
    assert store.live() == {NEW, other}
    assert store.engine.conflicts() == []
    store.verified()


def test_a_merge_that_waits_is_not_carried_out_behind_the_gates_back(store: Store) -> None:
    other = "The cache is off"
    for text in (A, B):
        store.script.clash(text, NEW)
        store.known(text)
    store.script.clash(B, other)
    store.held(NEW)
    waiting = pairs_of(store, A, NEW)
    store.settle(waiting, Verb.MERGE, text="The cache is Redis or the process")
    store.settle(store.held(other), Verb.SUPERSEDE)
    assert [c.id for c in store.engine.conflicts()] == [waiting.id]
    assert store.status(waiting.challenger.id) == "held"
    result = store.settle(waiting, Verb.MERGE, text="The cache is Redis or the process")
    assert result.waiting == ()
    assert store.live() == {"The cache is Redis or the process", other}
    store.verified()


def test_a_memory_that_fell_settles_the_candidates_it_held_up(store: Store) -> None:
    """Refuting a held incumbent ends its own case and frees what clashed with it alone."""
    later = "The cache is in the process of being replaced"
    store.script.clash(A, NEW)
    store.script.clash(NEW, later)
    store.known(A)
    conflict = store.held(NEW)
    store.held(later)
    store.settle(conflict, Verb.REFUTE)
    assert store.live() == {A, later}
    assert store.engine.conflicts() == []
    store.verified()
