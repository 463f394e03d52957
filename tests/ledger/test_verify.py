"""Every change that did not come through the ledger is reported: rows, columns, bytes, tables."""

from __future__ import annotations

import hashlib
import json
import random
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import apsw
import pytest

from tests.ledger.makings import MARA, MOMENT, draft
from tur_engine.engine import Engine
from tur_engine.errors import IntegrityFailure
from tur_engine.ledger import Encoded, NewEvent, schema
from tur_engine.ledger.canonical import canonical, hash_bytes
from tur_engine.ledger.effects import arrive
from tur_engine.ledger.ledger import Ledger
from tur_engine.ledger.verify import verify
from tur_engine.ledger.writing import Writing
from tur_engine.records import EventKind, Merkle, Status, VerifyReport

TABLES = ("meta", "events", "bodies", *schema.PROJECTION_TABLES, "words", "vectors")


class _Back(Exception):
    """Takes the tampering back."""


GOVERNED: tuple[tuple[EventKind, dict[str, Any]], ...] = (
    (EventKind.ENROLLED, {"op": "key", "key": "ab" * 4, "public": "cd" * 32, "name": "mara", "on": True}),
    (EventKind.POLICY, {"op": "policy", "quorum": {"axiom": 1, "core": 2}}),
    (EventKind.QUARANTINED, {"op": "quarantine", "author": "agent:bot", "on": True}),
)
"""So that no table is empty; whether they are signed is not the ledger's business."""


@pytest.fixture(scope="module")
def ledger(told_once: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Ledger]:
    path = tmp_path_factory.mktemp("governed") / "ledger.db"
    shutil.copyfile(told_once, path)
    ledger = Ledger(path)
    with ledger.writing() as tx:
        tx.append([NewEvent(kind, MARA, {"effects": [effect]}) for kind, effect in GOVERNED])
    yield ledger
    assert verify(ledger).ok
    ledger.close()


@contextmanager
def tampered(ledger: Ledger) -> Iterator[apsw.Connection]:
    """Let the caller change rows; taken back at the end. `verify` inside sees the change."""
    try:
        with ledger.transaction() as db:
            yield db
            raise _Back
    except _Back:
        pass


def keys(db: apsw.Connection, table: str) -> tuple[str, list[tuple[Any, ...]]]:
    """Return a condition that names one row, and its values for every row."""
    names = {
        "meta": ["key"],
        "bodies": ["ref"],
        "conflicts": ["cid"],
        "mentions": ["subject", "seq"],
        "proposals": ["proposal"],
        "vectors": ["mid"],
    }.get(table, ["rowid"])
    found = db.execute(f"SELECT {', '.join(names)} FROM {table}").fetchall()
    return " AND ".join(f"{name}=?" for name in names), found


def columns(db: apsw.Connection, table: str) -> list[str]:
    return [row[1] for row in db.execute(f"PRAGMA table_info({table})")]


def test_the_story_verifies(ledger: Ledger) -> None:
    seen: list[tuple[int, int]] = []
    report = verify(ledger, lambda done, of: seen.append((done, of)))
    assert report.ok
    assert report.first_bad is None
    assert report.problem == ""
    assert report.events > 50
    assert report.head == ledger.tree_head()
    assert seen[-1] == (report.events, report.events)


def test_it_holds_for_who_looked_before_others_wrote(tmp_path: Path) -> None:
    """FTS5 keeps in mind which segments it saw, and others' writing merges them into new ones."""
    with Engine.init(tmp_path, actor=MARA) as watching, Engine.open(watching.path, actor=MARA) as writing:
        for number in range(40):
            encoded = Encoded(draft(f"The lamp {number} stands in room {number * 7}"), MOMENT)
            with writing._ledger.writing() as tx:
                data = {"memory": encoded.data, "effects": [arrive(encoded.digest, Status.ACTIVE)]}
                tx.append([NewEvent(EventKind.LEARNED, MARA, data, encoded.bodies)])
            assert watching.verify().problem == ""
        assert len(watching.memories()) == 40


def everything(items: list[Any], count: int) -> list[Any]:
    """In place of a sample."""
    return items


@pytest.mark.soak
def test_every_row_column_and_byte(ledger: Ledger, chance: random.Random) -> None:
    for table in TABLES:
        test_a_lost_row_is_reported(ledger, table, everything)
        if table not in ("words", "vectors"):
            test_a_changed_column_is_reported(ledger, table, everything, chance)
    test_every_byte_of_an_event_and_a_body_counts(ledger, everything, chance)


