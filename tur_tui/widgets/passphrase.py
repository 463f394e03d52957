"""A masked field: what is typed is never drawn, never copied, and taken as it is."""

from __future__ import annotations

from textual import events
from textual.actions import SkipAction
from textual.widgets import Input

from .fields import edit_at_once


class Passphrase(Input):
    """One line of bullets."""

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(password=True, id=id)

    async def _on_key(self, event: events.Key) -> None:
        await edit_at_once(self, event)

    def action_copy(self) -> None:
        """Not this text; Ctrl-C goes on to whoever else takes it."""
        raise SkipAction

    def action_cut(self) -> None:
        """Not this text; it is only deleted."""
        self.delete_selection()
