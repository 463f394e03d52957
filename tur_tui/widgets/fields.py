"""Text fields that hold what a terminal can show, in the order it was typed.

Whatever is pasted loses control and hidden characters. Textual sends backspace and the cursor keys up to the program
before they act, and letters typed behind them overtake them: here they act at once.
"""

from __future__ import annotations

from textual import events
from textual.widget import Widget
from textual.widgets import Input, TextArea

from ..desk.merging import plain

_EDITING = ("cursor_", "delete_", "home", "end")


async def edit_at_once(field: Widget, event: events.Key) -> None:
    """Do what the field itself binds to a key that edits; every other key goes its way."""
    for binding in field._bindings.key_to_bindings.get(event.key, ()):
        if binding.action.startswith(_EDITING):
            event.stop()
            event.prevent_default()
            await field.run_action(binding.action)
            return


class PlainInput(Input):
    """One line. What may be typed is there to be read before it is, so it is not as faint as Textual's own."""

    DEFAULT_CSS = """
    PlainInput > .input--placeholder, PlainInput > .input--suggestion { color: $text-muted; }
    PlainInput:ansi > .input--placeholder, PlainInput:ansi > .input--suggestion {
        color: ansi_default;
        text-style: dim;
    }
    """

    async def _on_key(self, event: events.Key) -> None:
        await edit_at_once(self, event)

    def _on_paste(self, event: events.Paste) -> None:
        # Textual calls the handler of every class in turn, so the base then inserts what is left.
        event.text = " ".join(plain(event.text).split())


class PlainTextArea(TextArea):
    """Several lines."""

    async def _on_key(self, event: events.Key) -> None:
        await edit_at_once(self, event)

    async def _on_paste(self, event: events.Paste) -> None:
        event.text = plain(event.text)
