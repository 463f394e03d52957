"""What the belief graph looks like as a whole: memories in doubt, circles of reasons, islands."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import apsw

from ..graph.circles import knots
from ..ledger.sweep import Standing, edges
from ..ontology.signatures import ACYCLIC


class Structure(NamedTuple):
    """Rows of the ledger."""

    cycles: tuple[tuple[int, ...], ...]
    """One circle of each knot, from its oldest memory on."""
    islands: int
    """Groups of memories that no edge joins to another group."""
    unlinked: int
    """Memories without an edge."""


def structure(db: apsw.Connection, standings: Sequence[Standing]) -> Structure:
    """Return what stands out in the edges between live memories."""
    import networkx as nx  # only a whole-store pass draws the whole graph

    drawn = edges(db)
    whole = nx.Graph()
    whole.add_edges_from((source, target) for source, target, _ in drawn if source != target)
    circles = [
        tuple(way[:-1])
        for kind in ACYCLIC
        for way in knots((source, target) for source, target, drawn_as in drawn if drawn_as == kind)
    ]
    return Structure(
        cycles=tuple(sorted(circles)),
        islands=nx.number_connected_components(whole),
        unlinked=len(standings) - whole.number_of_nodes(),
    )
