"""What users of other memory systems reported, as inputs: reference/rivals.md, section 3, by their numbers.

Batches (11, 12), duplicates (23, 24, 27), loss and undo (30 to 42), the queue (43 to 47), scope (54, 55). Numbers 48 to
53 are in test_protection.py; what the commands print is in tests/cli/test_rivals.py.
"""

from __future__ import annotations

from itertools import permutations

import pytest

from tests.engine.scripted import AGENT, DUPLICATE, MARA, OTHER, Store, draft_of
from tur_engine import payloads
from tur_engine.errors import StaleRevision
from tur_engine.records import OnConflict, Outcome, Scope, Status, Verb

TURIN, PORTO = "Office is in Turin.", "Office is in Porto."


@pytest.fixture
def offices(store: Store) -> Store:
    store.script.clash(TURIN, PORTO)
    return store


def test_11_two_opposite_facts_of_one_batch_meet(offices: Store) -> None:
    report = offices.engine.learn_many([draft_of(TURIN), draft_of(PORTO)])
    assert (report.committed, report.held, report.lines) == (1, 1, (1, 2))
    assert [each.conflict.incumbent.memory.content for each in report.conflicts] == [TURIN]


def test_12_the_order_of_a_batch_decides_which_is_asked_about_not_whether(offices: Store) -> None:
    for texts in permutations((TURIN, PORTO)):
        tried = offices.engine.rehearse_many([draft_of(text) for text in texts])
        assert (tried.committed, tried.held) == (1, 1)
        assert {tried.conflicts[0].conflict.incumbent.memory.content} == {texts[0]}


def test_23_the_same_fact_twice_is_one_memory_and_a_confirmation(store: Store) -> None:
    store.known("The cat is called Biscuit.")
    again = store.learn("The cat is called Biscuit.", AGENT)
    assert again.outcome is Outcome.DUPLICATE
    assert store.live() == {"The cat is called Biscuit."}
    assert [entry.kind for entry in store.engine.history(again.id)] == ["learned", "confirmed"]


def test_24_what_was_recalled_and_is_said_again_stays_one_memory(store: Store) -> None:
    fact = "Deploys happen on Tuesday."
    store.script.say(fact, f"As noted, {fact}", DUPLICATE)
    store.known(fact)
    for _ in range(5):
        assert store.learn(f"As noted, {store.texts('deploys')[0]}", AGENT).outcome is Outcome.DUPLICATE
    assert store.live() == {fact}


def test_27_44_the_caller_gets_the_clash_in_a_form_it_can_act_on(offices: Store) -> None:
    offices.known(TURIN)
    answer = payloads.learn(offices.learn(PORTO, AGENT))
    assert answer["status"] == "conflict_detected"
    (conflict,) = answer["conflicts"]
    for name in ("conflict_id", "candidate_id", "conflicting_memory_id", "revision", "probability", "evidence"):
        assert conflict[name], name
    assert set(conflict["resolution_options"]) == {verb.value for verb in Verb}
    assert set(conflict["previews"]) == {verb.value for verb in Verb}


@pytest.mark.parametrize("on_conflict", [OnConflict.HOLD, OnConflict.ALLOW])
@pytest.mark.parametrize("verb", [verb for verb in Verb if verb is not Verb.ABORT])
def test_30_after_a_verb_there_is_never_nothing(offices: Store, verb: Verb, on_conflict: OnConflict) -> None:
    offices.known(TURIN)
    conflict = offices.learn(PORTO, AGENT, on_conflict=on_conflict).conflicts[0].conflict
    merged = "The office is in Turin and in Porto" if verb is Verb.MERGE else None
    offices.settle(conflict, verb, text=merged)
    assert offices.live(), verb
    assert offices.texts("where is the office"), verb
    offices.verified()


def test_31_corrected_by_id_or_by_the_queue_the_result_is_the_same(offices: Store) -> None:
    old = offices.known(TURIN)
    by_id = offices.learn(PORTO, supersedes=[old])
    assert by_id.outcome is Outcome.COMMITTED
    assert (offices.live(), offices.status(old)) == ({PORTO}, "superseded")
    offices.engine.undo()
    offices.settle(offices.engine.conflicts()[0], Verb.SUPERSEDE)
    assert (offices.live(), offices.status(old)) == ({PORTO}, "superseded")


def test_33_every_version_is_listed_can_be_read_and_brought_back(store: Store) -> None:
    versions = [f"The canary runs for {hours} hours" for hours in (1, 2, 3)]
    store.script.clash(*versions)
    ids = [store.known(versions[0])]
    for text in versions[1:]:
        conflict = store.held(text)
        ids.append(conflict.challenger.id)
        store.settle(conflict, Verb.SUPERSEDE)
    assert [store.engine.memory(each).memory.content for each in ids] == versions
    assert len(store.engine.history(ids[0])) >= 2
    assert store.texts("canary", include_superseded=True)[0] == versions[-1]
    store.engine.undo()
    assert store.live() == {versions[1]}


def test_34_a_rollback_is_an_append_and_can_be_undone(offices: Store) -> None:
    offices.known(TURIN)
    offices.settle(offices.held(PORTO), Verb.SUPERSEDE)
    decided, head = offices.picture(), offices.engine.head()
    undone = offices.engine.undo()
    assert (undone.seq, offices.live()) == (head + 1, {TURIN})
    offices.engine.undo(f"#{undone.seq}")
    assert offices.picture() == decided


