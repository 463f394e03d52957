"""Undo appends the inverse, or says why it cannot (CONTRACTS 3)."""

from __future__ import annotations

import pytest

from tests.engine.scripted import AGENT, MARA, OTHER, Store
from tur_engine.errors import BadInput, NotAllowed, UnknownId
from tur_engine.ledger.ledger import event_data
from tur_engine.records import EventKind, OnConflict, Verb

A, B, C = "The cache is Redis", "The cache is Memcached", "The cache is a file"
CAT, DOG = "The office cat is called Biscuit", "The office cat is called Pancake"


@pytest.fixture
def ready(store: Store) -> Store:
    store.script.clash(A, B, C)
    store.script.clash(CAT, DOG)
    store.known(A, AGENT)
    store.known(CAT, AGENT)
    return store


def test_it_appends_and_never_deletes(ready: Store) -> None:
    done = ready.settle(ready.held(B, AGENT), Verb.SUPERSEDE, reason="moved")
    past = [(e.seq, e.kind, e.summary, e.reason) for e in ready.engine.history()]
    undone = ready.engine.undo(reason="moved back")
    assert [(e.seq, e.kind, e.summary, e.reason) for e in ready.engine.history()][:-1] == past
    entry = ready.engine.history()[-1]
    assert (entry.seq, entry.kind, entry.reason) == (undone.seq, "undone", "moved back")
    assert entry.summary == f'undone: "{A}" superseded by "{B}"'
    assert (entry.subject, entry.conflict_id) == (undone.conflict.id, undone.conflict.id)
    assert [e.sentence.split('" ')[1] for e in undone.effects] == ["is active again", "is held again"]
    with pytest.raises(NotAllowed, match=rf"event {done.seq} was undone already, by event {undone.seq}; undo"):
        ready.engine.undo(f"#{done.seq}")


def test_without_a_name_it_takes_the_same_actors_last(ready: Store) -> None:
    first = ready.settle(ready.held(B, AGENT), Verb.SUPERSEDE, AGENT)
    second = ready.settle(ready.held(DOG, OTHER), Verb.SUPERSEDE, MARA)
    ready.seen_by(AGENT).undo()
    assert ready.live() == {A, DOG}
    ready.engine.undo()
    assert ready.live() == {A, CAT}
    with pytest.raises(NotAllowed, match="human:mara has no decision to undo"):
        ready.engine.undo()
    assert [e.kind for e in ready.engine.history()].count(EventKind.UNDONE) == 2
    assert first.seq < second.seq


def test_twice_takes_two_decisions_back_not_one_back_and_forth(ready: Store) -> None:
    ready.settle(ready.held(B), Verb.SUPERSEDE)
    ready.settle(ready.held(DOG), Verb.SUPERSEDE)
    ready.engine.undo()
    ready.engine.undo()
    assert ready.live() == {A, CAT}


def test_a_chain_is_taken_back_from_its_end(ready: Store) -> None:
    ready.settle(ready.held(B), Verb.SUPERSEDE)
    first = ready.engine.head()
    ready.settle(ready.held(C), Verb.SUPERSEDE)
    last = ready.engine.head()
    with pytest.raises(NotAllowed, match=rf"event {last} \(resolved\) came later .*; undo that first"):
        ready.engine.undo(f"#{first}")
    ready.engine.undo()
    ready.engine.undo()
    assert ready.live() == {A, CAT}
    ready.verified()
    ready.engine.undo(f"#{ready.engine.head()}")
    assert ready.live() == {B, CAT}
    ready.verified()


def test_it_names_the_conflict_that_was_decided_not_one_settled_along(ready: Store) -> None:
    ready.settle(ready.held(B), Verb.FORCE)
    ready.learn(C, AGENT, on_conflict=OnConflict.ALLOW)
    decided = next(c for c in ready.engine.conflicts() if c.incumbent.memory.content == B)
    ready.settle(decided, Verb.REFUTE)
    undone = ready.engine.undo()
    sides = (decided.incumbent.id, decided.challenger.id)
    assert (undone.conflict.incumbent.id, undone.conflict.challenger.id) == sides
    assert len(undone.reopened) == 2
    assert undone.reopened[0] == undone.conflict.id == ready.engine.history()[-1].subject
    redone = ready.engine.undo(f"#{undone.seq}")
    assert redone.conflict.id == undone.conflict.id


