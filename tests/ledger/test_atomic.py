"""All or nothing: whatever fails, at whatever moment, a change is there whole or not at all."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path

import apsw
import pytest

from tests.ledger.frail import failing_statement, frail_disk
from tests.ledger.makings import MARA, content, draft, refusal
from tur_engine.engine import Engine
from tur_engine.errors import (
    DiskFull,
    IntegrityFailure,
    ReadOnlyStore,
    StoreBusy,
    StoreError,
    TurError,
)
from tur_engine.ledger import NewEvent
from tur_engine.ledger.bodies import body
from tur_engine.records import EventKind, OnConflict, Status, Verb


def hold(engine: Engine) -> None:
    engine.learn(draft("database: a fourth choice", topic="the database"))


def allow(engine: Engine) -> None:
    engine.learn(draft("queue: a third choice"), on_conflict=OnConflict.ALLOW)


def supersede(engine: Engine) -> None:
    engine.resolve(engine.conflicts()[0].id, Verb.SUPERSEDE, reason="at last")


def merge(engine: Engine) -> None:
    conflict = next(c for c in engine.conflicts() if "weather" in c.incumbent.memory.content)
    engine.resolve(conflict.id, Verb.MERGE, text="weather: sun and rain")


def undo(engine: Engine) -> None:
    engine.undo(reason="after all")


def note(engine: Engine) -> None:
    engine.note("a short note", session="s")


def rebuild(engine: Engine) -> None:
    engine.rebuild()


CHANGES = [hold, allow, supersede, merge, undo, note, rebuild]


@pytest.mark.parametrize("change", CHANGES)
def test_a_statement_that_fails_leaves_nothing(story: Path, change: Callable[[Engine], None]) -> None:
    before = content(story)
    with Engine.open(story, actor=MARA) as engine:
        engine.status()
        for step in (*range(1, 15), *range(15, 5000, 6)):
            with failing_statement(step, apsw.FullError) as used:
                refused = refusal(partial(change, engine))
            if refused is None:
                assert used[0].left > 0
                break
            assert str(refused) == f"no room left on the disk of {story}; nothing was written"
            assert content(story) == before, f"statement {step} left something"
        assert step > 10
        assert engine.verify().ok
    if change is not rebuild:
        assert content(story)["events"] != before["events"]


@pytest.mark.parametrize(
    ("raised", "told", "exit_code"),
    [
        (apsw.FullError, DiskFull, 1),
        (apsw.ReadOnlyError, ReadOnlyStore, 1),
        (apsw.IOError, StoreError, 1),
        (apsw.BusyError, StoreBusy, 1),
        (apsw.CantOpenError, StoreError, 1),
        (apsw.CorruptError, IntegrityFailure, 5),
        (apsw.NotADBError, IntegrityFailure, 5),
    ],
)
def test_each_fault_is_told_in_one_sentence(
    engine: Engine, raised: type[apsw.Error], told: type[TurError], exit_code: int
) -> None:
    before = content(engine.path)
    with failing_statement(12, raised), pytest.raises(told) as error:
        engine.learn(draft("a: b"))
    assert error.value.exit_code == exit_code
    assert str(engine.path) in str(error.value)
    assert "\n" not in str(error.value)
    assert content(engine.path) == before
    engine.learn(draft("a: b"))
    assert engine.verify().ok


@pytest.mark.parametrize("stop", [KeyboardInterrupt, MemoryError, RuntimeError])
def test_an_interruption_leaves_nothing(engine: Engine, stop: type[BaseException]) -> None:
    before = content(engine.path)
    text = body("x")

    def interrupted() -> None:
        with engine._ledger.writing() as tx:
            tx.append([NewEvent(EventKind.NOTED, MARA, {"text_ref": text.ref, "effects": []}, [text])])
            raise stop

    with pytest.raises(stop):
        interrupted()
    assert content(engine.path) == before
    engine.note("now it goes")
    assert engine.verify().ok


def test_a_batch_of_events_stands_or_falls_together(engine: Engine) -> None:
    before = content(engine.path)
    good = NewEvent(EventKind.NOTED, MARA, {"effects": []})
    bad = NewEvent(EventKind.RESOLVED, MARA, {"effects": [{"op": "status", "digest": "no such", "to": "active"}]})
    with pytest.raises(ValueError, match="never came in"), engine._ledger.writing() as tx:
        tx.append([good, good, bad])
    assert content(engine.path) == before


def test_a_full_disk(story: Path) -> None:
    before = content(story)
    with Engine.open(story, actor=MARA) as engine:
        with engine._ledger.reading() as db:
            db.execute(f"PRAGMA max_page_count={db.execute('PRAGMA page_count').get}")
        with pytest.raises(DiskFull, match="no room left on the disk"):
            engine.learn(draft("novel: " + "word " * 1500))
        assert content(story) == before
        with engine._ledger.reading() as db:
            db.execute("PRAGMA max_page_count=1000000")
        assert engine.learn(draft("novel: " + "word " * 1500)).id
        assert engine.verify().ok


def test_a_connection_that_may_not_write(story: Path) -> None:
    before = content(story)
    with Engine.open(story, actor=MARA) as engine:
        with engine._ledger.reading() as db:
            db.execute("PRAGMA query_only=ON")
        for change in CHANGES:
            with pytest.raises(ReadOnlyStore, match="cannot be written: it or its folder is read-only"):
                change(engine)
        assert engine.recall("weather")
    assert content(story) == before


@pytest.mark.parametrize(("error", "first"), [(apsw.IOError, 1), (apsw.FullError, 3)])
def test_a_disk_that_fails_in_the_middle(told_once: Path, tmp_path: Path, error: type[apsw.Error], first: int) -> None:
    """Writes of a learn fail, one a time, in the file itself; then the store is opened anew."""
    path = tmp_path / ".tur" / "ledger.db"
    path.parent.mkdir()
    for at in range(first, 500, 4):
        shutil.copyfile(told_once, path)
        with frail_disk() as disk:
            engine = Engine.open(path, actor=MARA)
            engine.status()
            disk.arm(at, error)
            refused = refusal(partial(engine.learn, draft("database: a fourth choice")))
            done = disk.writes < at
            disk.arm(0, error)
            engine.close()
        with Engine.open(path, actor=MARA) as engine:
            assert engine.verify().ok
            found = [b for b in engine.memories(status=[Status.HELD]) if "fourth" in b.memory.content]
            assert len(found) == int(refused is None), f"write {at}"
        if done:
            break
        assert refused is None or "nothing was written" in str(refused)
    assert at > 20


@pytest.mark.skipif(not hasattr(os, "fork"), reason="SIGKILL and fork are POSIX")
def test_a_process_killed_at_any_of_its_writes(told_once: Path, tmp_path: Path, repo_root: Path) -> None:
    done = subprocess.run(
        [sys.executable, str(Path(__file__).with_name("dying.py")), str(told_once), str(tmp_path)],
        capture_output=True,
        text=True,
        env=os.environ | {"PYTHONPATH": os.pathsep.join([str(repo_root), str(repo_root / "engine")])},
        timeout=300,
    )
    assert done.returncode == 0, done.stderr
    deaths = [tuple(map(int, line.split())) for line in done.stdout.splitlines()]
    assert len(deaths) > 5
    assert [at for at, _, verified, _ in deaths if not verified] == []
    assert [times for _, _, _, times in deaths if times not in (0, 1)] == []
    assert [told for _, told, _, _ in deaths] == [-signal.SIGKILL] * (len(deaths) - 1) + [0]
    assert deaths[0][3] == 0
    assert deaths[-1][3] == 1
