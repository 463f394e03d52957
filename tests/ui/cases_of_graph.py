"""What the actions of the graph screen do."""

from __future__ import annotations

from typing import cast

from textual.widgets import Input

from tests.ui.acting import act, case
from tests.ui.sitting import Sitting
from tests.ui.stores import PAIRS
from tur_tui.screens.graph import GraphScreen
from tur_tui.widgets.line_list import LineList


@case("graph", "graph.find", "graph.leave", "row.next", "row.previous")
async def finds_node(person: Sitting) -> None:
    graph = cast(GraphScreen, person.app.screen)
    await act(person, "graph", "graph.find")
    assert graph.query_one("#find", Input).has_focus
    rows = cast(LineList, graph.query_one("#list"))
    await person.until(lambda: rows.count > 1)
    await act(person, "graph", "row.next")
    assert rows.cursor == 1
    await act(person, "graph", "row.previous")
    assert rows.cursor == 0
    await act(person, "graph", "graph.leave")
    assert not graph.query_one("#finding").display
    await act(person, "graph", "graph.leave")
    assert person.at_desk


@case("graph", "graph.centre", "graph.back")
async def centres(person: Sitting) -> None:
    graph = cast(GraphScreen, person.app.screen)
    rested_on = person.app.engine.find(PAIRS[0][0])[0].memory.digest
    person.app.show_graph((rested_on,))
    await person.until(lambda: graph.desk.drawn == (rested_on,))
    before = graph.desk.centre
    await person.press("left")
    await act(person, "graph", "graph.centre")
    await person.until(lambda: graph.desk.centre != before)
    await act(person, "graph", "graph.back")
    await person.until(lambda: graph.desk.centre == before)


@case("graph", "graph.wider", "graph.closer")
async def widens_graph(person: Sitting) -> None:
    graph = cast(GraphScreen, person.app.screen)
    await act(person, "graph", "graph.wider")
    assert graph.desk.radius == 2
    await act(person, "graph", "graph.closer")
    assert graph.desk.radius == 1


@case("graph", "graph.path")
async def path(person: Sitting) -> None:
    graph = cast(GraphScreen, person.app.screen)
    await act(person, "graph", "graph.path")
    assert graph.desk.start
    await act(person, "graph", "graph.path")
    assert not graph.desk.start


@case("graph", "graph.lists", "graph.types", "page.next", "page.previous")
async def lists(person: Sitting) -> None:
    graph = cast(GraphScreen, person.app.screen)
    await act(person, "graph", "graph.lists")
    assert str(graph.desk.page) == "contradictions"
    await act(person, "graph", "page.next")
    assert str(graph.desk.page) == "cycles"
    await act(person, "graph", "page.previous")
    assert str(graph.desk.page) == "contradictions"
    await act(person, "graph", "graph.types")
    assert str(graph.desk.page) == "types"


@case("graph", "pane.next", "pane.previous")
async def tabs_graph(person: Sitting) -> None:
    graph = cast(GraphScreen, person.app.screen)
    graph.show_pane("graph")
    await act(person, "graph", "pane.next")
    assert graph.focused is graph.query_one("#list")
    await act(person, "graph", "pane.previous")
    assert graph.focused is graph.query_one("#graph")


@case("graph", "graph.outline")
async def outlines(person: Sitting) -> None:
    before = person.text
    await act(person, "graph", "graph.outline")
    assert person.text != before
    await act(person, "graph", "graph.outline")
    assert person.text == before


@case("graph", "graph.copy", "graph.mermaid")
async def copies_drawing(person: Sitting) -> None:
    await act(person, "graph", "graph.copy")
    assert "fact-" in person.app.clipboard
    await act(person, "graph", "graph.mermaid")
    assert person.app.clipboard.startswith("graph LR")
