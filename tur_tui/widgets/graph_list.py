"""The list of the graph screen: memories found, contradictions, cycles, islands, a path, and the legend of types."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar, Final

from rich.cells import cell_len
from textual.binding import Binding, BindingType
from textual.message import Message

from ..desk.exploring import Kind, Spot
from ..drawing.belief_graph import FAMILIES, NODE_TYPES, clashing, marked, stroke
from ..drawing.grid import Piece, Stroke
from ..drawing.wrapping import fit, fit_each, pad
from .line_list import LineList
from .painting import components

_SAMPLES: Final = {
    Stroke.LIGHT: "───▸",
    Stroke.HEAVY: "━━━▸",
    Stroke.DOUBLE: "═══▸",
    Stroke.DASHED: "╌╌╌▸",
    Stroke.DOTTED: "┈┈┈▸",
}
"""How the lines of an edge type look in the drawing."""
_ROOMY: Final = 60
"""Cells from which a row has room for a whole heading."""
_OTHERS: Final = "Other edges"
_BOX: Final = {True: "[ ]", False: "[x]", None: "[-]"}


@dataclass(frozen=True, slots=True)
class TypeRow:
    """One row of the legend: a family, or one type of it."""

    title: str
    kinds: tuple[Kind, ...]
    depth: int = 0


class GraphList(LineList):
    """Rows that lead to a part of the graph; or the types, each with a box."""

    PREFIX: ClassVar[str] = "graph-list"

    COMPONENT_CLASSES: ClassVar[set[str]] = components(
        "graph-list", "plain", "head", "dim", "conflict", "suspect", "family", "edge"
    )

    DEFAULT_CSS = """
    GraphList {
        & > .graph-list--plain { color: $foreground; }
        & > .graph-list--head { color: $text-primary; text-style: bold; }
        & > .graph-list--dim { color: $feed-dim; }
        & > .graph-list--conflict { color: $conflict; text-style: bold; }
        & > .graph-list--suspect { color: $suspect; }
        & > .graph-list--family { color: $foreground; text-style: bold; }
        & > .graph-list--edge { color: $graph-edge; }
        &:ansi > .graph-list--dim, &:ansi > .graph-list--head, &:ansi > .graph-list--edge { color: ansi_default; }
    }
    """

    BINDINGS: ClassVar[list[BindingType]] = [Binding("space", "flip", "Show or hide the type", show=False)]

    @dataclass
    class Toggled(Message):
        """The types of a row are to be shown or hidden."""

        kinds: tuple[Kind, ...]

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id, empty="")
        self._spots: Sequence[Spot] = ()
        self._types: tuple[TypeRow, ...] = ()
        self._counts: Mapping[Kind, int] = {}
        self._hidden: frozenset[Kind] = frozenset()

    def show(self, spots: Sequence[Spot], empty: str, *, keep: bool = False) -> None:
        """List these; with `keep` the cursor stays on its row."""
        self._types, self._spots = (), tuple(spots)
        self.show_rows(len(spots), cursor=self.cursor if keep else 0, empty=empty)

    def show_types(self, counts: Mapping[Kind, int], hidden: frozenset[Kind], *, keep: bool = False) -> None:
        """List every type with a box, how often it occurs here, and how its lines are drawn."""
        self._spots, self._types = (), type_rows(counts)
        self._counts, self._hidden = counts, hidden
        self.show_rows(len(self._types), cursor=self.cursor if keep else 0)

    def spot(self, index: int) -> Spot | None:
        """The row's place in the graph."""
        return self._spots[index] if 0 <= index < len(self._spots) else None

    def action_select(self) -> None:
        if self._types:
            self.action_flip()
        else:
            super().action_select()

    def action_flip(self) -> None:
        if 0 <= self.cursor < len(self._types):
            self.post_message(self.Toggled(self._types[self.cursor].kinds))

    def row(self, index: int) -> list[Piece]:
        width = self.scrollable_content_region.width
        if self._types:
            return self._type_row(self._types[index], width)
        spot = self._spots[index]
        head = "head" if spot.tone == "plain" else spot.tone
        words = spot.brief if spot.brief and width < _ROOMY else spot.head
        row: list[Piece] = [(pad(spot.mark, 1) + " ", spot.tone), (words + " ", head)]
        used = sum(cell_len(text) for text, _ in row)
        room = max(0, width - used)
        text = fit_each(spot.parts, spot.joint, room) if spot.parts else fit(spot.text, room)
        return [*row, (text, "dim" if spot.tone == "dim" else "plain")]

    def _type_row(self, row: TypeRow, width: int) -> list[Piece]:
        hidden = [kind in self._hidden for kind in row.kinds]
        box = _BOX[True if all(hidden) else None if any(hidden) else False]
        count = sum(self._counts.get(kind, 0) for kind in row.kinds)
        pieces: list[Piece] = [("  " * row.depth + box + " ", "plain")]
        of, name = row.kinds[0]
        if row.depth and of == "edge":
            clash = clashing(name)
            pieces.append((_SAMPLES[stroke(name)] + " ", "conflict" if clash else "edge"))
            pieces.append((row.title, "conflict" if clash else "plain"))
        else:
            pieces.append((row.title, "plain" if row.depth else "family"))
        used = sum(cell_len(text) for text, _ in pieces)
        number = f"{count:,}" if count else ""
        return [*pieces, (pad(number, max(0, width - used - 1), right=True), "dim")]  # a blank before the scroll bar


def type_rows(counts: Mapping[Kind, int]) -> tuple[TypeRow, ...]:
    """The families with their edge types, and the node types; those outside EP-0126 where they occur here."""
    known = {name for names in FAMILIES.values() for name in names}
    others = sorted(name for of, name in counts if of == "edge" and name not in known)
    rows: list[TypeRow] = []
    for family, names in {**FAMILIES, _OTHERS: tuple(others)}.items():
        kinds = [Kind("edge", name) for name in names]
        rows += [TypeRow(family, tuple(kinds))] if kinds else []
        rows += [TypeRow(marked(kind.name), (kind,), 1) for kind in kinds]
    named = sorted(name for of, name in counts if of == "node" and name not in NODE_TYPES)
    nodes = [Kind("node", name) for name in (*NODE_TYPES, *named)]
    return (*rows, TypeRow("Memories", tuple(nodes)), *(TypeRow(_told(kind.name), (kind,), 1) for kind in nodes))


def _told(name: str) -> str:
    kinds = NODE_TYPES.get(name, ())
    return f"{name}: {', '.join(kinds)}" if kinds and kinds != (name.lower(),) else name
