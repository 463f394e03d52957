"""The character grid and the ego layout: clipping, joining, and graphs of 1, 5 and 30 nodes at any size."""

from __future__ import annotations

import pytest
from rich.cells import cell_len

from tur_tui.drawing.ego import Ego, Link, Node
from tur_tui.drawing.ego_drawing import draw, edge_words
from tur_tui.drawing.grid import Area, Grid, Stroke

SIZES = [(w, h) for w in (1, 2, 7, 20, 36, 60, 97, 140, 300) for h in (1, 2, 3, 5, 8, 14, 30, 80)]


def node(key: str, *, hidden: int = 0, mark: str = "") -> Node:
    return Node(key, (f"fact-{key}", "fact"), f"{key} 本番のデータベースは東京にあります", mark=mark, hidden=hidden)


def graph(incoming: int, outgoing: int, *, foci: int = 1, beyond: int = 0) -> Ego:
    focus = [f"focus{n}" for n in range(foci)]
    nodes = [node(key, mark="!") for key in focus]
    links = [Link("focus1", "focus0", "contradicts", "conflict", Stroke.DOUBLE, "!")] if foci > 1 else []
    for n in range(incoming):
        nodes.append(node(f"in{n}", hidden=n))
        links.append(Link(f"in{n}", focus[n % foci], "depends_on", stroke=Stroke.HEAVY))
    for n in range(outgoing):
        nodes.append(node(f"out{n}"))
        links.append(Link(focus[n % foci], f"out{n}", "analogy_of", stroke=Stroke.DOTTED))
    for n in range(beyond):
        nodes.append(node(f"far{n}"))
        links.append(Link(f"far{n}", f"in{n % incoming}", "refines"))
    return Ego.around(focus, nodes, links)


# the grid --------------------------------------------------------------------


def test_everything_outside_is_clipped() -> None:
    grid = Grid(6, 3)
    grid.text(-2, 0, "abcd")
    grid.text(4, 1, "xyz")
    grid.text(0, 9, "below")
    grid.text(0, -1, "above")
    grid.box(Area(3, 1, 9, 5), "")
    grid.across(2, -5, 50, "", Stroke.LIGHT)
    grid.down(1, -5, 50, "", Stroke.LIGHT)
    assert grid.plain() == "cd\n │ ╭──\n─┼─│"


@pytest.mark.parametrize("size", [(0, 0), (0, 5), (5, 0), (-3, 2), (1, 1)])
def test_a_grid_of_nothing_takes_drawing(size: tuple[int, int]) -> None:
    grid = Grid(*size)
    grid.text(0, 0, "text")
    grid.box(Area(0, 0, 4, 3), "")
    grid.across(0, 0, 3, "", Stroke.HEAVY)
    assert len(grid.plain().replace("\n", "")) <= 1


def test_a_wide_character_is_never_cut_in_half() -> None:
    grid = Grid(5, 1)
    grid.text(0, 0, "田中さん")
    assert grid.plain() == "田中"
    assert sum(cell_len(text) for text, _ in grid.row(0)) == 5


def test_writing_over_half_a_wide_character_blanks_the_rest() -> None:
    grid = Grid(6, 1)
    grid.text(0, 0, "田中さ")
    grid.text(1, 0, "xy")
    assert [text for text, _ in grid.row(0)] == [" xy さ"]


def test_a_combining_mark_stays_with_its_letter() -> None:
    grid = Grid(6, 1)
    grid.text(0, 0, "cafe\u0301!")
    assert grid.plain() == "cafe\u0301!"
    assert cell_len(grid.plain()) == 5


def test_lines_of_one_name_join() -> None:
    grid = Grid(5, 3)
    grid.down(2, 0, 2, "", Stroke.LIGHT, "a")
    grid.across(1, 0, 2, "", Stroke.LIGHT, "a")
    assert grid.plain() == "  │\n──┤\n  │"


def test_lines_of_different_names_cross_without_touching() -> None:
    grid = Grid(5, 3)
    grid.down(2, 0, 2, "", Stroke.LIGHT, "a")
    grid.across(1, 0, 4, "", Stroke.LIGHT, "b")
    assert grid.plain() == "  │\n─────\n  │"


def test_strokes_are_told_apart() -> None:
    drawn = set()
    for stroke in Stroke:
        grid = Grid(3, 1)
        grid.across(0, 0, 2, "", stroke)
        drawn.add(grid.plain())
    assert len(drawn) == len(Stroke)


def test_a_row_is_cut_where_the_tone_changes() -> None:
    grid = Grid(6, 1)
    grid.text(0, 0, "ab", "one")
    grid.text(2, 0, "cd", "two")
    assert grid.row(0) == [("ab", "one"), ("cd", "two"), ("  ", "")]


# the layout ------------------------------------------------------------------


