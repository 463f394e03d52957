"""What went wrong elsewhere with protected memory, as inputs: reference/rivals.md, section 3, numbers 48 to 53."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.engine.scripted import AGENT, MARA, OTHER, Store, draft_of
from tests.govern.signing import put_in_force
from tur_engine import payloads
from tur_engine.engine import Engine
from tur_engine.errors import NotAllowed
from tur_engine.maintain.policy import AgentMayResolve
from tur_engine.records import Author, MemoryType, OnConflict, Outcome, Status, Verb

NET30 = "Invoices are net 30."
NET45 = "Invoices are net 45"
CLEANER = Author.parse("system:nightly-review")


@pytest.fixture
def ruled(store: Store) -> Store:
    store.script.clash(NET30, NET45)
    store.approve(NET30, MemoryType.CORE)
    return store


@pytest.mark.parametrize("type", [MemoryType.AXIOM, MemoryType.CORE])
@pytest.mark.parametrize("on_conflict", list(OnConflict))
@pytest.mark.parametrize("policy", list(AgentMayResolve))
def test_48_no_flag_or_setting_approves(
    store: Store, type: MemoryType, on_conflict: OnConflict, policy: AgentMayResolve, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TUR_ON_CONFLICT", "allow")
    store.seen_by(AGENT)._resolver._policy = policy
    result = store.learn(NET30, AGENT, type=type, on_conflict=on_conflict)
    assert result.outcome is Outcome.PROPOSED
    belief = store.engine.memory(result.id or "")
    assert (belief.status, belief.approved) == (Status.PENDING, False)
    assert store.texts("invoices net") == []
    assert not any("approve" in name for name in dir(store.seen_by(AGENT)))


@pytest.mark.parametrize("on_conflict", [OnConflict.ALLOW, OnConflict.HOLD])
def test_49_naming_a_core_memory_makes_a_proposal_and_changes_nothing(ruled: Store, on_conflict: OnConflict) -> None:
    (core,) = ruled.engine.memories()
    result = ruled.learn(NET45, AGENT, supersedes=[core.id], on_conflict=on_conflict)
    assert result.outcome is Outcome.INVARIANT
    (proposal,) = ruled.engine.proposals()
    assert (proposal.id, [b.id for b in proposal.replaces]) == (result.proposal_id, [core.id])
    assert ruled.engine.memories() == [core]


def test_50_background_actors_add_and_never_replace_or_remove(ruled: Store) -> None:
    cleaner = ruled.seen_by(CLEANER)
    old, new = "The office is in Turin", "The office is in Porto"
    ruled.script.clash(old, new)
    ruled.known(old, MARA)
    assert cleaner.learn(draft_of("The lift works", CLEANER)).outcome is Outcome.COMMITTED
    conflict = ruled.held(new, CLEANER)
    assert ruled.settle(conflict, Verb.SUPERSEDE, CLEANER).verb == "escalate"
    with pytest.raises(NotAllowed, match="waits for people"):
        ruled.settle(conflict, Verb.MERGE, CLEANER)
    done = ruled.settle(ruled.engine.conflict(conflict.id), Verb.REFUTE, MARA)
    with pytest.raises(NotAllowed, match="takes back its own"):
        cleaner.undo(f"#{done.seq}")
    with pytest.raises(NotAllowed, match="its own events only"):
        cleaner.undo_session(agent=AGENT)
    assert ruled.live() == {NET30, old, "The lift works"}


def test_51_nothing_is_accepted_by_silence(ruled: Store, tmp_path_factory: pytest.TempPathFactory) -> None:
    """A proposal waits for ever; asking again, or a long wait, is no yes. Only a signature counts."""
    ruled.engine.propose(draft_of("Invoices are printed", AGENT, type=MemoryType.AXIOM))
    for author in (AGENT, OTHER, MARA):
        again = ruled.seen_by(author).propose(draft_of("Invoices are printed", author, type=MemoryType.AXIOM))
        assert again.outcome in (Outcome.PROPOSED, Outcome.DUPLICATE)
    (waiting,) = ruled.engine.proposals()
    assert (waiting.state, waiting.signatures) == ("pending", ())
    assert not waiting.memory.approved
    put_in_force(ruled.engine, waiting.id)
    assert ruled.engine.memory(waiting.memory.id).approved


@pytest.mark.parametrize("verb", [Verb.SUPERSEDE, Verb.MERGE, Verb.FORCE, Verb.BRANCH, Verb.DISMISS])
def test_52_what_a_person_wrote_needs_a_person(store: Store, verb: Verb) -> None:
    mine, similar = "I take the early train", "I take the early bus"
    store.script.clash(mine, similar)
    store.known(mine, MARA)
    conflict = store.held(similar, AGENT)
    result = store.settle(conflict, verb, AGENT)
    assert (result.verb, result.conflict.state) == ("escalate", "escalated")
    assert store.live() == {mine}
    assert str(store.engine.memories()[0].memory.author) == "human:mara"


def test_53_who_concluded_it_is_shown_and_only_people_make_it_core(store: Store) -> None:
    known = store.known("Customers pay late in August", AGENT, session="review", provenance={"repository": "billing"})
    shown = payloads.memory_in_full(store.engine.memory(known), lambda digest: digest)
    assert (shown["author"], shown["session"], shown["provenance"]) == (
        "agent:claude-code",
        "review",
        {"repository": "billing"},
    )
    result = store.seen_by(AGENT).propose_promotion(known, "principle", "Cash first", "We ask early", "seen often")
    assert result.outcome is Outcome.PROPOSED
    assert [b.memory.type for b in store.engine.memories()] == ["fact"]
    assert not any(b.approved for b in store.every())
    put_in_force(store.engine, result.proposal_id or "")
    (core,) = store.engine.memories()
    assert (core.memory.type, core.approved) == ("core", True)


def test_the_rule_of_49_by_the_real_detector(tmp_path: Path) -> None:
    with Engine.init(tmp_path, actor=MARA) as engine:
        rule = engine.learn(draft_of(NET30, type=MemoryType.CORE))
        put_in_force(engine, rule.proposal_id or "")
        for text in (NET45, "Invoices aren't net 30", "Inv\u043eices are net 45", "INVOICES\u200b ARE NET 45!"):
            result = engine.learn(draft_of(text, AGENT), on_conflict=OnConflict.ALLOW)
            assert result.outcome is Outcome.INVARIANT, text
        assert len(engine.memories()) == 1
