"""What an author should hear about the edges that a memory brings: one without force, a ground that fell, what a
replacement leaves in doubt."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from pathlib import Path

from .. import ontology
from ..ledger import Reads
from ..maintain.cascade import FALLEN
from ..maintain.view import View
from ..ontology import EdgeType
from ..records import Draft, Effect
from .finding import Deliberation

_INSTEAD = {
    EdgeType.SUPERSEDED_BY: "name what it replaces in supersedes",
    EdgeType.REFUTED_BY: "draw contradicts, and settle the conflict",
}
"""What says it, where only a resolution draws the edge."""
_NAMED = 3
"""Memories that one sentence names; the rest is counted."""


def remarks(
    reads: Reads, draft: Draft, store: Path, *, known: bool = False, replaced: Collection[int] = ()
) -> list[str]:
    """Return the sentences for a draft whose edges are fitted.

    `known`: the memory was there before. `replaced`: rows whose place it takes; it does not rest on them any more.
    """
    if not draft.relations:
        return []
    from ..govern.persona import declared

    types = declared(store).edge_types
    told = [
        _without_force(name)
        for name in dict.fromkeys(relation.type for relation in draft.relations)
        if ontology.edge_name(name, types).turned or ontology.edge_name(name, types).tier is ontology.Tier.EMERGENT
    ]
    if not known:
        told += _fallen_grounds(reads, draft, replaced)
    return told


def follows(reads: Reads, effects: Sequence[Effect]) -> list[str]:
    """Return the sentences on what decisions bring about beside what was asked: doubts, other conflicts settled."""
    along = [effect.sentence for effect in effects if effect.change == "conflict"]
    return [*_left_in_doubt(reads, effects), *along]


def _left_in_doubt(reads: Reads, effects: Sequence[Effect]) -> list[str]:
    """Return a sentence on the memories that are left suspect; none where there are none."""
    doubtful = {e.subject: None for e in effects if e.change == "suspect" and e.after == str(True)}
    if not doubtful:
        return []
    names = [reads.memory(reads.find_memory(ref)).short_id for ref in list(doubtful)[:_NAMED]]
    rest = f" and {len(doubtful) - _NAMED} more" if len(doubtful) > _NAMED else ""
    one = len(doubtful) == 1
    return [f"{', '.join(names)}{rest} {'rests' if one else 'rest'} on what was superseded: suspect until looked at"]


def left_to_people(reads: Reads, found: Deliberation, cids: Collection[str]) -> list[str]:
    """Return a sentence on each memory that the author wants to supersede, and may not."""
    mids = {clash.cid: clash.mid for clash in found.clashes}
    return [
        f"whether it supersedes {reads.memory(mids.get(cid) or reads.sides(cid)[0]).short_id} is left to people"
        + (f" (conflict-{cid[:8]})" if reads.has_conflict(cid) else "")
        for cid in found.decided(reads)
        if cid in cids
    ]


def _without_force(name: str) -> str:
    if (canonical := ontology.REVERSED.get(name)) is None:
        near = ontology.nearest_edge_type(name)
        hint = f" (spelt most like {near})" if near else ""
        return f"edge type {name} is emergent: it describes and has no force{hint}"
    instead = _INSTEAD.get(canonical, f"draw {canonical} from the other one")
    return f"edge type {name} has no force here, for an edge of a memory starts at it; {instead}"


def _fallen_grounds(reads: Reads, draft: Draft, replaced: Collection[int]) -> list[str]:
    view = View(reads)
    told = []
    for relation in draft.relations:
        mid = reads.mid(relation.target)
        if mid is not None and mid not in replaced and (how := fallen_ground(reads, view, relation.type, mid)):
            told.append(f"this {how}; so it is suspect from the start")
    return told


def fallen_ground(reads: Reads, view: View, type: str, ground: int, suspect: Collection[str] = ()) -> str:
    """Return what an edge to a memory that fell, or is suspect, says; empty where the ground is sound.

    `suspect`: digests of memories that are about to become so.
    """
    if not view.passes(type):
        return ""
    status = reads.status(ground)
    if status not in FALLEN and not reads.causes(ground) and reads.digest(ground) not in suspect:
        return ""
    how = str(status) if status in FALLEN else "suspect"
    verb = "refines" if type == EdgeType.REFINES else "rests on"
    return f"{verb} {reads.memory(ground).short_id}, which is {how}"
