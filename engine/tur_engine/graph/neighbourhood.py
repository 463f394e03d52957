"""The ego neighbourhood: memories within some steps of a focus, with the edges between them."""

from __future__ import annotations

from collections.abc import Sequence

from ..ledger import Reads
from ..records import Neighbourhood


def neighbourhood(reads: Reads, focus: Sequence[int], *, radius: int = 1, limit: int = 40) -> Neighbourhood:
    """Return the nodes within `radius` steps, nearest first, at most `limit`; cost grows with what is shown."""
    rows = {reads.digest(mid): mid for mid in focus}
    focused = tuple(rows)
    at: dict[str, list[tuple[str, str, str, int]]] = {}
    frontier = list(rows)
    for step in range(radius + 1):
        beyond: dict[str, None] = {}
        for digest in frontier:
            at[digest] = reads.edge_rows(rows[digest])
            for source, target, _, _ in at[digest]:
                other = target if source == digest else source
                if other not in rows:
                    beyond[other] = None
        if step == radius:
            break
        frontier = list(beyond)[: max(0, limit - len(rows))]
        rows.update({digest: mid for digest in frontier if (mid := reads.mid(digest)) is not None})
    inside: set[tuple[str, str, str, int]] = set()
    hidden: dict[str, int] = {}
    for digest, found in at.items():
        outside: set[str] = set()
        for edge in found:
            if edge[0] in rows and edge[1] in rows:
                inside.add(edge)
            else:
                outside.update(set(edge[:2]) - rows.keys())
        if outside:
            hidden[digest] = len(outside)
    return Neighbourhood(
        focus=focused,
        nodes=tuple(reads.belief(mid) for mid in rows.values()),
        edges=tuple(reads.drawn(*edge) for edge in sorted(inside, key=lambda edge: (edge[3], edge))),
        hidden=hidden,
    )