def test_36_the_sources_of_every_merge_are_there_byte_for_byte(store: Store) -> None:
    sources = [f"Rule {letter}:\n  keep\u00a0it   as it is" for letter in "ABCDEF"]
    merged = store.known(sources[0])
    ids = [merged]
    for number, text in enumerate(sources[1:]):
        before = store.engine.memory(merged).memory.content
        store.script.clash(before, text)
        conflict = store.held(text)
        ids.append(conflict.challenger.id)
        merged = store.settle(conflict, Verb.MERGE, text=f"All of it, {number}").memory_id
    assert [store.engine.memory(each).memory.content for each in ids] == sources
    assert {store.status(each) for each in ids} == {"superseded"}


def test_37_38_a_merged_text_is_found_at_once_and_its_sources_are_not(offices: Store) -> None:
    offices.known(TURIN)
    offices.settle(offices.held(PORTO), Verb.MERGE, text="The office is in Turin and in Porto")
    for query in (TURIN, PORTO, "where is the office"):
        assert offices.texts(query) == ["The office is in Turin and in Porto"]


def test_39_45_a_decision_on_an_older_view_is_refused_with_the_present_one(offices: Store) -> None:
    old = offices.known(TURIN)
    seen = offices.held(PORTO, AGENT)
    offices.known("The lease runs until May", OTHER, rests_on=[old])  # meanwhile something rests on one side
    with pytest.raises(StaleRevision) as stale:
        offices.settle(seen, Verb.SUPERSEDE, revision=seen.revision)
    now = offices.engine.conflict(seen.id)
    assert (stale.value.current, now.state.open) == (now.revision, True)
    offices.settle(now, Verb.SUPERSEDE, revision=now.revision)
    assert TURIN not in offices.live()


def test_40_what_was_superseded_is_left_out_and_marked_when_asked_for(store: Store) -> None:
    old, new = "SSH port is 22.", "We use 49222 for shell access."
    store.script.clash(old, new)
    store.learn(new, supersedes=[store.known(old)])
    assert old not in store.texts("SSH port?")
    hits = store.engine.recall("SSH port?", include_superseded=True)
    assert [(hit.belief.memory.content, str(hit.belief.status)) for hit in hits][-1] == (old, "superseded")


def test_41_46_47_while_it_waits_both_sides_are_shown_and_marked(offices: Store) -> None:
    offices.known(TURIN)
    written = offices.learn(PORTO, AGENT, on_conflict=OnConflict.ALLOW)
    (waiting,) = written.conflicts
    assert waiting.conflict.state.open
    hits = {hit.belief.memory.content: hit.belief for hit in offices.engine.recall("where is the office")}
    assert set(hits) == {TURIN, PORTO}
    assert all(belief.contested and belief.pending == (waiting.conflict.id,) for belief in hits.values())
    offices.settle(waiting.conflict, Verb.SUPERSEDE)
    (winner,) = offices.engine.recall("where is the office")
    assert (winner.belief.memory.content, winner.belief.contested) == (PORTO, False)


def test_46_a_declared_contradiction_shows_at_once(store: Store) -> None:
    known = store.known("The queue is durable")
    store.contested("Messages vanish at restart", AGENT, contradicts=[known])
    (hit, *_) = store.engine.recall("is the queue durable")
    assert hit.belief.contested


@pytest.mark.parametrize("verb", [verb for verb in Verb if verb is not Verb.ABORT])
def test_43_what_was_settled_does_not_come_back_until_a_side_changes(offices: Store, verb: Verb) -> None:
    offices.known(TURIN)
    offices.settle(offices.contested(PORTO), verb)
    assert offices.engine.conflicts() == []
    reopened = offices.seen_by(OTHER)
    for text in sorted(offices.live()):
        assert reopened.learn(draft_of(text, OTHER)).outcome is Outcome.DUPLICATE, text
    assert offices.engine.conflicts() == []
    if verb is Verb.DISMISS:  # a changed text is a new record, hence a new pair
        changed = "Office is in Porto, second floor."
        offices.script.clash(TURIN, changed)
        assert offices.held(changed).incumbent.memory.content == TURIN


def test_54_a_note_of_a_branch_is_not_served_on_another(store: Store) -> None:
    note = "Use `make run-new`."
    store.known(note, scope="incarnation@feat-x")
    assert store.texts("how do I make it run", branch="main") == []
    assert store.texts("how do I make it run", branch="feat-x") == [note]


def test_55_two_branches_each_see_their_own_and_never_clash(store: Store) -> None:
    seven, six = "Parser is at v7.", "Parser is at v6."
    store.script.clash(seven, six)
    store.known(seven, AGENT, scope="incarnation@a")
    store.known(six, OTHER, scope="incarnation@b")
    assert store.engine.conflicts() == []
    assert store.texts("which parser", branch="a") == [seven]
    assert store.texts("which parser", branch="b") == [six]
    assert Scope.parse("incarnation@a").overlaps(Scope.parse("incarnation")), "on all branches it would clash"
    assert store.held("Parser is at v6.", MARA, topic="wide").state.open


def test_35_42_nothing_is_ever_gone_and_every_id_shown_is_taken(offices: Store) -> None:
    offices.known(TURIN)
    conflict = offices.held(PORTO)
    offices.settle(conflict, Verb.REFUTE, reason="it never moved")
    shown = [conflict.id, conflict.incumbent.id, conflict.challenger.id]
    for full in shown:
        short = offices.engine.short(full)
        assert offices.engine.history(short) == offices.engine.history(full)
    assert {belief.status for belief in offices.every()} == {Status.ACTIVE, Status.REFUTED}
