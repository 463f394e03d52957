"""A merge is a new memory: it passes the gate, and loses nothing of its sources (CONTRACTS 3; seed: merge contexts)."""

from __future__ import annotations

import pytest

from tests.engine.scripted import AGENT, Store, suspicion
from tur_engine.errors import BadInput, InvariantViolation, NotAllowed
from tur_engine.records import Scope, Verb

A = "The canary gets 5 percent of the traffic"
B = "The canary gets 10 percent of the traffic"
MERGED = "The canary gets 5 percent on weekdays, 10 percent at night"


@pytest.fixture
def pair(store: Store) -> Store:
    store.script.clash(A, B)
    store.known(A, AGENT, topic="canary", fields={"tool": "argo", "share": 5}, tags=("deploy",))
    store.held(B, AGENT, topic="canary", fields={"tool": "argo", "share": 10}, tags=("traffic",))
    return store


def test_the_merged_memory_takes_what_both_agree_on(pair: Store) -> None:
    (conflict,) = pair.engine.conflicts()
    result = pair.settle(conflict, Verb.MERGE, text=MERGED)
    assert result.memory_id is not None
    memory = pair.engine.memory(result.memory_id).memory
    assert (memory.content, memory.type, memory.topic) == (MERGED, "fact", "canary")
    assert (memory.fields, memory.tags, str(memory.author)) == (
        {"tool": "argo"},
        ("deploy", "traffic"),
        "human:mara",
    )
    assert pair.texts("canary traffic") == [MERGED]
    assert f'"{MERGED}'[:30] in " ".join(e.sentence for e in result.effects)


def test_the_wider_scope_holds(store: Store) -> None:
    store.script.clash(A, B)
    store.known(A, scope="incarnation:services/api")
    result = store.settle(store.held(B), Verb.MERGE, text=MERGED)
    assert store.engine.memory(result.memory_id).memory.scope == Scope()


def test_relations_of_both_are_kept_but_not_to_each_other(store: Store) -> None:
    store.script.clash(A, B)
    ground = store.known("Traffic is split by the mesh")
    old = store.known(A, rests_on=[ground])
    conflict = store.held(B, rests_on=[ground, old])
    store.settle(conflict, Verb.MERGE, text=MERGED)
    assert {e for e in store.edges() if e[0] == MERGED} == {(MERGED, "depends_on", "Traffic is split by the mesh")}
    assert store.status(conflict.challenger.id) == "superseded"


def test_a_merged_text_against_an_invariant_is_refused(pair: Store) -> None:
    rule = "Canaries never get night traffic"
    pair.script.clash(rule, MERGED)
    pair.approve(rule, topic="canary")
    (conflict,) = pair.engine.conflicts()
    before, head = pair.picture(), pair.engine.head()
    with pytest.raises(InvariantViolation, match=r"contradicts the invariant axiom-[0-9a-f]{8}; change the text"):
        pair.settle(conflict, Verb.MERGE, text=MERGED)
    seen = pair.engine.check_text(MERGED, conflict=conflict.id)
    assert (seen.outcome, seen.invariant is not None) == ("invariant_violation", True)
    assert (pair.picture(), pair.engine.head()) == (before, head)


def test_a_merged_text_that_may_contradict_an_invariant_is_refused_as_well(pair: Store) -> None:
    rule = "Canaries never get night traffic"
    pair.script.say(rule, MERGED, suspicion())
    pair.approve(rule, topic="canary")
    with pytest.raises(InvariantViolation, match="may contradict the invariant"):
        pair.settle(pair.engine.conflicts()[0], Verb.MERGE, text=MERGED)


def test_a_merged_text_that_clashes_with_a_third_is_contested_at_once(pair: Store) -> None:
    third = "The canary gets no traffic on weekdays"
    pair.script.clash(third, MERGED)
    pair.known(third)
    (conflict,) = pair.engine.conflicts()
    seen = pair.engine.check_text(MERGED, conflict=conflict.id)
    assert [r.conflict.incumbent.memory.content for r in seen.conflicts] == [third]
    pair.settle(conflict, Verb.MERGE, text=MERGED)
    (left,) = pair.engine.conflicts()
    assert (left.incumbent.memory.content, left.challenger.memory.content) == (third, MERGED)
    assert pair.live() == {third, MERGED}
    pair.verified()
    pair.engine.undo()
    assert pair.live() == {A, third}
    assert [c.challenger.memory.content for c in pair.engine.conflicts()] == [B]
    closed = pair.engine.conflict(left.id)
    assert closed.settlement is not None
    assert closed.settlement.verb is Verb.ABORT
    pair.verified()


def test_what_contests_a_side_from_elsewhere_is_weighed_against_the_merged_text(store: Store) -> None:
    """An active newcomer with two conflicts: merging one must not silence the other."""
    third = "The canary gets no traffic"
    store.script.clash(B, A)
    store.script.clash(B, third)
    store.script.clash(third, MERGED)
    store.known(A)
    store.known(third)
    store.contested(B)
    (conflict,) = [c for c in store.engine.conflicts() if c.incumbent.memory.content == A]
    seen = store.engine.check_text(MERGED, conflict=conflict.id)
    assert [r.conflict.incumbent.memory.content for r in seen.conflicts] == [third]
    store.settle(conflict, Verb.MERGE, text=MERGED)
    (left,) = store.engine.conflicts()
    assert (left.incumbent.memory.content, left.challenger.memory.content) == (third, MERGED)


