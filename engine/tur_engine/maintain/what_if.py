"""What would fall with a memory: the plan of a decision, looked at and not carried out."""

from __future__ import annotations

from ..errors import BadInput, NotAllowed
from ..ledger import Reads
from ..records import Belief, Doubted, Fall, Status, Verb
from .cascade import FALLEN
from .describe import describe
from .plan import fall
from .view import View

_FALLS: dict[Verb, Status] = {Verb.SUPERSEDE: Status.SUPERSEDED, Verb.REFUTE: Status.REFUTED}

_NAMED = 5
"""Memories that a refusal names; the rest is counted."""


def what_if(reads: Reads, mid: int, verb: Verb = Verb.SUPERSEDE) -> Fall:
    """Return what would follow if a memory were superseded or refuted. Writes nothing.

    Raises BadInput for another verb, NotAllowed for what does not hold.
    """
    if verb not in _FALLS:
        raise BadInput(f"what-if takes supersede or refute, not {verb}")
    view, belief = View(reads), reads.belief(mid)
    digest = belief.memory.digest
    if belief.status in FALLEN or belief.status is Status.PENDING:
        raise NotAllowed(f"{belief.memory.short_id} is {belief.status} already; {_left_in_doubt(reads, view, digest)}")
    made = fall(view, {digest: _FALLS[verb]}, verb)
    marks: dict[str, list[str]] = {}
    for effect in made.effects:
        if effect["op"] == "suspect" and effect["on"]:
            marks.setdefault(effect["digest"], []).append(effect["cause"])
    broken = {digest, *marks}
    suspects = []
    for above, causes in marks.items():
        through = [ground for _, _, ground in view.grounds(above) if ground in broken]
        suspects.append(
            Doubted(belief=_belief(reads, above), causes=tuple(causes), through=tuple(dict.fromkeys(through)))
        )
    standing = {
        above: None
        for each in broken
        for above, status in view.resting_on(each).items()
        if status is Status.ACTIVE and above not in broken
    }
    others = [e for e in made.effects if e["op"] not in ("suspect", "state") and e.get("digest") != digest]
    return Fall(
        belief=belief,
        verb=verb,
        allowed=not belief.approved,
        reason="it is an invariant in force; only an approved proposal takes it out" if belief.approved else "",
        suspects=tuple(suspects),
        standing=tuple(_belief(reads, above) for above in standing),
        effects=describe(reads, others),
    )


def _left_in_doubt(reads: Reads, view: View, fallen: str) -> str:
    """Say what rests on a memory that does not hold: what is suspect because of it, and what stands all the same."""
    doubted: dict[str, None] = {}
    standing: dict[str, None] = {}
    queue = [fallen]
    for each in queue:
        for above, status in view.resting_on(each).items():
            if status is not Status.ACTIVE or above in doubted or above in standing:
                continue
            if fallen in view.causes(above):
                doubted[above] = None
                queue.append(above)
            else:
                standing[above] = None
    told = []
    for kind, found in (("suspect because of it", doubted), ("resting on it and standing all the same", standing)):
        if found:
            names = [reads.memory(reads.mid(each) or 0).short_id for each in list(found)[:_NAMED]]
            more = f" and {len(found) - _NAMED} more" if len(found) > _NAMED else ""
            told.append(f"{kind}: {', '.join(names)}{more}")
    return "; ".join(told) or "nothing that holds rests on it"


def _belief(reads: Reads, digest: str) -> Belief:
    mid = reads.mid(digest)
    assert mid is not None
    return reads.belief(mid)
