"""What every screen on top of the workbench shares: dead where too small, and a Ctrl-C that says how to leave."""

from __future__ import annotations

from textual.actions import SkipAction
from textual.screen import ModalScreen

from .framing import Answer, FramingScreen
from .smallest import SMALLEST

TOO_SMALL = f"The window is too small to show what would change: {SMALLEST[0]}x{SMALLEST[1]} at least."
"""What a dialog that writes answers where a person could not see what a key would act on."""


class Modal(ModalScreen[Answer], FramingScreen[Answer]):
    """Textual lets no key through from a modal screen to the program; this hands on the one that must."""

    @property
    def too_small(self) -> bool:
        """Whether a person could not see what a key would act on."""
        return self.size.width < SMALLEST[0] or self.size.height < SMALLEST[1]

    def action_copy_text(self) -> None:
        try:
            super().action_copy_text()
        except SkipAction:
            self.call_later(self.run_action, "app.help_quit")
