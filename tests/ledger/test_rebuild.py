"""Rebuild makes from the events what was there, and mends what was damaged; it never touches events or bodies."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.ledger.makings import MARA, bare, content
from tur_engine.engine import Engine
from tur_engine.errors import IntegrityFailure, ReadOnlyStore


def seen(engine: Engine) -> list[object]:
    """What a caller gets to see of the projections and indexes."""
    queries = ("database choice", "linter", "weather", "day 3 went by", "secrets of the house", "nothing like it")
    return [
        [hit.model_dump() for query in queries for hit in engine.recall(query, include_superseded=True)],
        [conflict.model_dump() for conflict in engine.conflicts(all=True)],
        engine.status().model_dump(exclude={"path"}),
    ]


def test_rebuilt_is_what_grew(story: Path) -> None:
    before = content(story)
    with Engine.open(story, actor=MARA) as engine:
        looked = seen(engine)
        told: list[tuple[int, int]] = []
        assert engine.rebuild(lambda done, of: told.append((done, of))) == len(before["events"])
        assert seen(engine) == looked
        assert engine.verify().ok
    after = content(story)
    for table in before:
        assert after[table] == before[table], table


@pytest.mark.parametrize(
    "damage",
    [
        "DELETE FROM standing",
        "DELETE FROM memories; DELETE FROM scopes",
        "UPDATE conflict_states SET state='resolved'",
        "INSERT INTO edges VALUES(2, 3, 'refines', 4, 5)",
        "DROP TABLE mentions",
        "DROP INDEX edges_source",
        "DELETE FROM words_data",
        "DROP TABLE words",
        "DROP TABLE vocabulary",
        "DELETE FROM vectors_rowids",
        "UPDATE vectors_rowids SET id='x' WHERE rowid=2",
        "UPDATE vectors_rowids SET id=rowid",
        "DELETE FROM vectors_info",
        "UPDATE vectors_info SET value=7 WHERE key='CREATE_VERSION_MAJOR'",
        "INSERT INTO vectors_info VALUES('more', 1)",
        "DELETE FROM sqlite_sequence",
        "UPDATE sqlite_sequence SET seq=9223372036854775807",
        "UPDATE sqlite_sequence SET seq=0 WHERE name='vectors_rowids'",
        "INSERT INTO sqlite_sequence VALUES('other', 1)",
        "DROP TABLE vectors",
        "UPDATE meta SET value='2' WHERE key='memory_clock'",
        "UPDATE meta SET value='zz' WHERE key='head_hash'",
        "UPDATE meta SET value='zz' WHERE key='peaks'",
        "UPDATE meta SET value='9:zz' WHERE key='peaks'",
        "UPDATE meta SET value='2:' || substr(value, 4) WHERE key='peaks'",
        "UPDATE meta SET value=hex(zeroblob(32)) WHERE key='head_hash'",
        "UPDATE meta SET value='0' WHERE key='store_id'",
        "UPDATE meta SET value=lower(hex(zeroblob(16))) WHERE key='store_id'",
        "DELETE FROM meta WHERE key='store_id'",
        "DELETE FROM meta",
        "UPDATE meta SET value='zz'",
        "INSERT INTO meta VALUES('stray', 'x')",
        "DROP TABLE meta",
    ],
)
def test_damage_is_mended(story: Path, damage: str) -> None:
    before = content(story)
    with bare(story) as db:
        db.execute(damage)
    with Engine.open(story, actor=MARA, to_mend=True) as engine:
        assert not engine.verify().ok
        engine.rebuild()
        report = engine.verify()
        assert report.ok, report.problem
    assert content(story) == before


def test_a_damaged_event_stops_it_and_nothing_is_changed(story: Path) -> None:
    with bare(story) as db:
        db.execute("UPDATE events SET json=substr(json, 1, 40) WHERE seq=20")
    before = content(story)
    with Engine.open(story, actor=MARA) as engine, pytest.raises(IntegrityFailure, match="event 20 was altered"):
        engine.rebuild()
    assert content(story) == before


@pytest.mark.parametrize(
    ("damage", "told"),
    [
        ("DELETE FROM events WHERE seq=(SELECT max(seq) FROM events)", "the tree head says .* the end was cut off"),
        ("UPDATE events SET hash=zeroblob(32) WHERE seq=1", "event 1 was altered"),
        ("DELETE FROM events WHERE seq=9", "event 9 is missing"),
    ],
)
def test_the_loss_of_events_is_not_mended_away(story: Path, damage: str, told: str) -> None:
    with bare(story) as db:
        db.execute(damage)
    before = content(story)
    with (
        Engine.open(story, actor=MARA) as engine,
        pytest.raises(IntegrityFailure, match=f"{told}.*nothing was changed"),
    ):
        engine.rebuild()
    assert content(story) == before


def test_an_index_that_cannot_be_taken_away(story: Path) -> None:
    with bare(story) as db:
        db.execute("DROP TABLE vectors_chunks")
    with Engine.open(story, actor=MARA) as engine:
        assert not engine.verify().ok
        with pytest.raises(IntegrityFailure, match="restore it from a backup"):
            engine.rebuild()


def test_a_store_opened_for_reading_is_not_rebuilt(story: Path) -> None:
    with Engine.open(story, actor=MARA, read_only=True) as engine, pytest.raises(ReadOnlyStore):
        engine.rebuild()


def test_others_read_on_meanwhile(story: Path) -> None:
    with Engine.open(story, actor=MARA) as engine, Engine.open(story, actor=MARA) as other:
        looked = seen(other)
        assert seen(other) == looked
        engine.rebuild()
        assert seen(other) == looked
