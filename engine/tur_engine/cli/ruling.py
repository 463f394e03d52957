"""Proposals, reviews, keys and signatures as the JSON of `tur-adm`: full ids, times in UTC, texts as stored."""

from __future__ import annotations

from collections.abc import Callable

from .. import payloads
from ..payloads import Payload, stamp
from ..records import ApprovalResult, Belief, KeyFile, Proposal, Review, ReviewerKey, SignedEntry

FullId = Callable[[str], str]


def proposal(item: Proposal, full_id: FullId) -> Payload:
    """One proposal as it stands; the keys of its memory stand beside its own, under `memory_id`."""
    return payloads.memory(item.memory, full_id) | {
        "id": item.id,
        "proposal_id": item.id,
        "memory_id": item.memory.id,
        "kind": item.kind.value,
        "state": item.state.value,
        "proposed_by": str(item.proposed_by),
        "proposed_at": stamp(item.proposed_at),
        "reason": item.reason,
        "replaces": [payloads.side(belief) for belief in item.replaces],
        "promotes": payloads.side(item.promotes) if item.promotes else None,
        "quorum": item.quorum,
        "signatures": [
            {
                "key_id": each.key_id,
                "name": each.name,
                "seq": each.seq,
                "at": stamp(each.at),
                "valid": each.valid,
                "reason": each.reason,
            }
            for each in item.signatures
        ],
        "decided_seq": item.decided_seq,
        "decided_at": stamp(item.decided_at) if item.decided_at else None,
        "decided_because": item.decided_because,
    }


def review(item: Review, full_id: FullId) -> Payload:
    """Everything a reviewer needs to see."""

    def side(belief: Belief) -> Payload:
        return payloads.side(belief)

    return (
        payloads.memory_in_full(item.proposal.memory, full_id)
        | proposal(item.proposal, full_id)
        | {
            "objections": [
                side(each.belief)
                | {
                    "probability": each.probability,
                    "sentence": each.sentence,
                    "invariant": each.belief.approved,
                    "blocks": each.blocks,
                }
                for each in item.objections
            ],
            "dependants": [side(belief) for belief in item.dependants],
            "head": {"size": item.head_size, "root": item.head_root},
        }
    )


def approval(result: ApprovalResult) -> Payload:
    """What a signature did."""
    return {
        "status": "approved" if result.in_force else "signed",
        "proposal_id": result.proposal_id,
        "seq": result.seq,
        "signatures": result.signatures,
        "quorum": result.quorum,
        "in_force": result.in_force,
    }


def key(item: ReviewerKey | KeyFile) -> Payload:
    """A reviewer's key, or one on this machine that is not enrolled."""
    if isinstance(item, KeyFile):
        return {"id": item.id, "name": item.name, "public": item.public, "enrolled": False, "here": True}
    return {
        "id": item.id,
        "name": item.name,
        "public": item.public,
        "enrolled": item.revoked_seq is None,
        "enrolled_seq": item.enrolled_seq,
        "enrolled_at": stamp(item.enrolled_at),
        "enrolled_by": item.enrolled_by,
        "revoked_seq": item.revoked_seq,
        "here": item.here,
    }


def signed(entry: SignedEntry) -> Payload:
    """One line of the signed log."""
    return {
        "seq": entry.seq,
        "at": stamp(entry.at),
        "act": entry.act,
        "key_id": entry.key_id,
        "name": entry.name,
        "subject": entry.subject,
        "reason": entry.reason,
        "valid": entry.valid,
    }
