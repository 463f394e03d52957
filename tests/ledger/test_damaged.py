"""Files that are no store, a damaged one or a newer one: one sentence, the right exit code, never a traceback."""

from __future__ import annotations

import os
import random
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import apsw
import pytest

from tests.ledger.makings import MARA, bare, content, draft, refusal
from tur_engine.engine import Engine
from tur_engine.errors import BadInput, IntegrityFailure, NewerStore, NoStore, TurError
from tur_engine.ledger import schema
from tur_engine.records import OnConflict, Status, Verb, VerifyReport


def put(folder: Path, data: bytes) -> Path:
    path = folder / ".tur" / "ledger.db"
    path.parent.mkdir(parents=True)
    path.write_bytes(data)
    return path


def other_database(folder: Path, store: bytes) -> bytes:
    path = folder / "other.db"
    with bare(path) as db:
        db.execute("CREATE TABLE events(seq INTEGER); PRAGMA user_version=1")
    return path.read_bytes()


NO_STORES: list[tuple[str, Callable[[Path, bytes], bytes]]] = [
    ("empty", lambda folder, store: b""),
    ("text", lambda folder, store: b"dear diary\n" * 500),
    ("random", lambda folder, store: random.Random(7).randbytes(8192)),
    ("another program's", other_database),
    ("header only", lambda folder, store: store[:100]),
    ("zeroed header", lambda folder, store: b"\0" * 100 + store[100:]),
    ("zeroed first page", lambda folder, store: b"\0" * 4096 + store[4096:]),
    ("one byte", lambda folder, store: b"S"),
]


@pytest.mark.parametrize(("make"), [make for _, make in NO_STORES], ids=[name for name, _ in NO_STORES])
@pytest.mark.parametrize("read_only", [False, True])
def test_what_is_no_store(
    tmp_path: Path, told_once: Path, make: Callable[[Path, bytes], bytes], read_only: bool
) -> None:
    path = put(tmp_path, make(tmp_path, told_once.read_bytes()))
    before = path.read_bytes()
    with pytest.raises(IntegrityFailure) as refused:
        Engine.open(path, actor=MARA, read_only=read_only)
    assert refused.value.exit_code == 5
    assert str(path) in str(refused.value)
    assert "restore it from a backup" in str(refused.value)
    assert "\n" not in str(refused.value)
    assert path.read_bytes() == before


@pytest.mark.parametrize("read_only", [False, True])
def test_a_newer_store_is_left_alone(story: Path, read_only: bool) -> None:
    with bare(story) as db:
        db.execute(f"PRAGMA user_version={schema.VERSION + 1}")
    before = content(story)
    with pytest.raises(NewerStore) as refused:
        Engine.open(story, actor=MARA, read_only=read_only)
    assert refused.value.exit_code == 1
    assert str(refused.value) == (
        f"{story} was written by a newer version of tur (store format {schema.VERSION + 1}, "
        f"this one reads {schema.VERSION}); upgrade tur-tui"
    )
    assert content(story) == before


def test_no_store_at_all(tmp_path: Path) -> None:
    with pytest.raises(NoStore, match=r"there is no store at .*; make one with `tur init`") as refused:
        Engine.open(tmp_path / "nowhere", actor=MARA)
    assert refused.value.exit_code == 1


@pytest.mark.parametrize("part", ["meta", "events", "bodies", "memories", "standing", "conflicts", "words", "vectors"])
def test_a_table_that_is_missing(story: Path, part: str) -> None:
    with bare(story) as db:
        db.execute(f"DROP TABLE {part}")

    def look() -> None:
        with Engine.open(story, actor=MARA) as engine:
            use(engine)

    with pytest.raises(IntegrityFailure, match=r"is damaged|lost the name"):
        look()
    if part not in ("meta", "events"):
        with Engine.open(story, actor=MARA) as engine:
            assert not engine.verify().ok


NO_NAMES = ("", "0", "zz", "9:zz", "-1", "../../x", "0" * 32, "0" * 31)


