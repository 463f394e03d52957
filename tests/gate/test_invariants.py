"""What people approved stands, whatever the flag, type, scope or author (EP-0134, section 3; CONTRACTS 2 and 3)."""

from __future__ import annotations

import pytest

from tests.engine.scripted import AGENT, DUPLICATE, MARA, OTHER, Store, suspicion
from tur_engine.errors import InvariantViolation, NotAllowed
from tur_engine.records import MemoryType, OnConflict, Outcome, Scope, Verb

NET30 = "Invoices are due in 30 days"
NET45 = "Invoices are due in 45 days"


@pytest.fixture
def guarded(store: Store) -> Store:
    """A store with one invariant and a text against it."""
    store.script.clash(NET30, NET45)
    store.approve(NET30, MemoryType.CORE)
    return store


@pytest.mark.parametrize("on_conflict", list(OnConflict))
@pytest.mark.parametrize("type", ["fact", "preference", "axiom"])
@pytest.mark.parametrize("scope", ["incarnation", "user:billing", "universal@main"])
def test_a_clash_with_an_invariant_is_rejected_whatever_is_asked(
    guarded: Store, on_conflict: OnConflict, type: str, scope: str
) -> None:
    result = guarded.learn(NET45, AGENT, on_conflict=on_conflict, type=type, scope=scope)
    assert result.outcome is Outcome.INVARIANT
    assert result.invariant is not None
    assert (result.invariant.memory.content, result.invariant.approved) == (NET30, True)
    assert (result.id, result.digest, result.proposal_id, result.content) == (None, None, None, NET45)
    assert guarded.live() == {NET30}
    assert len(guarded.every()) == 1
    logged = guarded.engine.history()[-1]
    assert (logged.kind, logged.actor) == ("rejected", AGENT)
    assert logged.summary == f'rejected "{NET45}": contradicts invariant "{NET30}"'
    assert guarded.engine.conflicts(all=True) == []


def test_a_person_is_stopped_as_well(guarded: Store) -> None:
    assert guarded.learn(NET45, MARA, on_conflict=OnConflict.ALLOW).outcome is Outcome.INVARIANT


def test_naming_the_invariant_files_a_proposal_once(guarded: Store) -> None:
    (core,) = guarded.engine.memories()
    result = guarded.learn(NET45, AGENT, supersedes=[core.id], on_conflict=OnConflict.ALLOW)
    assert result.outcome is Outcome.INVARIANT
    assert result.proposal_id is not None
    (pending,) = [b for b in guarded.every() if b.status == "pending_approval"]
    assert result.proposal_id == f"proposal-{pending.memory.digest}"
    assert guarded.status(core.id) == "active"
    assert guarded.texts("invoices due") == [NET30]
    again = guarded.learn(NET45, OTHER, supersedes=[core.id])
    assert again.proposal_id == result.proposal_id
    assert guarded.engine.status().proposals_pending == 1
    guarded.verified()


def test_naming_an_invariant_is_a_violation_though_the_texts_agree_or_are_known(guarded: Store) -> None:
    (core,) = guarded.engine.memories()
    polite = "Customers like friendly invoices"
    first = guarded.learn(polite, AGENT, supersedes=[core.id])
    assert (first.outcome, first.proposal_id is None) == (Outcome.INVARIANT, False)
    guarded.known("The lift works")
    known = guarded.learn("The lift works", AGENT, supersedes=[core.id])
    assert (known.outcome, known.proposal_id is None) == (Outcome.INVARIANT, False)
    assert guarded.status(core.id) == "active"


def test_agreeing_with_an_invariant_confirms_it(guarded: Store) -> None:
    (core,) = guarded.engine.memories()
    assert guarded.learn(NET30, AGENT).duplicate_of == core.id
    reworded = "Every invoice is due in 30 days"
    guarded.script.say(NET30, reworded, DUPLICATE)
    assert guarded.learn(reworded, AGENT).duplicate_of == core.id


def test_an_unapproved_axiom_protects_nothing(store: Store) -> None:
    store.script.clash(NET30, NET45)
    store.learn(NET30, AGENT, type="core")
    assert store.learn(NET45, AGENT).outcome is Outcome.COMMITTED


@pytest.mark.parametrize("on_conflict", [OnConflict.HOLD, OnConflict.ASK, OnConflict.ALLOW])
def test_a_mere_suspicion_is_held_and_escalated(store: Store, on_conflict: OnConflict) -> None:
    store.script.say(NET30, NET45, suspicion(0.25))
    store.approve(NET30)
    seen = store.learn(NET45, AGENT, dry_run=True)
    result = store.learn(NET45, AGENT, on_conflict=on_conflict)
    assert result.outcome is seen.outcome is Outcome.CONFLICT
    for answer in (seen, result):
        (report,) = answer.conflicts
        assert (report.conflict.state, report.conflict.suggested) == ("escalated", Verb.ABORT)
    assert store.status(result.id or "") == "held"
    assert store.live() == {NET30}
    again = store.learn(NET45, AGENT, on_conflict=OnConflict.ALLOW)
    assert (again.outcome, store.live()) == (Outcome.CONFLICT, {NET30}), "nor does a second try slip through"
    store.verified()


def test_the_same_suspicion_against_a_fact_passes(store: Store) -> None:
    store.script.say(NET30, NET45, suspicion(0.25))
    store.known(NET30)
    assert store.learn(NET45, AGENT).outcome is Outcome.COMMITTED


def test_a_suspect_pair_refuses_what_would_change_the_invariant(store: Store) -> None:
    store.script.say(NET30, NET45, suspicion())
    store.approve(NET30)
    conflict = store.held(NET45, AGENT)
    options = {verb: store.engine.preview(conflict.id, verb) for verb in Verb}
    refused = {verb for verb, preview in options.items() if not preview.allowed}
    assert refused == {Verb.SUPERSEDE, Verb.MERGE, Verb.BRANCH, Verb.FORCE}
    for verb in refused:
        assert "only an approved proposal may" in options[verb].reason
        with pytest.raises(NotAllowed, match="only an approved proposal may"):
            store.settle(conflict, verb)
    with pytest.raises(NotAllowed, match="only an approved proposal may"):
        store.settle(conflict, Verb.BRANCH, side="incumbent", scope=Scope(path="billing"))
    assert store.status(conflict.challenger.id) == "held"
    store.settle(conflict, Verb.DISMISS, reason="two kinds of invoice")
    assert store.live() == {NET30, NET45}
    assert store.engine.memory(conflict.incumbent.id).approved
    store.verified()


def test_no_agent_settles_it_but_it_may_withdraw_its_own_word(store: Store) -> None:
    store.script.say(NET30, NET45, suspicion())
    store.approve(NET30)
    conflict = store.held(NET45, AGENT)
    with pytest.raises(NotAllowed, match="waits for people"):
        store.settle(conflict, Verb.DISMISS, AGENT)
    with pytest.raises(NotAllowed, match="waits for people"):
        store.settle(conflict, Verb.REFUTE, OTHER)
    store.settle(conflict, Verb.ABORT, AGENT)
    assert store.live() == {NET30}


def test_an_undo_does_not_bring_back_what_contradicts_an_invariant_approved_since(store: Store) -> None:
    store.script.clash(NET45, "Invoices are due at once")
    store.known(NET45)
    store.settle(store.held("Invoices are due at once"), Verb.SUPERSEDE)
    store.script.clash(NET30, NET45)
    store.approve(NET30)
    before = store.picture()
    with pytest.raises(InvariantViolation, match="contradicts the invariant axiom-"):
        store.engine.undo()
    assert store.picture() == before
