"""What every screen on top of the workbench shares: dead where too small, and a Ctrl-C that says how to leave."""

from __future__ import annotations

from typing import ClassVar

from textual.actions import SkipAction
from textual.screen import ModalScreen

from ..widgets.problem import Problem
from .framing import Answer, FramingScreen
from .smallest import SMALLEST

TOO_SMALL = f"The window is too small to show what would change: {SMALLEST[0]}x{SMALLEST[1]} at least."
"""What a dialog that writes answers where a person could not see what a key would act on."""


class Modal(ModalScreen[Answer], FramingScreen[Answer]):
    """Textual lets no key through from a modal screen to the program; this hands on the one that must.

    One that refuses composes a `Problem`.
    """

    ROOM: ClassVar[str] = TOO_SMALL
    """What it says where the window is too small."""

    @property
    def too_small(self) -> bool:
        """Whether a person could not see what a key would act on."""
        return self.size.width < SMALLEST[0] or self.size.height < SMALLEST[1]

    def tell(self, text: str) -> None:
        """Say it in place."""
        self.query_one(Problem).tell(text)

    def on_resize(self) -> None:
        self.call_after_refresh(self._resized)

    def _resized(self) -> None:
        """What was refused for want of room is not refused any more once there is room."""
        for problem in self.query(Problem):
            if problem.told == self.ROOM and not self.too_small:
                self.tell("")
            else:
                problem.bring_into_sight()

    def action_copy_text(self) -> None:
        try:
            super().action_copy_text()
        except SkipAction:
            self.call_later(self.run_action, "app.help_quit")