@pytest.mark.parametrize("table", TABLES)
def test_a_lost_row_is_reported(ledger: Ledger, table: str, sample: Callable[[list[Any], int], list[Any]]) -> None:
    with ledger.reading() as db:
        where, rows = keys(db, table)
    assert rows
    for row in sample(rows, 4):
        with tampered(ledger) as db:
            db.execute(f"DELETE FROM {table} WHERE {where}", row)
            assert_reported(ledger, f"{table} {row}")


@pytest.mark.parametrize("table", [t for t in TABLES if t not in ("words", "vectors")])
def test_a_changed_column_is_reported(
    ledger: Ledger, table: str, sample: Callable[[list[Any], int], list[Any]], chance: random.Random
) -> None:
    with ledger.reading() as db:
        where, rows = keys(db, table)
        names = columns(db, table)
    for name in names:
        for row in sample(rows, 3):
            with tampered(ledger) as db:
                value = db.execute(f"SELECT {name} FROM {table} WHERE {where}", row).get
                for other in others(value, chance):
                    try:
                        db.execute(f"UPDATE {table} SET {name}=? WHERE {where}", (other, *row))
                    except apsw.ConstraintError:
                        continue
                    assert_reported(ledger, f"{table}.{name} {row}: {value!r} -> {other!r}")
                    break


def others(value: Any, chance: random.Random) -> list[Any]:
    """What a value may have been changed to, one byte or one step away."""
    if isinstance(value, bytes) and value:
        place = chance.randrange(len(value))
        changed = bytes([value[place] ^ (1 << chance.randrange(8))])
        return [value[:place] + changed + value[place + 1 :]]
    if isinstance(value, str) and value:
        place = chance.randrange(len(value))
        return [value[:place] + chr(ord(value[place]) ^ 1) + value[place + 1 :], value + "x"]
    if isinstance(value, int):
        return [value + 1, value - 1, value + 1000]
    return [b"x" if value == b"" else "x" if value == "" else 7]


def test_every_byte_of_an_event_and_a_body_counts(
    ledger: Ledger, sample: Callable[[list[Any], int], list[Any]], chance: random.Random
) -> None:
    """One row of each, all its bytes in the full run."""
    with ledger.reading() as db:
        places = [
            (table, column, key, place)
            for table, column, key in (("events", "json", "seq"), ("events", "hash", "seq"), ("bodies", "body", "ref"))
            for key, value in db.execute(
                f"SELECT {key}, {column} FROM {table} WHERE {column} IS NOT NULL LIMIT 2 OFFSET 9"
            )
            for place in range(len(value))
        ]
    for table, column, key, place in sample(places, 40):
        with tampered(ledger) as db:
            where = "seq=?" if table == "events" else "ref=?"
            value: Any = db.execute(f"SELECT {column} FROM {table} WHERE {where}", (key,)).get
            other = value[:place] + bytes([value[place] ^ (1 << chance.randrange(8))]) + value[place + 1 :]
            db.execute(f"UPDATE {table} SET {column}=? WHERE {where}", (other, key))
            report = assert_reported(ledger, f"{table}.{column} {key!r} at {place}")
            if table == "events":
                assert report.first_bad in (key, key + 1)


@pytest.mark.parametrize(
    ("table", "row"),
    [
        ("meta", ("colour", "red")),
        ("events", (10_000, "2026-01-01T00:00:00.000000Z", "human:x", "noted", b"{}", b"\0" * 32)),
        ("events", (-1, "2026-01-01T00:00:00.000000Z", "human:x", "noted", b"{}", b"\0" * 32)),
        ("bodies", (hashlib.sha256(b"\7" * 16 + b"x").digest(), b"\7" * 16, b"x", None)),
        ("bodies", (b"\0" * 32, None, None, 3)),
        ("bodies", (5, "salt", "body", None)),
        ("memories", (9000, "ab" * 32, "fact", b"\1" * 32, 1, b"", None)),
        ("scopes", (99, "user:elsewhere")),
        ("standing", (2, "active", 3, 4)),
        ("suspicions", (2, 3, 4, schema.OPEN)),
        ("narrowings", (2, 1, 4, schema.OPEN)),
        ("edges", (2, 3, "refines", 5, schema.OPEN)),
        ("conflicts", ("cd" * 32, 2, 3, 4, "", "{}")),
        ("conflict_states", ("cd" * 32, "detected", 4, "", 4, schema.OPEN)),
        ("approvals", (2, 3, schema.OPEN)),
        ("proposals", ("ab" * 32, "adopt", 2, 3, "[]", "")),
        ("proposal_states", ("ab" * 32, "pending", 3, 4)),
        ("reviewer_keys", ("ab" * 4, "cd" * 32, "mallory", 3, schema.OPEN)),
        ("policies", ("{}", 3, schema.OPEN)),
        ("quarantines", ("agent:bot", 3, schema.OPEN)),
        ("mentions", ("ab" * 32, 3)),
        ("undoings", (3, 4)),
        ("vectors", (9000, b"\0" * 48, 1, 1)),
    ],
)
def test_an_added_row_is_reported(ledger: Ledger, table: str, row: tuple[Any, ...]) -> None:
    with tampered(ledger) as db:
        marks = "?,vec_bit(?),?,?" if table == "vectors" else ",".join("?" * len(row))
        db.execute(f"INSERT INTO {table} VALUES({marks})", row)
        assert_reported(ledger, f"{table} {row}")


