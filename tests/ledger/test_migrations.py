"""A store of an older format: opening it never writes, migrating it keeps a copy and loses nothing."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import apsw
import pytest

from tests.ledger.frail import frail_disk
from tests.ledger.makings import MARA, bare, content
from tur_engine.engine import Engine
from tur_engine.errors import IntegrityFailure, NewerStore, NoStore, OlderStore, StoreError
from tur_engine.ledger import schema
from tur_engine.ledger.migrations import migrate

NEW_TABLES = ("proposals", "proposal_states", "reviewer_keys", "policies", "quarantines")


def age(path: Path) -> Path:
    """Make the store what version 1 left."""
    with bare(path) as db:
        for table in NEW_TABLES:
            db.execute(f"DROP TABLE {table}")
        db.execute("PRAGMA user_version=1; PRAGMA wal_checkpoint(TRUNCATE)")
    return path


@pytest.fixture
def old(story: Path) -> Path:
    return age(story)


@pytest.mark.parametrize("read_only", [False, True])
def test_opening_says_what_to_do_and_writes_nothing(old: Path, read_only: bool) -> None:
    before = old.read_bytes()
    with pytest.raises(OlderStore) as refused:
        Engine.open(old, actor=MARA, read_only=read_only)
    assert refused.value.exit_code == 1
    assert str(refused.value) == (
        f"{old} was written by an older version of tur (store format 1, this one reads {schema.VERSION}); "
        "`tur-adm migrate` brings it up to date and keeps a copy"
    )
    assert old.read_bytes() == before


def test_migrated_is_what_grew(told_once: Path, old: Path) -> None:
    before = old.read_bytes()
    told: list[tuple[int, int]] = []
    done = migrate(old, lambda done, of: told.append((done, of)))
    assert (done.before, done.after) == (1, schema.VERSION)
    assert done.backup is not None
    with bare(done.backup) as db:
        assert db.execute("PRAGMA user_version").get == 1
        assert db.execute("SELECT count(*) FROM events").get == done.events
    assert len(done.backup.read_bytes()) == len(before)
    with Engine.open(old, actor=MARA) as engine:
        report = engine.verify()
        assert report.ok, report.problem
        engine.note("it can be written")
    found, due = content(old), content(told_once)
    assert all(found[table] == due[table] for table in schema.PROJECTION_TABLES)


def test_a_store_up_to_date_is_left_alone(story: Path) -> None:
    before = story.read_bytes()
    assert migrate(story).backup is None
    assert story.read_bytes() == before
    assert [path.name for path in story.parent.iterdir() if path.suffix not in (".db-wal", ".db-shm")] == [story.name]


def test_a_damaged_event_stops_it(old: Path) -> None:
    with bare(old) as db:
        db.execute("UPDATE events SET json=substr(json, 1, 40) WHERE seq=20")
        tables = db.execute("SELECT name FROM sqlite_schema ORDER BY name").fetchall()
    with pytest.raises(IntegrityFailure, match="event 20 was altered"):
        migrate(old)
    with bare(old) as db:
        assert db.execute("PRAGMA user_version").get == 1
        assert db.execute("SELECT name FROM sqlite_schema ORDER BY name").fetchall() == tables


def test_a_disk_that_is_full_changes_nothing(old: Path) -> None:
    before = old.read_bytes()
    with frail_disk(alone=False) as disk:
        disk.arm(5, apsw.FullError)
        with pytest.raises(StoreError):
            migrate(old)
    assert old.read_bytes() == before


@pytest.mark.parametrize(
    ("make", "error"),
    [
        (lambda path: path.unlink(), NoStore),
        (lambda path: path.write_bytes(b"dear diary\n" * 500), IntegrityFailure),
    ],
)
def test_what_cannot_be_migrated(old: Path, make: Callable[[Path], object], error: type[Exception]) -> None:
    make(old)
    with pytest.raises(error):
        migrate(old)


def test_a_newer_store_is_not_migrated(old: Path) -> None:
    with bare(old) as db:
        db.execute(f"PRAGMA user_version={schema.VERSION + 1}")
    with pytest.raises(NewerStore):
        migrate(old)
