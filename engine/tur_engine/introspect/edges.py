"""The edges of a graph whose nodes are in: which are new, what they mark suspect, which of them open conflicts.

A background pass may add and mark, never remove or replace: an edge that says what lost to what (contradicts,
competes_with, superseded_by, refuted_by) opens a conflict, and a decision draws it.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple

from ..gate.remarks import fallen_ground
from ..graph.circles import closed_by
from ..ledger import Reads
from ..ledger.bodies import Body
from ..ledger.effects import Effect, edge
from ..maintain.labels import with_marks
from ..maintain.view import View
from ..ontology import EdgeType, Tier, edge_name, nearest_edge_type
from ..records import ExtractedEdge
from .checking import Checked, refused
from .claims import Claim, opened


class Drawn(NamedTuple):
    """What the edges come to, before it is written."""

    effects: list[Effect]
    bodies: list[Body]
    edges: int
    known: int
    """Edges that the ledger has already."""
    conflicts: tuple[str, ...]
    warnings: tuple[str, ...]


def drawn(reads: Reads, checked: Checked, at: Mapping[str, int], where: str) -> Drawn:
    """Return what is to be written; `at` has the rows of the nodes. Raises GraphRefused for a circle."""
    new: list[Claim] = []
    claims: list[Claim] = []
    known = 0
    for given, source, target in checked.drawn():
        row, other = (at[end] if isinstance(end, str) else end for end in (source, target))
        if checked.is_claim(given, source):
            claims.append((given, row, other))
        elif row == other:
            continue  # two nodes that say the same are one memory
        elif _known(reads, given, row, other):
            known += 1
        else:
            new.append((given, row, other))
    if not checked.legacy and (faults := closed_by(reads, [(given.type, a, b) for given, a, b in new])):
        raise refused(where, faults)  # a node turned out to be a memory that was there
    effects = with_marks(View(reads), [_edge(reads, *each) for each in new])
    doubtful = _on_fallen_ground(reads, at, new, effects)
    conflicts, bodies, warnings = opened(reads, claims)
    return Drawn(
        effects=effects + conflicts,
        bodies=bodies,
        edges=len(new),
        known=known,
        conflicts=tuple(f"conflict-{effect['conflict']}" for effect in conflicts),
        warnings=(*doubtful, *warnings),
    )


def emergent(checked: Checked, declared: Collection[str]) -> dict[str, str | None]:
    """Return the edge types that nobody declared, each with the nearest canonical name."""
    names = {given.type for given, _, _ in checked.edges}
    found = sorted(name for name in names if edge_name(name, declared).tier is Tier.EMERGENT)
    return {name: nearest_edge_type(name) for name in found}


def _on_fallen_ground(
    reads: Reads, at: Mapping[str, int], new: Sequence[Claim], effects: Sequence[Effect]
) -> list[str]:
    """Say of each memory that becomes suspect by these edges what it rests on, as the gate says it of a draft."""
    marked = {effect["digest"] for effect in effects if effect["op"] == "suspect" and effect["on"]}
    names = {mid: f"node {name}" for name, mid in at.items()}
    view = View(reads)
    return [
        f"{names.get(source) or reads.memory(source).short_id} {how}; so it is suspect"
        for given, source, target in new
        if reads.digest(source) in marked and (how := fallen_ground(reads, view, given.type, target, marked))
    ]


def _known(reads: Reads, given: ExtractedEdge, source: int, target: int) -> bool:
    turned = given.type == EdgeType.ANALOGY_OF and reads.has_edge(target, source, given.type)
    return turned or reads.has_edge(source, target, given.type)


def _edge(reads: Reads, given: ExtractedEdge, source: int, target: int) -> Effect:
    made = edge(reads.digest(source), reads.digest(target), given.type)
    return made if given.confidence == 1.0 else {**made, "confidence": round(given.confidence, 4)}
