"""A proposal changes nothing until enough reviewers have signed it; then everything at once (CONTRACTS 2, 6)."""

from __future__ import annotations

import pytest

from tests.engine.scripted import AGENT, DUPLICATE, MARA, Store, suspicion
from tests.govern.asking import PLAIN, REVIEWED, TLS, ask, asked
from tests.govern.signing import RITA, signer
from tur_engine.errors import BadInput, InvariantViolation, NoKey, NotAllowed, StaleRevision, UnknownId
from tur_engine.governor import Governor
from tur_engine.records import MemoryType, OnConflict, Outcome, ProposalKind, Quorum, Verb

SAM = signer("sam")


def test_an_approved_proposal_is_in_force_from_then_on(store: Store, governor: Governor) -> None:
    store.script.clash(TLS, PLAIN)
    proposal = ask(store, TLS)
    assert store.learn(PLAIN, dry_run=True).outcome is Outcome.COMMITTED, "a proposal has no force"
    review = governor.review(proposal)
    assert (review.proposal.proposed_by, review.proposal.reason) == (AGENT, "because")
    assert (review.proposal.kind, review.proposal.quorum) == (ProposalKind.ADOPT, 1)
    assert review.head_size == store.engine.head()
    result = governor.approve(proposal, RITA, reason="agreed", expect=review)
    assert (result.in_force, result.signatures, result.quorum) == (True, 1, 1)
    belief = store.engine.memory(proposal)
    assert (belief.status, belief.approved) == ("active", True)
    assert store.learn(PLAIN, AGENT, on_conflict=OnConflict.ALLOW).outcome is Outcome.INVARIANT
    assert governor.proposals() == []
    [decided] = governor.proposals(all=True)
    assert (decided.state, decided.decided_because, decided.decided_seq) == ("approved", "agreed", result.seq)
    [signature] = decided.signatures
    assert (signature.key_id, signature.name, signature.valid, signature.reason) == (
        RITA.key_id,
        "rita",
        True,
        "agreed",
    )
    assert store.engine.history()[-2].summary == f'approved "{TLS}"'
    assert store.engine.verify().checkpoints == 2
    store.verified()


def test_what_replaces_an_invariant_takes_its_place_in_one_step(store: Store, governor: Governor) -> None:
    store.script.clash(TLS, PLAIN)
    old = store.approve(TLS)
    resting = store.known("Certificates are renewed monthly", rests_on=[old])
    refused = asked(store, PLAIN)
    assert (refused.outcome, refused.proposal_id) == (Outcome.INVARIANT, None), "it names nothing that it replaces"
    proposal = ask(store, PLAIN, type="axiom", replaces=[old])
    review = governor.review(proposal)
    assert [belief.id for belief in review.proposal.replaces] == [old]
    assert [belief.id for belief in review.dependants] == [resting]
    assert review.objections == ()
    assert store.live() == {TLS, "Certificates are renewed monthly"}
    governor.approve(proposal, RITA, expect=review)
    assert (store.status(old), store.engine.memory(old).approved) == ("superseded", False)
    assert store.engine.memory(proposal).approved
    assert (TLS, "superseded_by", PLAIN) in store.edges()
    assert store.engine.memory(resting).suspect_because == (old.rpartition("-")[2],)
    again = store.learn(TLS, AGENT)
    assert again.outcome is Outcome.INVARIANT
    store.verified()


def test_a_fact_that_names_an_invariant_is_proposed_in_the_invariants_tier(store: Store, governor: Governor) -> None:
    store.script.clash(TLS, PLAIN)
    old = store.approve(TLS)
    result = store.learn(PLAIN, AGENT, supersedes=[old])
    assert result.outcome is Outcome.INVARIANT
    proposal = governor.proposal(result.proposal_id or "")
    assert (proposal.memory.memory.type, proposal.replaces[0].id) == (MemoryType.AXIOM, old)
    assert store.learn(PLAIN, AGENT, supersedes=[old]).proposal_id == proposal.id
    governor.approve(proposal.id, RITA)
    assert store.live() == {PLAIN}
    store.verified()


