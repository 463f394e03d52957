"""A person at the workbench: keys in, words on the screen out."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from pathlib import Path

from textual.widgets._toast import Toast

from tests.ui.quiet import what_was_put_off
from tests.ui.seat import Seat
from tur_engine.engine import Engine
from tur_engine.records import Conflict
from tur_tui.app import Workbench
from tur_tui.screens.triage import TriageScreen


class Sitting(Seat[Workbench]):
    """The workbench on a store, driven by keys."""

    @property
    def triage(self) -> TriageScreen:
        """The start screen, also while something lies on top of it."""
        return next(screen for screen in self.app.screen_stack if isinstance(screen, TriageScreen))

    @property
    def at_desk(self) -> bool:
        """Whether nothing lies on top of the start screen."""
        return isinstance(self.app.screen, TriageScreen)

    @property
    def current(self) -> Conflict:
        """The conflict in front."""
        conflict = self.triage.desk.current
        assert conflict is not None
        return conflict

    @property
    def shown_toasts(self) -> list[str]:
        """What is drawn of it now, over whatever is in front."""
        return [str(each.render()) for each in self.app.screen.query(Toast) if each.is_attached]

    async def press(self, *keys: str) -> None:
        """Press the keys, and wait until what they began is over."""
        await self.pilot.press(*keys)
        await self.settled()

    async def settled(self) -> None:
        """Wait until nothing is put off for a moment and no engine call is under way."""
        while True:
            await what_was_put_off()
            await self.until(lambda: not self._working and not self.triage.turns.held)
            await self.pilot.pause()
            await self.pilot.pause()  # the first ends with a frame under way, which may ask for the texts of its rows
            if not self._working:  # an answer may ask for the next
                return

    @property
    def _working(self) -> bool:
        return any(not worker.is_finished and worker.group != "watch" for worker in self.app.workers)


@asynccontextmanager
async def sitting(
    engine: Engine, size: tuple[int, int] = (120, 36), *, theme: str | None = None, here: Path | None = None
) -> AsyncIterator[Sitting]:
    """Open the workbench and wait until the queue is there."""
    app = Workbench(engine, theme=theme, here=here)
    threads = ThreadPoolExecutor(6)
    asyncio.get_running_loop().set_default_executor(threads)
    try:
        async with app.run_test(size=size, notifications=True) as pilot:
            made = Sitting(app, pilot)
            await made.until(lambda: len(app.screen_stack) > 1)
            await made.settled()
            yield made
    finally:
        threads.shutdown()  # as `asyncio.run` does: nobody reads the store any more when it is closed
