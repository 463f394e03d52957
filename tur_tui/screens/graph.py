"""The graph screen: the belief graph around a memory, lists that lead into it, and the memory under the cursor."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Final

from textual import on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Container, Horizontal, Vertical
from textual.content import Content
from textual.widgets import Input, Static

from ..actions import bindings, key
from ..desk.exploring import Page
from ..drawing.ego_telling import as_mermaid, as_outline
from ..drawing.wording import counted
from ..widgets.fields import PlainInput
from ..widgets.graph_bars import CentreLine, PageBar
from ..widgets.graph_detail import DetailPane
from ..widgets.graph_list import GraphList
from ..widgets.key_bar import KeyBar
from ..widgets.line_list import LineList
from ..widgets.neighbourhood import NeighbourhoodPane
from ..widgets.rows_view import RowsView
from .graph_keys import ALWAYS, FEW, FOOTER, GRAPH, INTRODUCTION
from .graph_showing import READING, GraphShowingScreen
from .smallest import SMALLEST

_PAUSE: Final = 0.08
"""Seconds of rest in typing before the search begins."""
_LISTS: Final = (Page.CONTRADICTIONS, Page.CYCLES, Page.ISLANDS)


class GraphScreen(GraphShowingScreen):
    """Composes the panes and shows in them what the desk holds. Nothing here writes to the ledger."""

    AUTO_FOCUS = ""
    CSS_PATH = "graph.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [*bindings(GRAPH)]
    TABLE = GRAPH
    INTRODUCTION = INTRODUCTION
    OWN_KEYS = (
        ("In the drawing", NeighbourhoodPane),
        ("In the list", LineList),
        ("In the list of types", GraphList),
        ("In the text", RowsView),
    )
    PANES = ("graph", "list", "detail")
    ALWAYS = ALWAYS
    HORIZONTAL_BREAKPOINTS = [(0, "-tiny"), (SMALLEST[0], "-narrow"), (100, "-normal"), (160, "-wide")]  # noqa: RUF012
    VERTICAL_BREAKPOINTS = [(0, "-flat"), (SMALLEST[1], "-short"), (20, "-high")]  # noqa: RUF012

    def compose(self) -> ComposeResult:
        yield CentreLine(id="centre")
        yield PageBar(id="pages")
        with Container(id="body"):
            yield NeighbourhoodPane(id="graph", empty=READING, in_full=False)
            with Vertical(id="side"):
                with Horizontal(id="finding"):
                    yield Static("/", markup=False)
                    yield PlainInput(placeholder="words of a memory, or the begin of its id", id="find")
                yield GraphList(id="list")
                yield DetailPane(id="detail")
        yield Static(f"Too small to draw the graph; {SMALLEST[0]}x{SMALLEST[1]} will do.", id="too-small", markup=False)
        yield Static("", id="told", markup=False)
        yield KeyBar(FOOTER, id="keys")
        yield KeyBar(FEW, id="few-keys")

    def on_mount(self) -> None:
        for name, title in (("graph", "Graph"), ("list", "Found"), ("detail", "Memory")):
            self.query_one(f"#{name}").border_title = Content(title)
        self._finding(False)
        self.query_one(NeighbourhoodPane).radius = self.desk.radius
        self.show_pane("graph")
        self.follow()

    def on_screen_resume(self) -> None:
        """Shown for the first time, or again: much may have been recorded meanwhile."""
        self.forget()
        self.read()
        self.read_page()

    # moving in the graph ---------------------------------------------------------------

    def visit(self, refs: Sequence[str]) -> None:
        """Draw around these memories, as soon as the screen is shown."""
        if self.desk.go(refs):
            self._select = self.desk.centre[0]
            if self.is_current:
                self.read()

    @on(NeighbourhoodPane.Recentred)
    def centre(self, message: NeighbourhoodPane.Recentred) -> None:
        self.go([message.digest])

    def action_centre(self) -> None:
        self.query_one(NeighbourhoodPane).action_recentre()

    def action_back(self) -> None:
        if self.desk.back():
            self._select = self.desk.centre[0]
            self.read()
        else:
            self.tell("This is where you began.", problem=False)

    def action_radius(self, step: int) -> None:
        self.query_one(NeighbourhoodPane).action_radius(step)

    @on(NeighbourhoodPane.RadiusChanged)
    def widen(self, message: NeighbourhoodPane.RadiusChanged) -> None:
        self.desk.radius = message.radius
        self.read()

    def action_outline(self) -> None:
        self.query_one(NeighbourhoodPane).action_outline()

    @on(LineList.Selected)
    def jump(self, message: LineList.Selected) -> None:
        """Enter on a row draws around what it names."""
        spot = self.query_one(GraphList).spot(message.index)
        if spot is not None:
            self.go(spot.refs)
            self.show_pane("graph")

    # paths -------------------------------------------------------------------------------

    def action_path(self) -> None:
        digest = self._at_hand
        if not digest:
            self.tell("No memory is under the cursor: a path needs one at each end.", problem=False)
            return
        ends = self.desk.mark(digest)
        self._show_start()
        if ends:
            self.find_route(*ends)
        elif self.desk.start:
            there = f"press {key('graph.path')} there"
            self.tell(f"A path begins here. Go to another memory and {there}; Esc forgets it.", problem=False)
        else:
            self.tell("The path is forgotten.", problem=False)

    @property
    def _at_hand(self) -> str:
        """The memory that a key means: the row in the list where that has the focus, else the node in the drawing."""
        rows = self.query_one(GraphList)
        spot = rows.spot(rows.cursor) if self.focused is rows else None
        selected = self.query_one(NeighbourhoodPane).selected
        return spot.refs[0] if spot else selected.memory.digest if selected else ""

    def _show_start(self) -> None:
        start = self.desk.start
        known = {each.memory.digest: each for each in (self.desk.part.nodes if self.desk.part else ())}
        self.query_one(CentreLine).start = known[start].memory.short_id if start in known else start[:8]
        self.show_desk()

    # lists and panes -----------------------------------------------------------------------

    def action_page(self, page: str) -> None:
        self.desk.page = Page(page)
        self.show_list()
        self.read_page()
        self.show_pane("list")

    def action_turn(self, by: int) -> None:
        pages = list(Page)
        self.action_page(pages[(pages.index(self.desk.page) + by) % len(pages)])

    def action_lists(self) -> None:
        """Contradictions first, then the next list with each press."""
        here = self.desk.page
        at = _LISTS.index(here) + 1 if here in _LISTS and self.has_class("-list") else 0
        self.action_page(_LISTS[at % len(_LISTS)])

    def action_row(self, by: int) -> None:
        """The list's cursor moves while the search is typed."""
        self.query_one(GraphList).action_cursor(by)

    @on(PageBar.Chosen)
    def show_page(self, message: PageBar.Chosen) -> None:
        self.action_page(message.page)

    @on(GraphList.Toggled)
    def hide_types(self, message: GraphList.Toggled) -> None:
        self.desk.toggle(message.kinds)
        self.show_desk()

    # finding ---------------------------------------------------------------------------------

    def action_find(self) -> None:
        self.desk.page = Page.FOUND
        self._finding(True)
        self.bring_forward("list")
        self.set_focus(self.query_one("#find", Input))
        self.show_list()
        self.read_page()

    @on(Input.Changed, "#find")
    def find_as_typed(self, message: Input.Changed) -> None:
        self.typed = message.value
        self.set_timer(_PAUSE, lambda: self.search(self.typed))

    @on(Input.Submitted, "#find")
    def take_found(self, message: Input.Submitted) -> None:
        message.stop()
        rows = self.query_one(GraphList)
        spot = rows.spot(rows.cursor)
        if spot is None:
            self.tell("Nothing is like that: other words, or the beginning of an id.", problem=False)
            return
        self._finding(False)
        self.go(spot.refs)
        self.show_pane("graph")

    def _finding(self, on: bool) -> None:
        self.query_one("#finding").display = on

    def action_leave(self) -> None:
        if self.query_one("#finding").display:
            self._finding(False)
            self.show_pane("graph")
        elif self.desk.start:
            self.desk.start = ""
            self._show_start()
        else:
            self.action_triage()

    # looking and leaving -----------------------------------------------------------------------

    def on_resize(self) -> None:
        if self.focused is None and not self.too_small:
            self.show_pane("graph")  # whatever had the focus was not drawn for a while

    def action_copy(self, form: str) -> None:
        shown = self.desk.shown
        if shown is None:
            self.tell("Nothing is drawn: there is nothing to copy.", problem=False)
            return
        self.app.copy_to_clipboard(as_mermaid(shown) if form == "mermaid" else as_outline(shown))
        kind = "as a Mermaid flowchart" if form == "mermaid" else "as text"
        self.tell(f"Copied {counted(len(shown.nodes), 'memory', 'memories')} {kind}.", problem=False)
