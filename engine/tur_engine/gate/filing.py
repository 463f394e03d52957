"""How a draft becomes a proposal: its event holds the memory, pending, and names the invariants it would replace."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime

from .. import records
from ..ledger import Encoded, NewEvent, Reads
from ..ledger.effects import propose
from ..records import Author, EventKind, Status
from .arrival import arrival
from .finding import Deliberation


def filing(
    reads: Reads,
    found: Deliberation,
    actor: Author,
    vector: bytes | None,
    *,
    replaces: Sequence[str] = (),
    promotes: str = "",
    reason: str = "",
) -> NewEvent:
    """Return the event. What is to take an invariant's place takes its type too, whatever it was offered as."""
    _raise(reads, found, replaces)
    event = arrival(reads, EventKind.PROPOSED, found, actor, Status.PENDING, vector)
    kind = records.ProposalKind.PROMOTE if promotes else records.ProposalKind.ADOPT
    event.data["effects"].append(propose(found.digest, kind, found.digest, replaces, promotes))
    if replaces:
        event.data["about"] = list(replaces)
    return event.because(reason)


def _raise(reads: Reads, found: Deliberation, replaces: Sequence[str]) -> None:
    draft = found.encoded.draft
    if replaces and not draft.type.invariant_tier:
        mid = reads.mid(replaces[0])
        assert mid is not None
        draft = draft.model_copy(update={"type": reads.memory(mid).type})
        found.encoded = Encoded(draft, datetime.now(UTC))


def waiting(reads: Reads, found: Deliberation, replaces: Sequence[str], promotes: str = "") -> str:
    """Return the proposal that asks for the same already; empty where none does."""
    if found.pending is None:
        return ""
    proposal = reads.digest(found.pending)
    if not reads.has_proposal(proposal) or reads.proposal_state(proposal)[0] is not records.ProposalState.PENDING:
        return ""
    filed = reads.filed(proposal)
    return proposal if set(replaces) <= set(filed.replaces) and filed.promotes == promotes else ""
