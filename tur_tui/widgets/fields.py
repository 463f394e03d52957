"""Text fields that hold what a terminal can show: whatever is pasted loses control and hidden characters."""

from __future__ import annotations

from textual import events
from textual.widgets import Input, TextArea

from ..desk.merging import plain


class PlainInput(Input):
    """One line."""

    def _on_paste(self, event: events.Paste) -> None:
        # Textual calls the handler of every class in turn, so the base then inserts what is left.
        event.text = " ".join(plain(event.text).split())


class PlainTextArea(TextArea):
    """Several lines."""

    async def _on_paste(self, event: events.Paste) -> None:
        event.text = plain(event.text)
