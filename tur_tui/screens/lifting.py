"""What every screen with bars at the bottom shares: toasts lie above them, never on what is said or can be pressed."""

from __future__ import annotations

from typing import ClassVar

from textual.screen import Screen
from textual.widgets._toast import ToastRack

from .framing import FramingScreen


class LiftingScreen(FramingScreen[None]):
    """Looks after each layout: a sentence in place takes more rows or fewer, and so do keys in a narrow window."""

    BARS: ClassVar[str] = "#verbs, #told, #keys, #few-keys"

    def on_mount(self) -> None:
        self.screen_layout_refresh_signal.subscribe(self, self._lift_toasts, immediate=True)

    def _lift_toasts(self, _: Screen[object]) -> None:
        rows = sum(bar.outer_size.height for bar in self.query(self.BARS) if bar.display)
        for rack in self.query(ToastRack):
            if rack.styles.margin.bottom != rows:
                rack.styles.margin = (0, 0, rows, 0)
