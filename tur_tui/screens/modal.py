"""What every screen on top of the workbench shares: Ctrl-C that finds nothing to copy says how to leave."""

from __future__ import annotations

from typing import TypeVar

from textual.actions import SkipAction
from textual.screen import ModalScreen

Answer = TypeVar("Answer")


class Modal(ModalScreen[Answer]):
    """Textual lets no key through from a modal screen to the program; this hands on the one that must."""

    def action_copy_text(self) -> None:
        try:
            super().action_copy_text()
        except SkipAction:
            self.call_later(self.run_action, "app.help_quit")
