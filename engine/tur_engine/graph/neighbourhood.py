"""The ego neighbourhood: memories within some steps of a focus, with the edges between them."""

from __future__ import annotations

from collections.abc import Sequence

from ..ledger import Reads
from ..records import Edge, Neighbourhood


def neighbourhood(reads: Reads, focus: Sequence[int], *, radius: int = 1, limit: int = 40) -> Neighbourhood:
    """Return the nodes within `radius` steps, nearest first, at most `limit`; cost grows with what is shown."""
    order: dict[int, None] = dict.fromkeys(focus)
    edges: dict[tuple[str, str, str, int], Edge] = {}
    at: dict[int, list[Edge]] = {}
    frontier = list(order)
    hidden: dict[str, int] = {}
    for step in range(radius + 1):
        beyond: dict[int, None] = {}
        for mid in frontier:
            at[mid] = reads.edges_of(mid)
            for edge in at[mid]:
                other = reads.mid(edge.target if edge.source == reads.digest(mid) else edge.source)
                if other is not None and other not in order:
                    beyond[other] = None
        if step == radius:
            break
        room = max(0, limit - len(order))
        frontier = list(beyond)[:room]
        order.update(dict.fromkeys(frontier))
    digests = {reads.digest(mid): mid for mid in order}
    for mid, found in at.items():
        outside = set()
        for edge in found:
            if edge.source in digests and edge.target in digests:
                edges[(edge.source, edge.target, edge.type, edge.seq)] = edge
            else:
                outside.update({edge.source, edge.target} - digests.keys())
        if outside:
            hidden[reads.digest(mid)] = len(outside)
    return Neighbourhood(
        focus=tuple(reads.digest(mid) for mid in dict.fromkeys(focus)),
        nodes=tuple(reads.belief(mid) for mid in order),
        edges=tuple(edges[key] for key in sorted(edges, key=lambda k: (k[3], k))),
        hidden=hidden,
    )
