"""The part of the history screen that moves between points: marks and comparisons, and the slider through time."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Final

from textual import on
from textual.timer import Timer
from textual.widgets import Input

from tur_engine.engine import Engine
from tur_engine.records import Belief

from ..widgets.lineage import LineageTree
from ..widgets.timeline import Slider, Timeline
from .history_deciding import HistoryDecidingScreen
from .history_messages import Compared, Travelled

PAUSE: Final = 0.12
"""Seconds of rest in typing, in walking the list or on the slider before the store is asked."""
TENTH: Final = 10


class HistoryMovingScreen(HistoryDecidingScreen):
    """A point is an event of a life, or a memory of a lineage; a moment is an event of the whole store."""

    def __init__(self, engine: Engine) -> None:
        super().__init__(engine)
        self._marks: list[Hashable] = []
        self._sliding: Timer | None = None
        self._aim: int | None = None
        """Where the slider is going, before it is there."""

    # comparing ---------------------------------------------------------------------------

    def action_mark(self) -> None:
        """At most two points are marked, in one of the two panes: a third mark takes the place of the first."""
        pane = self.focused
        if not isinstance(pane, Timeline | LineageTree):
            self.tell("Mark an event of the life or a memory of the lineage: tab goes there.", problem=False)
            return
        other = self.query_one(LineageTree if isinstance(pane, Timeline) else Timeline)
        other.set_marks(())
        pane.toggle_mark()
        if len(pane.marked) > 2:
            here = pane.key(pane.cursor)
            pane.set_marks([here, next(mark for mark in self._marks if mark != here)])
        self._marks = list(pane.marked)

    def action_diff(self) -> None:
        life, tree = self.query_one(Timeline), self.query_one(LineageTree)
        if life.marked or (self.focused is life and not tree.marked):
            self._compare_events(life)
        else:
            self._compare_texts(tree)

    def _compare_events(self, life: Timeline) -> None:
        points = sorted({*(int(str(mark)) for mark in life.marked), *([life.seq] if len(life.marked) < 2 else [])})
        if not points or not points[0]:
            self.tell("No event is under the cursor.", problem=False)
        elif len(points) == 1:
            # One point alone: what this event changed.
            self.compare_events(points[0] - 1, points[0])
        else:
            self.compare_events(points[0], points[1])

    def _compare_texts(self, tree: LineageTree) -> None:
        marked = [found for mark in tree.marked if (found := tree.named(mark))]
        here = tree.belief(tree.cursor)
        if len(marked) == 1 and here and here.memory.digest != marked[0].memory.digest:
            marked.append(here)
        pair = (marked[0], marked[1]) if len(marked) > 1 else tree.kin(tree.cursor)
        if pair is None:
            self.tell("There is nothing to compare it with: it took no place and gave none up.", problem=False)
            return
        self._show_texts(*sorted(pair, key=lambda each: each.memory.seq))

    def _show_texts(self, older: Belief, newer: Belief) -> None:
        from .history_comparing import TextsCompared  # not needed before

        self.app.push_screen(TextsCompared(older, newer))

    def on_compared(self, message: Compared) -> None:
        message.stop()
        from .history_comparing import EventsCompared  # not needed before

        self.app.push_screen(EventsCompared(message.title, message.lines))

    # time ----------------------------------------------------------------------------------

    def moment_changed(self) -> None:
        """The workbench shows another moment: read everything as of then."""
        self.engine, self._aim = self.workbench.asked, None
        self.show_time()
        self.read()

    def action_time(self, by: int) -> None:
        self._slide(by)

    def action_leap(self, by: int) -> None:
        self._slide(by * max(1, self.head // TENTH))

    def _slide(self, by: int) -> None:
        here = self._aim or self.engine.as_of or self.head
        if not here:
            return
        self._go_to(max(1, min(self.head, here + by)))

    def _go_to(self, seq: int) -> None:
        """The knob moves at once, the store is asked when it rests."""
        self._aim = seq
        self.show_time()
        if self._sliding:
            self._sliding.stop()
        self._sliding = self.set_timer(PAUSE, lambda: self.travel(seq))

    @on(Slider.Moved)
    def slide_there(self, message: Slider.Moved) -> None:
        if not self.too_small:
            self._go_to(message.seq)

    def on_travelled(self, message: Travelled) -> None:
        message.stop()
        if message.typed and self.query_one("#asking").display:
            self._close_asking()
        self.workbench.show_moment(message.past, message.words, message.at)

    def action_moment(self) -> None:
        self.query_one("#asking").display = True
        field = self.query_one("#moment", Input)
        field.value = ""
        self.set_focus(field)

    @on(Input.Submitted, "#moment")
    def go_to_moment(self, message: Input.Submitted) -> None:
        """The field stays open until the moment is reached: what is no moment is mended there, and no key acts."""
        message.stop()
        self.travel(message.value)

    def _close_asking(self) -> None:
        self.query_one("#asking").display = False
        self.show_pane("list")