def test_what_leads_here_stands_left_and_what_follows_right() -> None:
    ego = graph(2, 2, foci=2, beyond=1)
    assert ego.columns == {0: ["focus0", "focus1"], -1: ["in0", "in1"], 1: ["out0", "out1"], -2: ["far0"]}
    assert ego.parent["far0"] == "in0"
    drawing = draw(ego, 120, 20, None)
    x = {hit.key: hit.area.x for hit in drawing.hits}
    assert x["far0"] < x["in0"] < x["focus0"] < x["out0"]


def test_a_node_reached_twice_stands_once() -> None:
    nodes = [node(key) for key in "abc"]
    ego = Ego.around(
        ["a"], nodes, [Link("a", "b", "x"), Link("b", "c", "y"), Link("c", "a", "z"), Link("b", "b", "self")]
    )
    assert sorted(key for column in ego.columns.values() for key in column) == ["a", "b", "c"]
    assert {(link.source, link.target) for link in ego.loose()} == {("b", "c"), ("b", "b")}


def test_links_to_nodes_that_are_not_there_are_left_out() -> None:
    ego = Ego.around(["a", "gone"], [node("a")], [Link("a", "ghost", "x")])
    assert ego.focus == ("a",)
    assert ego.links == ()
    assert draw(ego, 40, 8).hits


def test_arrow_keys_reach_every_node() -> None:
    ego = graph(4, 3, foci=2, beyond=5)
    reached, frontier = {"focus0"}, ["focus0"]
    while frontier:
        key = frontier.pop()
        for direction in ("up", "down", "left", "right"):
            other = ego.step(key, direction)
            if other not in reached:
                reached.add(other)
                frontier.append(other)
    assert reached == set(ego.nodes)
    assert ego.step("in0", "right") == "focus0"
    assert ego.step("in1", "right") == "focus1"
    assert ego.step("nowhere", "left") == "focus0"


def test_the_drawing_names_edges_and_points_the_right_way() -> None:
    text = draw(graph(1, 1, foci=2), 110, 12).grid.plain()
    assert "depends_on" in text
    assert "analogy_of" in text
    assert "!contradicts" in text
    assert text.count("▸") == 2
    assert "◂" not in text


def test_an_edge_back_is_drawn_with_its_own_arrow() -> None:
    ego = Ego.around(["a"], [node("a"), node("b")], [Link("a", "b", "x"), Link("b", "a", "y")])
    text = draw(ego, 80, 9).grid.plain()
    assert "x +1" in text
    assert "▸" in text
    assert "◂" in text


def test_parallel_edges_share_a_label() -> None:
    assert edge_words([Link("a", "b", "x"), Link("a", "b", "x"), Link("a", "b", "y")]) == "x +1"


def test_what_does_not_fit_is_counted() -> None:
    drawing = draw(graph(30, 0), 80, 12)
    text = drawing.grid.plain()
    shown = sum(hit.key.startswith("in") for hit in drawing.hits)
    assert f"▾ {30 - shown} more" in text
    assert draw(graph(3, 2, beyond=4), 60, 12).left_out == 4


@pytest.mark.parametrize("key", ["in0", "in15", "in29"])
def test_a_selected_node_is_scrolled_into_view(key: str) -> None:
    drawing = draw(graph(30, 5), 80, 12, key)
    assert key in [hit.key for hit in drawing.hits]


@pytest.mark.parametrize(
    "graph_", [(0, 0, 1, 0), (0, 0, 2, 0), (2, 3, 1, 0), (3, 2, 2, 2), (15, 15, 2, 0), (30, 0, 1, 30)]
)
def test_any_graph_at_any_size(graph_: tuple[int, int, int, int]) -> None:
    incoming, outgoing, foci, beyond = graph_
    ego = graph(incoming, outgoing, foci=foci, beyond=beyond)
    for width, height in SIZES:
        for selected in (None, "focus0", f"in{max(0, incoming - 1)}", "far7"):
            drawing = draw(ego, width, height, selected)
            for y in range(height):
                assert sum(cell_len(text) for text, _ in drawing.grid.row(y)) == width


@pytest.mark.parametrize("graph_", [(3, 2, 2, 2), (15, 15, 2, 0), (30, 0, 1, 30)])
def test_boxes_never_overlap(graph_: tuple[int, int, int, int]) -> None:
    incoming, outgoing, foci, beyond = graph_
    ego = graph(incoming, outgoing, foci=foci, beyond=beyond)
    for width, height in [(60, 8), (80, 14), (120, 24), (200, 40)]:
        taken: set[tuple[int, int]] = set()
        for hit in draw(ego, width, height).hits:
            cells = {
                (x, y)
                for x in range(hit.area.x, hit.area.x + hit.area.width)
                for y in range(hit.area.y, hit.area.y + hit.area.height)
            }
            assert not cells & taken
            assert all(0 <= x < width and 0 <= y < height for x, y in cells)
            taken |= cells


def test_the_mouse_finds_what_is_drawn() -> None:
    drawing = draw(graph(2, 2, foci=2), 100, 14)
    for hit in drawing.hits:
        assert drawing.at(hit.area.x, hit.area.y) == hit.key
    assert drawing.at(-1, -1) is None
