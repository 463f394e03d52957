"""One painting a key: a frame waits for what the key set off."""

from __future__ import annotations

import asyncio
from time import monotonic
from typing import Any, Final, TypeVar

from textual.message import Message
from textual.reactive import Reactive
from textual.screen import Screen
from textual.widget import Widget

Answer = TypeVar("Answer")

TURNS: Final = 6
"""Turns of the loop in which the messages of a key reach the screen, and what they change says so."""
PATIENCE: Final = 0.012
"""Seconds after which a frame is painted in any case."""


class FramingScreen(Screen[Answer]):
    """Textual paints as soon as one widget asks; what the same key changes elsewhere came one or two frames later."""

    focused: Reactive[Widget | None] = Reactive(None, repaint=False)
    """What has lost and what has got the focus paint themselves anew; Textual paints the whole screen."""
    opened = False
    """True once all is there and has the focus that it begins with: what is typed before that waits."""

    @property
    def takes_keys(self) -> bool:
        """Whether what is typed now is for what is in front now."""
        return self.opened

    class Opened(Message):
        """Told to the program, behind the focus, which Textual sets by the same queue."""

        def __init__(self, screen: FramingScreen[Any]) -> None:
            super().__init__()
            self.screen = screen

    def on_mount(self) -> None:
        """After the screen's own: Textual calls the handler of every class in turn."""
        self.app.post_message(self.Opened(self))

    def _on_timer_update(self) -> asyncio.Task[None]:  # type: ignore[override]
        return asyncio.ensure_future(self._frame())  # Textual's timer waits for it

    async def _frame(self) -> None:
        began = monotonic()
        for _ in range(TURNS):
            await asyncio.sleep(0)
            if monotonic() - began > PATIENCE:
                break
        super()._on_timer_update()
