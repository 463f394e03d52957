"""An ego graph on a character grid: boxes in columns, one rail a hub, each edge with its own stroke and label.

Two edges never run into one another; one without a way is left out and counted.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import pairwise
from typing import Final

from rich.cells import cell_len

from .channel import Net, route
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
    """Nodes in columns that the width has no room for; arrows lead there."""
    not_drawn: list[Link] = field(default_factory=list)
    """Edges between nodes that stand here, for which there was no way."""

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
    joined: set[frozenset[str]] = set()
    for number in layout.columns:
        if number != FOCUS and number + (1 if number < FOCUS else -1) in layout.columns:
            joined |= _edges(ego, layout, number, drawing.grid)
    if FOCUS in layout.columns:
        joined |= _between_focus(ego, layout.columns[FOCUS], drawing.grid)
    for number, column in layout.columns.items():
        boxed = [ego.nodes[key].form(column.width - 4) for key, high in column.high.items() if high >= 3]
        form = max(boxed, default=0)
        for key, top in column.top.items():
            area = Area(column.x, top, column.width, column.high[key])
            drawing.hits.append(Hit(key, area))
            _box(drawing.grid, ego.nodes[key], area, form, number == FOCUS, key == selected)
        _more(drawing.grid, column, height)
    shown = {hit.key for hit in drawing.hits}
    drawing.not_drawn = [
        link for link in ego.links if (ends := frozenset((link.source, link.target))) <= shown and ends not in joined
    ]
    return drawing


def _edges(ego: Ego, layout: Plan, number: int, grid: Grid) -> set[frozenset[str]]:
    """Fill the gutter between a column and the one nearer to the focus; returns the pairs that found their way."""
    outer, inner = layout.columns[number], layout.columns[number + (1 if number < FOCUS else -1)]
    right = number > FOCUS
    inner_edge = inner.x + inner.width if right else inner.x - 1
    outer_edge = outer.x - 1 if right else outer.x + outer.width
    gutter = _Gutter(grid, inner_edge, 1 if right else -1, abs(outer_edge - inner_edge) + 1)
    pairs = [(key, child) for key in inner.top for child in outer.top if ego.between(key, child)]
    pairs.sort(key=lambda pair: ego.parent.get(pair[1]) != pair[0])
    ports = {key: inner.ports(key) for key in inner.top} | {key: outer.ports(key) for key in outer.top}
    ends = {pair: frozenset(link.target for link in ego.between(*pair)) for pair in pairs}
    nets = route(pairs, ports, gutter.depth, ends)
    downs = {cell for net in nets for cell in net.cells(gutter.depth) if cell[0] == net.track}
    for at, net in enumerate(nets):
        gutter.net(net, {leaf: ego.between(net.hub, leaf) for leaf in net.branches}, f"{number}:{at}", downs)
    return {frozenset(net.pair(leaf)) for net in nets for leaf in net.branches}


@dataclass(frozen=True, slots=True)
class _Gutter:
    """The cells between two columns, counted from the nearer one outwards."""

    grid: Grid
    start: int
    outward: int
    depth: int

    def x(self, depth: int) -> int:
        return self.start + self.outward * depth

    def net(self, net: Net, links: dict[str, list[Link]], name: str, downs: set[tuple[int, int]]) -> None:
        """One rail with its branches; every branch carries its label and says which way it leads."""
        tones = {link.tone for each in links.values() for link in each}
        tone = tones.pop() if len(tones) == 1 else "edge"
        hub, leaf_end = (0, self.depth - 1) if net.inside else (self.depth - 1, 0)
        step = 1 if net.inside else -1
        away, back = ("▸", "◂") if self.outward * step > 0 else ("◂", "▸")
        rail = self.x(net.track)
        whole = len(net.branches) == 1 and net.row in net.branches.values()  # one edge, straight across
        lone = next(iter(links.values()))[0].stroke if whole else Stroke.LIGHT
        self.grid.across(net.row, self.x(hub), rail, tone, lone, name)
        for leaf, row in net.branches.items():
            first = links[leaf][0]
            self.grid.down(rail, net.row, row, tone, Stroke.LIGHT, name)
            self.grid.across(row, rail, self.x(net.track + step), first.tone, lone, name)
            self.grid.across(row, self.x(net.track + step), self.x(leaf_end), first.tone, first.stroke, name)
        for leaf, row in net.branches.items():
            way = list(net.branch(self.depth))[int(net.mixed) : -1]
            for link in links[leaf]:
                if link.target == leaf:
                    self.grid.text(self.x(leaf_end), row, away, link.tone)
                elif net.mixed:
                    self.grid.text(self.x(net.track + step), row, back, link.tone)
                else:
                    self.grid.text(self.x(hub), net.row, back, link.tone)
            _label(self.grid, links[leaf], [self.x(depth) for depth in way if (depth, row) not in downs], row)


def _label(grid: Grid, links: list[Link], free: list[int], y: int) -> None:
    """The edge's type on its line, where nothing crosses it."""
    runs: list[list[int]] = []
    for x in sorted(free):
        if runs and runs[-1][-1] == x - 1:
            runs[-1].append(x)
        else:
            runs.append([x])
    if not runs:
        return
    run = max(runs, key=len)
    x, room = run[0], len(run)
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


def _between_focus(ego: Ego, column: Column, grid: Grid) -> set[frozenset[str]]:
    """The lines that join memories in the middle, each with the next; returns the pairs that have one."""
    keys, joined = list(column.top), set()
    for upper, lower in pairwise(keys):
        links = ego.between(upper, lower)
        top, bottom = column.top[upper] + column.high[upper], column.top[lower] - 1
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
        joined.add(frozenset((upper, lower)))
    return joined


def _box(grid: Grid, node: Node, area: Area, form: int, focus: bool, selected: bool) -> None:
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
    grid.text(area.x + 1, area.y, f" {node.heading(area.width - 4, form)} ", frame)
    rows, inside = wrapped(node.text, max(1, area.width - 4)), area.height - 2
    if len(rows) > inside:
        rows = [*rows[: inside - 1], fit(" ".join(rows[inside - 1 :]), area.width - 4)]
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