def test_in_a_case_only_what_falls_is_left_out_of_the_weighing(store: Store) -> None:
    third = "The canary gets no traffic"
    store.script.clash(B, A)
    store.script.clash(B, third)
    store.script.clash(third, MERGED)
    store.known(A)
    store.known(third)
    store.held(B)
    found = {c.incumbent.memory.content: c for c in store.engine.conflicts()}
    store.settle(found[A], Verb.MERGE, text=MERGED)
    result = store.settle(found[third], Verb.DISMISS)
    assert result.memory_id is not None
    (left,) = store.engine.conflicts()
    assert (left.incumbent.memory.content, left.challenger.memory.content) == (third, MERGED)
    assert (A, "superseded_by", MERGED) in store.edges()
    store.verified()


def test_the_text_and_the_pair_of_the_merge_decide_not_those_of_the_last_verb(store: Store) -> None:
    insight = "The canary warns us before traffic fails"
    store.script.clash(B, A)
    store.script.clash(B, insight)
    store.known(A, topic="canary")
    store.known(insight, type="insight", topic="birds")
    store.held(B, topic="canary")
    found = {c.incumbent.memory.content: c for c in store.engine.conflicts()}
    store.settle(found[A], Verb.MERGE, text=MERGED)
    result = store.settle(found[insight], Verb.DISMISS)
    memory = store.engine.memory(result.memory_id).memory
    assert (memory.content, memory.type, memory.topic) == (MERGED, "fact", "canary")


def test_a_merged_text_that_is_known_already_takes_both_sides_place(pair: Store) -> None:
    known = pair.known(MERGED, topic="canary", fields={"tool": "argo"})
    result = pair.settle(pair.engine.conflicts()[0], Verb.MERGE, text=MERGED)
    assert result.memory_id == known
    assert pair.live() == {MERGED}
    assert {(s, t) for s, k, t in pair.edges() if k == "superseded_by"} == {(A, MERGED), (B, MERGED)}
    pair.engine.undo()
    assert pair.live() == {A, MERGED}, "the known one was there before"
    pair.verified()


def test_a_merged_text_that_is_held_itself_is_refused(pair: Store) -> None:
    pair.script.clash(MERGED, "The canary is off")
    pair.known("The canary is off", topic="canary")
    pair.held(MERGED, topic="canary", fields={"tool": "argo"})
    conflict = next(c for c in pair.engine.conflicts() if c.challenger.memory.content == B)
    with pytest.raises(NotAllowed, match="which is held itself"):
        pair.settle(conflict, Verb.MERGE, text=MERGED)


def test_one_sides_own_words_may_be_the_merged_text(pair: Store) -> None:
    result = pair.settle(pair.engine.conflicts()[0], Verb.MERGE, text=B)
    assert [b.id for b in pair.engine.memories()] == [result.memory_id]
    assert pair.live() == {B}


def test_repeated_merges_keep_every_source_byte_for_byte(store: Store) -> None:
    odd = [
        "Shelf 1: \u202ered\u202c lamp,\n\ttwo\u200b cords",
        "Shelf 2: Zoe\u0308's caf\u00e9 [/b] 100\u00a0g",
        "Shelf 3: \U0001f9ea `rm -rf` \u2028 end",
        "Shelf 4: " + "x" * 8000,
        "Shelf 5: trailing   ",
    ]
    ids = [store.known(odd[0], topic="shelves")]
    stored = [store.engine.memory(ids[0]).memory.content]
    merged = odd[0]
    for number, text in enumerate(odd[1:], 2):
        store.script.clash(merged, text)
        conflict = store.held(text, topic="shelves")
        ids.append(conflict.challenger.id)
        stored.append(conflict.challenger.memory.content)
        merged = f"Shelves 1 to {number} are listed on the door"
        ids.append(store.settle(conflict, Verb.MERGE, text=merged).memory_id)
        stored.append(merged)
    assert store.live() == {merged}
    assert [store.engine.memory(ref).memory.content for ref in ids] == stored
    assert stored[1].encode() == "Shelf 2: Zo\u00eb's caf\u00e9 [/b] 100\u00a0g".encode()
    assert store.texts("shelves door") == [merged]
    store.verified()
    assert [store.engine.memory(ref).memory.content for ref in ids] == stored
    for _ in range(4):
        store.engine.undo()
    freed = {stored[i] for i in (3, 5, 7)}
    assert store.live() == {stored[0]} | freed, "the texts that stopped the later ones are withdrawn"
    assert [c.challenger.memory.content for c in store.engine.conflicts()] == [stored[1]]
    store.verified()


@pytest.mark.parametrize("text", ["x" * 8193, "a\x07b", "lone \ud800 half"])
def test_a_text_that_may_not_be_stored_changes_nothing(pair: Store, text: str) -> None:
    before = pair.picture()
    with pytest.raises(BadInput):
        pair.settle(pair.engine.conflicts()[0], Verb.MERGE, text=text)
    assert pair.picture() == before
