"""Pictures of the health screen, with facts that stand still."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from textual.pilot import Pilot

from tests.ui.chronicle import Chronicle
from tests.ui.making import MOMENT
from tests.ui.test_graph_snapshots import Noon, ready
from tests.ui.test_health import facts
from tur_engine.records import AgentRate, Author, Band, Calibration, MemoryType, Status
from tur_tui.app import Workbench

NOON = MOMENT + timedelta(days=365)

FULL = facts(
    counts={
        Status.HELD: {MemoryType.FACT: 17},
        Status.ACTIVE: {MemoryType.FACT: 1200, MemoryType.PREFERENCE: 31, MemoryType.AXIOM: 4},
        Status.SUSPECT: {MemoryType.FACT: 2},
        Status.SUPERSEDED: {MemoryType.FACT: 190},
    },
    open_since=tuple(NOON - timedelta(hours=hours) for hours in (900, 300, 200, 40, 30, 20, 3, 2, 1, 0.5, 0.1)),
    agents=(
        AgentRate(author=Author.parse("agent:claude-code"), memories=900, clashing=81),
        AgentRate(author=Author.parse("agent:a-harness-with-a-long-name"), memories=400, clashing=4),
        AgentRate(author=Author.parse("human:mara"), memories=144, clashing=0),
    ),
    calibration=Calibration(
        threshold=0.25,
        dismissed=24,
        settled=93,
        needed=20,
        bands=tuple(
            Band(low=low / 10, high=(low + 1) / 10, said=low / 10 + 0.05, decided=number, clashes=clashes)
            for low, number, clashes in ((2, 4, 1), (3, 12, 4), (5, 18, 10), (8, 30, 14), (9, 53, 52))
        ),
        advice="the threshold in force costs least; nothing to change",
    ),
    checkpoints=6,
    checkpoint=1288,
    at=NOON - timedelta(minutes=4),
)


@pytest.fixture(autouse=True)
def clock(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tur_tui.drawing.wording.datetime", Noon)


async def go(pilot: Pilot[None]) -> None:
    """To the health screen."""
    await ready(pilot)
    await pilot.press("5")
    await ready(pilot)


@pytest.mark.parametrize(
    ("theme", "size", "no_color"),
    [
        ("tur-dark", (80, 24), False),
        ("tur-light", (120, 36), False),
        ("tur-dark", (200, 50), False),
        ("tur-mono", (80, 24), False),
        (None, (120, 36), True),
    ],
)
def test_the_health(
    snap_compare: Any, monkeypatch: pytest.MonkeyPatch, theme: str | None, size: tuple[int, int], no_color: bool
) -> None:
    if no_color:
        monkeypatch.setenv("NO_COLOR", "1")
    engine = Chronicle(12).engine
    monkeypatch.setattr(type(engine), "health", lambda self: FULL, raising=False)
    assert snap_compare(Workbench(engine, theme=theme), terminal_size=size, run_before=go)