def test_added_words_are_reported(ledger: Ledger) -> None:
    with tampered(ledger) as db:
        db.execute("INSERT INTO words(rowid, tokens) VALUES(9000, 'hello')")
        assert "words" in assert_reported(ledger, "words").problem


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE vectors SET probed = 1 - probed WHERE mid=2",
        "UPDATE vectors SET scope_id = 7 WHERE mid=2",
        "DELETE FROM vectors WHERE mid=3; INSERT INTO vectors VALUES(3, vec_bit(zeroblob(48)), 1, 1)",
        "DELETE FROM words WHERE rowid=2; INSERT INTO words(rowid, tokens) VALUES(2, 'something else')",
        "DELETE FROM words_config WHERE k='secure-delete'",
        "DELETE FROM words_docsize WHERE id=2",
        "DELETE FROM words_data WHERE id > 10",
        "DELETE FROM vectors_rowids WHERE rowid=2",
        "DELETE FROM vectors_chunks",
        "DELETE FROM vectors_vector_chunks00",
        "DELETE FROM vectors_metadatachunks00",
        "UPDATE vectors_metadatachunks01 SET data=zeroblob(length(data))",
        "UPDATE vectors_chunks SET size=512",
        "UPDATE vectors_vector_chunks00 SET vectors=zeroblob(length(vectors))",
        "DROP TABLE mentions",
        "DROP INDEX standing_mid",
        "DROP TABLE words",
        "DROP TABLE vectors",
        "CREATE TRIGGER sly AFTER INSERT ON standing BEGIN DELETE FROM standing; END",
        "CREATE VIEW peep AS SELECT * FROM bodies",
        "DROP TABLE bodies; CREATE TABLE bodies(ref, salt, body, redacted_seq)",
        "DROP TABLE meta",
        "UPDATE meta SET value='x' WHERE key='peaks'",
        "UPDATE meta SET value='10:' || substr(value, 4) WHERE key='peaks'",
        "UPDATE events SET json=CAST(json AS TEXT) WHERE seq=2",
        "UPDATE bodies SET body=CAST(x'ff' || body AS TEXT)",
        "UPDATE events SET actor=CAST(x'ff' AS TEXT) WHERE seq=4",
        "UPDATE mentions SET subject=CAST(x'ff' AS TEXT) WHERE seq=4",
        "UPDATE bodies SET body=CAST(body AS TEXT), salt=5 WHERE ref=(SELECT min(ref) FROM bodies)",
    ],
)
def test_indexes_tables_and_types_are_looked_at(ledger: Ledger, statement: str) -> None:
    with tampered(ledger) as db:
        db.execute(statement)
        assert_reported(ledger, statement)


def assert_reported(ledger: Ledger, what: str) -> VerifyReport:
    try:
        report = verify(ledger)
    except IntegrityFailure as error:  # so damaged that it cannot be read: the same exit code
        return VerifyReport(ok=False, events=0, head=Merkle(size=0, root=""), problem=str(error))
    assert not report.ok, what
    assert report.problem, what
    assert "\n" not in report.problem
    assert report.first_bad is None or 1 <= report.first_bad <= report.events + 1, what
    assert report.head.root == ""
    return report


# forgeries: everything an attacker can make consistent, made consistent -------------------------


def rewrite(db: apsw.Connection, seq: int, change: Callable[[dict[str, Any]], None]) -> None:
    """Change an event and mend its own row: JSON, hash and columns fit each other again."""
    decoded = json.loads(db.execute("SELECT json FROM events WHERE seq=?", (seq,)).get)
    change(decoded)
    payload = canonical(decoded)
    db.execute(
        "UPDATE events SET at=?, actor=?, kind=?, json=?, hash=? WHERE seq=?",
        (decoded["at"], decoded["actor"], decoded["kind"], payload, bytes.fromhex(hash_bytes(payload)), seq),
    )


