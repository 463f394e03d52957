"""What the merge editor and the branch form share: they settle the conflict themselves and close once it is written."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

from tur_engine.engine import Engine
from tur_engine.records import Conflict, Scope, Verb

from ..calls import ask, one_line
from ..desk.decisions import decide
from ..messages import AsksFirst, Decided, Failed, NotDone
from .confirm import ConfirmScreen
from .drafting import DraftingScreen
from .modal import TOO_SMALL
from .patience import PATIENCE, STILL


class DecidingScreen(DraftingScreen[Decided | None]):
    """Dismissed with what was written, or with None where the person left."""

    def __init__(self, engine: Engine, conflict: Conflict) -> None:
        super().__init__()
        self.engine, self.conflict = engine, conflict
        self._writing = False
        self.gone = ""
        """Why nothing can be written any more: somebody else settled the conflict meanwhile."""
        self._elsewhere = ""
        self._again: Callable[[], None] = lambda: None

    def settle(
        self,
        verb: Verb,
        *,
        agreed: bool = False,
        text: str | None = None,
        side: Literal["incumbent", "challenger"] | None = None,
        scope: Scope | None = None,
    ) -> None:
        """Write the decision in a worker; a second press while it is being written does nothing."""
        if self._writing:
            return
        if self.gone or self.too_small:
            self.tell(self.gone or TOO_SMALL)
            return
        self._writing = True
        self.set_timer(PATIENCE, lambda: self.tell(STILL) if self._writing else None)
        self._again = lambda: self.settle(verb, agreed=True, text=text, side=side, scope=scope)
        engine, conflict = self.engine, self.conflict
        ask(
            self,
            lambda: decide(engine, conflict, verb, agreed=agreed, text=text, side=side, scope=scope),
            group="deciding",
            failed=NotDone,
        )

    @property
    def parting(self) -> str:
        return "" if self.gone else super().parting

    def settled_elsewhere(self, sentence: str) -> None:
        """Say it in place; what was typed stays, to be copied. A decision under way may be this one: it comes first."""
        self._elsewhere = sentence
        if not self._writing:
            self.gone = f"{sentence} Nothing can be saved here any more; what you typed can be copied. Esc leaves."
            self.tell(self.gone)

    def on_decided(self, message: Decided) -> None:
        message.stop()
        self.dismiss(message)

    def on_not_done(self, message: NotDone) -> None:
        message.stop()
        self._writing = False
        self.tell(message.sentence)
        if self._elsewhere:
            self.settled_elsewhere(self._elsewhere)

    def on_failed(self, message: Failed) -> None:
        message.stop()
        self.tell(message.sentence)

    def on_asks_first(self, message: AsksFirst) -> None:
        message.stop()
        self._writing = False
        effects = [one_line(effect.sentence) for effect in message.preview.effects]

        def answered(yes: bool | None) -> None:
            if yes:
                self._again()

        self.app.push_screen(ConfirmScreen("This reaches further than one memory. Go on?", effects), answered)
