"""Words and marks for what people govern by: kinds of proposals, states, keys, moments. Pure."""

from __future__ import annotations

from typing import Final

from tur_engine.records import Belief, Proposal, ProposalKind, ProposalState, Review
from tur_engine.text import visible

from .wording import counted

KINDS: Final = {
    ProposalKind.ADOPT: ("+", "adopt"),
    ProposalKind.PROMOTE: ("^", "promote"),
    ProposalKind.RETIRE: ("-", "retire"),
}
STATES: Final = {
    ProposalState.PENDING: ("?", "waiting", "suspect"),
    ProposalState.APPROVED: ("✓", "approved", "settled"),
    ProposalState.REJECTED: ("✗", "rejected", "conflict"),
}
"""Mark, word and tone."""

PROMOTION: Final = ("core_type", "derived_principle", "ethical_covenant", "promoted_from")
"""What a promotion keeps in the provenance of the new core memory, in this order."""


def short(record_id: str) -> str:
    """`proposal-1a2b3c4d`, `key-1a2b3c4d`: an id for people."""
    kind, dash, digest = record_id.rpartition("-")
    return f"{kind}{dash}{digest[:8]}"


def name(text: str) -> str:
    """A name on one line, fit for a screen."""
    return visible(text, newlines=False)


def spoken(sentence: str) -> str:
    """The engine's words as a sentence: a capital first, a full stop last."""
    text = visible(sentence, newlines=False)
    return text[:1].upper() + text[1:] + ("" if text.endswith((".", "!", "?")) else ".")


def goes(proposal: Proposal) -> tuple[Belief, ...]:
    """The invariants that go out of force where the proposal is approved."""
    return (proposal.memory,) if proposal.kind is ProposalKind.RETIRE else proposal.replaces


def signed(proposal: Proposal) -> int:
    """How many different reviewers have signed, counting only signatures that hold."""
    return len({each.key_id for each in proposal.signatures if each.valid})


def tally(proposal: Proposal) -> str:
    """`1/2`: signatures that hold, and how many are needed."""
    return f"{signed(proposal)}/{proposal.quorum}"


def asks(proposal: Proposal) -> str:
    """What the proposal asks for, in one line."""
    kind, tier = proposal.kind, proposal.memory.memory.type.value
    if kind is ProposalKind.RETIRE:
        return f"Retire the {tier} memory {proposal.memory.memory.short_id}"
    what = (
        f"Make {proposal.promotes.memory.short_id} a {tier} memory" if proposal.promotes else f"Adopt {_a(tier)} memory"
    )
    gone = goes(proposal)
    if not gone:
        return f"{what}, which supersedes it" if proposal.promotes else f"{what}, replacing nothing"
    names = gone[0].memory.short_id if len(gone) == 1 else counted(len(gone), "invariant")
    return f"{what} that replaces {names}"


def still_needed(proposal: Proposal) -> str:
    """How many more must sign."""
    left = max(0, proposal.quorum - signed(proposal))
    if not left:
        return "The quorum is there."
    return f"{counted(left, 'more reviewer')} must sign before it takes force."


def stands_against(review: Review) -> tuple[str, str]:
    """What speaks against approving, in one line, and its tone."""
    blocking = sum(each.blocks for each in review.objections)
    others = len(review.objections) - blocking
    parts = []
    if blocking:
        parts.append(f"BLOCKED by {counted(blocking, 'invariant in force', 'invariants in force')}")
    if others:
        parts.append(f"{counted(others, 'memory objects', 'memories object')}")
    if not parts:
        parts.append("No active memory contradicts it")
    if review.dependants:
        parts.append(counted(len(review.dependants), "memory rests on what would go", "memories rest on what would go"))
    return "; ".join(parts) + ".", "conflict" if blocking else "suspect" if others else "settled"


def _a(word: str) -> str:
    return f"an {word}" if word[0] in "aeiou" else f"a {word}"
