"""The engine's neighbourhood of memories as an ego graph to draw: marks, headings, strokes. Pure."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from tur_engine.records import Belief, Edge, Neighbourhood, Status

from .ego import Ego, Link, Node
from .grid import Stroke
from .wording import content

_STROKES: Final = {
    "contradicts": Stroke.DOUBLE,
    "competes_with": Stroke.DOUBLE,
    "depends_on": Stroke.HEAVY,
    "precedes": Stroke.HEAVY,
    "superseded_by": Stroke.DASHED,
    "refuted_by": Stroke.DASHED,
    "analogy_of": Stroke.DOTTED,
    "metaphor_for": Stroke.DOTTED,
}
"""Edge types by stroke; the label tells those of one family apart. All others are light lines."""
_CLASHES: Final = frozenset({"contradicts", "competes_with", "refuted_by"})


def belief_graph(neighbourhood: Neighbourhood, short: Callable[[Belief], str]) -> Ego:
    """The graph around the focus memories; `short` gives the id that people see."""
    nodes = [_node(belief, short(belief), neighbourhood.hidden) for belief in neighbourhood.nodes]
    links = [_link(edge) for edge in neighbourhood.edges]
    return Ego.around(neighbourhood.focus, nodes, [*links, *_open_conflicts(neighbourhood, links)])


def _link(edge: Edge) -> Link:
    clash = edge.type in _CLASHES
    tone, mark = ("conflict", "!") if clash else ("edge", "")
    return Link(edge.source, edge.target, edge.type, tone, _STROKES.get(edge.type, Stroke.LIGHT), mark)


def _open_conflicts(neighbourhood: Neighbourhood, links: list[Link]) -> list[Link]:
    """An open conflict is no edge yet, but it is what a person looks at."""
    known = {belief.memory.digest for belief in neighbourhood.nodes}
    joined = {frozenset((link.source, link.target)) for link in links if link.mark}
    found: list[Link] = []
    for belief in neighbourhood.nodes:
        digest = belief.memory.digest
        for other in belief.contested_by:
            if other in known and frozenset((digest, other)) not in joined:
                joined.add(frozenset((digest, other)))
                found.append(Link(digest, other, "contradicts", "conflict", Stroke.DOUBLE, "!"))
    return found


def _node(belief: Belief, short: str, hidden: dict[str, int]) -> Node:
    memory = belief.memory
    titles: tuple[str, ...] = (short, f"{memory.type}-{memory.digest[:4]}", memory.type.value)
    if belief.status is not Status.ACTIVE:
        titles = (f"{short} {belief.status.value.replace('_', ' ')}", *titles)
    tone, mark = _tone(belief)
    text = content(memory).replace("\n", " ")
    return Node(memory.digest, titles, text, tone, mark, hidden.get(memory.digest, 0))


def _tone(belief: Belief) -> tuple[str, str]:
    """What matters most about where a memory stands, as a tone and a mark."""
    if belief.contested:
        return "conflict", "!"
    if belief.approved:
        return "invariant", ""
    if belief.status is Status.SUSPECT:
        return "suspect", "?"
    if belief.status in (Status.HELD, Status.PENDING):
        return "suspect", ""
    return ("node", "") if belief.status.live else ("fallen", "✗")
