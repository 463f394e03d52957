"""The part of the triage screen that works out what each verb would do, and what is around the conflict in front.

Both take a moment in a thread. What is known is painted with the conflict; what is not comes after it, and then the
conflicts that one step leads to, so that the next key paints everything at once.
"""

from __future__ import annotations

from pathlib import Path

from textual import events, on
from textual.timer import Timer

from tur_engine.engine import Engine
from tur_engine.records import Conflict, HistoryEntry, Preview, Verb

from ..calls import ask
from ..desk.studies import Studies, Study, question
from ..messages import Surveyed
from ..widgets.feed import Feed
from ..widgets.neighbourhood import NeighbourhoodPane
from ..widgets.verb_bar import VerbBar
from ..widgets.why import Why
from .following import SILENT
from .leaving import LeavingScreen
from .studying_messages import Studied, Unstudied

REST = 0.5
"""Seconds without news from the ledger after which what it moved is worked out anew."""


class StudyingScreen(LeavingScreen):
    """WHAT WOULD HAPPEN, the verbs that are struck out, and the neighbourhood."""

    def __init__(self, engine: Engine, *, here: Path, radius: int) -> None:
        super().__init__(engine, here=here)
        self._radius = radius
        self._studies = Studies()
        self._studied: Study | None = None
        """What is known of the conflict in front."""
        self._elsewhere = False
        """True while the neighbourhood of another memory is drawn."""
        self._resting: Timer | None = None

    def study(self, conflict: Conflict, *, another: bool) -> None:
        """Show what is known of the conflict in front, and have the rest worked out once it is painted."""
        self._elsewhere = False
        if another:
            self._studied = None
            self.query_one(VerbBar).show(conflict.suggested)
        if known := self._studies.of(conflict, self._radius):
            self._show_study(known)
        else:
            self._studies.again(conflict, self._radius)
        self.call_after_refresh(self._study_on)

    def _study_on(self) -> None:
        conflict, radius, engine = self.desk.current, self._radius, self.engine
        if conflict is None or self.lost:
            return
        wanted = self._studies.next((conflict, *self.desk.beside, *self._beside_in_feed()), radius)
        if wanted is None:
            return
        asked = self._studies.asked = question(wanted, radius)
        sides = (wanted.incumbent.id, wanted.challenger.id)

        def work() -> Studied:
            previews = {verb: engine.preview(asked.conflict, verb) for verb in Verb}
            return Studied(asked, Study(previews, engine.neighbourhood(sides, radius=radius)))

        ask(self, work, group="study", newest_only=False, failed=lambda why: Unstudied(why, asked))

    @on(events.DescendantFocus)
    def look_ahead(self) -> None:
        """In the feed the arrow keys lead elsewhere."""
        self.call_after_refresh(self._study_on)

    def _beside_in_feed(self) -> list[Conflict]:
        """Those that a step in the feed leads to."""
        feed = self.query_one(Feed)
        if not feed.has_focus:
            return []
        entries = (feed.entry_at(row) for row in (feed.cursor + 1, feed.cursor - 1))
        found = (self.desk.get(entry.conflict_id) for entry in entries if entry and entry.conflict_id)
        return [each for each in found if each]

    def on_studied(self, message: Studied) -> None:
        timely = self._studies.take(message.question, message.study)
        if self._is_about_front(message) and message.study != self._studied:
            self._show_study(message.study)
        if timely:
            self._study_on()

    def on_unstudied(self, message: Unstudied) -> None:
        timely = self._studies.take(message.question, None)
        if self._is_about_front(message):
            self.say(message.sentence, severity="error", timeout=10)
        if timely:
            self._study_on()

    def _is_about_front(self, message: Studied | Unstudied) -> bool:
        current = self.desk.current
        if self.lost or self.aside or current is None:
            return False
        return message.question == question(current, self._radius)

    def _show_study(self, studied: Study) -> None:
        self._studied = studied
        bar = self.query_one(VerbBar)
        bar.set_previews(studied.previews)
        if not self._elsewhere:
            self.query_one(NeighbourhoodPane).show(studied.neighbourhood)
        self._foresee(bar.verb)

    def entries_arrived(self, entries: list[HistoryEntry]) -> None:
        if any(each.kind not in SILENT for each in entries):
            self._studies.forget()
            if self._resting is not None:
                self._resting.stop()
            self._resting = self.set_timer(REST, self._study_on)
        super().entries_arrived(entries)

    def _go_on(self) -> None:
        self._studies.forget()
        super()._go_on()

    # the verb under the cursor -------------------------------------------------------------

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

    def action_next_verb(self, step: int) -> None:
        """Show what another verb would do: with the verb, not when the bar's message is there."""
        bar = self.query_one(VerbBar)
        bar.action_move(step)
        self._foresee(bar.verb)

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
        self.look_around_memory(message.digest)

    def look_around_memory(self, digest: str) -> None:
        self._elsewhere = True
        self._survey((digest,))

    def _survey(self, around: tuple[str, ...]) -> None:
        engine, radius = self.engine, self._radius
        ask(self, lambda: Surveyed(engine.neighbourhood(around, radius=radius)), group="survey")

    def on_surveyed(self, message: Surveyed) -> None:
        self.query_one(NeighbourhoodPane).show(message.neighbourhood)
