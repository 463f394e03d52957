"""Pictures of the workbench. The store of a picture stands still: same ids, same clock, whatever the day."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from datetime import datetime, timedelta, tzinfo
from pathlib import Path
from threading import Event
from typing import Any, cast

import pytest
from textual.pilot import Pilot
from textual.widgets import Input

from tests.ui.making import AGENT, MOMENT, belief, conflict
from tur_engine.engine import Engine
from tur_engine.records import (
    Belief,
    Conflict,
    Edge,
    Effect,
    EventKind,
    FeedFilter,
    GuardNote,
    HistoryEntry,
    Merkle,
    Neighbourhood,
    Preview,
    Status,
    StoreStatus,
    Verb,
)
from tur_tui.app import Workbench

TEXTS = (
    "Database migrations run via Alembic",
    "Flood warnings go out by SMS and by e-mail",
    "The staging database listens on port 5432",
    "On-call duty changes every Monday at nine",
)


class Still:
    """A store that stands still, with what the screens ask of an engine."""

    path = Path("/srv/tidewatch/.tur/ledger.db")
    root = Path("/srv/tidewatch")
    read_only = False

    def __init__(self) -> None:
        old = belief(TEXTS[0])
        new = belief("Database migrations run via Prisma Migrate", status=Status.HELD)
        old = old.model_copy(update={"contested_by": (new.memory.digest,)})
        new = new.model_copy(update={"contested_by": (old.memory.digest,)})
        self._sides: tuple[Belief, Belief] = (old, new)
        self.warned: list[GuardNote] = []
        self._dependant = belief("The deploy job upgrades the schema before it starts the backend")
        self._queue = [
            conflict("first").model_copy(update={"incumbent": old, "challenger": new, "dependants": 1}),
            conflict("second", probability=0.81),
        ]

    def conflicts(self, *, limit: int | None = None) -> list[Conflict]:
        return self._queue[:limit]

    def status(self) -> StoreStatus:
        return StoreStatus(
            path=str(self.path),
            store_id="still",
            memories={Status.ACTIVE: 5, Status.HELD: 2},
            open_conflicts=2,
            invariants=0,
            proposals_pending=0,
            head=Merkle(size=5, root=""),
            judge=True,
        )

    def head(self) -> int:
        return 5

    def feed_index(self, filter: FeedFilter) -> list[int]:
        return [5, 4, 3, 2, 1]

    def entries(self, seqs: Sequence[int]) -> list[HistoryEntry]:
        return [self._entry(seq) for seq in seqs]

    def _entry(self, seq: int) -> HistoryEntry:
        text = TEXTS[seq - 1] if seq < 5 else self._sides[1].memory.content
        kind = EventKind.LEARNED if seq < 5 else EventKind.HELD
        return HistoryEntry(
            seq=seq,
            at=MOMENT - timedelta(minutes=7 * (5 - seq)),
            actor=AGENT,
            kind=kind,
            subject="",
            summary=f'{kind} "{text}"',
        )

    def displaced(self) -> str:
        return ""

    def preview(self, ref: str, verb: Verb) -> Preview:
        old, new = self._sides
        told = (
            f'{new.memory.short_id} "{new.memory.content}" is admitted',
            f'{old.memory.short_id} "{old.memory.content}" is superseded by {new.memory.short_id}',
        )
        return Preview(
            verb=verb, effects=tuple(Effect(subject=old.id, change="status", sentence=each) for each in told)
        )

    def neighbourhood(self, refs: Sequence[str], *, radius: int) -> Neighbourhood:
        digests = tuple(each.memory.digest for each in self._sides)
        edge = Edge(source=self._dependant.memory.digest, target=digests[0], type="depends_on", seq=3)
        return Neighbourhood(focus=digests, nodes=(*self._sides, self._dependant), edges=(edge,))

    def watch(self, since: int, stop: Event, *, beat: Callable[[], object]) -> Iterator[list[HistoryEntry]]:
        beat()
        stop.wait(30)
        yield from ()

    def guard_state(self) -> object:
        return len(self.warned)

    def guard_notes(self) -> list[GuardNote]:
        return self.warned


class Noon(datetime):
    """The clock of the pictures."""

    @classmethod
    def now(cls, tz: tzinfo | None = None) -> datetime:  # type: ignore[override]
        return MOMENT + timedelta(minutes=1)


@pytest.fixture(autouse=True)
def clock(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tur_tui.drawing.wording.datetime", Noon)


async def drawn(pilot: Pilot[None]) -> None:
    """Wait until every answer of the store is on the screen."""
    for _ in range(200):
        await pilot.pause(0.02)
        if len(pilot.app.screen_stack) > 1 and all(
            worker.is_finished or worker.group == "watch" for worker in pilot.app.workers
        ):
            break
    await pilot.pause(0.1)


@pytest.mark.parametrize(("theme", "size"), [("tur-dark", (80, 24)), ("tur-light", (120, 36)), ("tur-mono", (200, 50))])
def test_triage(snap_compare: Any, theme: str, size: tuple[int, int]) -> None:
    app = Workbench(cast(Engine, Still()), theme=theme)
    assert snap_compare(app, terminal_size=size, run_before=drawn)


@pytest.mark.parametrize(("theme", "size"), [("tur-dark", (120, 36)), ("ansi-dark", (80, 24))])
def test_a_warning_of_the_guard(snap_compare: Any, theme: str, size: tuple[int, int]) -> None:
    store = Still()
    rule = belief("Never drop a table without a dump.").model_copy(update={"approved": True})
    warning = GuardNote(
        at=MOMENT - timedelta(minutes=2),
        after=4,
        actor=AGENT,
        session="s-12",
        memory_id=rule.id,
        belief=rule,
        binding=True,
        probability=0.93,
        action="psql staging -c 'drop table pegel'",
        read_as="We drop the table pegel.",
    )
    store.warned.append(warning)

    async def in_front(pilot: Pilot[None]) -> None:
        await drawn(pilot)
        pilot.app.screen.query_one("#feed").focus()
        await pilot.press("down")
        await drawn(pilot)

    app = Workbench(cast(Engine, store), theme=theme)
    assert snap_compare(app, terminal_size=size, run_before=in_front)


def test_help(snap_compare: Any) -> None:
    async def helped(pilot: Pilot[None]) -> None:
        await drawn(pilot)
        await pilot.press("question_mark")

    assert snap_compare(Workbench(cast(Engine, Still()), theme="tur-okabe"), terminal_size=(80, 24), run_before=helped)


@pytest.mark.parametrize(
    ("theme", "size"),
    [("tur-dark", (80, 24)), ("tur-light", (120, 36)), ("tur-ansi", (80, 24)), ("tur-mono", (120, 36))],
)
def test_palette(snap_compare: Any, theme: str, size: tuple[int, int]) -> None:
    async def asked(pilot: Pilot[None]) -> None:
        await drawn(pilot)
        await pilot.press("ctrl+p")
        pilot.app.screen.query_one(Input).cursor_blink = False
        await pilot.press("e")

    assert snap_compare(Workbench(cast(Engine, Still()), theme=theme), terminal_size=size, run_before=asked)
