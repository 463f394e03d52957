"""The part of the triage screen for what no verb settles: memories held back, and changes of an invariant."""

from __future__ import annotations

from tur_engine.engine import Engine
from tur_engine.records import Conflict, EventKind, HistoryEntry, Status, StoreStatus

from ..actions import key
from ..calls import ask
from ..desk.as_of import locked
from ..drawing.wording import counted
from ..messages import Filed, HeldBackRead
from .nothing_open import unreachable
from .sourcing import SourcingScreen


class ForwardingScreen(SourcingScreen):
    """`h` shows what is held back, `P` files a proposal where an invariant stands in the way."""

    def entries_arrived(self, entries: list[HistoryEntry]) -> None:
        super().entries_arrived(entries)
        held = sum(each.kind is EventKind.HELD and each.conflict_id is None for each in entries)
        if held:
            self.say(
                f"{counted(held, 'memory is', 'memories are')} held back for people; {key('held.open')} shows what is.",
                timeout=8,
            )

    def action_held_back(self) -> None:
        engine = self.engine
        ask(self, lambda: HeldBackRead(engine.held_back()), group="held-back")

    def on_held_back_read(self, message: HeldBackRead) -> None:
        from .held_back import HeldBackScreen  # rare

        engine = self.engine
        self.forget_ahead()
        self.app.push_screen(HeldBackScreen(engine, message.held, lambda ref, reason: _drop(engine, ref, reason)))

    def action_propose(self) -> None:
        self.turns.take(self._propose, opens=True)

    def _propose(self) -> None:
        conflict = self.desk.current
        if self.lost:
            self.refuse(unreachable(self.lost))
        elif conflict is None:
            self.refuse("No conflict is open: there is nothing to propose.")
        elif not conflict.incumbent.approved:
            self.refuse("The existing memory is no invariant: the verbs settle this, no proposal is needed.")
        elif self.engine.read_only:
            self.refuse(locked(self.engine, "proposed"))
        else:
            from .propose import ProposeScreen  # rare

            self.turns.drop()
            self.app.push_screen(ProposeScreen(self.engine, conflict), self._proposed)

    def _proposed(self, message: Filed | None) -> None:
        if message:
            self.say(message.sentence, timeout=8)
            self.read_anew()


def waiting(status: StoreStatus, queue: list[Conflict]) -> str:
    """How many memories are held though no conflict stops them, in words; "" where none is."""
    stopped = {each.challenger.id for each in queue if each.challenger.status is Status.HELD}
    number = status.memories.get(Status.HELD, 0) - len(stopped)
    return f"{number} held back: {key('held.open')}" if number > 0 else ""


def _drop(engine: Engine, ref: str, reason: str) -> None:
    from tur_engine.governor import Governor  # what can sign is loaded only where it is needed

    Governor(engine).retract(ref, reason)