def test_the_second_of_two_contradicting_proposals_is_refused(store: Store, governor: Governor) -> None:
    first, second = ask(store, TLS), ask(store, PLAIN)
    store.script.clash(TLS, PLAIN)
    governor.approve(first, RITA)
    [objection] = governor.review(second).objections
    assert (objection.belief.memory.content, objection.blocks) == (TLS, True)
    head = store.engine.head()
    with pytest.raises(InvariantViolation, match="which it does not replace"):
        governor.approve(second, RITA)
    assert store.engine.head() == head
    assert store.live() == {TLS}


def test_ordinary_memories_that_contradict_it_are_seen_and_put_before_people(store: Store, governor: Governor) -> None:
    store.script.clash(TLS, PLAIN)
    before = store.known(PLAIN)
    proposal = ask(store, TLS)
    [objection] = governor.review(proposal).objections
    assert (objection.belief.id, objection.blocks, objection.probability) == (before, False, 0.9)
    governor.approve(proposal, RITA)
    [conflict] = store.engine.conflicts()
    assert (conflict.incumbent.id, conflict.challenger.memory.content) == (before, TLS)
    assert store.live() == {TLS, PLAIN}
    with pytest.raises(NotAllowed):
        store.settle(conflict, Verb.REFUTE)
    store.settle(conflict, Verb.SUPERSEDE)
    assert store.live() == {TLS}
    store.verified()


def test_what_came_in_while_it_waited_is_weighed_too(store: Store, governor: Governor) -> None:
    store.script.clash(TLS, PLAIN)
    proposal = ask(store, TLS)
    review = governor.review(proposal)
    late = store.known(PLAIN)
    with pytest.raises(StaleRevision, match="has changed since it was shown"):
        governor.approve(proposal, RITA, expect=review)
    assert store.engine.memory(proposal).status == "pending_approval"
    governor.approve(proposal, RITA, expect=governor.review(proposal))
    [conflict] = store.engine.conflicts()
    assert (conflict.incumbent.memory.content, conflict.challenger.id) == (TLS, late)
    store.verified()


def test_a_suspicion_against_an_invariant_is_told_and_does_not_block(store: Store, governor: Governor) -> None:
    store.approve(TLS)
    proposal = ask(store, PLAIN)
    store.script.say(TLS, PLAIN, suspicion())
    [objection] = governor.review(proposal).objections
    assert (objection.belief.approved, objection.blocks) == (True, False)
    assert governor.approve(proposal, RITA).in_force
    store.verified()


def test_a_candidate_held_for_the_old_invariant_is_weighed_against_the_new_one(
    store: Store, governor: Governor
) -> None:
    mixed = "Service traffic may be plain at night"
    store.script.say(TLS, mixed, suspicion())
    store.script.clash(PLAIN, mixed)
    old = store.approve(TLS)
    held = store.held(mixed, AGENT)
    governor.approve(ask(store, PLAIN, replaces=[old]), RITA)
    assert store.status(held.challenger.id) == "held", "it contradicts what came into force"
    [conflict] = store.engine.conflicts()
    assert (conflict.state, conflict.incumbent.memory.content) == ("escalated", PLAIN)
    store.verified()


def test_with_a_quorum_of_two_the_second_reviewer_brings_it_into_force(store: Store, governor: Governor) -> None:
    governor.enrol(SAM.public, "sam", [RITA])
    governor.set_quorum(Quorum(axiom=2, core=1), [RITA])
    proposal = ask(store, TLS, type="axiom")
    first = governor.approve(proposal, RITA)
    assert (first.in_force, first.signatures, first.quorum) == (False, 1, 2)
    assert store.engine.memory(proposal).status == "pending_approval"
    assert store.engine.history()[-1].summary == f'signed "{TLS}", more signatures are needed'
    with pytest.raises(NotAllowed, match="has signed"):
        governor.approve(proposal, RITA)
    second = governor.approve(proposal, SAM)
    assert (second.in_force, second.signatures) == (True, 2)
    assert store.engine.memory(proposal).approved
    assert governor.approve(ask(store, REVIEWED, type="core"), SAM).in_force, "one is enough for a core memory"
    store.verified()


