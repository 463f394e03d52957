"""The health screen: the facts of the store, read anew as the ledger grows, and a check of the whole ledger."""

from __future__ import annotations

from time import monotonic
from typing import ClassVar, Final

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.message import Message
from textual.timer import Timer
from textual.widgets import Static

from tur_engine.engine import Engine
from tur_engine.errors import Stopped
from tur_engine.records import Health

from ..actions import bindings
from ..calls import ask, one_line, sentence
from ..desk.checking import NOT_YET, Check, outcome
from ..drawing.health_rows import as_text
from ..drawing.wording import now
from ..messages import Arrived, Failed
from ..widgets.health_page import CheckLine, HealthPage
from ..widgets.key_bar import KeyBar
from ..widgets.rows_view import RowsView
from .beside import BesideScreen
from .health_keys import ALWAYS, FEW, FOOTER, HEALTH, INTRODUCTION
from .health_messages import CheckEnded, HealthRead, HealthUnread, Went
from .live import follow
from .smallest import SMALLEST

REST: Final = 1.0
"""Seconds between two readings while much is recorded."""
STEP: Final = 0.1
"""Seconds between two looks at how far the check is."""


class HealthScreen(BesideScreen):
    """Nothing here writes. The check goes on while another screen is in front, and ends with the program."""

    AUTO_FOCUS = ""
    CSS_PATH = "health.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [*bindings(HEALTH)]
    TABLE = HEALTH
    INTRODUCTION = INTRODUCTION
    OWN_KEYS = (("On the page", RowsView),)
    PANES = ("page",)
    ALWAYS = ALWAYS
    HORIZONTAL_BREAKPOINTS = [(0, "-tiny"), (SMALLEST[0], "-narrow"), (100, "-normal")]  # noqa: RUF012
    VERTICAL_BREAKPOINTS = [(0, "-flat"), (SMALLEST[1], "-short"), (20, "-high")]  # noqa: RUF012

    def __init__(self, engine: Engine) -> None:
        super().__init__(engine)
        self.health: Health | None = None
        self.check: Check | None = None
        """The one that goes on."""
        self._resting: Timer | None = None
        self._reading = self._stale = False

    def compose(self) -> ComposeResult:
        yield Static(NOT_YET, id="checked", markup=False)
        yield CheckLine(id="checking")
        yield HealthPage(id="page")
        yield Static(
            f"Too small to show the health; {SMALLEST[0]}x{SMALLEST[1]} will do.", id="too-small", markup=False
        )
        yield Static("", id="told", markup=False)
        yield KeyBar(FOOTER, id="keys")
        yield KeyBar(FEW, id="few-keys")

    def on_mount(self) -> None:
        page = self.query_one(HealthPage)
        page.border_title = "Health"
        page.say("Reading the store...")
        page.focus()
        follow(self, self.engine)

    def on_unmount(self) -> None:
        if self.check:
            self.check.stop.set()

    def on_screen_resume(self) -> None:
        """Shown for the first time, or again: much may have been recorded meanwhile."""
        self.read()

    # facts -----------------------------------------------------------------------------

    def read(self) -> None:
        """Read the facts; one reading at a time, and once more for what came meanwhile."""
        if self._reading:
            self._stale = True
            return
        self._reading, self._stale = True, False
        engine = self.engine
        ask(self, lambda: HealthRead(engine.health(), now()), group="health", failed=HealthUnread)

    def on_health_read(self, message: HealthRead) -> None:
        message.stop()
        self._reading, self.health = False, message.health
        page = self.query_one(HealthPage)
        page.show(message.health, message.at)
        self._rest()

    def on_health_unread(self, message: HealthUnread) -> None:
        message.stop()
        self._reading = False
        if self.health is None:
            self.query_one(HealthPage).say(message.sentence)
        else:
            self.tell(message.sentence)
        self._rest()

    def on_arrived(self, message: Arrived) -> None:
        message.stop()
        self._stale = True
        if not self._reading and not self._resting:
            self._rest()

    def _rest(self) -> None:
        """A store that grows all the time is read every now and then."""
        if self._stale and self._resting is None:
            self._resting = self.set_timer(REST, self._rested)

    def _rested(self) -> None:
        self._resting = None
        if self.is_current:
            self.read()

    # the check -------------------------------------------------------------------------

    def action_check(self) -> None:
        if self.check:
            self.tell("A check goes on already; Esc stops it.", problem=False)
            return
        engine, check, screen = self.engine, Check(), self
        self.check = check

        def went(done: int, of: int) -> None:
            if done >= of or monotonic() - check.at >= STEP:
                check.went(done, of)
                screen.post_message(Went(check))

        def work() -> Message:
            try:
                return CheckEnded(check, report=engine.verify(went, stop=check.stop))
            except Stopped as error:
                return CheckEnded(check, f"{sentence(error)}.")

        ask(self, work, group="check", newest_only=False, failed=lambda why: CheckEnded(check, why))
        self._show_check("")

    def on_went(self, message: Went) -> None:
        message.stop()
        if message.check is self.check:
            self.query_one(CheckLine).show(message.check)

    def on_check_ended(self, message: CheckEnded) -> None:
        message.stop()
        if message.check is not self.check:
            return
        self.check = None
        report = message.report
        self._show_check(outcome(report) if report else message.sentence, ok=report.ok if report else None)

    def _show_check(self, said: str, *, ok: bool | None = None) -> None:
        checked = self.query_one("#checked", Static)
        mark = "" if ok is None else "✓ " if ok else "✗ "
        checked.update(mark + one_line(said))
        checked.display = self.check is None
        checked.set_class(ok is True, "holds")
        checked.set_class(ok is False, "problem")
        self.query_one(CheckLine).show(self.check)

    def on_failed(self, message: Failed) -> None:
        message.stop()
        self.tell(message.sentence)

    # leaving ---------------------------------------------------------------------------

    def action_copy(self) -> None:
        if self.health is None:
            self.tell("Nothing was read yet: there is nothing to copy.", problem=False)
            return
        self.app.copy_to_clipboard(as_text(self.health, now()))
        self.tell("Copied the page as text.", problem=False)

    def action_leave(self) -> None:
        if self.check:
            self.check.stop.set()
        else:
            self.action_triage()
