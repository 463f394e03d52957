"""Where a person stands in the belief graph: the centre and how they got there, what is hidden, the lists. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final, Literal, NamedTuple

from tur_engine.records import Belief, Neighbourhood
from tur_engine.text import excerpt

from ..drawing.belief_graph import clashing, marked, node_type
from ..drawing.wording import counted

MOST_KEPT: Final = 100
"""Centres that going back can reach."""


class Kind(NamedTuple):
    """An edge type or a node type; one name may be both."""

    of: Literal["edge", "node"]
    name: str


class Page(StrEnum):
    """The lists beside the drawing, in the order of their tabs."""

    FOUND = "found"
    CONTRADICTIONS = "contradictions"
    CYCLES = "cycles"
    ISLANDS = "islands"
    PATH = "path"
    TYPES = "types"


@dataclass(frozen=True, slots=True)
class Spot:
    """A row of a list: what it says, and the memories to draw around when it is chosen."""

    refs: tuple[str, ...]
    head: str
    text: str
    mark: str = ""
    tone: str = "plain"
    brief: str = ""
    """The head where there is little room."""
    parts: tuple[str, ...] = ()
    """The text in parts, for a row about several memories: each part is cut to its share."""
    joint: str = ""
    """What stands between two parts."""


@dataclass(frozen=True, slots=True)
class Step:
    """One edge of a path, from one memory on it to the next; `forward` where it points that way."""

    type: str
    forward: bool


@dataclass(frozen=True, slots=True)
class Route:
    """A path as it was found: the memories on it, and the edge after each but the last."""

    beliefs: tuple[Belief, ...]
    steps: tuple[Step, ...]

    @property
    def refs(self) -> tuple[str, ...]:
        return tuple(each.memory.digest for each in self.beliefs)


@dataclass(frozen=True, slots=True)
class Told:
    """One edge of the memory under the cursor, with its other end and who drew it when and why."""

    type: str
    outgoing: bool
    other: str
    text: str
    by: str = ""
    when: str = ""
    reason: str = ""


@dataclass(slots=True)
class GraphDesk:
    """The state of the graph screen. Ids are full digests."""

    radius: int = 1
    centre: tuple[str, ...] = ()
    start: str = ""
    """Where a path is to begin; "" while none is asked for."""
    route: Route | None = None
    page: Page = Page.FOUND
    hidden: frozenset[Kind] = frozenset()
    """Edge types and node types that are not drawn."""
    lists: dict[Page, list[Spot]] = field(default_factory=dict)
    """What was read so far, by page."""
    part: Neighbourhood | None = None
    """What was read around the centre, nothing hidden."""
    drawn: tuple[str, ...] = ()
    """The centre that the part was read around: behind `centre` while the next one is read."""
    _trail: list[tuple[str, ...]] = field(default_factory=list)

    @property
    def behind(self) -> int:
        """How many centres going back can reach."""
        return len(self._trail)

    def go(self, refs: Sequence[str]) -> bool:
        """Make these the centre; False where they are it already."""
        centre = tuple(dict.fromkeys(refs))
        if not centre or centre == self.centre:
            return False
        if self.centre:
            self._trail = [*self._trail, self.centre][-MOST_KEPT:]
        self.centre = centre
        return True

    def back(self) -> bool:
        """Return to the centre before this one; False where there is none."""
        if not self._trail:
            return False
        self.centre = self._trail.pop()
        return True

    def mark(self, digest: str) -> tuple[str, str] | None:
        """Begin a path at this memory, or end it here: then both ends. The same memory twice forgets it."""
        if not self.start:
            self.start = digest
            return None
        start, self.start = self.start, ""
        return None if start == digest else (start, digest)

    def toggle(self, kinds: Iterable[Kind]) -> None:
        """Hide these types; where all of them are hidden already, show them."""
        these = frozenset(kinds)
        self.hidden = self.hidden - these if these <= self.hidden else self.hidden | these

    @property
    def shown(self) -> Neighbourhood | None:
        """What is drawn: the part that was read, without the hidden types."""
        return None if self.part is None else filtered(self.part, self.hidden)

    @property
    def left_out(self) -> int:
        """How many memories of the part are hidden."""
        shown = self.shown
        return 0 if self.part is None or shown is None else len(self.part.nodes) - len(shown.nodes)

    @property
    def name(self) -> str:
        """What is drawn, in a word."""
        return "Path" if self.route and self.route.refs == self.drawn else "Graph"

    @property
    def hiding(self) -> str:
        """What is hidden, in words; "" for nothing."""
        if not self.hidden:
            return ""
        with_them = f" with {counted(self.left_out, 'memory', 'memories')}" if self.left_out else ""
        return f"{counted(len(self.hidden), 'type')} hidden{with_them}"

    @property
    def counts(self) -> dict[Page, int]:
        """How many rows each page that was read has; the edges of a path are none."""
        return {page: sum(bool(spot.text) for spot in spots) for page, spots in self.lists.items()}

    def spots(self) -> list[Spot]:
        """The rows of the page in front."""
        return self.lists.get(self.page, [])


def filtered(part: Neighbourhood, hidden: frozenset[Kind]) -> Neighbourhood:
    """The part without the hidden types, and without what nothing joins to the centre any more."""
    kept = {
        each.memory.digest: each
        for each in part.nodes
        if each.memory.digest in part.focus or Kind("node", node_type(each.memory)) not in hidden
    }
    edges = [
        each
        for each in part.edges
        if Kind("edge", each.type) not in hidden and each.source in kept and each.target in kept
    ]
    joined: dict[str, set[str]] = {digest: set() for digest in kept}
    for edge in edges:
        joined[edge.source].add(edge.target)
        joined[edge.target].add(edge.source)
    reached = set(part.focus) & kept.keys()
    frontier = list(reached)
    while frontier:
        frontier = [other for digest in frontier for other in joined[digest] - reached]
        reached.update(frontier)
    return part.model_copy(
        update={
            "nodes": tuple(each for digest, each in kept.items() if digest in reached),
            "edges": tuple(each for each in edges if each.source in reached),
        }
    )


def census(part: Neighbourhood | None) -> Mapping[Kind, int]:
    """How often each edge type and each node type occurs in a part of the graph."""
    if part is None:
        return {}
    edges = [Kind("edge", each.type) for each in part.edges]
    return Counter([*edges, *(Kind("node", node_type(each.memory)) for each in part.nodes)])


def route_spots(route: Route) -> list[Spot]:
    """A path as rows: each memory, and below it the edge to the next one."""
    rows: list[Spot] = []
    for number, belief in enumerate(route.beliefs):
        memory = belief.memory
        rows.append(Spot((memory.digest,), memory.short_id, excerpt(memory.content, 400)))
        if number < len(route.steps):
            step = route.steps[number]
            tone = "conflict" if clashing(step.type) else "dim"
            rows.append(Spot((memory.digest,), f"{'▾' if step.forward else '▴'} {marked(step.type)}", "", "", tone))
    return rows
