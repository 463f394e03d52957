"""The desk of the graph screen: centres, paths, hidden types; and the graph as text."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from tests.ui.atlas import Atlas
from tests.ui.stage import HOSTILE, belief
from tur_engine.ontology import EdgeType, NodeType
from tur_engine.records import Belief, Neighbourhood
from tur_tui.desk import surveying
from tur_tui.desk.exploring import GraphDesk, Kind, Route, Step, census, filtered, route_spots
from tur_tui.drawing.belief_graph import FAMILIES, NODE_TYPES, belief_graph, node_type
from tur_tui.drawing.ego import Ego
from tur_tui.drawing.ego_drawing import draw
from tur_tui.drawing.ego_telling import as_mermaid, as_outline
from tur_tui.widgets.graph_list import type_rows


def part(size: int, radius: int = 3, focus: tuple[int, ...] = (0,)) -> Neighbourhood:
    atlas = Atlas(size)
    return atlas.neighbourhood([atlas.beliefs[each].id for each in focus], radius=radius, limit=100)


def ego(size: int, radius: int = 3, focus: tuple[int, ...] = (0,)) -> Ego:
    return belief_graph(part(size, radius, focus), lambda each: each.memory.short_id, conflicts=False)


def test_families_and_node_types_are_those_of_the_ontology() -> None:
    assert {(name, family) for family, names in FAMILIES.items() for name in names} == {
        (each.value, each.family) for each in EdgeType
    }
    assert set(NODE_TYPES) == {each.value for each in NodeType}


def test_back_leads_through_the_centres_in_turn() -> None:
    desk = GraphDesk()
    assert not desk.back()
    assert desk.go(["a"])
    assert not desk.go(["a"])
    assert desk.go(["b", "c", "b"])
    assert list(desk.centre) == ["b", "c"]
    assert not desk.go([])
    assert desk.behind == 1
    assert desk.back()
    assert desk.centre == ("a",)
    assert not desk.back()


def test_a_path_has_two_ends_that_differ() -> None:
    desk = GraphDesk()
    assert desk.mark("a") is None
    assert desk.start == "a"
    assert desk.mark("a") is None
    assert desk.start == ""
    desk.mark("a")
    assert desk.mark("b") == ("a", "b")
    assert desk.start == ""


def test_a_family_is_hidden_as_a_whole_and_shown_as_a_whole() -> None:
    desk, family = GraphDesk(), [Kind("edge", "precedes"), Kind("edge", "depends_on")]
    desk.toggle(family[:1])
    desk.toggle(family)
    assert desk.hidden == set(family)
    desk.toggle(family)
    assert not desk.hidden


KINDS = [Kind("edge", name) for names in FAMILIES.values() for name in names] + [Kind("node", n) for n in NODE_TYPES]


@given(size=st.integers(1, 30), hidden=st.frozensets(st.sampled_from(KINDS)), focus=st.integers(0, 29))
def test_what_is_left_is_joined_to_the_centre_and_of_no_hidden_type(
    size: int, hidden: frozenset[Kind], focus: int
) -> None:
    whole = part(size, 3, (focus % size,))
    left = filtered(whole, hidden)
    known = {each.memory.digest for each in left.nodes}
    assert set(left.focus) <= known
    assert not {Kind("edge", each.type) for each in left.edges} & hidden
    assert all(each.source in known and each.target in known for each in left.edges)
    reached = set(left.focus)
    for _ in known:
        reached |= {end for e in left.edges if {e.source, e.target} & reached for end in (e.source, e.target)}
    assert reached == known
    kinds = {Kind("node", node_type(each.memory)) for each in left.nodes if each.memory.digest not in left.focus}
    assert not kinds & hidden
    assert filtered(whole, frozenset()) == whole


def test_the_legend_counts_what_is_read_and_names_types_of_a_persona() -> None:
    whole = part(9)
    odd = whole.edges[0].model_copy(update={"type": "overrules"})
    counts = census(whole.model_copy(update={"edges": (odd,)}))
    assert counts[Kind("edge", "overrules")] == 1
    rows = type_rows(counts)
    titles = [each.title for each in rows]
    assert titles[titles.index("Other edges") + 1] == "overrules"
    assert sum(counts.values()) == sum(counts.get(kind, 0) for row in rows if row.depth for kind in row.kinds)


def test_a_path_is_rows_of_memories_with_the_edges_between() -> None:
    atlas = Atlas(4)
    route = surveying.route(atlas.engine, atlas.beliefs[1].id, atlas.beliefs[2].id)
    assert route is not None
    assert [each.head for each in route_spots(route)] == [
        atlas.beliefs[1].memory.short_id,
        "▾ !contradicts",
        atlas.beliefs[0].memory.short_id,
        "▴ depends_on",
        atlas.beliefs[2].memory.short_id,
    ]
    assert surveying.route(atlas.engine, atlas.beliefs[1].id, atlas.beliefs[1].id) is None


def test_search_finds_by_part_by_slip_and_by_id() -> None:
    atlas = Atlas(8)

    def first(typed: str) -> Belief | None:
        return next(iter(surveying.find(atlas.engine, typed, atlas.beliefs)), None)

    assert first("PORT 5432") == atlas.beliefs[4]
    assert first("flod warnigs") == atlas.beliefs[3]
    assert first("backend deploy job schema") == atlas.beliefs[2]
    assert first(atlas.beliefs[5].id[:12]) == atlas.beliefs[5]
    assert first("zzzzqqqq") is None
    assert surveying.find(atlas.engine, "  ", atlas.beliefs) == atlas.beliefs


def test_a_column_that_has_no_room_is_drawn_when_the_cursor_is_in_it() -> None:
    graph = ego(30)
    far = graph.columns[-3][0]
    assert far not in {hit.key for hit in draw(graph, 60, 20, graph.focus[0]).hits}
    drawing = draw(graph, 60, 20, far)
    assert far in {hit.key for hit in drawing.hits}
    assert drawing.left_out > 0


@given(width=st.integers(1, 90), height=st.integers(1, 30), at=st.integers(0, 29))
def test_the_node_under_the_cursor_is_drawn_at_every_size_that_can_be_drawn(width: int, height: int, at: int) -> None:
    graph = ego(30)
    selected = list(graph.column_of)[at % len(graph.column_of)]
    drawing = draw(graph, width, height, selected)
    if width >= 34 and height >= 3:
        assert selected in {hit.key for hit in drawing.hits}
    assert len(drawing.grid.plain().split("\n")) == height


def test_an_edge_that_closes_a_cycle_is_counted_where_it_is_not_drawn() -> None:
    graph = ego(9, 1, (2, 6, 4))
    assert any({link.source, link.target} == {graph.focus[0], graph.focus[2]} for link in graph.loose())


def test_the_graph_as_text_and_as_a_diagram() -> None:
    whole = part(3, 1)
    told = as_outline(whole)
    assert told.startswith(f"{whole.nodes[0].id} (Fact, active, contested)\n")
    assert "    <- !contradicts fact-" in told
    drawn = as_mermaid(whole)
    assert drawn.count('["') == 3
    assert '--x|"contradicts"|' in drawn


def test_what_leaves_as_text_cannot_steer_a_terminal_or_a_diagram() -> None:
    nasty = belief(HOSTILE + ' "quoted" <script> `x`')
    alone = Neighbourhood(focus=(nasty.memory.digest,), nodes=(nasty,), edges=())
    for text in (as_outline(alone), as_mermaid(alone)):
        assert not any(char in text for char in "\x1b\x07\u202e\u200b")
    label = as_mermaid(alone).split('["', 1)[1].rsplit('"]', 1)[0].replace("<br>", "")
    assert not any(char in label for char in '"<>`[')


def test_a_route_knows_its_memories() -> None:
    one, two = belief("One"), belief("Two")
    assert Route((one, two), (Step("refines", True),)).refs == (one.memory.digest, two.memory.digest)
