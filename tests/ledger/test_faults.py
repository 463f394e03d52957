"""What goes wrong around a store: clocks, permissions, full disks. One sentence each, and nothing is lost."""

from __future__ import annotations

import errno
import os
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import apsw
import pytest

from tests.ledger.frail import failing_statement, frail_disk
from tests.ledger.makings import MARA, bare, content
from tur_engine.engine import Engine
from tur_engine.errors import DiskFull, ReadOnlyStore, StoreError
from tur_engine.ledger import Ledger, writing


class Clock:
    """Stands in for `datetime`; says what it is set to."""

    moment = datetime(2026, 3, 1, tzinfo=UTC)

    @classmethod
    def now(cls, zone: Any) -> datetime:
        return cls.moment.astimezone(zone)


@pytest.mark.parametrize("jump", [timedelta(days=-400), timedelta(microseconds=-1), timedelta(days=400), timedelta(0)])
def test_a_clock_that_jumps(engine: Engine, monkeypatch: pytest.MonkeyPatch, jump: timedelta) -> None:
    """`at` is what the clock said; the order is that of the numbers."""
    monkeypatch.setattr(writing, "datetime", Clock)
    engine.note("before")
    monkeypatch.setattr(Clock, "moment", Clock.moment + jump)
    engine.note("after")
    told = engine.history()[-2:]
    assert [entry.summary for entry in told] == ['noted "before"', 'noted "after"']
    assert told[1].at - told[0].at == jump
    report = engine.verify()
    assert report.ok, report.problem


def denied(*_: object, **__: object) -> Any:
    raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))


@pytest.mark.parametrize("read_only", [False, True])
def test_a_store_of_somebody_else(story: Path, monkeypatch: pytest.MonkeyPatch, read_only: bool) -> None:
    before = story.read_bytes()

    def refuse(*_: object, **__: object) -> Any:
        raise apsw.CantOpenError("unable to open database file")

    with monkeypatch.context() as patch:
        patch.setattr(apsw, "Connection", refuse)
        with pytest.raises(StoreError) as refused:
            Engine.open(story, actor=MARA, read_only=read_only)
    assert refused.value.exit_code == 1
    assert str(refused.value) == f"{story} cannot be opened; check that the folder exists and may be read"
    assert story.read_bytes() == before


def test_a_folder_that_may_not_be_looked_into(story: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(Path, "exists", denied)
        with pytest.raises(StoreError) as refused:
            Ledger(story)
    assert str(refused.value) == f"{story} cannot be opened: Permission denied"


def test_a_store_that_may_be_read_only(story: Path) -> None:
    before = content(story)
    with Engine.open(story, actor=MARA) as engine:
        engine.status()
        with failing_statement(1, apsw.ReadOnlyError), pytest.raises(ReadOnlyStore, match="cannot be written"):
            engine.note("hello")
        assert engine.recall("weather")
    assert content(story) == before


@pytest.mark.parametrize("action", ["backup", "rebuild"])
def test_a_disk_that_fills_up_meanwhile(
    story: Path, tmp_path: Path, action: str, reopened: Callable[[Path], Engine]
) -> None:
    before = content(story)
    target = tmp_path / "copy.db"
    with frail_disk(alone=False) as disk, Engine.open(story, actor=MARA) as engine:
        engine.status()
        disk.arm(4, apsw.FullError)
        with pytest.raises(DiskFull) as refused:
            engine.backup(target) if action == "backup" else engine.rebuild()
        disk.arm(0, apsw.FullError)
    assert "no room left on the disk of" in str(refused.value)
    assert not target.exists()
    assert content(story) == before
    assert reopened(story).verify().ok


def test_a_log_left_by_an_agent_that_died(story: Path, tmp_path: Path) -> None:
    """What it was told was done stands in the log beside the file; whoever opens the store next has it."""
    with bare(story) as alive:  # keeps the log from being folded in
        alive.execute("SELECT count(*) FROM events").fetchall()
        with Engine.open(story, actor=MARA) as engine:
            engine.note("the last words")
            head = engine.head()
        left = tmp_path / "left" / "ledger.db"
        left.parent.mkdir()
        for ending in ("", "-wal"):
            left.with_name(left.name + ending).write_bytes(story.with_name(story.name + ending).read_bytes())
    with Engine.open(left, actor=MARA, read_only=True) as engine:
        assert engine.head() == head
        assert engine.verify().ok
    left.with_name("ledger.db-wal").unlink()  # as a careless copy does
    for file in left.parent.glob("*-shm"):
        file.unlink()
    with Engine.open(left, actor=MARA) as engine:
        assert "this machine saw" in engine.verify().problem
