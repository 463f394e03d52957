"""The history screen: what is believed, one memory's life and lineage, and the slider that sets the moment."""

from __future__ import annotations

from typing import ClassVar, Final

from textual import on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Container, Horizontal, Vertical
from textual.content import Content
from textual.timer import Timer
from textual.widgets import Input, Static

from ..actions import bindings, with_keys
from ..desk.remembering import Page, read_wanted
from ..drawing.wording import counted
from ..widgets.believed import BelievedList
from ..widgets.believed_card import MemoryCard
from ..widgets.fields import PlainInput
from ..widgets.key_bar import KeyBar
from ..widgets.line_list import LineList
from ..widgets.lineage import LineageTree
from ..widgets.rows_view import RowsView
from ..widgets.timeline import PastBanner, Slider, Timeline
from .history_keys import ALWAYS, FEW, FOOTER, HISTORY, INTRODUCTION
from .history_messages import TextsRead
from .history_moving import PAUSE, HistoryMovingScreen
from .smallest import SMALLEST

NOTHING: Final = (
    'Nothing is believed yet. Teach it something in a shell, tur learn "text", or let an agent write; '
    "it is listed here."
)
NO_FIT: Final = "Nothing fits. Esc clears the search; {history.ever} lists everything that ever was."


class HistoryScreen(HistoryMovingScreen):
    """Composes the panes and shows in them what the desk holds."""

    AUTO_FOCUS = ""
    CSS_PATH = "history.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [*bindings(HISTORY)]
    TABLE = HISTORY
    INTRODUCTION = INTRODUCTION
    OWN_KEYS = (("In the list, the life and the lineage", LineList), ("In the memory's text", RowsView))
    PANES = ("list", "card", "life", "lineage")
    ALWAYS = ALWAYS
    HORIZONTAL_BREAKPOINTS = [(0, "-tiny"), (SMALLEST[0], "-narrow"), (100, "-normal"), (160, "-wide")]  # noqa: RUF012
    VERTICAL_BREAKPOINTS = [(0, "-flat"), (SMALLEST[1], "-short"), (20, "-high")]  # noqa: RUF012

    _typing: Timer | None = None
    _walking: Timer | None = None

    def compose(self) -> ComposeResult:
        yield PastBanner(id="past")
        with Container(id="body"):
            with Vertical(id="listing"):
                with Horizontal(id="finding"):
                    yield Static("/", id="find-mark", markup=False)
                    yield PlainInput(placeholder="words, an id, type:fact, scope:api, by:claude, is:suspect", id="find")
                yield BelievedList(id="list")
            with Vertical(id="side"):
                yield MemoryCard(id="card")
                yield Timeline(id="life")
                yield LineageTree(id="lineage")
        with Horizontal(id="asking"):
            yield Static("As of", id="moment-mark", markup=False)
            yield PlainInput(placeholder="an event number, 2026-03-04, 09:30, yesterday, 2d, now", id="moment")
        yield Slider(id="slider")
        yield Static(
            f"Too small to show the history; {SMALLEST[0]}x{SMALLEST[1]} will do.", id="too-small", markup=False
        )
        yield Static("", id="told", markup=False)
        yield KeyBar(FOOTER, id="keys")
        yield KeyBar(FEW, id="few-keys")

    def on_mount(self) -> None:
        for name, title in (("card", "Memory"), ("life", "Life"), ("lineage", "Lineage")):
            self.query_one(f"#{name}").border_title = Content(title)
        self.query_one("#asking").display = False
        self.query_one("#finding").display = bool(self.desk.typed)
        field = self.query_one("#find", Input)
        with field.prevent(Input.Changed):
            field.value = self.desk.typed
        self.query_one(MemoryCard).clear("Reading the store...")
        self.show_pane("list")
        self.follow()

    def on_screen_resume(self) -> None:
        """Shown for the first time, or again: much may have been recorded meanwhile."""
        self.moment_changed()

    # the desk on the panes -----------------------------------------------------------

    def show_rows(self) -> None:
        desk, rows = self.desk, self.query_one(BelievedList)
        word = "Believed" if desk.page is Page.BELIEVED else "Everything that ever was"
        then = "then" if self.engine.as_of else "now"
        rows.border_title = Content(f"{word} {then if desk.page is Page.BELIEVED else ''}".strip())
        rows.border_subtitle = Content(counted(desk.total, "memory", "memories"))
        known = int(desk.wanted) if desk.wanted.isdecimal() else desk.known.belief.memory.seq if desk.known else 0
        rows.show(desk.rows, keep=known, empty=self.unread or (with_keys(NO_FIT) if desk.typed else NOTHING))
        typing = self.query_one("#find", Input).has_focus
        row = rows.at(rows.cursor)
        if row and (typing or not desk.wanted):
            self._put_in_front(row.seq)
        elif not desk.wanted:
            self.query_one(MemoryCard).clear(self.unread or "No memory is in front.")

    def show_known(self, problem: str = "") -> None:
        card, life, tree = self.query_one(MemoryCard), self.query_one(Timeline), self.query_one(LineageTree)
        known = self.desk.known
        if known is None:
            card.clear(problem)
            life.show(())
            tree.show(None)
            return
        same = self._shown == known.belief.memory.digest
        self._shown = known.belief.memory.digest
        if not self.desk.wanted.isdecimal():  # it was jumped to, not walked to
            self.query_one(BelievedList).follow_to(known.belief.memory.seq)
        card.show(known.belief)
        life.show(known.life, keep=same)
        tree.show(known.lineage, keep=same)
        life.border_subtitle = Content(counted(len(known.life), "event"))
        others = len(known.lineage.memories) - 1
        more = "+" if known.lineage.more else ""
        tree.border_subtitle = Content(f"{others}{more} more" if others else "none before or after it")
        card.show_step(life.step, known.exposed.get(life.seq, ""))
        self.query_one("#card").border_subtitle = Content(f"{self.desk.behind} back" if self.desk.behind else "")

    _shown: str = ""

    def show_time(self) -> None:
        slider, past = self.query_one(Slider), self.engine.as_of
        slider.head = self.head
        slider.seq = self._aim or past or self.head
        slider.at = self.workbench.moment_at if past and self._aim in (None, past) else ""
        self.query_one("#keys", KeyBar).writes = not past and not self.engine.read_only
        banner = self.query_one("#past", PastBanner)
        banner.display = past is not None
        banner.words = self.workbench.moment_words

    def _put_in_front(self, seq: int) -> None:
        if self.desk.step(str(seq)):
            self.study()

    @on(BelievedList.Unread)
    def read_in_view(self, message: BelievedList.Unread) -> None:
        self.read_texts(message.seqs)

    def on_texts_read(self, message: TextsRead) -> None:
        message.stop()
        self.query_one(BelievedList).take(message.seqs, message.beliefs)
        if message.problem:
            self.tell(message.problem)

    @on(LineList.Highlighted)
    def follow_cursor(self, message: LineList.Highlighted) -> None:
        if message.control.id == "list":
            row = self.query_one(BelievedList).at(message.index)
            if row and message.by_person:
                if self._walking:
                    self._walking.stop()
                self._walking = self.set_timer(PAUSE / 2, lambda: self._put_in_front(row.seq))
        elif message.control.id == "life":
            life, known = self.query_one(Timeline), self.desk.known
            self.query_one(MemoryCard).show_step(life.step, known.exposed.get(life.seq, "") if known else "")

    # moving ----------------------------------------------------------------------------

    @on(LineList.Selected)
    def open_row(self, message: LineList.Selected) -> None:
        message.stop()
        if message.control.id == "list":
            self.show_pane("life")
        elif message.control.id == "life":
            self.travel(self.query_one(Timeline).seq)
        elif found := self.query_one(LineageTree).belief(message.index):
            self.visit(found.id)

    def visit(self, ref: str) -> None:
        """Put a memory in front, wherever it is listed."""
        if self.desk.go(ref):
            self.study()

    def action_open(self) -> None:
        if isinstance(self.focused, LineList):
            self.focused.action_select()

    def action_back(self) -> None:
        if self.desk.back():
            self.study()
        else:
            self.tell("This is where you began.", problem=False)

    def action_ever(self) -> None:
        self.desk.page = Page.BELIEVED if self.desk.page is Page.EVER else Page.EVER
        self.read()

    # finding ---------------------------------------------------------------------------

    def action_find(self) -> None:
        self.query_one("#finding").display = True
        self.bring_forward("list")
        self.set_focus(self.query_one("#find", Input))

    @on(Input.Changed, "#find")
    def find_as_typed(self, message: Input.Changed) -> None:
        self.desk.typed = " ".join(message.value.split())
        self.tell(read_wanted(self.desk.typed)[1])
        if self._typing:
            self._typing.stop()
        self._typing = self.set_timer(PAUSE, self.read)

    @on(Input.Submitted, "#find")
    def keep_found(self, message: Input.Submitted) -> None:
        message.stop()
        self.query_one("#finding").display = bool(self.desk.typed)
        rows = self.query_one(BelievedList)
        if row := rows.at(rows.cursor):
            self._put_in_front(row.seq)
        self.show_pane("list")

    def action_leave(self) -> None:
        """One thing at a time: the field for a moment, the search, the marks, the screen."""
        life, tree = self.query_one(Timeline), self.query_one(LineageTree)
        if self.query_one("#asking").display:
            self._close_asking()
        elif self.query_one("#finding").display:
            self.query_one("#find", Input).value = ""
            self.query_one("#finding").display = False
            self.show_pane("list")
        elif life.marked or tree.marked:
            life.set_marks(())
            tree.set_marks(())
        else:
            self.action_triage()

    # leaving ---------------------------------------------------------------------------------

    def action_graph_here(self) -> None:
        self.workbench.show_graph((self.desk.known.belief.memory.digest,) if self.desk.known else ())
