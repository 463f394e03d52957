"""Pictures of the history screen. Its store stands still: same ids, same clock, whatever the day."""

from __future__ import annotations

from typing import Any

import pytest
from textual.pilot import Pilot

from tests.ui.chronicle import Chronicle
from tests.ui.test_graph_snapshots import Noon, ready
from tur_tui.app import Workbench


@pytest.fixture(autouse=True)
def clock(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tur_tui.drawing.wording.datetime", Noon)


def at(*keys: str) -> Any:
    """Go to the history screen and press keys there."""

    async def go(pilot: Pilot[None]) -> None:
        await ready(pilot)
        for pressed in ("3", *keys):
            await pilot.press(pressed)
            await pilot.pause(0.2)  # the slider and the search rest before they ask
            await ready(pilot)

    return go


@pytest.mark.parametrize(
    ("theme", "size", "keys"),
    [
        ("tur-dark", (80, 24), ()),
        ("tur-light", (120, 36), ("tab", "tab", "down")),
        ("tur-mono", (80, 24), ("tab", "tab", "tab")),
        ("tur-dark", (200, 50), ("a", "left_curly_bracket", "left_curly_bracket")),
        ("tur-dark", (120, 36), ("tab", "tab", "tab", "d")),
    ],
)
def test_the_history(snap_compare: Any, theme: str, size: tuple[int, int], keys: tuple[str, ...]) -> None:
    app = Workbench(Chronicle(12).engine, theme=theme)
    assert snap_compare(app, terminal_size=size, run_before=at(*keys))