def test_names_it_goes_by(ready: Store) -> None:
    conflict = ready.held(B)
    done = ready.settle(conflict, Verb.SUPERSEDE)
    with pytest.raises(BadInput, match="is not an event number"):
        ready.engine.undo("#twelve")
    for nowhere in ("#999", "999", "9999", "#9999"):
        with pytest.raises(BadInput, match=f"there is no event {nowhere.strip('#')}; the ledger holds 1 to 5"):
            ready.engine.undo(nowhere)
    with pytest.raises(NotAllowed, match=r"event 2 is of kind learned; only decisions can be undone"):
        ready.engine.undo("#2")
    with pytest.raises(UnknownId):
        ready.engine.undo("conflict-00000000")
    first = ready.engine.undo(str(done.seq))
    again = f"was undone; it is open again as {ready.engine.short(first.conflict.id)}"
    with pytest.raises(NotAllowed, match=again):
        ready.engine.undo(conflict.id)
    with pytest.raises(NotAllowed, match=again):
        ready.engine.resolve(conflict.id, Verb.FORCE)
    with pytest.raises(NotAllowed, match="has no decision to undo"):
        ready.engine.undo(first.conflict.id)
    ready.engine.undo(f"#{first.seq}")
    ready.engine.undo(ready.engine.short(first.conflict.id))
    assert ready.live() == {A, CAT}


def test_after_a_redo_an_undo_of_the_old_event_is_no_second_inverse(ready: Store) -> None:
    """5 decides, 6 undoes, 7 redoes: whether 5 or 7 is taken back next, the other has nothing left to give."""
    done = ready.settle(ready.held(B), Verb.SUPERSEDE)
    undone = ready.engine.undo()
    redone = ready.engine.undo(f"#{undone.seq}")
    ready.engine.undo(f"#{done.seq}")
    before = ready.picture()
    with pytest.raises(NotAllowed):
        ready.engine.undo(f"#{redone.seq}")
    assert ready.picture() == before
    assert ready.live() == {A, CAT}
    ready.verified()


def test_what_was_built_on_since_stands_in_the_way(ready: Store) -> None:
    conflict = ready.held(B)
    ready.settle(conflict, Verb.SUPERSEDE)
    ready.known("Memcached listens on 11211", rests_on=[conflict.challenger.id])
    with pytest.raises(NotAllowed, match=r"\(learned\) came later .* cannot be undone; .* learn what is to hold"):
        ready.engine.undo()


def test_a_newcomer_that_is_only_held_against_the_winner_does_not(ready: Store) -> None:
    ready.settle(ready.held(B), Verb.SUPERSEDE)
    ready.held(C)
    undone = ready.engine.undo()
    assert ready.live() == {A, CAT}
    found = {(c.incumbent.memory.content, c.challenger.memory.content) for c in ready.engine.conflicts()}
    assert found == {(A, B), (B, C), (A, C)}, "and it is weighed against what came back"
    assert len(undone.reopened) == 2
    ready.verified()


def test_restoring_a_decision_settles_what_came_up_in_between(ready: Store) -> None:
    ready.settle(ready.held(B), Verb.SUPERSEDE)
    undone = ready.engine.undo()
    ready.held(C)
    ready.engine.undo(f"#{undone.seq}")
    assert ready.live() == {B, CAT}
    found = [(c.incumbent.memory.content, c.challenger.memory.content) for c in ready.engine.conflicts()]
    assert found == [(B, C)]
    ready.verified()


