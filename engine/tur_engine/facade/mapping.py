"""The belief graph: what is joined to what, why something is believed, what would fall with it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..errors import BadInput
from ..graph.neighbourhood import neighbourhood
from ..graph.paths import contradictions, joined
from ..maintain.what_if import what_if
from ..maintain.why import why
from ..records import Component, Edge, Fall, Neighbourhood, Path, Support, Verb
from .store import Store

MOST_DRAWN = 400
"""Nodes of one graph at the most."""
MOST_LISTED = 100


class Mapping(Store):
    """The belief graph: what is joined to what, why something is believed, what would fall with it."""

    def edges(self, ref: str) -> list[Edge]:
        """Return the edges at a memory, either way, each with who drew it, when and why."""
        with self._reads() as (_, reads):
            return reads.edges_of(reads.find_memory(ref))

    def neighbourhood(self, refs: Sequence[str], *, radius: int = 1, limit: int = 40) -> Neighbourhood:
        """Return the belief graph within `radius` steps of the memories, at most `limit` nodes."""
        with self._reads() as (_, reads):
            return neighbourhood(reads, [reads.find_memory(ref) for ref in refs], radius=radius, limit=limit)

    def graph(self, ref: str, *, radius: int = 1) -> dict[str, Any]:
        """Return a memory's neighbourhood as networkx' node-link data, ready for JSON."""
        from ..graph.build import to_node_link  # networkx: only who asks for a graph pays for it

        return to_node_link(self.neighbourhood([ref], radius=radius, limit=MOST_DRAWN))

    def graph_text(self, ref: str, *, radius: int = 1, form: str = "text") -> str:
        """Return a memory's neighbourhood as `text`, `mermaid` or `graphml`. Raises BadInput for another form."""
        return _written(self.neighbourhood([ref], radius=radius, limit=MOST_DRAWN), form)

    def path_between(self, start: str, end: str) -> Path | None:
        """Return a shortest path between two memories, along the edges if one is; None where nothing joins them."""
        with self._reads() as (_, reads):
            return joined(reads, reads.find_memory(start), reads.find_memory(end))

    def path_data(self, path: Path) -> dict[str, Any]:
        """Return a path as networkx' node-link data, ready for JSON."""
        from ..graph.build import to_node_link

        return to_node_link(_as_part(path))

    def path_text(self, path: Path, *, form: str = "text") -> str:
        """Return a path as `text` (step by step), `mermaid` or `graphml`. Raises BadInput for another form."""
        if form == "text":
            from ..graph.build import to_steps

            return to_steps(path)
        return _written(_as_part(path), form)

    def cycles(self, *, limit: int = MOST_LISTED) -> list[Path]:
        """Return a cycle of each knot in precedes and depends_on: none but in graphs from before they were refused."""
        from ..graph.whole import cycles

        with self._reads() as (_, reads):
            return cycles(reads, limit=limit)

    def components(self, *, least: int = 2, limit: int = MOST_LISTED) -> list[Component]:
        """Return the islands of the graph with at least so many members, the largest first."""
        from ..graph.whole import components

        with self._reads() as (_, reads):
            return components(reads, least=least, limit=limit)

    def contradictions(self, *, limit: int = MOST_LISTED) -> list[Path]:
        """Return the pairs that contradict, newest first: open conflicts, then what was let stand side by side."""
        with self._reads() as (_, reads):
            return contradictions(reads, limit)

    def why(self, ref: str) -> Support:
        """Return the support of a memory down to its premises, and how what fell was defeated."""
        with self._reads() as (_, reads):
            return why(reads, reads.find_memory(ref))

    def what_if(self, ref: str, verb: Verb = Verb.SUPERSEDE) -> Fall:
        """Return what would follow if a memory were superseded or refuted; nothing is written.

        Raises NotAllowed for what does not hold, BadInput for another verb.
        """
        with self._reads() as (_, reads):
            return what_if(reads, reads.find_memory(ref), verb)


def _as_part(path: Path) -> Neighbourhood:
    ends = dict.fromkeys(belief.memory.digest for belief in (path.nodes[0], path.nodes[-1]))
    return Neighbourhood(focus=tuple(ends), nodes=path.nodes, edges=path.edges)


def _written(part: Neighbourhood, form: str) -> str:
    from ..graph.build import FORMS

    if form not in FORMS:
        raise BadInput(f"unknown form {form!r}; use one of {', '.join(FORMS)}")
    return FORMS[form](part)
