"""The part of the triage screen that gives one verb to several conflicts: marks, one question, one after the other."""

from __future__ import annotations

from tur_engine.records import Conflict, Verb

from ..actions import action
from ..calls import ask
from ..desk.as_of import locked
from ..desk.batch import ONE_AT_A_TIME, foresee, told, write
from ..drawing.wording import counted
from ..messages import BatchAsks, BatchDone, NotDone
from .judging import JudgingScreen
from .nothing_open import unreachable


class BatchingScreen(JudgingScreen):
    """`space` marks the conflict in front, `*` all about its subject; a verb is then for the marked ones."""

    def action_mark(self) -> None:
        self.turns.take(self._mark)

    def _mark(self) -> None:
        if self.desk.mark() is None:
            self.say("No conflict is open: there is nothing to mark.")
        self.show_desk()

    def action_mark_group(self) -> None:
        self.turns.take(self._mark_group)

    def _mark_group(self) -> None:
        number = self.desk.mark_group()
        if not number:
            self.say("No conflict is open: there is nothing to mark.")
        elif self.desk.marked:
            self.say(f"{counted(len(self.desk.marked), 'conflict')} marked; a verb is for all of them, Esc unmarks.")
        self.show_desk()

    def action_clear_filter(self) -> None:
        """Esc takes the marks away first."""
        if self.desk.clear_marks():
            self.show_desk()
        else:
            super().action_clear_filter()

    def _decide(self, verb: Verb) -> None:
        marked = self.desk.marked
        if not marked:
            super()._decide(verb)
        elif self.lost:
            self.refuse(unreachable(self.lost))
        elif self.engine.read_only:
            self.refuse(locked(self.engine, "decided"))
        elif verb in ONE_AT_A_TIME:
            label = action(f"conflict.{verb}").label
            self.refuse(f"{label} is for one conflict at a time: Esc takes the marks away.")
        else:
            self.hold_turns()
            engine = self.engine
            ask(
                self,
                lambda: foresee(engine, marked, verb),
                group="decide",
                newest_only=False,
                failed=NotDone,
            )

    def on_batch_asks(self, message: BatchAsks) -> None:
        from .confirm import ConfirmScreen  # rare

        self.forget_ahead()
        conflicts, verb = message.conflicts, message.verb

        def answered(yes: bool | None) -> None:
            if yes:
                self.turns.take(lambda: self._write_batch(conflicts, verb))

        label = action(f"conflict.{verb}").label
        self.app.push_screen(
            ConfirmScreen(f"{label}: for {counted(len(conflicts), 'conflict')}?", message.lines), answered
        )

    def _write_batch(self, conflicts: tuple[Conflict, ...], verb: Verb) -> None:
        self.hold_turns()
        engine = self.engine
        ask(self, lambda: write(engine, conflicts, verb), group="decide", newest_only=False, failed=NotDone)

    def on_batch_done(self, message: BatchDone) -> None:
        self.desk.take_batch(message.results, message.queue)
        self.say(told(message), severity="warning" if message.passed_over else "information", timeout=8)
        self._go_on()
