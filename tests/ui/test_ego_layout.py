"""The graph drawing gives its cells to what is to be read: whole labels, whole texts, edges that run level."""

from __future__ import annotations

import pytest

from tests.ui.atlas import Atlas
from tur_tui.drawing.belief_graph import belief_graph
from tur_tui.drawing.ego import Ego, Link, Node
from tur_tui.drawing.ego_drawing import Drawing, draw
from tur_tui.drawing.grid import Stroke

PANES = [(77, 11), (77, 31), (127, 45)]
"""What the Graph screen draws on at 80x24, 120x36 and 200x50."""


def part(size: int, radius: int) -> Ego:
    atlas = Atlas(size)
    focus = [atlas.beliefs[0].memory.digest]
    return belief_graph(atlas.neighbourhood(focus, radius=radius), lambda belief: belief.memory.short_id)


def top(drawing: Drawing, key: str) -> int:
    return next(hit.area.y for hit in drawing.hits if hit.key == key)


@pytest.mark.parametrize("pane", PANES)
@pytest.mark.parametrize("size", [5, 30])
def test_labels_are_whole_two_steps_from_the_focus(size: int, pane: tuple[int, int]) -> None:
    ego = part(size, 2)
    drawing = draw(ego, *pane)
    shown = drawing.grid.plain()
    drawn = [link for link in ego.links if link not in drawing.not_drawn]
    assert drawn
    for word in {link.words for link in drawn}:
        assert shown.count(word) >= sum(link.words == word for link in drawn), word


@pytest.mark.parametrize("size", [1, 5])
def test_texts_are_whole_where_there_is_room(size: int) -> None:
    assert "…" not in draw(part(size, 1), 77, 31).grid.plain()


def test_a_text_is_cut_at_the_frame_not_at_its_last_blank() -> None:
    drawing = draw(Ego.around(["a"], [Node("a", ("fact",), "Every migrationscript")], []), 15, 3)
    assert drawing.grid.plain().split("\n")[1] == "║ Every migr… ║"


def test_a_node_stands_level_with_the_middle_of_what_hangs_on_it() -> None:
    keys = ["hub", *(f"near{n}" for n in range(2)), *(f"far{n}" for n in range(4))]
    links = [Link(f"near{n}", "hub", "refines") for n in range(2)]
    links += [Link(f"far{n}", f"near{n // 2}", "refines") for n in range(4)]
    ego = Ego.around(["hub"], [Node(key, (key,), key) for key in keys], links)
    drawing = draw(ego, 100, 40)
    for n in range(2):
        assert 2 * top(drawing, f"near{n}") == top(drawing, f"far{2 * n}") + top(drawing, f"far{2 * n + 1}")


def test_the_ids_of_a_column_have_one_form() -> None:
    nodes = [Node("hub", ("fact-12345678", "123456"), "the hub")]
    nodes += [
        Node(key, (f"{kind}-{key * 8}", key * 6), f"text {key * 9}")
        for kind, key in (("fact", "a"), ("preference", "b"))
    ]
    ego = Ego.around(["hub"], nodes, [Link(key, "hub", "refines") for key in "ab"])
    wide, narrow = (draw(ego, width, 20).grid.plain() for width in (100, 48))
    assert all(id in wide for id in ("fact-12345678", "fact-aaaaaaaa", "preference-bbbbbbbb"))
    assert all(id in narrow for id in ("fact-12345678", " aaaaaa ", " bbbbbb "))


def test_one_edge_straight_across_keeps_its_stroke() -> None:
    nodes = [Node(key, (key,), key) for key in "ab"]
    ego = Ego.around(["a"], nodes, [Link("b", "a", "contradicts", stroke=Stroke.DOUBLE)])
    assert "═ contradicts ══▸" in draw(ego, 60, 5).grid.plain()


def test_boxes_are_as_high_as_their_texts() -> None:
    long = "one two three four five six seven eight nine ten"
    nodes = [Node("a", ("a",), "short"), Node("b", ("b",), long), Node("c", ("c",), "brief")]
    ego = Ego.around(["a"], nodes, [Link("b", "a", "refines"), Link("c", "a", "refines")])
    high = {hit.key: hit.area.height for hit in draw(ego, 40, 30).hits}
    assert high["a"] == high["c"] == 3 < high["b"]
