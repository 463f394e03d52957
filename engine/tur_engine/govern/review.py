"""Proposals as people read them: what is asked, by whom, what it replaces, who signed (CONTRACTS 6)."""

from __future__ import annotations

from ..ledger import Reads
from ..ledger.codec import unstamp
from ..maintain.labels import suspects_of
from ..maintain.view import View
from ..records import Belief, Proposal, ProposalKind, ProposalState, Review, Signature
from .statement import ACT_OF, Act
from .verify import signers_of, tiers_needed

_APPROVALS = tuple(str(kind) for kind, act in ACT_OF.items() if act is Act.APPROVE)


def proposal_of(reads: Reads, hex: str) -> Proposal:
    """Return one proposal as it stands."""
    filed = reads.filed(hex)
    state, since = reads.proposal_state(hex)
    at, actor, data = reads.event(filed.seq)
    replaces = tuple(reads.belief(mid) for digest in filed.replaces if (mid := reads.mid(digest)) is not None)
    memory = reads.belief(filed.mid)
    promoted = reads.mid(filed.promotes) if filed.promotes else None
    decided = state is not ProposalState.PENDING
    decided_at, _, decision = reads.event(since) if decided else ("", None, {})
    return Proposal(
        id=f"proposal-{hex}",
        kind=filed.kind,
        state=state,
        seq=filed.seq,
        proposed_at=unstamp(at),
        proposed_by=actor,
        reason=reads.reason(data),
        memory=memory,
        replaces=replaces,
        promotes=reads.belief(promoted) if promoted is not None else None,
        signatures=tuple(signatures_of(reads, hex)),
        quorum=tiers_needed(reads.quorum(), [str(belief.memory.type) for belief in (memory, *replaces)]),
        decided_seq=since if decided else None,
        decided_at=unstamp(decided_at) if decided else None,
        decided_because=reads.reason(decision),
    )


def signatures_of(reads: Reads, hex: str) -> list[Signature]:
    """Return the signatures given to a proposal, oldest first; `valid` where it holds and its key may sign now."""
    found = []
    keys = reads.reviewer_keys()
    for seq in reads.mentions(hex):
        if reads.kind(seq) not in _APPROVALS:
            continue
        at, _, data = reads.event(seq)
        then = {key.key: key.public for key in keys if key.since < seq and (key.until is None or key.until > seq)}
        now = {key.key for key in keys if key.until is None}
        decided = reads.kind(seq) == "approved"
        for key, holds in signers_of(data, then).items():
            name = next((known.name for known in keys if known.key == key), "unknown")
            found.append(
                Signature(
                    key_id=f"key-{key}",
                    name=name,
                    seq=seq,
                    at=unstamp(at),
                    valid=holds and (decided or key in now),
                    reason=reads.reason(data),
                )
            )
    return found


def dependants_of(reads: Reads, proposal: Proposal) -> tuple[Belief, ...]:
    """Return everything that rests on what would go, nearest first: it becomes suspect."""
    view = View(reads)
    going = [belief.memory.digest for belief in going_of(proposal)]
    new = [] if proposal.kind is ProposalKind.RETIRE else [proposal.memory.memory.digest]
    found = suspects_of(view, going, new)
    return tuple(reads.belief(mid) for digest in found if (mid := reads.mid(digest)) is not None)


def going_of(proposal: Proposal) -> list[Belief]:
    """Return the memories that an approval would take out: replaced invariants, a promotion's source."""
    if proposal.kind is ProposalKind.RETIRE:
        return [proposal.memory]
    return [*proposal.replaces, *([proposal.promotes] if proposal.promotes else [])]


def seen(review: Review) -> tuple[object, ...]:
    """What a reviewer decides on; whatever moves in here makes a look stale."""
    proposal = review.proposal
    return (
        proposal.id,
        proposal.state,
        proposal.memory.memory,
        [(belief.memory, belief.status, belief.approved) for belief in proposal.replaces],
        proposal.promotes and (proposal.promotes.memory, proposal.promotes.status),
        [(each.belief.id, each.blocks) for each in review.objections],
    )
