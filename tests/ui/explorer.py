"""A person at the graph screen, driven by keys."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import cast

from textual.widgets import Static

from tests.ui.governing import StandIn
from tests.ui.sitting import Sitting
from tur_engine.engine import Engine
from tur_engine.governor import Governor
from tur_engine.records import Belief
from tur_tui.app import Workbench
from tur_tui.screens.graph import GraphScreen
from tur_tui.widgets.graph_detail import DetailPane
from tur_tui.widgets.graph_list import GraphList
from tur_tui.widgets.neighbourhood import NeighbourhoodPane


class Explorer(Sitting):
    """Sees the drawing, the list and what is said in place."""

    @property
    def graph(self) -> GraphScreen:
        return next(screen for screen in self.app.screen_stack if isinstance(screen, GraphScreen))

    @property
    def at_graph(self) -> bool:
        return isinstance(self.app.screen, GraphScreen)

    @property
    def page(self) -> str:
        return str(self.graph.desk.page)

    @property
    def selected(self) -> Belief:
        """The memory under the cursor of the drawing."""
        selected = self.graph.query_one(NeighbourhoodPane).selected
        assert selected is not None
        return selected

    @property
    def centre(self) -> list[str]:
        """The texts of the memories that are drawn around."""
        part = self.graph.desk.part
        assert part is not None
        texts = {each.memory.digest: each.memory.content for each in part.nodes}
        return [texts[digest] for digest in part.focus]

    @property
    def listed(self) -> list[str]:
        """The rows of the list as they are drawn, blank ones left out."""
        rows = self.graph.query_one(GraphList)
        drawn = [rows.render_line(y).text for y in range(rows.scrollable_content_region.height)]
        return [" ".join(line.split()) for line in drawn if line.strip()]

    @property
    def told(self) -> str:
        """What stands in the pane of the memory under the cursor, without line breaks."""
        pane = self.graph.query_one(DetailPane)
        drawn = [pane.render_line(y).text for y in range(pane.scrollable_content_region.height)]
        return " ".join(" ".join(drawn).split())

    @property
    def said(self) -> str:
        return str(self.graph.query_one("#told", Static).render())

    @property
    def focused(self) -> str | None:
        return self.app.screen.focused.id if self.app.screen.focused else None


@asynccontextmanager
async def exploring(
    engine: object, size: tuple[int, int] = (120, 36), *keys: str, theme: str | None = None
) -> AsyncIterator[Explorer]:
    """Open the workbench, go to the graph screen and press some keys there."""
    app = Workbench(cast(Engine, engine), theme=theme, governor=cast(Governor, StandIn([])))
    async with app.run_test(size=size, notifications=True) as pilot:
        person = Explorer(app, pilot)
        await person.until(lambda: len(app.screen_stack) > 1)
        await person.settled()
        await person.press("4")
        await person.until(lambda: person.at_graph)
        await person.press(*keys)
        yield person
