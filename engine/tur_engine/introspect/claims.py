"""Edges that are claims about a clash: each opens a conflict, and a decision draws the edge (CONTRACTS 3 and 7)."""

from __future__ import annotations

from collections.abc import Sequence

from ..gate.clash import Clash
from ..gate.settled import SETTLED_WEIGHT
from ..ledger import Reads
from ..ledger.bodies import Body
from ..ledger.effects import Effect, conflict_id
from ..ontology import EdgeType
from ..records import DetectedBy, Evidence, ExtractedEdge, Memory, Relationship, Status, Verb, Verdict
from ..text import excerpt

Claim = tuple[ExtractedEdge, int, int]
"""A dialectic edge with the rows of its ends."""
_LEAST = 0.5
"""Probability of a claim that its author is not sure of: it was made all the same."""


def opened(reads: Reads, claims: Sequence[Claim]) -> tuple[list[Effect], list[Body], list[str]]:
    """Return the conflicts that the claims open, their evidence, and in words why some open none.

    A pair that has a conflict, in whatever state, gets no second one.
    """
    effects: list[Effect] = []
    bodies: list[Body] = []
    warnings: list[str] = []
    seen: set[str] = set()
    for given, source, target in claims:
        old, new = (reads.memory(mid) for mid in sorted((source, target)))
        cid = conflict_id(old.digest, new.digest)
        if source == target or cid in seen or reads.has_conflict(cid):
            continue
        seen.add(cid)
        if why := _idle(reads, old, new):
            warnings.append(f"edge {given.source} {given.type} {given.target} opens no conflict: {why}")
            continue
        guarded = reads.approved(old.seq) or reads.approved(new.seq)
        clash = Clash(old.seq, old.digest, cid, _verdict(given, old, new, lost=source), guarded=guarded)
        effect, packed = clash.opening(new.digest)
        effects.append(effect)
        bodies.append(packed)
    return effects, bodies, warnings


def _idle(reads: Reads, old: Memory, new: Memory) -> str:
    for memory in (old, new):
        if (status := reads.status(memory.seq)) not in (Status.ACTIVE, Status.HELD):
            return f"{memory.short_id} is {status}"
    return "" if old.scope.overlaps(new.scope) else "the two hold in different places"


def _verdict(given: ExtractedEdge, old: Memory, new: Memory, lost: int) -> Verdict:
    texts = f'"{excerpt(old.content, 50)}" and "{excerpt(new.content, 50)}"'
    piece = Evidence(
        kind="explicit", weight=SETTLED_WEIGHT, sentence=f"The graph joins {texts} by {given.type}: both cannot stand."
    )
    suggested = Verb.FORCE if given.type == EdgeType.COMPETES_WITH else Verb.SUPERSEDE
    if given.type in (EdgeType.SUPERSEDED_BY, EdgeType.REFUTED_BY) and lost == new.seq:
        suggested = Verb.REFUTE
    return Verdict(
        relationship=Relationship.CLASH,
        probability=max(_LEAST, round(given.confidence, 4)),
        detected_by=DetectedBy.EXPLICIT,
        evidence=(piece,),
        suggested=suggested,
    )
