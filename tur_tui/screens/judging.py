"""The part of the triage screen that decides: the desk, the verbs, undo, and what others settle meanwhile."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, cast

from textual.timer import Timer

from tur_engine.engine import Engine
from tur_engine.records import Conflict, EventKind, HistoryEntry, Preview, Verb

from ..actions import Action, action, key
from ..calls import ask, one_line
from ..desk.as_of import locked
from ..desk.decisions import decide, done, refusal, short, taken_back, undo
from ..desk.queue import Change, Desk
from ..desk.turns import Turns
from ..messages import AsksFirst, Decided, NotDone, QueueLoaded, Undone
from .following import SILENT, FollowingScreen
from .nothing_open import unreachable
from .patience import PATIENCE, STILL

if TYPE_CHECKING:
    from ..hosting import Host
    from .deciding import DecidingScreen

DECISIONS = "decisions, the last one"
"""What toasts about decisions are counted as."""
_SETTLING = frozenset({EventKind.RESOLVED, EventKind.UNDONE, EventKind.ESCALATED})


class JudgingScreen(FollowingScreen):
    """Carries a person's verbs to the engine, one after the other, and keeps the desk true."""

    def __init__(self, engine: Engine, *, here: Path) -> None:
        super().__init__(engine)
        self.here, self.desk = here, Desk()
        self.turns = Turns(held=True)
        """Held until the queue is there."""
        self._reading = self._stale = False
        self._patience: Timer | None = None
        self._told: dict[str, HistoryEntry] = {}
        self._dialog: DecidingScreen | None = None
        """The editor or the form that was opened last."""

    def show_desk(self) -> None:
        """Bring every pane in line with the desk."""
        raise NotImplementedError

    def preview(self, verb: Verb) -> Preview | None:
        """What the verb would do to the conflict in front, where that is known already."""
        raise NotImplementedError

    def able(self, each: Action) -> bool:
        """Whether an action does something to what is in front: what the palette offers."""
        conflict = self.desk.current
        if each.danger and (self.lost or self.engine.read_only):
            return False
        if each.verb:
            preview = self.preview(each.verb)
            return conflict is not None and (preview is None or preview.allowed)
        if each.id == "conflict.propose":
            return conflict is not None and conflict.incumbent.approved
        return conflict is not None or not each.id.startswith(("conflict.", "verb.")) or each.id == "conflict.undo"

    # verbs -------------------------------------------------------------------------

    @property
    def takes_keys(self) -> bool:
        return super().takes_keys and not self.turns.opens

    def forget_ahead(self) -> None:
        """The person is asked first, or told why not: what was typed ahead was typed without knowing that."""
        self.turns.drop()
        cast("Host", self.app).forget_typed()

    def action_decide(self, name: str) -> None:
        verb = Verb(name)
        self.turns.take(lambda: self._decide(verb), opens=verb in (Verb.MERGE, Verb.BRANCH))

    def _decide(self, verb: Verb) -> None:
        conflict = self.desk.current
        if self.lost:
            self.refuse(unreachable(self.lost))
        elif conflict is None:
            self.refuse("No conflict is open: there is nothing to decide.")
        elif self.engine.read_only:
            self.refuse(locked(self.engine, "decided"))
        elif (preview := self.preview(verb)) and not preview.allowed:
            self.refuse(refusal(verb, preview))
        elif verb is Verb.MERGE:
            self._open_editor(conflict)
        elif verb is Verb.BRANCH:
            self._open_form(conflict)
        else:
            self._write(conflict, verb)

    def _open_editor(self, conflict: Conflict) -> None:
        from .merge import MergeScreen  # not needed for the first paint

        self.turns.drop()
        self._dialog = MergeScreen(self.engine, conflict)
        self.app.push_screen(self._dialog, self._written_there)

    def _open_form(self, conflict: Conflict) -> None:
        from .branch import BranchScreen  # not needed for the first paint

        place = self.engine.place(self.here)
        self.turns.drop()
        self._dialog = BranchScreen(self.engine, conflict, path=place.path or "", branch=place.branch or "")
        self.app.push_screen(self._dialog, self._written_there)

    def _written_there(self, message: Decided | None) -> None:
        """The editor or the form closed, with what it wrote."""
        if message:
            self.on_decided(message)

    def _write(self, conflict: Conflict, verb: Verb, *, agreed: bool = False) -> None:
        self.hold_turns()
        engine = self.engine
        ask(
            self,
            lambda: decide(engine, conflict, verb, agreed=agreed),
            group="decide",
            newest_only=False,
            failed=NotDone,
        )

    def on_decided(self, message: Decided) -> None:
        change = self.desk.take_settled(message.result, message.queue)
        along = sum(each.id != message.result.conflict.id for each in change.gone)
        self.say(f"{done(message.result, along)} {key('conflict.undo')} takes it back.", series=DECISIONS)
        self._go_on()

    def on_asks_first(self, message: AsksFirst) -> None:
        from .confirm import ConfirmScreen  # rare

        self.forget_ahead()
        conflict, verb = message.conflict, message.preview.verb

        def answered(yes: bool | None) -> None:
            if yes:
                self.turns.take(lambda: self._write(conflict, verb, agreed=True))

        self.app.push_screen(
            ConfirmScreen(
                f"{action(f'conflict.{verb}').label}: this reaches further than one memory. Go on?",
                [one_line(effect.sentence) for effect in message.preview.effects],
            ),
            answered,
        )

    def on_not_done(self, message: NotDone) -> None:
        if message.queue is not None:
            self._take(self.desk.load(message.queue))
        self.refuse(message.sentence)

    def action_undo(self) -> None:
        self.turns.take(self._undo)

    def _undo(self) -> None:
        engine, last = self.engine, self.desk.last_settled
        if self.lost:
            self.refuse(unreachable(self.lost))
        elif engine.read_only:
            self.refuse(locked(self.engine, "undone"))
        elif last is None and self.desk.undone:
            self.refuse(
                "All that was decided in this sitting is taken back. "
                f"In a shell: tur undo {self.desk.undone} brings back what was taken back last."
            )
        else:
            self.hold_turns()
            ask(self, lambda: undo(engine, last), group="decide", newest_only=False, failed=NotDone)

    def on_undone(self, message: Undone) -> None:
        self.desk.take_undone(message.result, message.queue)
        self.say(taken_back(message.result), series=DECISIONS)
        self._go_on()

    def hold_turns(self) -> None:
        """Something is being written: what is typed meanwhile waits, and a long wait is said."""
        self.turns.hold()
        if self._patience is not None:
            self._patience.stop()
        self._patience = self.set_timer(PATIENCE, self._still_writing)

    def _still_writing(self) -> None:
        if self.turns.held:
            self.say(STILL)

    def refuse(self, reason: str) -> None:
        """Say why not; what was typed ahead is forgotten, since the same conflict is still in front."""
        self.forget_ahead()
        self.say(reason, severity="warning")
        self._catch_up()

    def _go_on(self) -> None:
        self.show_desk()
        self._catch_up()
        self.turns.release()

    # the queue -----------------------------------------------------------------------

    def entries_arrived(self, entries: list[HistoryEntry]) -> None:
        telling = {each.conflict_id: each for each in entries if each.conflict_id and each.kind in _SETTLING}
        self._told.update(telling)
        if any(each.kind not in SILENT for each in entries):
            self._stale = True
            self._catch_up()

    def _catch_up(self) -> None:
        """Read the queue anew where it moved; never while a decision of ours is being written."""
        if not self._stale or self._reading or self.turns.held or self.lost:
            return
        self._stale, self._reading = False, True
        engine = self.engine
        ask(self, lambda: QueueLoaded(engine.conflicts()), group="queue", failed=self._unread)

    def _unread(self, reason: str) -> NotDone:
        self._reading = False
        return NotDone(reason)

    def read_anew(self) -> None:
        """Read queue and feed again, after the store was out of reach."""
        self._stale = True
        self._catch_up()
        self.read_feed()

    def on_queue_loaded(self, message: QueueLoaded) -> None:
        self._reading = False
        if self.turns.held:  # older than what is being written
            self._stale = True
            return
        self._take(self.desk.load(message.queue))
        self._catch_up()

    def _take(self, change: Change) -> None:
        for each in change.gone:
            entry = self._told.pop(each.id, None)
            how = f" by {entry.actor}: {entry.summary}" if entry else ""
            told = f"{short(each.id)} was settled elsewhere{how}."
            self.say(told)
            if self._dialog is not None and self._dialog.is_running and self._dialog.conflict.id == each.id:
                self._dialog.settled_elsewhere(told)
        if change.arrived:
            cast("Host", self.app).ring()
        if change.arrived and len(change.arrived) == len(self.desk.queue):
            self.say("A new conflict is open.")
        self.show_desk()

    # moving ----------------------------------------------------------------------------

    def action_next(self) -> None:
        self.turns.take(lambda: self._move(self.desk.next()))

    def action_previous(self) -> None:
        self.turns.take(lambda: self._move(self.desk.previous()))

    def action_defer(self) -> None:
        self.turns.take(lambda: self._move(self.desk.defer()))

    def _move(self, conflict: Conflict | None) -> None:
        if conflict is None:
            self.say("No conflict is open.")
        self.show_desk()