def test_a_signature_of_a_revoked_key_does_not_count(store: Store, governor: Governor) -> None:
    tom = signer("tom")
    for each in (SAM, tom):
        governor.enrol(each.public, each.name, [RITA])
    governor.set_quorum(Quorum(axiom=2), [RITA])
    proposal = ask(store, TLS, type="axiom")
    governor.approve(proposal, SAM)
    governor.revoke("sam", [RITA, tom], "left the house")
    assert not governor.proposal(proposal).signatures[0].valid
    with pytest.raises(NoKey, match="was revoked"):
        governor.approve(proposal, SAM)
    assert not governor.approve(proposal, tom).in_force
    assert governor.approve(proposal, RITA).in_force
    store.verified()


def test_replacing_an_axiom_by_a_core_memory_needs_the_axioms_quorum(store: Store, governor: Governor) -> None:
    old = store.approve(TLS, MemoryType.AXIOM)
    governor.enrol(SAM.public, "sam", [RITA])
    governor.set_quorum(Quorum(axiom=2, core=1), [RITA])
    assert not governor.approve(ask(store, PLAIN, replaces=[old]), RITA).in_force


def test_a_rejected_proposal_never_comes_in(store: Store, governor: Governor) -> None:
    proposal = ask(store, TLS)
    for reason in ("", "  "):
        with pytest.raises(BadInput, match="reason"):
            governor.reject(proposal, RITA, reason)
    governor.reject(proposal, RITA, "too strict")
    assert store.status(proposal) == "retracted"
    [decided] = governor.proposals(all=True)
    assert (decided.state, decided.decided_because) == ("rejected", "too strict")
    with pytest.raises(NotAllowed, match="was rejected already"):
        governor.approve(proposal, RITA)
    assert ask(store, TLS) != proposal, "it may be proposed again"
    store.verified()


def test_a_promotion_takes_the_place_of_the_memory_it_is_made_from(store: Store, governor: Governor) -> None:
    plain = store.known(TLS, tags=("net",))
    with pytest.raises(BadInput, match="principle"):
        store.engine.propose_promotion(plain, "rule", " ", "")
    result = store.seen_by(AGENT).propose_promotion(plain, "rule", "Nothing is read on the wire", "We keep secrets")
    proposal = governor.proposal(result.proposal_id or "")
    assert (proposal.kind, proposal.promotes and proposal.promotes.id) == (ProposalKind.PROMOTE, plain)
    told = proposal.memory.memory
    assert (told.type, told.content, told.tags) == (MemoryType.CORE, TLS, ("net",))
    assert told.provenance == {
        "core_type": "rule",
        "derived_principle": "Nothing is read on the wire",
        "ethical_covenant": "We keep secrets",
        "promoted_from": plain,
    }
    governor.approve(proposal.id, RITA)
    assert (store.status(plain), store.engine.memory(proposal.id).approved) == ("superseded", True)
    with pytest.raises(NotAllowed, match="only a memory that holds"):
        store.engine.propose_promotion(plain, "rule", "x", "")
    store.verified()


def test_a_promotion_of_what_fell_meanwhile_is_refused(store: Store, governor: Governor) -> None:
    plain = store.known(TLS)
    result = store.engine.propose_promotion(plain, "", "Nothing is read on the wire", "")
    governor.retract(plain, "wrong")
    with pytest.raises(NotAllowed, match="is retracted by now"):
        governor.approve(result.proposal_id or "", RITA)


