"""The graph screen: moving, copying, leaving, and what happens at odd moments."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.ui.acting import can_run
from tests.ui.atlas import TEXTS, Atlas
from tests.ui.explorer import exploring
from tests.ui.stores import MARA, PAIRS, learn, store
from tur_engine.errors import TurError
from tur_engine.records import Neighbourhood
from tur_tui.actions import key_table
from tur_tui.messages import Damaged
from tur_tui.screens.admin import AdminScreen
from tur_tui.screens.graph import GraphScreen
from tur_tui.screens.graph_keys import GRAPH
from tur_tui.screens.help import HelpScreen
from tur_tui.screens.triage import TriageScreen
from tur_tui.widgets.neighbourhood import NeighbourhoodPane

MARK = "<!-- graph keys: made from tur_tui/screens/graph_keys.py, a test compares -->"


def test_the_readme_shows_its_keys(repo_root: Path) -> None:
    _, mark, rest = (repo_root / "docs" / "keys.md").read_text("utf-8").partition(MARK)
    assert mark, f"docs/keys.md lost the line {MARK!r}"
    assert rest.lstrip("\n").startswith(key_table(GRAPH)), f"put this below the mark:\n\n{key_table(GRAPH)}"


def test_every_action_of_the_table_can_be_run_and_has_keys_of_its_own() -> None:
    keys = [key for each in GRAPH for key in each.keys]
    assert len(set(keys)) == len(keys)
    assert len({each.id for each in GRAPH}) == len(GRAPH)
    for each in GRAPH:
        assert can_run(GraphScreen, each), each.id


async def test_it_begins_around_the_newest_memory_and_walks_from_node_to_node() -> None:
    async with exploring(Atlas(8)) as person:
        assert person.centre == [TEXTS[0]]
        assert "Database migrations run via Prisma" in person.text
        assert "!contradicts" in person.text
        await person.press("left")
        there = person.selected.memory
        assert there.content != TEXTS[0]
        assert there.short_id in person.text
        await person.press("enter")
        assert person.centre == [there.content]
        assert person.selected.memory == there
        assert "1 back" in person.text
        await person.press("backspace")
        assert person.centre == [TEXTS[0]]
        await person.press("backspace")
        assert "where you began" in person.said


async def test_the_memory_under_the_cursor_is_told_in_full() -> None:
    async with exploring(Atlas(8), (120, 40)) as person:
        told = person.told
        for words in (
            "fact, active, contested",
            "◂ !contradicts",
            "◂ depends_on",
            "so it was said",
            "claude-code",
        ):
            assert words in told, words


async def test_the_radius_widens_and_narrows() -> None:
    async with exploring(Atlas(30)) as person:
        assert "radius 1, 4 memories" in person.text
        await person.press("plus", "plus", "plus")
        assert "radius 3, 30 memories" in person.text
        assert "farther away" in person.text
        await person.press("minus")
        assert "radius 2, 13 memories" in person.text


async def test_arrows_lead_to_columns_that_had_no_room() -> None:
    async with exploring(Atlas(30), (80, 24), "plus", "plus") as person:
        await person.press("left", "left", "left")
        pane = person.graph.query_one(NeighbourhoodPane)
        assert pane._ego is not None
        assert pane._ego.column_of[person.selected.memory.digest] == -3
        assert pane._drawing is not None
        assert person.selected.memory.digest in {hit.key for hit in pane._drawing.hits}


async def test_the_outline_tells_the_drawing_as_text() -> None:
    async with exploring(Atlas(5), (120, 36), "o") as person:
        assert "╔" not in person.text
        assert "◂ depends_on insight-" in person.text
        await person.press("o")
        assert "╔" in person.text


async def test_what_is_drawn_can_be_copied_as_text_and_as_a_diagram() -> None:
    atlas = Atlas(5)
    async with exploring(atlas, (120, 36), "y") as person:
        copied = person.app.clipboard
        assert atlas.beliefs[0].id in copied
        assert "-> depends_on fact-" in copied
        assert "Copied 4 memories as text" in person.said
        await person.press("Y")
        assert person.app.clipboard.startswith("graph LR")


async def test_tab_walks_the_panes_both_ways() -> None:
    async with exploring(Atlas(5), (80, 24)) as person:
        walked = [person.focused]
        for _ in range(3):
            await person.press("tab")
            walked.append(person.focused)
        assert walked == ["graph", "list", "detail", "graph"]
        await person.press("shift+tab")
        assert person.focused == "detail"


async def test_every_other_screen_is_one_key_away() -> None:
    async with exploring(Atlas(5)) as person:
        await person.press("question_mark")
        assert isinstance(person.app.screen, HelpScreen)
        await person.press("escape", "1")
        assert isinstance(person.app.screen, TriageScreen)
        await person.press("4", "2", "4", "2")
        assert isinstance(person.app.screen, AdminScreen)
        assert len(person.app.screen_stack) == 3
        await person.press("1")
        assert isinstance(person.app.screen, TriageScreen)
        await person.press("4", "q")
        await person.until(lambda: not person.app.is_running)


async def test_an_empty_store_says_what_to_do() -> None:
    async with exploring(Atlas(0)) as person:
        assert "holds no memory yet" in person.text
        await person.press(
            "enter", "left", "plus", "p", "y", "o", "backspace", "c", "enter", "f", "space", "slash", "x"
        )
        assert person.app.is_running


async def test_a_failure_is_one_sentence_in_place(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object, **__: object) -> Neighbourhood:
        raise TurError("the disk said no")

    async with exploring(Atlas(5)) as person:
        for name in ("neighbourhood", "edges", "cycles", "contradictions", "path_between"):
            monkeypatch.setattr(Atlas, name, broken)
        await person.press("left")
        assert "could not be read. the disk said no" in person.told
        await person.press("c")
        assert "the disk said no" in person.listed[0]
        await person.press("shift+tab", "plus")
        assert "the disk said no" in person.text
        monkeypatch.undo()
        await person.press("minus")
        assert "radius 1, 4 memories" in person.text
        person.graph.post_message(Damaged("The store is damaged: restore a backup."))
        await person.pilot.pause()
        assert "restore a backup" in person.said
        assert "the store is damaged" in person.text.splitlines()[0]
        assert person.triage.damaged


@pytest.mark.parametrize("size", [(59, 20), (80, 14), (20, 5), (1, 1)])
async def test_below_the_smallest_size_nothing_acts(size: tuple[int, int]) -> None:
    async with exploring(Atlas(8)) as person:
        await person.pilot.resize_terminal(*size)
        before = person.graph.desk.centre
        await person.press("left", "enter", "c", "f", "p", "slash", "plus", "y", "backspace", "tab", "o")
        assert person.graph.desk.centre == before
        assert person.page == "found"
        assert person.graph.desk.start == ""
        await person.pilot.resize_terminal(80, 24)
        await person.pilot.pause()
        await person.press("left")
        assert person.selected.memory.content != TEXTS[0]
        await person.pilot.resize_terminal(*size)
        await person.press("1")
        assert isinstance(person.app.screen, TriageScreen)


async def test_g_opens_it_on_what_is_under_the_cursor_and_live_changes_show(tmp_path: Path) -> None:
    with store(tmp_path, PAIRS[:1], dependants=1) as engine:
        async with exploring(engine) as person:
            await person.press("1", "g")
            assert person.at_graph
            assert set(person.centre) == set(PAIRS[0])
            assert "!contradicts" in person.text
            assert "Step 1 of the release" in person.text
            await person.press("1")
            person.triage.show_pane("feed")
            await person.press("g")
            assert person.centre == [PAIRS[0][1], PAIRS[0][0]]
            incumbent = engine.conflicts()[0].incumbent.id
            learn(engine, "Step 2 rests on it too", MARA, rests_on=incumbent)
            await person.until(lambda: "Step 2" in person.text)
            await person.press("left")
            assert "depends_on" in person.text
            before = engine.head()
            await person.press("p", "right", "p")
            await person.until(lambda: person.graph.desk.route is not None)
            await person.press("y", "c")
            assert person.listed[0].startswith("! ")
            await person.press("enter", "right", "c", "f", "space", "plus")
            await person.press("c", "c", "c")
            assert [row[:30] for row in person.listed] == ["4 memories Database migrations"]
            assert engine.head() == before
