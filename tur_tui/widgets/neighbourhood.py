"""The belief graph around the memories at hand, drawn as boxes and lines or told as an outline."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise
from typing import ClassVar, Final

from textual import events
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.geometry import Region
from textual.message import Message
from textual.reactive import reactive

from tur_engine.records import Belief, Neighbourhood

from ..actions import key as key_of
from ..drawing.belief_graph import belief_graph
from ..drawing.ego import Ego
from ..drawing.ego_drawing import MIN_HEIGHT, MIN_WIDTH, Drawing, draw, edge_words
from ..drawing.wording import content, counted, standing
from ..drawing.wrapping import fit, wrapped
from .painting import components
from .rows_view import Row, RowsView

RADII: Final = range(1, 4)


class NeighbourhoodPane(RowsView):
    """What leads to the memories at hand | they | what they lead to."""

    PREFIX = "neighbourhood"

    COMPONENT_CLASSES: ClassVar[set[str]] = components(
        "neighbourhood",
        "text", "focus", "focus-text", "node", "selected", "edge", "label", "conflict", "suspect", "fallen",
        "invariant", "more", "dim", "fallen-text",
    )  # fmt: skip

    DEFAULT_CSS = """
    NeighbourhoodPane {
        & > .neighbourhood--text { color: $foreground; }
        & > .neighbourhood--focus { color: $text-primary; text-style: bold; }
        & > .neighbourhood--focus-text { color: $foreground; text-style: bold; }
        & > .neighbourhood--node { color: $graph-edge; }
        & > .neighbourhood--edge { color: $graph-edge; }
        & > .neighbourhood--label { color: $feed-dim; }
        & > .neighbourhood--conflict { color: $conflict; text-style: bold; }
        & > .neighbourhood--suspect { color: $suspect; }
        & > .neighbourhood--fallen { color: $feed-dim; }
        & > .neighbourhood--fallen-text { color: $feed-dim; text-style: strike; }
        & > .neighbourhood--invariant { color: $invariant; text-style: bold; }
        & > .neighbourhood--more { color: $feed-dim; }
        & > .neighbourhood--dim { color: $feed-dim; }
        & > .neighbourhood--selected { background: $block-cursor-blurred-background; }
        &:focus > .neighbourhood--selected {
            color: $block-cursor-foreground;
            background: $block-cursor-background;
            text-style: $block-cursor-text-style;
        }
        &:ansi > .neighbourhood--selected { background: transparent; }
        &:ansi:focus > .neighbourhood--selected { color: ansi_default; background: transparent; text-style: reverse; }
        &:ansi > .neighbourhood--focus { color: ansi_default; }
        &:ansi > .neighbourhood--node, &:ansi > .neighbourhood--edge { color: ansi_default; }
    }
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up,k", "step('up')", "Up", show=False),
        Binding("down,j", "step('down')", "Down", show=False),
        Binding("left,h", "step('left')", "Left", show=False),
        Binding("right,l", "step('right')", "Right", show=False),
        Binding("enter", "recentre", "Centre here", show=False, id="graph.recentre"),
        Binding("plus,equals_sign", "radius(1)", "Wider", show=False),
        Binding("minus", "radius(-1)", "Closer", show=False),
        Binding("o", "outline", "Outline", show=False, id="graph.outline"),
    ]

    radius: reactive[int] = reactive(1)
    """Steps from the focus, 1 to 3."""
    outlined: reactive[bool] = reactive(False)
    """True while the graph is told as text."""

    @dataclass
    class NodeHighlighted(Message):
        """Another memory is under the cursor, by digest."""

        pane: NeighbourhoodPane
        digest: str

        @property
        def control(self) -> NeighbourhoodPane:
            return self.pane

    @dataclass
    class Recentred(Message):
        """Enter or a double click: the neighbourhood of this memory is wanted."""

        pane: NeighbourhoodPane
        digest: str

        @property
        def control(self) -> NeighbourhoodPane:
            return self.pane

    @dataclass
    class RadiusChanged(Message):
        """Another radius is wanted."""

        pane: NeighbourhoodPane
        radius: int

        @property
        def control(self) -> NeighbourhoodPane:
            return self.pane

    def __init__(
        self,
        *,
        empty: str = "No memory is at hand.",
        short: Callable[[Belief], str] = lambda belief: belief.memory.short_id,
        in_full: bool = True,
        name: str | None = None,
        id: str | None = None,
        classes: str | None = None,
    ) -> None:
        super().__init__(name=name, id=id, classes=classes)
        self._empty, self._short, self._in_full = empty, short, in_full
        self._beliefs: dict[str, Belief] = {}
        self._ego: Ego | None = None
        self._drawing: Drawing | None = None
        self._places: dict[str, int] = {}
        self._selected = ""
        self.told = ""
        """How far it is drawn, how many memories that is, and the note."""

    # what it shows -----------------------------------------------------------

    def show(
        self, neighbourhood: Neighbourhood, *, conflicts: bool = True, start: str = "", select: str = "", note: str = ""
    ) -> None:
        """Show a part of the graph; the node under the cursor stays there where it is still part of it.

        Open conflicts are drawn unless `conflicts` is False; the memory `start` is marked as the begin of a path;
        `select` goes under the cursor; `note` is said beside the radius.
        """
        self._beliefs = {belief.memory.digest: belief for belief in neighbourhood.nodes}
        self._ego = belief_graph(neighbourhood, self._short, conflicts=conflicts, start=start)
        self._selected = select or self._selected
        if self._selected not in self._ego.column_of:
            self._selected = self._ego.focus[-1] if self._ego.focus else ""
        told = f"radius {self.radius}, {counted(len(self._beliefs), 'memory', 'memories')}"
        self.told = f"{told}, {note}" if note else told
        self.border_subtitle = Content(self.told)
        self.rebuild(to_top=True)

    def clear(self, sentence: str | None = None) -> None:
        """Show no graph but a sentence."""
        self._ego, self._selected = None, ""
        if sentence is not None:
            self._empty = sentence
        self.border_subtitle = ""
        self.rebuild(to_top=True)

    @property
    def selected(self) -> Belief | None:
        """The memory under the cursor."""
        return self._beliefs.get(self._selected)

    def action_step(self, direction: str) -> None:
        if self._ego is None:
            return
        if self._is_outline and direction in ("up", "down"):
            order = list(self._places)
            at = order.index(self._selected) if self._selected in order else 0
            self._select(order[max(0, min(len(order) - 1, at + (1 if direction == "down" else -1)))])
        else:
            self._select(self._ego.step(self._selected, direction))

    def action_recentre(self) -> None:
        if self._selected:
            self.post_message(self.Recentred(self, self._selected))

    def action_radius(self, step: int) -> None:
        radius = max(RADII[0], min(RADII[-1], self.radius + step))
        if radius != self.radius:
            self.radius = radius
            self.post_message(self.RadiusChanged(self, radius))

    def action_outline(self) -> None:
        self.outlined = not self.outlined

    def watch_outlined(self) -> None:
        self.rebuild(to_top=True)

    def _select(self, digest: str) -> None:
        if digest == self._selected:
            return
        self._selected = digest
        self.rebuild()
        if self._is_outline and digest in self._places:
            self.scroll_to_region(Region(0, self._places[digest], 1, 1), animate=False, immediate=True, force=True)
        self.post_message(self.NodeHighlighted(self, digest))

    def on_click(self, event: events.Click) -> None:
        offset = event.get_content_offset(self)
        if offset is None or self._ego is None:
            return
        if self._drawing is not None:
            found = self._drawing.at(offset.x, offset.y)
        else:
            row = offset.y + self.scroll_offset.y
            found = next((digest for digest, at in self._places.items() if at == row), None)
        if found is None:
            return
        if found == self._selected and event.chain > 1:
            self.action_recentre()
        else:
            self._select(found)

    # rows ----------------------------------------------------------------------

    @property
    def _is_outline(self) -> bool:
        region = self.scrollable_content_region
        return self.outlined or region.width < MIN_WIDTH or region.height < MIN_HEIGHT

    def build(self, width: int, height: int) -> list[Row]:
        self._drawing, self._places = None, {}
        if self._ego is None or not self._ego.focus:
            return [[(line, "dim")] for line in wrapped(f" {self._empty}", width)]
        if self._is_outline:
            return self._outline(self._ego, width)
        detail = self._detail(width, 2 if height >= 12 else 1) if self._in_full and height >= 7 else []
        room = height - len(detail)
        self._drawing = draw(self._ego, width, room, self._selected)
        rows: list[Row] = [list(self._drawing.grid.row(y)) for y in range(room)]
        notes = self._notes(self._drawing)
        if not notes:
            return rows + detail
        if "".join(text for text, _ in rows[-1]).strip() and room > MIN_HEIGHT:
            self._drawing = draw(self._ego, width, room - 1, self._selected)
            rows = [list(self._drawing.grid.row(y)) for y in range(room - 1)]
        else:
            rows = rows[:-1]
        return [*rows, [(fit(f" {', '.join(notes)}: {key_of('graph.outline')} lists them", width), "more")], *detail]

    def _detail(self, width: int, rows: int) -> list[Row]:
        """The memory under the cursor in full, as far as it goes."""
        belief = self.selected
        if belief is None:
            return []
        head = f" {self._short(belief)} {standing(belief)}: "
        text = content(belief.memory).replace("\n", " ")
        lines = wrapped(head + text, max(1, width - 2))
        kept = lines[:rows]
        if len(lines) > rows:
            kept[-1] += "…"
        first: Row = [(kept[0][: len(head)], "dim"), (kept[0][len(head) :], "text")]
        return [first, *([(" " + line, "text")] for line in kept[1:])]

    def _notes(self, drawing: Drawing) -> list[str]:
        """What the picture leaves out."""
        loose = len(drawing.not_drawn)
        farther = [f"{drawing.left_out} farther away"] if drawing.left_out else []
        return [*farther, f"{counted(loose, 'edge')} between them not drawn"] if loose else farther

    def _outline(self, ego: Ego, width: int) -> list[Row]:
        rows: list[Row] = []
        for depth, key, link in ego.outline():
            node = ego.nodes[key]
            self._places.setdefault(key, len(rows))
            tone = "selected" if key == self._selected else "text"
            row: Row = [("  " * depth, "")]
            if link is not None:
                arrow = "◂" if link.source == key else "▸"
                links = ego.between(key, ego.parent[key])
                row.append((f"{arrow} {edge_words(links)} ", link.tone if link.mark else "label"))
            row.append((node.heading(30) + " ", "selected" if key == self._selected else node.tone))
            used = sum(len(text) for text, _ in row)
            more = f" +{node.hidden}" if node.hidden else ""
            row.append((fit(node.text, max(0, width - used - len(more))), tone))
            rows.append([*row, (more, "more")])
        rows += self._crossing(ego, width)
        return rows

    def _crossing(self, ego: Ego, width: int) -> list[Row]:
        rows: list[Row] = []
        foci = list(pairwise(ego.focus))
        links = [link for pair in foci for link in ego.between(*pair)] + ego.loose()
        for link in links:
            words = f" {ego.nodes[link.source].title} {link.words} {ego.nodes[link.target].title}"
            rows.append([(fit(words, width), link.tone if link.mark else "dim")])
        return [[], *rows] if rows else []