def test_a_retirement_takes_an_invariant_out_of_force(store: Store, governor: Governor) -> None:
    store.script.clash(TLS, PLAIN)
    core = store.approve(TLS)
    resting = store.known("Certificates are renewed monthly", rests_on=[core])
    with pytest.raises(BadInput, match="reason"):
        store.engine.propose_retirement(core, " ")
    with pytest.raises(NotAllowed, match="no invariant in force"):
        store.engine.propose_retirement(resting, "why not")
    proposal = store.seen_by(AGENT).propose_retirement(core, "we moved")
    assert store.engine.propose_retirement(core, "again").id == proposal.id
    assert [belief.id for belief in governor.review(proposal.id).dependants] == [resting]
    assert store.engine.status().proposals_pending == 1
    assert store.engine.memory(core).approved, "until it is signed"
    governor.approve(proposal.id, RITA)
    assert (store.status(core), store.engine.memory(core).approved) == ("retracted", False)
    assert store.status(resting) == "suspect"
    assert store.learn(PLAIN, AGENT).outcome is Outcome.COMMITTED
    assert [entry.kind for entry in store.engine.history(proposal.id)] == ["proposed", "approved"]
    store.verified()


def test_a_proposal_on_what_is_gone_is_refused(store: Store, governor: Governor) -> None:
    core = store.approve(TLS)
    first = store.engine.propose_retirement(core, "we moved")
    second = ask(store, PLAIN, replaces=[core])
    governor.approve(first.id, RITA)
    with pytest.raises(NotAllowed, match="no invariant in force any more"):
        governor.approve(second, RITA)
    governor.reject(second, RITA, "nothing to replace")
    store.verified()


def test_the_same_proposal_is_filed_once(store: Store, governor: Governor) -> None:
    proposal = ask(store, TLS)
    again = asked(store, TLS)
    assert (again.outcome, again.proposal_id) == (Outcome.PROPOSED, proposal)
    assert len(governor.proposals()) == 1
    governor.approve(proposal, RITA)
    reworded = "Traffic between services always uses TLS"
    store.script.say(TLS, reworded, DUPLICATE)
    assert asked(store, reworded).outcome is Outcome.DUPLICATE


def test_only_invariants_can_be_replaced(store: Store, governor: Governor) -> None:
    plain = store.known(PLAIN)
    with pytest.raises(BadInput, match="no invariant in force"):
        asked(store, TLS, replaces=[plain])
    with pytest.raises(BadInput, match="needs no proposal"):
        asked(store, TLS, type="fact")
    with pytest.raises(UnknownId):
        governor.approve("proposal-00000000", RITA)


def test_no_verb_and_no_undo_changes_what_was_signed(store: Store, governor: Governor) -> None:
    core = store.approve(TLS)
    with pytest.raises(NotAllowed, match="no undo takes a signature back"):
        store.engine.undo(f"#{store.engine.head()}")
    with pytest.raises(NotAllowed, match="propose its retirement"):
        governor.retract(core, "no more")
    with pytest.raises(NotAllowed, match="propose its retirement"):
        governor.redact(core, [RITA], "no more")
    proposal = ask(store, REVIEWED)
    with pytest.raises(NotAllowed, match="reject it first"):
        governor.retract(proposal, "no more")
    assert store.engine.memory(core).approved


def test_a_filed_retirement_does_not_stop_an_undo(store: Store, governor: Governor) -> None:
    store.script.say(TLS, PLAIN, suspicion())
    core = store.approve(TLS)
    store.settle(store.held(PLAIN, AGENT), Verb.DISMISS)
    store.engine.propose_retirement(core, "we moved")
    store.engine.undo()
    assert store.live() == {TLS}
    store.verified()


def test_who_may_not_sign_changes_nothing(store: Store, governor: Governor) -> None:
    proposal = ask(store, TLS)
    before = store.engine.head()
    with pytest.raises(NoKey, match="not enrolled"):
        governor.approve(proposal, signer("mallory"))
    locked = signer("rita")
    locked.lock()
    assert locked.locked
    with pytest.raises(NotAllowed, match="is locked"):
        governor.approve(proposal, locked)
    assert store.engine.head() == before
    assert store.engine.actor == MARA