@pytest.mark.parametrize("name", [None, *NO_NAMES])
def test_a_store_that_lost_its_name(story: Path, name: str | None) -> None:
    with bare(story) as db:
        if name is None:
            db.execute("DELETE FROM meta WHERE key='store_id'")
        else:
            db.execute("UPDATE meta SET value=? WHERE key='store_id'", (name,))
    with pytest.raises(IntegrityFailure, match="the store_id kept in the store is not that of its events"):
        Engine.open(story, actor=MARA)
    with Engine.open(story, actor=MARA, to_mend=True) as engine:
        assert "store_id" in engine.verify().problem
        with pytest.raises(IntegrityFailure, match="store_id"):
            engine.note("a note")


def test_a_store_that_nothing_names(story: Path) -> None:
    with bare(story) as db:
        db.execute("DELETE FROM meta WHERE key='store_id'; UPDATE events SET json=x'00' WHERE seq=1")
    with pytest.raises(IntegrityFailure, match="lost the name of its store"):
        Engine.open(story, actor=MARA, to_mend=True)


_NO_HEADS = ("aa" * 32, "zz", "", "0", "99", "9:zz", "-1", "99:", None)


@pytest.mark.parametrize("value", _NO_HEADS)
@pytest.mark.parametrize("cell", ["head_hash", "peaks", "memory_clock", "store_id"])
def test_nothing_is_appended_behind_a_damaged_head(story: Path, cell: str, value: str | None) -> None:
    """Also where the cell was spoilt while the store was open."""
    with Engine.open(story, actor=MARA) as engine:
        with bare(story) as db:
            if value is None:
                db.execute("DELETE FROM meta WHERE key=?", (cell,))
            else:
                db.execute("UPDATE meta SET value=? WHERE key=?", (value, cell))
        before = content(story)
        with pytest.raises(IntegrityFailure, match=rf"is damaged: .*{cell}.*; `tur verify` checks it"):
            engine.note("a note")
        assert content(story) == before


def test_a_clock_that_is_an_earlier_event_is_no_head_either(story: Path) -> None:
    with Engine.open(story, actor=MARA) as engine:
        with bare(story) as db:
            db.execute("UPDATE meta SET value=value-1 WHERE key='memory_clock'")
        with pytest.raises(IntegrityFailure, match="memory_clock"):
            engine.note("a note")


@pytest.mark.parametrize("share", [0.05, 0.3, 0.5, 0.9, 0.99])
def test_a_file_that_is_cut_off(story: Path, share: float) -> None:
    size = story.stat().st_size
    os.truncate(story, int(size * share))
    reports: list[VerifyReport] = []

    def look() -> None:
        with Engine.open(story, actor=MARA) as engine:
            reports.append(engine.verify())

    refused = refusal(look)
    assert isinstance(refused, IntegrityFailure) or (reports and not reports[0].ok)
    assert "\n" not in str(refused)


def use(engine: Engine) -> None:
    """Every read and every kind of change."""
    engine.status()
    beliefs = engine.memories(status=list(Status))
    found = engine.conflicts(all=True)
    engine.entries(engine.feed_index())
    for belief in beliefs:
        engine.edges(belief.id)
    engine.neighbourhood([belief.id for belief in beliefs[:3]], radius=2)
    for conflict in [c for c in found if c.state.open][:2]:
        engine.preview(conflict.id, Verb.SUPERSEDE)
    for query in ("database choice", "weather", "linter"):
        engine.recall(query, include_superseded=True)
    engine.at(20).memories()
    engine.learn(draft("database: a fourth choice", topic="the database"))
    engine.learn(draft("queue: a fourth choice"), on_conflict=OnConflict.ALLOW)
    engine.note("weather: snow")
    engine.resolve(engine.conflicts()[0].id, Verb.FORCE, reason="so be it")
    engine.undo()


def test_a_sound_store_can_be_used(story: Path) -> None:
    with Engine.open(story, actor=MARA) as engine:
        use(engine)
        assert engine.verify().ok


