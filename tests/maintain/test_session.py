"""A bad session is rolled back: shown first, the newest event first, in one transaction (CONTRACTS 3)."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from tests.engine.scripted import AGENT, MARA, OTHER, Store
from tests.govern.signing import RITA, governed, put_in_force
from tur_engine.errors import BadInput, NotAllowed, UnknownId
from tur_engine.records import MemoryType, OnConflict, SessionUndo, Verb

A, B, C = "The cache is Redis", "The cache is a file", "The cache is Memcached"


@pytest.fixture
def ready(store: Store) -> Store:
    store.script.clash(A, B, C)
    store.known(A, OTHER)
    return store


def told(result: SessionUndo) -> list[tuple[str, bool]]:
    return [(step.summary, step.done) for step in result.steps]


def test_learned_is_retracted_and_decisions_are_undone(ready: Store) -> None:
    before = ready.picture()
    ready.learn(B, AGENT, supersedes=[ready.engine.memories()[0].id], session="bad")
    ready.known("The lift works", AGENT, session="bad")
    now = ready.picture()
    preview = ready.engine.undo_session(agent=AGENT, dry_run=True)
    assert ready.picture() == now, "a preview keeps nothing"
    result = ready.engine.undo_session(agent=AGENT, reason="it was confused")
    assert (
        told(preview)
        == told(result)
        == [
            ('learned "The lift works"', True),
            (f'"{A}" superseded by "{B}"', True),
            (f'held "{B}": clashes with "{A}"', True),
        ]
    )
    assert ready.live() == {A}
    after = ready.picture()
    assert {d: s for d, s in after["status"].items() if d in before["status"]} == before["status"]
    assert after["open"] == []
    kinds = [e.kind for e in ready.engine.history()][-3:]
    assert kinds == ["retracted", "undone", "retracted"]
    assert {e.reason for e in ready.engine.history()[-3:]} == {"it was confused"}
    ready.verified()


def test_what_rests_on_a_retracted_memory_becomes_suspect(ready: Store) -> None:
    ground = ready.known("The lift works", AGENT)
    resting = ready.known("Visitors take the lift", OTHER, rests_on=[ground])
    assert ready.engine.undo_session(agent=AGENT).done == 1
    assert (ready.status(ground), ready.status(resting)) == ("retracted", "suspect")


def test_only_one_session_of_one_agent(ready: Store) -> None:
    ready.known("The lift works", AGENT, session="good")
    ready.known("The door sticks", AGENT, session="bad")
    ready.known("The gate is red", OTHER, session="bad")
    assert ready.engine.undo_session(session="bad", agent=AGENT).done == 1
    assert ready.live() == {A, "The lift works", "The gate is red"}
    assert ready.engine.undo_session(session="bad").done == 1
    assert ready.live() == {A, "The lift works"}
    with pytest.raises(UnknownId, match="in a session named 'nothing'"):
        ready.engine.undo_session(session="nothing")


def test_only_since_a_moment(ready: Store) -> None:
    ready.known("The lift works", AGENT)
    then = datetime.now(UTC)
    ready.known("The door sticks", AGENT)
    assert ready.engine.undo_session(agent=AGENT, since=then).done == 1
    assert ready.live() == {A, "The lift works"}
    assert ready.engine.undo_session(agent=AGENT, since=datetime.now(UTC)).steps == ()


def test_what_people_built_on_it_stays_and_says_why(ready: Store) -> None:
    ready.learn(B, AGENT, supersedes=[ready.engine.memories()[0].id])
    ready.settle(ready.held(C, MARA), Verb.SUPERSEDE, MARA)
    result = ready.engine.undo_session(agent=AGENT)
    assert result.done == 0
    decision, arrival = result.steps
    assert "came later and changed the same" in decision.reason
    assert "superseded by a later decision, which stays" in arrival.reason
    assert ready.live() == {C}
    ready.verified()


def test_approvals_and_proposals_stay(ready: Store) -> None:
    filed = ready.learn("Invoices are due in 30 days", AGENT, type=MemoryType.CORE)
    put_in_force(ready.engine, filed.proposal_id or "")
    waiting = ready.learn("Invoices are printed", AGENT, type=MemoryType.AXIOM)
    result = ready.engine.undo_session(agent=AGENT)
    assert [(s.done, s.reason) for s in result.steps] == [
        (False, "a proposal has no force; reviewers decide on it"),
        (False, "reviewers approved it and it is in force; they alone retire it (tur-adm memory retire)"),
    ]
    assert ready.status(filed.id or "") == "active"
    assert ready.status(waiting.id or "") == "pending_approval"


def test_what_is_up_to_people_stays_for_the_reason_of_today(ready: Store) -> None:
    filed = ready.learn("Invoices are due in 30 days", AGENT, type=MemoryType.CORE)
    put_in_force(ready.engine, filed.proposal_id or "")
    retiring = ready.seen_by(AGENT).propose_retirement(filed.id or "", "too long")
    put_in_force(ready.engine, retiring.id)
    refused = ready.learn("Invoices are printed", AGENT, type=MemoryType.AXIOM)
    governed(ready.engine).reject(refused.proposal_id or "", RITA, "they are mailed")
    result = ready.engine.undo_session(agent=AGENT)
    assert [s.reason for s in result.steps] == [
        "reviewers rejected it, so it has no force",
        "reviewers approved the retirement; they alone bring the memory back into force",
        "reviewers approved it, and it went out of force since",
    ]


def test_what_was_put_before_people_and_settled_waits_no_longer(store: Store) -> None:
    store.script.clash(A, B)
    store.known(A, MARA)
    asked = store.held(B, AGENT)
    assert store.settle(asked, Verb.SUPERSEDE, AGENT).conflict.state == "escalated"
    preview = store.engine.undo_session(agent=AGENT, dry_run=True)
    assert [s.reason for s in preview.steps if s.kind == "escalated"] == ["it waits for people"]
    store.settle(asked, Verb.REFUTE, MARA)
    preview = store.engine.undo_session(agent=AGENT, dry_run=True)
    told = [s.reason for s in preview.steps if s.kind == "escalated"]
    assert told == ["the conflict that it put before people is settled"]


def test_what_comes_back_is_weighed_again(ready: Store) -> None:
    """B took A's place; later C, which contradicts A alone, came in unopposed."""
    store = ready
    other = "The cache lives in memory only"
    store.script.clash(A, other)
    store.learn(B, AGENT, supersedes=[store.engine.memories()[0].id])
    store.known(other, OTHER)
    result = store.engine.undo_session(agent=AGENT)
    assert result.done == 2
    assert {(c.incumbent.memory.content, c.challenger.memory.content) for c in store.engine.conflicts()} == {(A, other)}
    store.verified()


