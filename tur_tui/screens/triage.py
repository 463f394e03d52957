"""The start screen: feed, the conflict in front with its reasons, its neighbourhood, and the verbs."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Container, Vertical
from textual.content import Content
from textual.message import Message
from textual.widgets import Static

from tur_engine.engine import Engine
from tur_engine.errors import TurError
from tur_engine.records import Conflict

from ..actions import ACTIONS, FOOTER, action, bindings, key
from ..calls import ask, sentence
from ..crash import EXIT_CODE
from ..desk.decisions import short
from ..messages import Glimpsed, NotOpened, Opened
from ..session import Session
from ..widgets.diff_view import DiffView
from ..widgets.feed import Feed
from ..widgets.key_bar import KeyBar
from ..widgets.neighbourhood import NeighbourhoodPane
from ..widgets.status_line import StatusLine
from ..widgets.verb_bar import VerbBar
from ..widgets.why import Why
from ..widgets.woven_feed import WovenFeed
from .arranging import PANES as PANES
from .forwarding import waiting
from .nothing_open import unreachable, what_next
from .smallest import SMALLEST
from .studying import StudyingScreen

_WRITES = frozenset(each.run.split("(")[0] for each in ACTIONS if each.danger)


class TriageScreen(StudyingScreen):
    """Composes the panes and shows in them what desk and engine say."""

    AUTO_FOCUS = ""
    CSS_PATH = "triage.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [*bindings(ACTIONS)]
    HORIZONTAL_BREAKPOINTS = [(0, "-tiny"), (SMALLEST[0], "-narrow"), (100, "-normal"), (160, "-wide")]  # noqa: RUF012
    VERTICAL_BREAKPOINTS = [(0, "-flat"), (SMALLEST[1], "-short"), (20, "-medium"), (30, "-high")]  # noqa: RUF012

    def __init__(self, engine: Engine, *, here: Path, session: Session) -> None:
        super().__init__(engine, here=here, radius=session.radius or 1)
        self.add_class("-diff")  # the pane in front at the start
        self._restored = session
        self._shown: tuple[str, int] | None = None
        self._memories = 0
        self._opened = False
        self._remark = ""
        """What the status line says while the store can be reached."""

    def compose(self) -> ComposeResult:
        yield StatusLine()
        with Container(id="panes"):
            yield WovenFeed(self.engine.entries, id="feed")
            with Container(id="work"):
                with Vertical(id="conflict"):
                    yield DiffView(id="diff", empty="Reading the store...")
                    yield Why(id="why")
                yield NeighbourhoodPane(id="graph", empty="The memories around a conflict are drawn here.")
        yield Static(f"The verbs are off below {SMALLEST[0]}x{SMALLEST[1]}.", id="too-small", markup=False)
        yield from self.compose_filter()
        yield VerbBar(id="verbs")
        yield KeyBar([action(name) for name in FOOTER], id="keys")

    def on_mount(self) -> None:
        for name, title in (("feed", "Feed"), ("diff", "Conflict"), ("graph", "Neighbourhood")):
            self.query_one(f"#{name}").border_title = Content(title)
        self.query_one(NeighbourhoodPane).radius = self._radius
        self.restore_filter(self._restored.filter)
        self.size_feed(self._restored.feed_size)
        self.show_pane("diff")
        engine, wanted, last = self.engine, self.filter, self._restored.conflict

        def look() -> Message:
            try:
                if first := _first(engine, last):
                    self.post_message(Glimpsed(first))
                return Opened(engine.conflicts(), engine.status(), engine.feed_index(wanted), engine.head())
            except TurError as error:
                return NotOpened(sentence(error), error.exit_code)

        ask(self, look, group="open", failed=lambda why: NotOpened(why, EXIT_CODE))

    def on_not_opened(self, message: NotOpened) -> None:
        """There is nothing to look at: leave, with the sentence below the prompt and the exit code of `tur`."""
        self.workbench.give_up(message.sentence, message.exit_code)

    def on_glimpsed(self, message: Glimpsed) -> None:
        """Something to read while the rest is read."""
        if not self._opened:
            conflict = message.conflict
            self.query_one(DiffView).show(conflict.incumbent, conflict.challenger, conflict.evidence)
            self.query_one(Why).show(conflict)

    def on_opened(self, message: Opened) -> None:
        self._opened = True
        line = self.query_one(StatusLine)
        line.store = str(self.engine.path)
        remarks = ["read-only" if self.engine.read_only else "" if message.status.judge else "no neural judge"]
        self._remark = ", ".join(filter(None, [*remarks, waiting(message.status, message.queue)]))
        self._warn()
        self._memories = sum(message.status.memories.values())
        self.desk.load(message.queue)
        restored = self.workbench.position_in(message.status.store_id)
        self.desk.select(restored.conflict)
        with self.app.batch_update():  # one painting, not one a pane
            self.show_feed(message.feed)
            self.show_desk()
            self.restore_panes(self._restored)
        if self.is_current and self.engine is self.workbench.engine:
            # Behind the focus, which Textual sets by the same queue.
            self.app.call_later(self.workbench.return_to, restored.screen)
        self.turns.release()
        self.follow(message.head)

    def _warn(self) -> None:
        self.query_one(StatusLine).warning = self.loss or self._remark

    def reach_changed(self) -> None:
        self._warn()
        self.show_desk()
        if not self.lost:
            self.say("The store is back.")
            self.read_anew()

    def on_unmount(self) -> None:
        if self._opened and self.engine is self.workbench.engine:  # a view of the past is none to begin with
            self.workbench.keep_session(self.as_left())

    def as_left(self) -> Session:
        """What the next sitting begins with."""
        conflict = self.desk.current
        return Session(
            filter=self.typed,
            radius=self._radius,
            pane=self.pane,
            feed_size=self.feed_size,
            conflict=conflict.id if conflict else "",
        )

    # the desk on the panes -----------------------------------------------------------

    def show_desk(self) -> None:
        desk, line, conflict = self.desk, self.query_one(StatusLine), None if self.lost else self.desk.current
        line.position, line.open_conflicts, line.settled = desk.place, len(desk.queue), len(desk.settled)
        line.marked = len(desk.marked)
        self.query_one(Feed).mark_conflicts(each.id for each in desk.marked)
        if self.aside is not None and not self.lost:  # it stays in front until the person comes back
            return
        self.set_class(conflict is None, "-nothing-open")
        seen = (conflict.id, conflict.revision) if conflict else None
        if conflict is None:
            self._show_nothing()
        elif seen != self._shown:
            self._show_conflict(conflict)
            self.look_around(conflict)
        self._shown = seen
        if conflict:
            self._entitle(conflict)

    def _entitle(self, conflict: Conflict) -> None:
        marked = any(each.id == conflict.id for each in self.desk.marked)
        diff = self.query_one(DiffView)
        diff.border_title = Content(f"{'* ' if marked else ''}{short(conflict.id)}")
        diff.border_subtitle = Content(", ".join(filter(None, [standing(conflict), about(len(self.desk.group))])))

    def _show_conflict(self, conflict: Conflict) -> None:
        another = self._shown is None or self._shown[0] != conflict.id
        diff = self.query_one(DiffView)
        diff.show(conflict.incumbent, conflict.challenger, conflict.evidence)
        self.query_one(Why).show(conflict)
        self.study(conflict, another=another)

    def _show_nothing(self) -> None:
        self._studied = None
        diff = self.query_one(DiffView)
        diff.border_title, diff.border_subtitle = "Conflict", ""
        empty = what_next(self._memories, len(self.desk.settled), read_only=self.engine.read_only)
        diff.clear(unreachable(self.lost) if self.lost else empty)
        self.query_one(Why).clear()
        self.query_one(VerbBar).clear()
        self.query_one(NeighbourhoodPane).clear()

    @on(Feed.EntryHighlighted)
    def follow_cursor(self, message: Feed.EntryHighlighted) -> None:
        """A person who walks the feed onto an open conflict wants to see it."""
        if message.by_person and message.entry.conflict_id and self.desk.select(message.entry.conflict_id):
            self.show_desk()
        elif message.by_person:
            self.call_after_refresh(self._study_on)

    def show_again(self) -> None:
        self._shown = None
        self.show_desk()

    # sizes -----------------------------------------------------------------------------

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        if action in _WRITES and self.too_small:
            return None
        return super().check_action(action, parameters)

    def on_resize(self) -> None:
        self.query_one(KeyBar).writes = not self.too_small


def _first(engine: Engine, last: str) -> Conflict | None:
    """The conflict that the last sitting ended at, where it is open still, or the first of the queue."""
    with suppress(TurError):
        if last and (found := engine.conflict(last)).state.open:
            return found
    return next(iter(engine.conflicts(limit=1)), None)


def standing(conflict: Conflict) -> str:
    """Where a conflict stands, where there is more to say than that it is open."""
    if conflict.chosen:
        return f"{conflict.chosen.verb} chosen, waits for the others of the new memory"
    return "reopened" if conflict.reopens else str(conflict.state) if conflict.state != "detected" else ""


def about(number: int) -> str:
    """How many conflicts are about the same subject, and how to settle them together; "" for one alone."""
    return f"{number} about this: {key('conflict.mark_group')} marks them, one verb settles them" if number > 1 else ""
