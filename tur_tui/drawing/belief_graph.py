"""The engine's neighbourhood of memories as an ego graph to draw: marks, headings, strokes, kinds. Pure."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from tur_engine.records import Belief, Edge, Memory, Neighbourhood, Status
from tur_engine.text import visible

from .ego import Ego, Link, Node
from .grid import Stroke
from .wording import content

CLASH: Final = "contradicts"
"""The edge type that an open conflict is drawn as."""
START: Final = "»"
"""The mark of the memory where a path is to begin."""
FAMILIES: Final[dict[str, tuple[str, ...]]] = {
    "Hierarchy": ("refines",),
    "Causality & Dependency": ("precedes", "depends_on"),
    "TMS & Dialectic": (CLASH, "competes_with", "superseded_by", "refuted_by"),
    "Cognitive Mapping": ("analogy_of", "metaphor_for"),
}
"""Edge types by family, as EP-0126 groups them; types of a persona's own stand outside."""
NODE_TYPES: Final[dict[str, tuple[str, ...]]] = {
    "Concept": ("concept",),
    "Decision": ("preference",),
    "Constraint": ("axiom", "core"),
    "Insight": ("insight",),
    "Fact": ("fact", "event"),
    "Dependency": (),
    "Hypothesis": (),
    "BoundaryNode": (),
    "OpenQuestion": (),
}
"""Node types with the memory types that stand for them; a memory may name another one itself."""

_STROKES: Final = {
    CLASH: Stroke.DOUBLE,
    "competes_with": Stroke.DOUBLE,
    "depends_on": Stroke.HEAVY,
    "precedes": Stroke.HEAVY,
    "superseded_by": Stroke.DASHED,
    "refuted_by": Stroke.DASHED,
    "analogy_of": Stroke.DOTTED,
    "metaphor_for": Stroke.DOTTED,
}
"""Edge types by stroke; the label tells those of one family apart. All others are light lines."""
_DRAWN: Final = 400
"""Characters of a text that are drawn: more than the largest box holds."""
_CLASHES: Final = frozenset({CLASH, "competes_with", "refuted_by"})
_BY_MEMORY_TYPE: Final = {kind: name for name, kinds in NODE_TYPES.items() for kind in kinds}


def belief_graph(
    neighbourhood: Neighbourhood, short: Callable[[Belief], str], *, conflicts: bool = True, start: str = ""
) -> Ego:
    """The graph around the focus memories; `short` gives the id that people see.

    Open conflicts are links too unless `conflicts` is False; the memory `start` carries the mark of a path's begin.
    """
    nodes = [_node(belief, short(belief), neighbourhood.hidden, start) for belief in neighbourhood.nodes]
    links = [_link(edge) for edge in neighbourhood.edges]
    found = _open_conflicts(neighbourhood, links) if conflicts else []
    return Ego.around(neighbourhood.focus, nodes, [*links, *found])


def stroke(type: str) -> Stroke:
    """How the lines of an edge type are drawn."""
    return _STROKES.get(type, Stroke.LIGHT)


def marked(type: str) -> str:
    """The edge type as people read it; what sets two memories against each other carries the mark `!`."""
    return ("!" if type in _CLASHES else "") + visible(type, newlines=False)


def clashing(type: str) -> bool:
    """Whether an edge of this type sets two memories against each other."""
    return type in _CLASHES


def node_type(memory: Memory) -> str:
    """The node type of EP-0126 that a memory stands for."""
    return visible(memory.node_type, newlines=False) if memory.node_type else _BY_MEMORY_TYPE[memory.type.value]


def kinds(memory: Memory) -> str:
    """The memory type, and the node type beside it where that is another word."""
    node, type = node_type(memory), memory.type.value
    return type if node.lower() == type else f"{type} ({node})"


def _link(edge: Edge) -> Link:
    tone, mark = ("conflict", "!") if clashing(edge.type) else ("edge", "")
    return Link(edge.source, edge.target, visible(edge.type, newlines=False), tone, stroke(edge.type), mark)


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
                found.append(Link(digest, other, CLASH, "conflict", Stroke.DOUBLE, "!"))
    return found


def _node(belief: Belief, short: str, hidden: dict[str, int], start: str) -> Node:
    memory = belief.memory
    digest = memory.digest
    titles: tuple[str, ...] = (short, f"{memory.type}-{digest[:4]}", digest[:6], memory.type.value)
    status = "" if belief.status is Status.ACTIVE else belief.status.value.replace("_", " ")
    tone, mark = _tone(belief)
    if memory.digest == start:
        mark = START + mark
    text = content(memory.model_copy(update={"content": memory.content[:_DRAWN]})).replace("\n", " ")
    return Node(memory.digest, titles, text, tone, mark, hidden.get(memory.digest, 0), status)


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
