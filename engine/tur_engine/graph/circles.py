"""Circles in edge types that must not run in one: those that are there, and those that new edges would close, which are
refused and shown (CONTRACTS 7).
"""

from __future__ import annotations

from collections.abc import Iterable

from ..ledger import Reads
from ..ontology.signatures import ACYCLIC, told_cycle

End = str | int
"""A node by its name, or a memory by its row."""


def closed_by(reads: Reads, edges: Iterable[tuple[str, End, End]]) -> list[str]:
    """Return a sentence for each circle that these edges would close, with those of the ledger, in an acyclic type.

    A circle that was in the ledger before is not theirs.
    """
    drawn = list(edges)
    told_of = []
    for kind in ACYCLIC:
        mine = [(source, target) for name, source, target in drawn if name == kind]
        if not mine:
            continue
        import networkx as nx

        whole = nx.DiGraph(mine)
        frontier = [end for end in whole if isinstance(end, int)]
        while frontier:
            steps = reads.steps_from(frontier, [str(kind)])
            frontier = list(dict.fromkeys(there for _, there in steps if there not in whole))
            whole.add_edges_from(steps)
        knot = {end: number for number, part in enumerate(nx.strongly_connected_components(whole)) for end in part}
        told_knots: set[int] = set()
        for source, target in mine:
            if knot[source] == knot[target] and knot[source] not in told_knots:
                told_knots.add(knot[source])
                way = [source, *nx.shortest_path(whole, target, source)]
                told_of.append(told_cycle(str(kind), [_shown(reads, end) for end in way]))
    return told_of


def _shown(reads: Reads, end: End) -> str:
    return end if isinstance(end, str) else reads.memory(end).short_id


def knots(edges: Iterable[tuple[int, int]]) -> list[list[int]]:
    """Return one circle of each knot, a shortest one from its oldest memory back to itself, the oldest knot first."""
    import networkx as nx

    whole = nx.DiGraph(edges)
    found = []
    for part in nx.strongly_connected_components(whole):
        first = min(part)
        if whole.has_edge(first, first):
            found.append([first, first])
        elif len(part) > 1:
            within = whole.subgraph(part)
            ways = [nx.shortest_path(within, after, first) for after in sorted(within.successors(first))]
            found.append([first, *min(ways, key=len)])
    return sorted(found)
