"""A person at the history screen, driven by keys."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import cast

from textual.widgets import Static

from tests.ui.sitting import Sitting, sitting
from tur_engine.engine import Engine
from tur_tui.screens.history import HistoryScreen
from tur_tui.widgets.believed import BelievedList
from tur_tui.widgets.line_list import LineList
from tur_tui.widgets.lineage import LineageTree
from tur_tui.widgets.timeline import Timeline


class Historian(Sitting):
    """Sees the list, the memory, its life and its lineage."""

    @property
    def history(self) -> HistoryScreen:
        return cast(HistoryScreen, self.app.get_screen("history"))

    @property
    def at_history(self) -> bool:
        return isinstance(self.app.screen, HistoryScreen)

    @property
    def front(self) -> str:
        """The text of the memory in front."""
        known = self.history.desk.known
        return known.belief.memory.content if known else ""

    def rows(self, pane: type[LineList]) -> list[str]:
        """The rows of a pane as they are drawn, blank ones left out."""
        lines = self.history.query_one(pane)
        drawn = [lines.render_line(y).text for y in range(lines.scrollable_content_region.height)]
        return [" ".join(line.split()) for line in drawn if line.strip()]

    @property
    def listed(self) -> list[str]:
        return self.rows(BelievedList)

    @property
    def life(self) -> list[str]:
        return self.rows(Timeline)

    @property
    def lineage(self) -> list[str]:
        return self.rows(LineageTree)

    @property
    def said(self) -> str:
        return str(self.history.query_one("#told", Static).render())

    async def front_is(self, words: str) -> None:
        """Wait until a memory with these words is in front."""
        await self.until(lambda: words in self.front)
        await self.settled()

    async def moment(self, seq: int | None) -> None:
        """Wait until the workbench shows this moment."""
        await self.until(lambda: self.app.asked.as_of == seq)
        await self.settled()


@asynccontextmanager
async def remembering(
    engine: Engine, size: tuple[int, int] = (120, 36), *, theme: str | None = None, here: Path | None = None
) -> AsyncIterator[Historian]:
    """Open the workbench and go to the history screen."""
    async with sitting(engine, size, theme=theme, here=here) as made:
        person = Historian(made.app, made.pilot)
        await person.press("3")
        await person.until(lambda: person.at_history)
        await person.until(lambda: person.history.desk.known)
        await person.settled()
        yield person