@pytest.mark.parametrize("back", [0, 1, 20, 50])
def test_an_event_rewritten_with_its_hash_breaks_the_chain(ledger: Ledger, back: int) -> None:
    seq = (last := ledger.head()) - back
    with tampered(ledger) as db:
        rewrite(db, seq, lambda event: event.update(actor="human:mallory"))
        report = assert_reported(ledger, str(seq))
        assert (report.first_bad, report.problem) == (
            (last, "the last hash kept in the store is not that of the last event")
            if seq == last
            else (seq + 1, f"event {seq + 1} does not follow event {seq}: the chain is broken")
        )


def test_the_last_event_cut_off_is_reported(ledger: Ledger) -> None:
    last = ledger.head()
    with tampered(ledger) as db:
        db.execute("DELETE FROM events WHERE seq=?", (last,))
        report = assert_reported(ledger, "last")
        problem = f"the tree head says {last} events, the log holds {last - 1}"
        assert (report.first_bad, report.problem) == (last, problem)


@pytest.mark.parametrize(
    ("data", "why"),
    [
        ({"effects": [{"op": "status", "digest": "no such", "to": "active"}]}, "never came in"),
        ({"effects": [{"op": "end"}]}, "cannot be applied"),
        ({"effects": [{"op": "no such thing"}]}, "cannot be applied"),
        ({"effects": [{"digest": "x"}]}, "cannot be applied"),
        ({"effects": ["x"]}, "cannot be applied"),
        ({"effects": 5}, "not canonical JSON of an event"),
        ({}, "not canonical JSON of an event"),
        ({"effects": [{"op": "memory", "digest": "ab" * 32, "status": "active"}], "memory": {}}, "cannot be applied"),
        ({"effects": [], "undoes": []}, "cannot be applied"),
    ],
)
def test_an_event_that_makes_no_sense_is_reported(ledger: Ledger, data: dict[str, Any], why: str) -> None:
    """Even one whose hash, link, columns and tree head all fit."""
    last = ledger.head()
    with tampered(ledger) as db:
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr("tur_engine.ledger.projector.Projector.apply", lambda *_: None)
            with ledger.reading() as same:
                assert same is db
                Writing(db).append([NewEvent(EventKind.NOTED, MARA, data)])
        report = assert_reported(ledger, why)
        assert why in report.problem
        assert report.first_bad == last + 1


def test_a_memory_under_a_false_id_is_reported(story: Path) -> None:
    """Its bytes are hashed and chained, but its id is not the digest of its record."""
    with Engine.open(story, actor=MARA) as engine:
        encoded = Encoded(draft("a: b"), MOMENT)
        data = {"memory": encoded.data, "effects": [arrive("ab" * 32, Status.ACTIVE)]}
        with engine._ledger.writing() as tx:
            tx.append([NewEvent(EventKind.LEARNED, MARA, data, encoded.bodies)])
        report = engine.verify()
        assert report.first_bad == engine.head()
    assert not report.ok
    assert "id is not the digest of its record" in report.problem


def test_a_store_that_was_not_founded_is_reported(ledger: Ledger) -> None:
    with tampered(ledger) as db:
        rewrite(db, 1, lambda event: event.update(kind="noted"))
        assert "does not found a store" in assert_reported(ledger, "founding").problem


def test_another_stores_name_is_reported(ledger: Ledger) -> None:
    with tampered(ledger) as db:
        db.execute("UPDATE meta SET value=? WHERE key='store_id'", ("ab" * 16,))
        assert "store_id" in assert_reported(ledger, "store id").problem


def test_a_clock_set_back_is_reported(ledger: Ledger) -> None:
    """It would let a stale verdict pass the gate."""
    with tampered(ledger) as db:
        db.execute("UPDATE meta SET value='3' WHERE key='memory_clock'")
        assert "memory_clock" in assert_reported(ledger, "clock").problem


def test_the_border_of_a_salt_cannot_be_moved(ledger: Ledger) -> None:
    """SHA-256(salt + text) would not tell: the length of the salt does."""
    with tampered(ledger) as db:
        db.execute(
            "UPDATE bodies SET salt=substr(salt, 1, 15), body=CAST(substr(salt, 16) || body AS BLOB) "
            "WHERE ref=(SELECT ref FROM bodies WHERE length(body) < 60 LIMIT 1)"
        )
        assert "was altered" in assert_reported(ledger, "salt").problem
