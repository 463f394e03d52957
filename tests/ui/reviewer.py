"""A reviewer at the admin screen of a quiet store, driven by keys."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from threading import Event
from typing import cast

from textual.widgets import Input, Static

from tests.ui.governing import PASSPHRASE, StandIn
from tests.ui.sitting import Sitting
from tur_engine.engine import Engine
from tur_engine.records import FeedFilter, HistoryEntry, Merkle, Neighbourhood, Status, StoreStatus
from tur_tui.app import Workbench
from tur_tui.screens.admin import AdminScreen


class QuietEngine:
    """A store in which nothing is open and nothing happens."""

    path = Path("/srv/tidewatch/.tur/ledger.db")
    root = Path("/srv/tidewatch")
    read_only = False
    as_of: int | None = None

    def conflicts(self, **_: object) -> list[object]:
        return []

    def status(self) -> StoreStatus:
        return StoreStatus(
            path=str(self.path),
            store_id="still",
            memories={Status.ACTIVE: 5},
            open_conflicts=0,
            invariants=1,
            proposals_pending=3,
            head=Merkle(size=5, root=""),
            judge=True,
        )

    def head(self) -> int:
        return 5

    def feed_index(self, filter: FeedFilter) -> list[int]:
        return []

    def entries(self, seqs: Sequence[int]) -> list[HistoryEntry]:
        return []

    def displaced(self) -> str:
        return ""

    def neighbourhood(self, refs: Sequence[str], *, radius: int) -> Neighbourhood:
        return Neighbourhood(focus=(), nodes=(), edges=(), hidden={})

    def watch(self, since: int, stop: Event, **_: object) -> Iterator[list[HistoryEntry]]:
        stop.wait(30)
        yield from ()

    def guard_state(self) -> object:
        return ()


class Clock:
    """Stands until it is moved."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


class Reviewer(Sitting):
    """A person at the admin screen."""

    @property
    def admin(self) -> AdminScreen:
        return next(screen for screen in self.app.screen_stack if isinstance(screen, AdminScreen))

    @property
    def at_admin(self) -> bool:
        """Whether no dialog lies on top."""
        return isinstance(self.app.screen, AdminScreen)

    async def type(self, text: str) -> None:
        await self.press(*("space" if char == " " else char for char in text))

    async def fill(self, text: str) -> None:
        """Text in the field in focus, faster than key by key, and Enter."""
        field = self.app.screen.focused
        assert isinstance(field, Input)
        field.value = text
        await self.press("enter")

    async def unlock(self) -> None:
        await self.press("U")
        await self.fill(PASSPHRASE)
        assert self.at_admin

    @property
    def said(self) -> str:
        """What stands in the row for problems, of the dialog or of the screen."""
        return str(self.app.screen.query_one("#told" if self.at_admin else "#problem", Static).render())

    @property
    def words(self) -> str:
        """The screen without frames and line breaks."""
        return " ".join(self.text.replace("│", " ").split())

    async def settled(self) -> None:
        await super().settled()
        await self.until(lambda: not self._working)
        await self.pilot.pause()


def workbench(governor: StandIn, *, theme: str | None = None, clock: Clock | None = None) -> Workbench:
    return Workbench(
        cast(Engine, QuietEngine()),
        theme=theme,
        governor=governor,  # type: ignore[arg-type]
        clock=clock or Clock(),
    )


@asynccontextmanager
async def reviewing(
    governor: StandIn, size: tuple[int, int] = (120, 36), *, theme: str | None = None, clock: Clock | None = None
) -> AsyncIterator[Reviewer]:
    """Open the workbench and go to the admin screen."""
    app = workbench(governor, theme=theme, clock=clock)
    async with app.run_test(size=size, notifications=True) as pilot:
        person = Reviewer(app, pilot)
        await person.until(lambda: len(app.screen_stack) > 1)
        await person.settled()
        await person.press("2")
        await person.until(lambda: person.admin.known is not None)
        await person.settled()
        yield person
