"""The part of the graph screen that shows: drawing, list and memory brought in line with the desk."""

from __future__ import annotations

from typing import Final

from textual import on
from textual.content import Content

from ..desk.exploring import Page, census
from ..widgets.graph_bars import CentreLine, PageBar
from ..widgets.graph_detail import DetailPane
from ..widgets.graph_list import GraphList
from ..widgets.neighbourhood import NeighbourhoodPane
from .graph_messages import EdgesTold, EdgesUntold
from .graph_reading import READ, GraphReadingScreen

READING: Final = "Reading the graph..."
NO_MEMORY: Final = (
    'The store holds no memory yet. Teach it the first one in a shell, tur learn "text", or let an agent write; '
    "it is drawn here then."
)
_EMPTY: Final = {
    Page.FOUND: "Nothing is like that.",
    Page.CONTRADICTIONS: "No two memories contradict each other.",
    Page.CYCLES: "No cycle: nothing rests on itself.",
    Page.ISLANDS: "No memory is joined to another one yet.",
    Page.PATH: "p on a memory begins a path, p on another one ends it.",
}


class GraphShowingScreen(GraphReadingScreen):
    """Moves nothing: the desk says what there is to see."""

    def reach_changed(self) -> None:
        super().reach_changed()
        self.query_one(CentreLine).warning = self.loss

    def show_desk(self) -> None:
        desk, pane, line = self.desk, self.query_one(NeighbourhoodPane), self.query_one(CentreLine)
        shown = desk.shown
        line.behind = desk.behind
        if shown is None:
            line.centre = ""
            pane.clear(self.unread or (READING if desk.centre else NO_MEMORY))
            self._show_detail()
            self.show_list(keep=True)
            return
        names = {each.memory.digest: each for each in shown.nodes}
        focus = [names[digest].memory for digest in shown.focus if digest in names]
        line.centre = ", ".join(each.short_id for each in focus)
        if len(focus) == 1:
            line.centre += f" {focus[0].content}"
        pane.radius = desk.radius
        pane.show(shown, conflicts=False, start=desk.start, select=self.selecting, note=desk.hiding)
        # On top, because a pane in a narrow window has no border at its foot.
        pane.border_title, pane.border_subtitle = Content(f"{desk.name}, {pane.told}"), ""
        self._show_detail()
        self.show_list(keep=True)

    def show_list(self, *, keep: bool = False) -> None:
        desk, rows, bar = self.desk, self.query_one(GraphList), self.query_one(PageBar)
        page = desk.page
        bar.page = page
        bar.count(desk.counts)
        rows.border_title = Content(self._title(page))
        if page is Page.TYPES:
            rows.show_types(census(desk.part), desk.hidden, keep=keep)
            return
        empty = READING if page in READ and page not in desk.lists else _EMPTY[page]
        rows.show(desk.spots(), self.problems.get(page) or empty, keep=keep)

    def _title(self, page: Page) -> str:
        if page is Page.FOUND:
            return "Found" if self.typed.strip() else "Newest"
        return "Types: space hides or shows" if page is Page.TYPES else page.value.capitalize()

    def _show_detail(self) -> None:
        selected, detail = self.query_one(NeighbourhoodPane).selected, self.query_one(DetailPane)
        detail.show(selected)
        if selected is not None:
            self.tell_edges(selected.memory.digest)

    def show_edges(self, message: EdgesTold | EdgesUntold) -> None:
        detail = self.query_one(DetailPane)
        if isinstance(message, EdgesTold):
            detail.show_edges(message.digest, message.told)
        else:
            detail.show_problem(message.digest, message.sentence)

    @on(NeighbourhoodPane.NodeHighlighted)
    def follow_cursor(self) -> None:
        self._show_detail()
