"""The belief graph around one or two memories as columns: what leads to them | they | what they lead to. Pure.

A node reached over an incoming edge stands left of the focus, one reached over an outgoing edge right of it;
farther nodes stand behind the one they were reached from. Columns that do not fit are left out and counted.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Final

from rich.cells import cell_len

from .grid import Stroke
from .wrapping import fit

FOCUS: Final = 0


@dataclass(frozen=True, slots=True)
class Node:
    """What is drawn for one memory."""

    key: str
    titles: tuple[str, ...]
    """The id, longest form first: a column of boxes shows all of its ids in one form."""
    text: str
    tone: str = "node"
    mark: str = ""
    hidden: int = 0
    """Neighbours outside the radius or the limit."""
    standing: str = ""
    """A word beside the longest id, where it has room."""

    @property
    def title(self) -> str:
        """The longest heading."""
        return f"{self.titles[0]} {self.standing}".strip()

    def form(self, room: int) -> int:
        """The longest form of the id that fits into `room` cells beside the mark, 0 for the longest of all."""
        fitting = (form for form, title in enumerate(self.titles) if cell_len(self._marked(title)) <= room)
        return next(fitting, len(self.titles) - 1)

    def heading(self, room: int, form: int = 0) -> str:
        """The mark and the id, in this form or a shorter one that fits into `room` cells."""
        if form == 0 and cell_len(whole := self._marked(self.title)) <= room:
            return whole
        return fit(self._marked(self.titles[min(max(form, self.form(room)), len(self.titles) - 1)]), room)

    def _marked(self, title: str) -> str:
        return f"{self.mark} {title}".strip()


@dataclass(frozen=True, slots=True)
class Link:
    """An edge from `source` to `target`; `mark` stands before its label."""

    source: str
    target: str
    label: str
    tone: str = "edge"
    stroke: Stroke = Stroke.LIGHT
    mark: str = ""

    @property
    def words(self) -> str:
        return self.mark + self.label


@dataclass(slots=True)
class Ego:
    """Nodes in columns by their signed distance from the focus, and the links between them."""

    focus: tuple[str, ...]
    nodes: dict[str, Node]
    links: tuple[Link, ...]
    columns: dict[int, list[str]] = field(default_factory=dict)
    column_of: dict[str, int] = field(default_factory=dict)
    parent: dict[str, str] = field(default_factory=dict)
    _joined: dict[frozenset[str], list[Link]] = field(default_factory=dict)
    """Links by the two nodes they join, those with a mark first."""

    @classmethod
    def around(cls, focus: Sequence[str], nodes: Sequence[Node], links: Sequence[Link]) -> Ego:
        """Lay the nodes out. Links to unknown nodes are left out, as are nodes that nothing connects."""
        known = {node.key: node for node in nodes}
        centre = tuple(key for key in dict.fromkeys(focus) if key in known)
        ego = cls(centre, known, tuple(link for link in links if link.source in known and link.target in known))
        for link in sorted(ego.links, key=lambda link: not link.mark):
            ego._joined.setdefault(frozenset((link.source, link.target)), []).append(link)
        ego.columns[FOCUS] = list(centre)
        ego.column_of = dict.fromkeys(centre, FOCUS)
        frontier = [FOCUS]
        while frontier:
            frontier = [column for inner in frontier for column in ego._grow(inner)]
        return ego

    def children(self, key: str) -> list[str]:
        """Nodes that were reached from this one, in drawing order."""
        column = self.column_of.get(key, FOCUS)
        outward = [column - 1, column + 1] if column == FOCUS else [column + (1 if column > 0 else -1)]
        return [other for c in outward for other in self.columns.get(c, ()) if self.parent.get(other) == key]

    def between(self, one: str, other: str) -> list[Link]:
        """Links between two nodes, either way, those with a mark first."""
        return self._joined.get(frozenset((one, other)), [])

    def step(self, key: str, direction: str) -> str:
        """The node that an arrow key leads to; the same one where there is none that way."""
        if key not in self.column_of:
            return self.focus[0] if self.focus else key
        column = self.column_of[key]
        row = self.columns[column]
        at = row.index(key)
        if direction in ("up", "down"):
            return row[max(0, min(len(row) - 1, at + (1 if direction == "down" else -1)))]
        towards = column + (1 if direction == "right" else -1)
        there = self.columns.get(towards, [])
        if not there:
            return key
        if abs(towards) < abs(column):
            return self.parent.get(key, there[0])
        if own := [other for other in there if self.parent.get(other) == key]:
            return own[0]
        return there[min(len(there) - 1, at * len(there) // max(1, len(row)))]

    def outline(self) -> Iterator[tuple[int, str, Link | None]]:
        """The same picture as text: depth, key, and the link it hangs by."""
        for key in self.focus:
            yield 0, key, None
            yield from self._under(key, 1)

    def loose(self) -> list[Link]:
        """Links that join neither a node to its parent nor two focus nodes in a row: the drawing leaves them out."""
        drawn = {frozenset((child, parent)) for child, parent in self.parent.items()}
        drawn |= {frozenset(pair) for pair in pairwise(self.focus)}
        return [link for link in self.links if frozenset((link.source, link.target)) not in drawn]

    def _under(self, key: str, depth: int) -> Iterator[tuple[int, str, Link | None]]:
        for child in self.children(key):
            yield depth, child, next(iter(self.between(key, child)), None)
            yield from self._under(child, depth + 1)

    def _grow(self, inner: int) -> list[int]:
        """Place what hangs on the nodes of one column; returns the columns that got nodes."""
        grown: list[int] = []
        for key in self.columns[inner]:
            for link in sorted(self.links, key=lambda link: not link.mark):
                if key not in (link.source, link.target) or link.source == link.target:
                    continue
                other = link.target if link.source == key else link.source
                if other in self.column_of:
                    continue
                outgoing = link.source == key
                column = inner + (1 if outgoing else -1) if inner == FOCUS else inner + (1 if inner > 0 else -1)
                self.columns.setdefault(column, []).append(other)
                self.column_of[other] = column
                self.parent[other] = key
                if column not in grown:
                    grown.append(column)
        return grown
