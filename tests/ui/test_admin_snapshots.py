"""Pictures of the admin screen. Its store stands still: same ids, same clock, whatever the day."""

from __future__ import annotations

from datetime import datetime, timedelta, tzinfo
from typing import Any

import pytest
from textual.pilot import Pilot
from textual.widgets import Input

from tests.ui.governing import PASSPHRASE, PROMOTING, REPLACING, RETIRING, StandIn, belief, proposal
from tests.ui.making import MOMENT
from tests.ui.reviewer import workbench
from tur_engine.records import MemoryType, Objection, ProposalState
from tur_tui.screens.admin import AdminScreen

HTTP = Objection(
    belief=belief("Plain HTTP is fine inside the cluster", MemoryType.FACT, approved=False),
    probability=0.83,
    sentence="one demands TLS for all traffic, the other allows plain HTTP",
    blocks=False,
)
YEARLY = Objection(
    belief=belief("Certificates are renewed in January, by two people"),
    probability=0.94,
    sentence="a renewal every 60 days and one in January exclude each other",
    blocks=True,
)


class Noon(datetime):
    """The clock of the pictures."""

    @classmethod
    def now(cls, tz: tzinfo | None = None) -> datetime:  # type: ignore[override]
        return MOMENT + timedelta(minutes=1)


@pytest.fixture(autouse=True)
def clock(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tur_tui.drawing.wording.datetime", Noon)


def governor(*, blocked: bool = False) -> StandIn:
    done = proposal("Ship on Fridays", state=ProposalState.REJECTED, seq=3)
    rests = belief("The renewal script runs on 1 March", MemoryType.FACT, approved=False)
    objections = [HTTP, YEARLY] if blocked else [HTTP]
    return StandIn([REPLACING, RETIRING, PROMOTING, done], objections=objections, dependants=[rests])


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
    """Go to the admin screen and press keys there."""

    async def go(pilot: Pilot[None]) -> None:
        await ready(pilot)
        await pilot.press("2")
        await ready(pilot)
        assert isinstance(pilot.app.screen, AdminScreen)
        for pressed in keys:
            await pilot.press(pressed)
            await ready(pilot)

    return go


@pytest.mark.parametrize(
    ("theme", "size"),
    [(theme, size) for theme in ("tur-dark", "tur-light", "tur-mono") for size in ((80, 24), (120, 36))],
)
def test_waiting(snap_compare: Any, theme: str, size: tuple[int, int]) -> None:
    app = workbench(governor(blocked=size[0] == 80), theme=theme)
    assert snap_compare(app, terminal_size=size, run_before=at())


def test_passphrase(snap_compare: Any) -> None:
    app = workbench(governor(), theme="tur-light")
    assert snap_compare(app, terminal_size=(80, 24), run_before=at("A", "x", "y", "z"))


def test_the_last_look(snap_compare: Any) -> None:
    keys = ("A", *("space" if char == " " else char for char in PASSPHRASE), "enter")
    app = workbench(governor(), theme="tur-dark")
    assert snap_compare(app, terminal_size=(80, 24), run_before=at(*keys))


@pytest.mark.parametrize("page", ["d", "v", "g"])
def test_pages(snap_compare: Any, page: str) -> None:
    assert snap_compare(workbench(governor(), theme="tur-okabe"), terminal_size=(120, 36), run_before=at(page))