def test_undoing_a_merge_frees_what_clashed_with_the_merged_text_alone(ready: Store) -> None:
    merged, later = "The cache is Redis or Memcached", "The cache is neither Redis nor Memcached"
    ready.script.clash(merged, later)
    ready.settle(ready.held(B), Verb.MERGE, text=merged)
    late = ready.held(later)
    undone = ready.engine.undo()
    assert ready.live() == {A, CAT, later}
    assert any("is admitted" in e.sentence for e in undone.effects)
    assert ready.engine.conflict(late.id).state == "resolved"
    ready.verified()
    ready.engine.undo(f"#{undone.seq}")
    assert ready.live() == {merged, CAT}
    assert [c.challenger.memory.content for c in ready.engine.conflicts()] == [later]
    ready.verified()


def test_a_discarded_candidate_comes_back_live_where_nothing_stands_against_it_any_more(ready: Store) -> None:
    ready.settle(ready.held(B), Verb.ABORT)
    first = ready.engine.head()
    ready.script.clash(A, "There is no cache")
    ready.settle(ready.held("There is no cache"), Verb.SUPERSEDE)
    ready.engine.undo(f"#{first}")
    assert ready.live() == {"There is no cache", B, CAT}
    assert ready.engine.conflicts() == []
    ready.verified()


def test_what_came_with_the_learn_is_undone_like_any_decision(ready: Store) -> None:
    (a,) = [b.id for b in ready.engine.memories() if b.memory.content == A]
    result = ready.learn(B, supersedes=[a])
    ready.engine.undo()
    assert ready.status(result.id or "") == "held"
    assert ready.live() == {A, CAT}


def test_letting_both_stand_is_no_decision(ready: Store) -> None:
    ready.learn(B, on_conflict=OnConflict.ALLOW)
    with pytest.raises(NotAllowed, match="has no decision to undo"):
        ready.engine.undo()


def test_what_was_handed_to_people_is_not_undone(store: Store) -> None:
    store.script.clash(A, B)
    store.known(A, MARA)
    escalated = store.settle(store.held(B, AGENT), Verb.SUPERSEDE, AGENT)
    with pytest.raises(NotAllowed, match="of kind escalated"):
        store.engine.undo(f"#{escalated.seq}")


def test_a_choice_that_people_took_over_says_so(store: Store) -> None:
    store.script.clash(A, C)
    store.script.clash(B, C)
    store.known(A, AGENT)
    store.known(B, MARA)
    store.held(C, AGENT)
    ours = next(c for c in store.engine.conflicts() if c.incumbent.memory.content == A)
    store.settle(ours, Verb.SUPERSEDE, AGENT)
    for author in (AGENT, OTHER):
        store.seen_by(author)._resolver._policy = store.engine._resolver._policy.__class__("none")
    store.settle(ours, Verb.FORCE, AGENT)
    assert store.engine.conflict(ours.id).chosen is None
    with pytest.raises(NotAllowed, match=r"\(escalated\) came later .* waits for people"):
        store.seen_by(AGENT).undo()


def test_states_only_ever_move_as_the_contract_says(store: Store) -> None:
    allowed = {
        ("detected", "resolving"),
        ("resolving", "resolved"),
        ("detected", "escalated"),
        ("resolving", "escalated"),
        ("escalated", "resolved"),
    }
    store.script.clash(A, C)
    store.script.clash(B, C)
    store.known(A, MARA)
    store.known(B, AGENT)
    store.held(C, AGENT)
    persons, agents = (next(c for c in store.engine.conflicts() if c.incumbent.memory.content == t) for t in (A, B))
    store.settle(persons, Verb.SUPERSEDE, AGENT)
    store.settle(persons, Verb.FORCE, MARA)
    store.settle(agents, Verb.SUPERSEDE, AGENT)
    for _ in range(3):
        store.engine.undo(f"#{store.engine.head()}")
    with store.engine._ledger.reading() as db:
        events = [event_data(db, seq)["data"] for seq in range(1, store.engine.head() + 1)]
    moves = {(e["from"], e["to"]) for data in events for e in data["effects"] if e["op"] == "state"}
    assert ("escalated", "resolved") in moves
    assert moves <= allowed
