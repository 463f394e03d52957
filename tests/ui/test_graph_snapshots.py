"""Pictures of the graph screen. Its store stands still: same ids, same clock, whatever the day."""

from __future__ import annotations

from datetime import datetime, timedelta, tzinfo
from typing import Any

import pytest
from textual.pilot import Pilot
from textual.widgets import Input

from tests.ui.atlas import Atlas
from tests.ui.making import MOMENT
from tur_tui.app import Workbench


class Noon(datetime):
    """The clock of the pictures."""

    @classmethod
    def now(cls, tz: tzinfo | None = None) -> datetime:  # type: ignore[override]
        return MOMENT + timedelta(days=365)


@pytest.fixture(autouse=True)
def clock(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tur_tui.drawing.wording.datetime", Noon)


async def ready(pilot: Pilot[None]) -> None:
    """Wait until every answer of the store is on the screen."""
    for _ in range(200):
        await pilot.pause(0.02)
        if len(pilot.app.screen_stack) > 1 and all(
            worker.is_finished or worker.group == "watch" for worker in pilot.app.workers
        ):
            break
    for each in pilot.app.screen.query(Input):
        each.cursor_blink = False
    await pilot.pause(0.1)


def at(*keys: str) -> Any:
    """Go to the graph screen and press keys there."""

    async def go(pilot: Pilot[None]) -> None:
        await ready(pilot)
        for pressed in ("4", *keys):
            await pilot.press(pressed)
            await ready(pilot)

    return go


@pytest.mark.parametrize(
    ("theme", "size", "keys"),
    [
        ("tur-dark", (80, 24), ("plus",)),
        ("tur-light", (120, 36), ("plus", "f")),
        ("tur-mono", (80, 24), ("c",)),
        ("tur-dark", (120, 36), ("left", "p", "right", "left", "down", "down", "p")),
    ],
)
def test_the_graph(snap_compare: Any, theme: str, size: tuple[int, int], keys: tuple[str, ...]) -> None:
    app = Workbench(Atlas(30).engine, theme=theme)
    assert snap_compare(app, terminal_size=size, run_before=at(*keys))
