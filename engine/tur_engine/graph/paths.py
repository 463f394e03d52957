"""How two memories are joined, and which contradict: questions that need no whole graph."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from ..ledger import Reads
from ..ontology import EdgeType
from ..records import ConflictState, Edge, Path

_CLASHING = (EdgeType.CONTRADICTS, EdgeType.COMPETES_WITH)


def joined(reads: Reads, start: int, end: int) -> Path | None:
    """Return a shortest path: along the edges where there is one, else against them, else whichever way they point.

    None where nothing joins the two.
    """
    for ahead, back in ((True, False), (False, True), (True, True)):
        if way := _shortest(reads, start, end, ahead=ahead, back=back):
            return path_of(reads, way)
    return None


def _shortest(reads: Reads, start: int, end: int, *, ahead: bool, back: bool) -> list[int]:
    came: dict[int, int] = {start: start}
    frontier = [start]
    while frontier and end not in came:
        beyond: list[int] = []
        for here, there in reads.neighbours(frontier, ahead=ahead, back=back):
            if there not in came:
                came[there] = here
                beyond.append(there)
        frontier = beyond
    if end not in came:
        return []
    way = [end]
    while way[-1] != start:
        way.append(came[way[-1]])
    return way[::-1]


def path_of(reads: Reads, way: Sequence[int], types: Sequence[str] = ()) -> Path:
    """Return the memories in this order, each once, and one edge of a step, if it may be one that points ahead.

    `types` are the only edges that count; all, where none is named.
    """
    edges: list[Edge] = []
    for here, there in pairwise(way):
        ends = {reads.digest(here), reads.digest(there)}
        between = [e for e in reads.edges_of(here) if {e.source, e.target} == ends and (not types or e.type in types)]
        between.sort(key=lambda e: e.source != reads.digest(here))
        edges += between[:1]
    return Path(nodes=tuple(reads.belief(mid) for mid in dict.fromkeys(way)), edges=tuple(edges))


def contradictions(reads: Reads, limit: int) -> list[Path]:
    """Return the pairs that contradict: open conflicts, then what was let stand beside each other, the newest first."""
    opened = [reads.sides(cid) for cid in reads.conflict_ids([state for state in ConflictState if state.open])]
    pairs = [(challenger, incumbent) for incumbent, challenger in reversed(opened)]
    pairs += reversed(reads.pairs_joined_by(EdgeType.COMPETES_WITH))
    return [path_of(reads, pair, _CLASHING) for pair in list(dict.fromkeys(pairs))[:limit]]
