"""The start screen: feed, the conflict in front with its reasons, its neighbourhood, and the verbs."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, ClassVar, cast

from textual import events, on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Container, Vertical
from textual.message import Message
from textual.widgets import Static

from tur_engine.engine import Engine
from tur_engine.errors import TurError
from tur_engine.records import Conflict, Preview, Verb

from ..actions import ACTIONS, FOOTER, action, bindings
from ..calls import ask, sentence
from ..crash import EXIT_CODE
from ..desk.decisions import short
from ..messages import NotOpened, Opened, Studied, Surveyed
from ..session import Session
from ..widgets.diff_view import DiffView
from ..widgets.feed import Feed
from ..widgets.key_bar import KeyBar
from ..widgets.neighbourhood import NeighbourhoodPane
from ..widgets.status_line import StatusLine
from ..widgets.verb_bar import VerbBar
from ..widgets.why import Why
from .explaining import ExplainingScreen
from .nothing_open import unreachable, what_next

if TYPE_CHECKING:
    from ..app import Workbench

SMALLEST = (60, 15)
"""Columns and rows below which a person cannot see what a verb would act on: the verbs are off."""

PANES = ("diff", "why", "graph", "feed", "verbs")
"""The order of tab."""

_WRITES = frozenset(each.run.split("(")[0] for each in ACTIONS if each.danger)


class TriageScreen(ExplainingScreen):
    """Composes the panes and shows in them what desk and engine say."""

    AUTO_FOCUS = ""
    CSS_PATH = "triage.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [*bindings()]
    HORIZONTAL_BREAKPOINTS = [(0, "-tiny"), (SMALLEST[0], "-narrow"), (100, "-normal"), (160, "-wide")]  # noqa: RUF012
    VERTICAL_BREAKPOINTS = [(0, "-flat"), (SMALLEST[1], "-short"), (20, "-medium"), (30, "-high")]  # noqa: RUF012

    def __init__(self, engine: Engine, *, here: Path, session: Session) -> None:
        super().__init__(engine, here=here)
        self._restored, self._radius = session, session.radius
        self._shown: tuple[str, int] | None = None
        self._studied: Studied | None = None
        self._memories = 0
        self._remark = ""
        """What the status line says while the store can be reached."""

    @property
    def workbench(self) -> Workbench:
        """The program this screen runs in."""
        return cast("Workbench", self.app)

    def compose(self) -> ComposeResult:
        yield StatusLine()
        with Container(id="panes"):
            yield Feed(self.engine.entries, id="feed")
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
            self.query_one(f"#{name}").border_title = title
        self.query_one(NeighbourhoodPane).radius = self._radius
        self.restore_filter(self._restored.filter)
        self.show_pane("diff")
        engine, wanted = self.engine, self.filter

        def look() -> Message:
            try:
                return Opened(engine.conflicts(), engine.status(), engine.feed_index(wanted), engine.head())
            except TurError as error:
                return NotOpened(sentence(error), error.exit_code)

        ask(self, look, group="open", failed=lambda why: NotOpened(why, EXIT_CODE))

    def on_not_opened(self, message: NotOpened) -> None:
        """There is nothing to look at: leave, with the sentence below the prompt and the exit code of `tur`."""
        self.workbench.give_up(message.sentence, message.exit_code)

    def on_opened(self, message: Opened) -> None:
        line = self.query_one(StatusLine)
        line.store = str(self.engine.path)
        self._remark = "read-only" if self.engine.read_only else "" if message.status.judge else "no neural judge"
        self._warn()
        self._memories = sum(message.status.memories.values())
        self.desk.load(message.queue)
        self.show_feed(message.feed)
        self.show_desk()
        self.turns.release()
        self.follow(message.head)

    def _warn(self) -> None:
        lost = "the store is damaged" if self.damaged else "the store is out of reach" if self.lost else ""
        self.query_one(StatusLine).warning = lost or self._remark

    def reach_changed(self) -> None:
        self._warn()
        self.show_desk()
        if not self.lost:
            self.say("The store is back.")
            self.read_anew()

    def on_unmount(self) -> None:
        self.workbench.keep_session(Session(filter=self.typed, radius=self._radius))

    # the desk on the panes -----------------------------------------------------------

    def show_desk(self) -> None:
        desk, line, conflict = self.desk, self.query_one(StatusLine), None if self.lost else self.desk.current
        line.position, line.open_conflicts, line.settled = desk.place, len(desk.queue), len(desk.settled)
        self.sub_title = desk.counter
        self.set_class(conflict is None, "-nothing-open")
        seen = (conflict.id, conflict.revision) if conflict else None
        if conflict is None:
            self._show_nothing()
        elif seen != self._shown:
            self._show_conflict(conflict)
        self._shown = seen

    def _show_conflict(self, conflict: Conflict) -> None:
        another = self._shown is None or self._shown[0] != conflict.id
        diff = self.query_one(DiffView)
        diff.border_title = short(conflict.id)
        diff.border_subtitle = standing(conflict)
        diff.show(conflict.incumbent, conflict.challenger, conflict.evidence)
        self.query_one(Why).show(conflict)
        if another:
            self._studied = None
            self.query_one(VerbBar).show(conflict.suggested)
        self._study(conflict)

    def _show_nothing(self) -> None:
        self._studied = None
        diff = self.query_one(DiffView)
        diff.border_title, diff.border_subtitle = "Conflict", ""
        empty = what_next(self._memories, len(self.desk.settled), read_only=self.engine.read_only)
        diff.clear(unreachable(self.lost) if self.lost else empty)
        self.query_one(Why).clear()
        self.query_one(VerbBar).clear()
        self.query_one(NeighbourhoodPane).clear()

    def _study(self, conflict: Conflict) -> None:
        engine, radius = self.engine, self._radius
        sides = (conflict.incumbent.id, conflict.challenger.id)

        def study() -> Studied:
            previews = {verb: engine.preview(conflict.id, verb) for verb in Verb}
            return Studied(conflict.id, previews, engine.neighbourhood(sides, radius=radius))

        ask(self, study, group="study")

    def on_studied(self, message: Studied) -> None:
        current = self.desk.current
        if self.lost or current is None or current.id != message.conflict_id:
            return
        self._studied = message
        bar = self.query_one(VerbBar)
        for preview in message.previews.values():
            if not preview.allowed:
                bar.refuse(preview.verb, preview.reason)
        self.query_one(NeighbourhoodPane).show(message.neighbourhood)
        self._foresee(bar.verb)

    def preview(self, verb: Verb) -> Preview | None:
        return self._studied.previews.get(verb) if self._studied else None

    @on(VerbBar.VerbHighlighted)
    def show_effects(self, message: VerbBar.VerbHighlighted) -> None:
        self._foresee(message.verb)

    def _foresee(self, verb: Verb) -> None:
        if self.lost or self.desk.current is None:
            return
        why, preview = self.query_one(Why), self.preview(verb)
        if preview:
            why.show_preview(preview)
        else:
            why.show_working(verb)

    @on(VerbBar.VerbChosen)
    def decide_from_bar(self, message: VerbBar.VerbChosen) -> None:
        self.action_decide(message.verb)

    @on(Feed.EntryHighlighted)
    def follow_cursor(self, message: Feed.EntryHighlighted) -> None:
        """A person who walks the feed onto an open conflict wants to see it."""
        if message.by_person and message.entry.conflict_id and self.desk.select(message.entry.conflict_id):
            self.show_desk()

    # the neighbourhood -----------------------------------------------------------------

    def action_radius(self, step: int) -> None:
        self.query_one(NeighbourhoodPane).action_radius(step)

    @on(NeighbourhoodPane.RadiusChanged)
    def widen(self, message: NeighbourhoodPane.RadiusChanged) -> None:
        self._radius = message.radius
        if conflict := self.desk.current:
            self._survey((conflict.incumbent.id, conflict.challenger.id))

    @on(NeighbourhoodPane.Recentred)
    def centre(self, message: NeighbourhoodPane.Recentred) -> None:
        """Draw around another memory; the conflict in front stays."""
        self._survey((message.digest,))

    def _survey(self, around: tuple[str, ...]) -> None:
        engine, radius = self.engine, self._radius
        ask(self, lambda: Surveyed(engine.neighbourhood(around, radius=radius)), group="study")

    def on_surveyed(self, message: Surveyed) -> None:
        self.query_one(NeighbourhoodPane).show(message.neighbourhood)

    # panes -----------------------------------------------------------------------------

    def show_pane(self, name: str) -> None:
        self.bring_forward(name)
        self.query_one(f"#{name}").focus()

    def bring_forward(self, name: str) -> None:
        for pane in PANES:
            self.set_class(pane == name, f"-{pane}")

    def on_descendant_focus(self, event: events.DescendantFocus) -> None:
        if event.widget.id in PANES:
            self.bring_forward(event.widget.id)

    def action_next_pane(self) -> None:
        self._step_pane(1)

    def action_previous_pane(self) -> None:
        self._step_pane(-1)

    def _step_pane(self, step: int) -> None:
        panes = self._panes
        focused = self.focused.id if self.focused else None
        place = panes.index(focused) + step if focused in panes else 0
        self.show_pane(panes[place % len(panes)])

    @property
    def _panes(self) -> tuple[str, ...]:
        """Those that this window shows or can bring forward."""
        if self._too_small:
            return ("diff",)
        if self.lost or self.desk.current is None:
            return ("diff", "feed")
        flat = not self.has_class("-high")
        hidden = "graph" if flat and self.has_class("-normal") else ""
        return tuple(name for name in PANES if name != hidden)

    def action_next_verb(self, step: int) -> None:
        """Show what another verb would do."""
        self.query_one(VerbBar).action_move(step)

    # looking and leaving -----------------------------------------------------------------

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        if action in _WRITES and self._too_small:
            return None
        return super().check_action(action, parameters)

    @property
    def _too_small(self) -> bool:
        return self.size.width < SMALLEST[0] or self.size.height < SMALLEST[1]

    def on_resize(self) -> None:
        self.query_one(KeyBar).writes = not self._too_small

    def action_help(self) -> None:
        from .help import HelpScreen  # not needed for the first paint

        self.app.push_screen(HelpScreen())

    def action_copy_id(self) -> None:
        if conflict := self.desk.current:
            self.app.copy_to_clipboard(conflict.id)
            self.say(f"Copied {short(conflict.id)}, in full.", timeout=3)
        else:
            self.say("No conflict is open: there is no id to copy.")

    def action_admin(self) -> None:
        self.workbench.show_admin()

    def action_next_theme(self) -> None:
        self.workbench.next_theme()

    def action_quit_when_done(self) -> None:
        """Leave once what was typed ahead is written."""
        self.turns.take(self.app.exit)


def standing(conflict: Conflict) -> str:
    """Where a conflict stands, where there is more to say than that it is open."""
    if conflict.chosen:
        return f"{conflict.chosen.verb} chosen, waits for the others of the new memory"
    return "reopened" if conflict.reopens else str(conflict.state) if conflict.state != "detected" else ""