def test_an_invariant_keeps_out_what_would_come_back(ready: Store) -> None:
    ready.learn(B, AGENT, supersedes=[ready.engine.memories()[0].id])
    rule = "The cache is never on a server"
    ready.script.clash(A, rule)
    ready.approve(rule, MemoryType.CORE)
    result = ready.engine.undo_session(agent=AGENT)
    assert "[Invariant Memory Error]" in result.steps[0].reason
    assert "could not be taken back" in result.steps[1].reason
    assert ready.live() == {B, rule}
    ready.verified()


def test_taken_back_already_it_is_passed_over(ready: Store) -> None:
    ready.learn(B, AGENT, supersedes=[ready.engine.memories()[0].id])
    ready.seen_by(AGENT).undo()
    result = ready.engine.undo_session(agent=AGENT)
    assert told(result) == [(f'held "{B}": clashes with "{A}"', True)]
    assert ready.engine.undo_session(agent=AGENT).steps == ()
    assert ready.live() == {A}
    ready.verified()


def test_a_contested_memory_goes_and_the_question_with_it(ready: Store) -> None:
    ready.learn(B, AGENT, on_conflict=OnConflict.ALLOW)
    assert ready.engine.undo_session(agent=AGENT).done == 1
    assert (ready.live(), ready.engine.conflicts()) == ({A}, [])


def test_an_agent_rolls_back_itself_only(ready: Store) -> None:
    ready.known("The lift works", AGENT, session="one")
    ready.known("The door sticks", OTHER, session="one")
    with pytest.raises(NotAllowed, match="its own events only"):
        ready.seen_by(AGENT).undo_session(agent=OTHER)
    assert ready.seen_by(AGENT).undo_session(session="one").done == 1
    assert ready.live() == {A, "The door sticks"}
    with pytest.raises(BadInput, match="name a session or an agent"):
        ready.engine.undo_session()
