"""A person in front of one of the programs: what is drawn, what was said, and patience."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Generic, TypeVar

from textual.pilot import Pilot

from tur_tui.shell import Shell

Program = TypeVar("Program", bound=Shell)


class Seat(Generic[Program]):
    """Sees the screen row by row."""

    def __init__(self, app: Program, pilot: Pilot[None]) -> None:
        self.app, self.pilot = app, pilot

    @property
    def text(self) -> str:
        """Every row of the screen as it is drawn."""
        strips = self.app.screen._compositor.render_strips(self.app.size)
        return "\n".join("".join(segment.text for segment in strip) for strip in strips)

    @property
    def toasts(self) -> list[str]:
        """What was said in passing, oldest first."""
        return [each.text for each in self.app.said]

    async def until(self, true: Callable[[], object], seconds: float = 8) -> None:
        """Wait until it is true; fail with the screen where it does not become so."""
        end = time.monotonic() + seconds
        while not true():
            if time.monotonic() > end:
                raise AssertionError(f"waited in vain; the screen shows\n{self.text}")
            await self.pilot.pause(0.02)
