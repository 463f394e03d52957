"""The graph screen: finding, hiding types, paths, and the lists that lead into the drawing."""

from __future__ import annotations

from textual.widgets import Input

from tests.ui.atlas import TEXTS, Atlas
from tests.ui.explorer import exploring
from tur_tui.screens.triage import TriageScreen
from tur_tui.widgets.graph_bars import PageBar
from tur_tui.widgets.graph_list import GraphList


async def test_find_is_fuzzy_and_takes_ids() -> None:
    atlas = Atlas(8)
    async with exploring(atlas) as person:
        await person.press("slash")
        field = person.app.screen.query_one("#find", Input)
        field.value = "stagign databse"
        await person.until(lambda: person.listed and TEXTS[4][:20] in person.listed[0])
        await person.press("enter")
        assert person.centre == [TEXTS[4]]
        assert person.focused == "graph"
        await person.press("slash")
        field.value = atlas.beliefs[7].memory.digest[:10]
        await person.until(lambda: person.listed and TEXTS[7][:20] in person.listed[0])
        await person.press("enter")
        assert person.centre == [TEXTS[7]]


async def test_while_the_search_is_typed_letters_are_text_and_arrows_choose() -> None:
    async with exploring(Atlas(8)) as person:
        await person.press("slash", *"mig")
        await person.until(lambda: person.page == "found" and len(person.listed) > 1)
        await person.settled()  # each letter asks anew
        second = person.graph.desk.spots()[1]
        await person.press("down", "enter")
        assert person.graph.desk.centre == second.refs
        await person.press("slash", *"pq1xyz")
        assert person.at_graph
        assert person.app.is_running
        await person.until(lambda: not person.graph.desk.spots())
        assert "Nothing is like that" in person.text
        await person.press("enter")
        assert "other words" in person.said
        await person.press("escape")
        assert person.at_graph
        assert not person.app.screen.query_one("#finding").display


async def test_a_family_and_a_type_are_hidden_and_shown_again() -> None:
    async with exploring(Atlas(8), (120, 40), "f") as person:
        assert person.focused == "list"
        assert person.listed[0].startswith("[x] Hierarchy")
        await person.press("space")
        assert person.listed[:2] == ["[ ] Hierarchy 1", "[ ] ───▸ refines 1"]
        assert "refines ─" not in person.text
        assert "1 type hidden with 1 memory" in person.text
        await person.press("down", "enter")
        assert person.listed[0].startswith("[x] Hierarchy")
        assert "hidden with" not in person.text
        rows = person.graph.query_one(GraphList)
        rows.move_to([row.title for row in rows._types].index("Insight"))
        await person.press("space")
        assert "╭ insight-" not in person.text


async def test_a_path_is_marked_found_listed_and_drawn() -> None:
    async with exploring(Atlas(8)) as person:
        await person.press("left")
        first = person.selected.memory
        await person.press("p")
        assert "A path begins here" in person.said
        assert "»! fact" in person.text
        assert f"path from {first.short_id}" in person.text
        await person.press("right", "left", "down", "down")
        last = person.selected.memory
        await person.press("p")
        await person.until(lambda: person.graph.desk.route is not None)
        await person.settled()
        assert person.centre == [first.content, TEXTS[0], last.content]
        assert person.selected.memory == first
        assert person.page == "path"
        assert "Path, radius 1" in person.text
        assert [row.split()[0] for row in person.listed[1::2]] == ["▾", "▴"]
        assert "path from" not in person.text
        await person.press("backspace")
        assert person.centre == [TEXTS[0]]


async def test_a_path_can_be_forgotten() -> None:
    async with exploring(Atlas(5)) as person:
        await person.press("p", "p")
        assert "forgotten" in person.said
        await person.press("p", "escape")
        assert person.graph.desk.start == ""
        assert person.at_graph
        await person.press("escape")
        assert isinstance(person.app.screen, TriageScreen)


async def test_two_islands_have_no_path() -> None:
    atlas = Atlas(4)
    atlas.links = [each for each in atlas.links if atlas.beliefs[3].memory.digest not in (each.source, each.target)]
    async with exploring(atlas) as person:
        await person.press("p")
        person.graph.go([atlas.beliefs[3].memory.digest])
        await person.settled()
        await person.press("p")
        await person.until(lambda: "different islands" in person.said)


async def test_each_memory_of_a_cycle_has_its_share_of_the_row() -> None:
    async with exploring(Atlas(9), (200, 50), "c", "c") as person:
        assert person.page == "cycles"
        row = person.listed[0]
        assert row.startswith("3 memories: The deploy j… > ")
        assert "… > Every migra… > " in row
        assert row.endswith("> back")


async def test_contradictions_cycles_and_islands_are_listed_and_lead_into_the_drawing() -> None:
    async with exploring(Atlas(9), (120, 36), "c") as person:
        assert person.page == "contradictions"
        assert person.listed[0].startswith("! ")
        await person.press("enter")
        assert person.centre == [TEXTS[1], TEXTS[0]]
        assert person.focused == "graph"
        await person.press("tab", "right")
        assert person.page == "cycles"
        await person.press("enter")
        assert len(person.centre) == 3
        assert "not drawn" in person.text
        await person.press("c", "c", "c")
        assert person.page == "islands"
        assert "9 memories" in person.listed[0]
        await person.press("enter")
        assert person.centre == [TEXTS[0]]
        await person.press("c", "left")
        assert person.page == "found"
        await person.pilot.click(PageBar, offset=(person.text.splitlines()[1].index("Islands") + 1, 0))
        assert person.page == "islands"
