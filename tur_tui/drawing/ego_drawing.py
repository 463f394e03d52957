"""An ego graph on a character grid: boxes in columns, one trunk a parent, each edge with its own stroke and label."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import pairwise
from typing import Final

from rich.cells import cell_len

from .ego import FOCUS, Ego, Link, Node
from .ego_layout import Column, Plan, plan
from .grid import Area, Grid, Stroke
from .wrapping import fit, wrapped

MIN_WIDTH: Final = 34
MIN_HEIGHT: Final = 3
"""Below this an outline says more than a drawing."""


@dataclass(frozen=True, slots=True)
class Hit:
    """Where a node stands, for the mouse."""

    key: str
    area: Area


@dataclass(slots=True)
class Drawing:
    """The grid, where the nodes are, and what did not fit."""

    grid: Grid
    hits: list[Hit] = field(default_factory=list)
    left_out: int = 0
    """Nodes in columns that the width has no room for."""

    def at(self, x: int, y: int) -> str | None:
        """The node drawn over a cell."""
        return next((hit.key for hit in self.hits if hit.area.holds(x, y)), None)


def draw(ego: Ego, width: int, height: int, selected: str | None = None) -> Drawing:
    """Draw as much of the graph as fits into `width` by `height` cells, the selected node always among it."""
    drawing = Drawing(Grid(width, height))
    if not ego.focus or width < 1 or height < 1:
        return drawing
    layout = plan(ego, width, height, selected)
    drawing.left_out = layout.left_out
    for number in layout.columns:
        if number != FOCUS:
            _edges(ego, layout, number, drawing.grid)
    _between_focus(ego, layout.columns[FOCUS], drawing.grid)
    for number, column in layout.columns.items():
        for key, top in column.top.items():
            area = Area(column.x, top, column.width, column.box)
            drawing.hits.append(Hit(key, area))
            _box(drawing.grid, ego.nodes[key], area, number == FOCUS, key == selected)
        _more(drawing.grid, column, height)
    return drawing


def _edges(ego: Ego, layout: Plan, number: int, grid: Grid) -> None:
    """The gutter between a column and the one nearer to the focus."""
    outer, inner = layout.columns[number], layout.columns[number + (1 if number < FOCUS else -1)]
    right = number > FOCUS
    trunks = [key for key in inner.top if any(ego.between(key, child) for child in outer.top)]
    inner_edge = inner.x + inner.width if right else inner.x - 1
    outer_edge = outer.x - 1 if right else outer.x + outer.width
    outward = 1 if right else -1
    tracks = max(1, min(len(trunks), (abs(outer_edge - inner_edge) + 1) // 4))
    for child in outer.top:
        linked = [(key, ego.between(key, child)) for key in trunks]
        linked = [(key, links) for key, links in linked if links]
        for key, links in linked:
            trunk = inner_edge + outward * (1 + trunks.index(key) % tracks)
            name = f"{number}:{key}"
            tones = {link.tone for other in outer.top for link in ego.between(key, other)}
            tone = tones.pop() if len(tones) == 1 else "edge"
            y0, y1 = inner.middle(key), outer.middle(child)
            grid.across(y0, inner_edge, trunk, tone, Stroke.LIGHT, name)
            grid.down(trunk, y0, y1, tone, Stroke.LIGHT, name)
            grid.across(y1, trunk, trunk + outward, links[0].tone, Stroke.LIGHT, name)
            grid.across(y1, trunk + outward, outer_edge, links[0].tone, links[0].stroke, name)
            for link in links:
                if link.target == child:
                    grid.text(outer_edge, y1, "▸" if right else "◂", link.tone)
                else:
                    grid.text(inner_edge, y0, "◂" if right else "▸", link.tone)
        if linked:
            trunk = inner_edge + outward * (1 + max(trunks.index(key) % tracks for key, _ in linked))
            _label(grid, [link for _, links in linked for link in links], outer_edge, trunk, y1)


def _label(grid: Grid, links: list[Link], outer_edge: int, trunk: int, y: int) -> None:
    """The edge's type on its line, between the arrow and the trunk."""
    x, room = min(outer_edge, trunk) + 1, abs(outer_edge - trunk) - 1
    first, words = links[0], edge_words(links)
    tone = first.tone if first.mark else "label"
    if cell_len(words) + 2 <= room:
        grid.text(x, y, f" {words} ", tone)
    elif room >= 4:
        grid.text(x, y, words, tone, room=room)
    elif first.mark and room >= 1:
        grid.text(x, y, first.mark, tone)


def edge_words(links: list[Link]) -> str:
    """The label of one line that may stand for several edges."""
    different = list(dict.fromkeys(link.words for link in links))
    return different[0] + (f" +{len(different) - 1}" if len(different) > 1 else "")


def _between_focus(ego: Ego, column: Column, grid: Grid) -> None:
    """The line that joins the two memories in the middle."""
    keys = list(column.top)
    for upper, lower in pairwise(keys):
        links = ego.between(upper, lower)
        top, bottom = column.top[upper] + column.box, column.top[lower] - 1
        if not links or bottom < top:
            continue
        x = column.x + min(2, column.width // 2)
        first = links[0]
        for y in range(top, bottom + 1):
            grid.text(x, y, "║" if first.stroke is Stroke.DOUBLE else "│", first.tone)
        if not first.mark:
            grid.text(x, bottom if first.target == lower else top, "▾" if first.target == lower else "▴", first.tone)
        words = fit(edge_words(links), column.x + column.width - x - 2)
        grid.text(x + 2, (top + bottom) // 2, words, first.tone if first.mark else "label")


def _box(grid: Grid, node: Node, area: Area, focus: bool, selected: bool) -> None:
    cursor = " selected" if selected else ""
    frame = ("focus" if focus and node.tone == "node" else node.tone) + cursor
    text = ("fallen-text" if node.tone == "fallen" else "focus-text" if focus else "text") + cursor
    badge = f"+{node.hidden}" if node.hidden else ""
    if area.height < 3:
        left, right = ("║", "║") if focus else ("[", "]")
        inside = area.width - 2 - (len(badge) + 1 if badge else 0)
        words = fit(f"{node.mark} {node.text}".strip(), max(0, inside))
        grid.fill(area, text)
        grid.text(area.x, area.y, left, frame)
        grid.text(area.x + 1, area.y, words, text)
        if badge and inside > 0:
            grid.text(area.x + area.width - 1 - len(badge), area.y, badge, "more" + cursor)
        grid.text(area.x + area.width - 1, area.y, right, frame)
        return
    grid.box(area, frame, Stroke.DOUBLE if focus else Stroke.LIGHT)
    grid.text(area.x + 1, area.y, f" {node.heading(area.width - 4)} ", frame)
    rows, inside = wrapped(node.text, max(1, area.width - 4)), area.height - 2
    if len(rows) > inside:
        rows = [*rows[: inside - 1], fit(rows[inside - 1] + " …", area.width - 4)]
    for number, row in enumerate(rows):
        grid.text(area.x + 2, area.y + 1 + number, row, text, room=area.width - 4)
    if badge:
        at = area.x + area.width - len(badge) - 4
        grid.text(at, area.y + area.height - 1, f" {badge} ", "more" + cursor)


def _more(grid: Grid, column: Column, height: int) -> None:
    if column.above:
        grid.text(column.x, 0, f"▴ {column.above} more", "more", room=column.width)
    if column.below:
        grid.text(column.x, height - 1, f"▾ {column.below} more", "more", room=column.width)
