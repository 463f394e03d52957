"""The part of the history screen that changes what is believed: correct, retire; and what leaves it: copy, export."""

from __future__ import annotations

from tur_engine.records import Belief

from ..desk.as_of import locked
from ..drawing.wording import standing
from ..messages import Exported
from .history_reading import HistoryReadingScreen


class HistoryDecidingScreen(HistoryReadingScreen):
    """Nothing is written before a dialog said what would be; every write passes the gate."""

    def visit(self, ref: str) -> None:
        """Put a memory in front, wherever it is listed."""
        raise NotImplementedError

    def action_correct(self) -> None:
        if belief := self._to_change("corrected"):
            from .history_correct import CorrectScreen  # not needed before

            correcting = CorrectScreen(self.present, belief)

            def closed(sentence: str | None) -> None:
                self._done(sentence)
                if correcting.made:
                    self.visit(correcting.made)

            self.app.push_screen(correcting, closed)

    def action_retire(self) -> None:
        if belief := self._to_change("retired"):
            from .history_retire import RetireScreen  # not needed before

            self.app.push_screen(RetireScreen(self.present, belief, self.workbench.governor), self._done)

    def _to_change(self, what: str) -> Belief | None:
        """The memory in front where it may be changed; else the reason is told."""
        known = self.desk.known
        if self.engine.read_only:
            self.tell(locked(self.engine, what))
        elif known is None:
            self.tell(f"No memory is in front: nothing can be {what}.")
        elif not known.belief.status.live:
            self.tell(
                f"{known.belief.memory.short_id} is {standing(known.belief)}: only what is believed can be {what}."
            )
        else:
            return known.belief
        return None

    def _done(self, sentence: str | None) -> None:
        if sentence:
            self.tell(sentence, problem=False)
        else:
            self.tell("Nothing was changed.", problem=False)

    # what leaves -----------------------------------------------------------------------

    def action_copy_id(self) -> None:
        if known := self.desk.known:
            self.app.copy_to_clipboard(known.belief.id)
            self.tell(f"Copied {known.belief.memory.short_id}, in full.", problem=False)
        else:
            self.tell("No memory is in front: there is no id to copy.", problem=False)

    def action_export(self) -> None:
        if known := self.desk.known:
            from ..desk.remembering_export import as_markdown, as_svg
            from .export import export  # rare

            belief, life, lineage = known.belief, known.life, known.lineage
            name = belief.memory.short_id
            export(
                self,
                f"The history of {name}",
                self.workbench.exports,
                f"{name}-history",
                lambda form: (as_svg if form == "svg" else as_markdown)(belief, life, lineage),
            )
        else:
            self.tell("No memory is in front: there is nothing to export.", problem=False)

    def on_exported(self, message: Exported) -> None:
        message.stop()
        self.tell(f"Written to {message.path}.", problem=False)
