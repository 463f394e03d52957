"""A review as people read it on a terminal: nothing is cut, nothing of the text steers the screen."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..records import Belief, Proposal, ProposalKind, ProposalState
from ..text import visible

if TYPE_CHECKING:
    from ..engine import Engine
    from ..records import Review
    from .output import Output

_ASKS = {
    ProposalKind.ADOPT: "Asks for a new {type} memory",
    ProposalKind.PROMOTE: "Asks to make a core memory of one that holds",
    ProposalKind.RETIRE: "Asks to take this {type} memory out of force",
}
_PROMOTION = ("core_type", "derived_principle", "ethical_covenant")


def tell(out: Output, engine: Engine, review: Review) -> None:
    """Write the whole review to the answer."""
    proposal = review.proposal
    memory = proposal.memory.memory
    out.data(f"{_ASKS[proposal.kind].format(type=memory.type)}:")
    _text(out, memory.content)
    for belief in proposal.replaces:
        out.data(f"In place of the invariant {engine.short(belief.id)}:")
        _text(out, belief.memory.content)
    if proposal.promotes is not None:
        out.data(f"Made from {engine.short(proposal.promotes.id)}, which it supersedes:")
        _text(out, proposal.promotes.memory.content)
    out.rows([row for row in _facts(proposal) if row[1]], ["dim"])
    _beliefs(out, engine, "What stands against it", [(each.belief, _objection(each)) for each in review.objections])
    _beliefs(
        out, engine, "What rests on what would go, and becomes suspect", [(belief, "") for belief in review.dependants]
    )
    out.data()
    valid = [signature for signature in proposal.signatures if signature.valid]
    out.data(f"Signed by {len(valid)} of {proposal.quorum}")
    for signature in proposal.signatures:
        state = "" if signature.valid else " (does not count: the key may not sign, or the signature does not hold)"
        why = f": {signature.reason}" if signature.reason else ""
        out.data(visible(f"    {signature.name} {signature.key_id[:12]}{state}{why}", newlines=False))
    if proposal.state is ProposalState.PENDING:
        out.data(f"A signature made now covers events 1 to {review.head_size}, root {review.head_root[:16]}")


def _text(out: Output, text: str) -> None:
    for line in visible(text).split("\n"):
        out.data(f"    {line}")
    out.data()


def _facts(proposal: Proposal) -> list[tuple[str, str]]:
    memory = proposal.memory.memory
    kept = [(word.replace("_", " "), memory.provenance.get(word, "")) for word in _PROMOTION]
    decided = ""
    if proposal.decided_at is not None:
        why = f": {proposal.decided_because}" if proposal.decided_because else ""
        decided = f"{proposal.decided_at.astimezone():%Y-%m-%d %H:%M:%S %z} (event {proposal.decided_seq}){why}"
    return [
        ("proposal", proposal.id),
        ("memory", proposal.memory.id),
        ("state", proposal.state.value),
        ("status", proposal.memory.status.value),
        ("scope", str(memory.scope)),
        ("topic", memory.topic or ""),
        ("fields", ", ".join(f"{name}={value}" for name, value in memory.fields.items())),
        ("proposed by", str(proposal.proposed_by)),
        ("proposed at", f"{proposal.proposed_at.astimezone():%Y-%m-%d %H:%M:%S %z}"),
        ("because", proposal.reason or "no reason was given"),
        *kept,
        ("decided", decided),
    ]


def _objection(each: object) -> str:
    from ..records import Objection

    assert isinstance(each, Objection)
    word = "BLOCKS" if each.blocks else "invariant, may contradict" if each.belief.approved else "contradicts"
    return f"{word}, {each.probability:.0%}: {each.sentence}"


def _beliefs(out: Output, engine: Engine, title: str, beliefs: list[tuple[Belief, str]]) -> None:
    if not beliefs:
        return
    out.data()
    out.data(f"{title}:")
    for belief, words in beliefs:
        more = f" ({visible(words, newlines=False)})" if words else ""
        out.data(f"    {engine.short(belief.id)}{more}")
        for line in visible(belief.memory.content).split("\n"):
            out.data(f"        {line}")