def spoilt(store: bytes, chance: random.Random, runs: int) -> bytes:
    data = bytearray(store)
    for _ in range(runs):
        place = chance.randrange(len(data))
        data[place] ^= 1 << chance.randrange(8)
    return bytes(data)


@pytest.mark.parametrize("runs", [1, 40])
def test_flipped_bits_are_found_or_do_no_harm(
    tmp_path: Path, told_once: Path, chance: random.Random, runs: int
) -> None:
    flip(tmp_path, told_once, chance, runs, rounds=20)


@pytest.mark.soak
@pytest.mark.parametrize("runs", [1, 2, 5, 40, 400])
def test_many_flipped_bits(tmp_path: Path, told_once: Path, chance: random.Random, runs: int) -> None:
    flip(tmp_path, told_once, chance, runs, rounds=600)


def flip(folder: Path, sound: Path, chance: random.Random, runs: int, rounds: int) -> None:
    """A store that verifies holds what it held; using one that does not ends well or in a sentence."""
    path = put(folder, b"")
    store = sound.read_bytes()
    expected = content(sound)
    caught = 0
    for _ in range(rounds):
        for file in path.parent.iterdir():
            file.unlink()
        path.write_bytes(spoilt(store, chance, runs))
        verified: list[bool] = []
        refused = refusal(partial(look_through, path, expected, verified))
        caught += verified != [True]
        if refused is not None:  # a damaged id is no id: that is said, too
            assert refused.exit_code in (1, 5) or isinstance(refused, BadInput), refused
            assert "\n" not in str(refused)
    assert caught > rounds // 20


def look_through(path: Path, expected: dict[str, list[tuple[Any, ...]]], verified: list[bool]) -> None:
    with Engine.open(path, actor=MARA) as engine:
        verified.append(engine.verify().ok)
        if verified[0]:
            assert content(path) == expected
        use(engine)


@pytest.mark.parametrize(
    "damage",
    [
        "UPDATE events SET json=x'00' WHERE seq=14",
        "UPDATE events SET json=CAST('{}' AS BLOB) WHERE seq=14",
        "UPDATE events SET kind='no such kind' WHERE seq=14",
        "UPDATE events SET actor='' WHERE seq=14",
        "UPDATE events SET at='yesterday' WHERE seq=14",
        "DELETE FROM events WHERE seq=14",
        "UPDATE bodies SET body=x'ff'",
        "DELETE FROM bodies",
        "UPDATE standing SET status='confused'",
        "DELETE FROM standing",
        "UPDATE conflicts SET record='{'",
        "UPDATE conflicts SET record='{}'",
        "UPDATE conflict_states SET state='confused'",
        "UPDATE scopes SET scope='nowhere' WHERE scope_id=1",
        "DELETE FROM scopes",
        "DELETE FROM memories",
        "UPDATE meta SET value='x' WHERE key='peaks'",
        "UPDATE meta SET value='x' WHERE key='memory_clock'",
        "UPDATE meta SET value='x' WHERE key='head_hash'",
        "UPDATE edges SET target=9000",
        "UPDATE mentions SET seq=9000 WHERE seq=14",
    ],
)
def test_rows_that_make_no_sense_end_in_a_sentence(story: Path, damage: str) -> None:
    with bare(story) as db:
        db.execute(damage)

    def look() -> None:
        with Engine.open(story, actor=MARA) as engine:
            assert not engine.verify().ok
            use(engine)

    refused = refusal(look)
    if refused is not None:
        assert refused.exit_code in (1, 5), refused
        assert "\n" not in str(refused)


def test_our_errors_are_never_sqlites(story: Path) -> None:
    """The suite above relies on it: `apsw.Error` is no `TurError`."""
    assert not issubclass(apsw.Error, TurError)
    with Engine.open(story, actor=MARA) as engine, pytest.raises(TurError):
        engine.memory("no such id")
