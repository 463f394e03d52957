"""Edges of the graph drawing read as what they are: followed cell by cell, each leads to its two ends only."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from tur_tui.drawing.ego import Ego, Link, Node
from tur_tui.drawing.ego_drawing import Drawing, draw
from tur_tui.drawing.grid import _GLYPHS

_STEPS = {1: (0, -1), 2: (1, 0), 4: (0, 1), 8: (-1, 0)}
_BACK = {1: 4, 2: 8, 4: 1, 8: 2}
_BITS = {glyph: bits for row in _GLYPHS.values() for bits, glyph in enumerate(row) if glyph != " "}
_TYPES = ("depends_on", "refines", "x", "contradicts")


def ego(focus: list[str], links: list[tuple[str, str, str]]) -> Ego:
    keys = dict.fromkeys([*focus, *(end for link in links for end in link[:2])])
    return Ego.around(focus, [Node(key, (key,), f"text of {key}") for key in keys], [Link(*link) for link in links])


def followed(drawing: Drawing, key: str, row: int, right: bool) -> set[str]:
    """The boxes that the lines lead to from one side of a box: where nothing joins, a line goes straight on."""
    lines = [line.ljust(drawing.grid.width) for line in drawing.grid.plain().split("\n")]
    area = next(hit.area for hit in drawing.hits if hit.key == key)
    start = (area.x + area.width, row, 2) if right else (area.x - 1, row, 8)
    open_, seen, ends = [start], set(), set()
    while open_:
        x, y, heading = open_.pop()
        if (x, y, heading) in seen or not (0 <= x < drawing.grid.width and 0 <= y < drawing.grid.height):
            continue
        seen.add((x, y, heading))
        if (hit := drawing.at(x, y)) is not None:
            ends.add(hit)
            continue
        bits = _BITS.get(lines[y][x], 0)
        ways = [way for way in _STEPS if bits & way and way != _BACK[heading]] if bits & _BACK[heading] else [heading]
        open_ += [(x + _STEPS[way][0], y + _STEPS[way][1], way) for way in ways]
    return ends - {key}


def read_back(ego: Ego, drawing: Drawing) -> set[frozenset[str]]:
    """The pairs that a reader finds in the gutters. Fails where lines join what no edge joins."""
    lines = [line.ljust(drawing.grid.width) for line in drawing.grid.plain().split("\n")]
    found: set[frozenset[str]] = set()
    for hit in drawing.hits:
        for right in (False, True):
            x = hit.area.x + hit.area.width if right else hit.area.x - 1
            for y in range(hit.area.y, hit.area.y + hit.area.height):
                if not 0 <= x < drawing.grid.width or (
                    lines[y][x] not in "▸◂" and not (_BITS.get(lines[y][x], 0) & (8 if right else 2))
                ):
                    continue
                joined = followed(drawing, hit.key, y, right)
                assert joined, f"a line leads from {hit.key} into nothing"
                column = ego.column_of[hit.key]
                facing = {key for key in joined if ego.column_of[key] != column}
                beside = joined - facing
                assert all(ego.between(hit.key, key) for key in facing)
                assert len(facing) == 1 or not beside, "two rails have run into one"
                assert all(ego.between(key, other) for key in facing for other in (*beside, hit.key))
                found |= {frozenset((hit.key, key)) for key in facing}
    return found


@st.composite
def graphs(draw_: st.DrawFn) -> Ego:
    size = draw_(st.integers(2, 8))
    keys = [f"n{number}" for number in range(size)]
    ends = st.sampled_from(keys)
    links = draw_(st.lists(st.tuples(ends, ends, st.sampled_from(_TYPES)), min_size=1, max_size=14))
    return ego(keys[: draw_(st.integers(1, min(4, size)))], links)


@settings(max_examples=150, deadline=None)
@given(graphs(), st.sampled_from([(80, 24), (120, 36), (60, 14)]))
def test_every_drawn_edge_leads_to_its_two_ends(graph: Ego, size: tuple[int, int]) -> None:
    drawing = draw(graph, *size)
    shown = {hit.key for hit in drawing.hits}
    found = read_back(graph, drawing)
    left_out = {frozenset((link.source, link.target)) for link in drawing.not_drawn}
    assert not found & left_out
    across = {
        frozenset((link.source, link.target))
        for link in graph.links
        if {link.source, link.target} <= shown and graph.column_of[link.source] != graph.column_of[link.target]
    }
    assert found == across - left_out


@settings(max_examples=100, deadline=None)
@given(graphs(), st.sampled_from([(80, 24), (120, 36)]))
def test_an_arrow_stands_where_the_edge_points(graph: Ego, size: tuple[int, int]) -> None:
    drawing = draw(graph, *size)
    lines = [line.ljust(size[0]) for line in drawing.grid.plain().split("\n")]
    columns = {hit.key: graph.column_of[hit.key] for hit in drawing.hits}
    drawn = [link for link in graph.links if link not in drawing.not_drawn]
    for hit in drawing.hits:
        sides = {columns.get(link.source, 0) - columns[hit.key] for link in drawn if link.target == hit.key}
        for step, arrow in ((1, "◂"), (-1, "▸")):
            x = hit.area.x + hit.area.width if step == 1 else hit.area.x - 1
            rows = range(hit.area.y, hit.area.y + hit.area.height) if 0 <= x < size[0] else ()
            if any(lines[y][x] == arrow for y in rows):
                assert step in sides, "an arrow at a box that no edge points at"


def test_a_path_past_other_centres_keeps_its_corners() -> None:
    path = ego(
        ["tractor", "engine", "helmet"],
        [
            ("tractor", "engine", "depends_on"),
            ("engine", "helmet", "refines"),
            ("candle", "tractor", "depends_on"),
            ("wheel", "engine", "depends_on"),
            ("candle", "helmet", "refines"),
        ],
    )
    for size in ((80, 24), (120, 36)):
        drawing = draw(path, *size)
        assert drawing.not_drawn == []
        assert frozenset(("candle", "engine")) not in read_back(path, drawing)
        assert read_back(path, drawing) >= {frozenset(("candle", "helmet")), frozenset(("wheel", "engine"))}


def test_an_edge_without_a_way_is_counted() -> None:
    full = [(f"a{n}", f"b{m}", "x") for n in range(3) for m in range(3)]
    graph = ego(["a0", "a1", "a2"], full)
    drawing = draw(graph, 80, 11)
    drawn = read_back(graph, drawing)
    assert len(drawn) + len(drawing.not_drawn) == 9
    assert drawing.not_drawn
