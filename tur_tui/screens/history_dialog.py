"""What the dialogs of the history screen share: a sentence in place, and left only while nothing is being written."""

from __future__ import annotations

from ..calls import one_line
from .drafting import DraftingScreen
from .history_messages import Refused


class HistoryDialog(DraftingScreen[str | None]):
    """Answers with a sentence about what was done, None where nothing was."""

    CSS_PATH = "history_dialogs.tcss"
    writing = False
    """True while a call is under way: its outcome would be lost."""

    def tell(self, text: str) -> None:
        super().tell(one_line(text))

    def on_refused(self, message: Refused) -> None:
        message.stop()
        self.writing = False
        self.tell(message.sentence)

    def action_leave(self) -> None:
        if not self.writing:
            self.dismiss(None)
