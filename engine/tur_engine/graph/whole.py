"""What only the whole belief graph can tell: islands and cycles.

networkx is imported inside the functions: only who asks for it pays for it.
"""

from __future__ import annotations

from ..ledger import Reads
from ..ontology.signatures import ACYCLIC
from ..records import Component, Path
from .circles import knots
from .paths import path_of

MOST_MEMBERS = 1000
"""Members of one island that are named."""


def components(reads: Reads, *, least: int = 2, limit: int = 100) -> list[Component]:
    """Return the islands with at least so many members, the largest first."""
    import networkx as nx

    graph = nx.Graph()
    graph.add_edges_from((source, target) for source, target, _, _ in reads.all_edges())
    if least < 2:
        graph.add_nodes_from(mid for mid, *_ in reads.standings())
    islands = [island for island in nx.connected_components(graph) if len(island) >= least]
    islands.sort(key=lambda island: (-len(island), min(island)))
    made = []
    for island in islands[:limit]:
        ordered = sorted(island, key=lambda mid: (-graph.degree(mid), mid))
        made.append(
            Component(
                size=len(island),
                centre=reads.belief(ordered[0]),
                members=tuple(reads.digest(mid) for mid in ordered[:MOST_MEMBERS]),
            )
        )
    return made


def cycles(reads: Reads, *, limit: int = 100) -> list[Path]:
    """Return a cycle of each knot in precedes and in depends_on. New ones are refused; old graphs may hold some."""
    found: list[Path] = []
    for kind in ACYCLIC:
        ways = knots(reads.pairs_joined_by(kind))
        found += [path_of(reads, way, (kind,)) for way in ways[: limit - len(found)]]
    return found
