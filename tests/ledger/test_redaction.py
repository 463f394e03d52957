"""The hash covers salted bodies: a text can be taken out of a chain that still verifies, but not changed in it."""

from __future__ import annotations

import hashlib
from collections.abc import Callable

import pytest

from tests.ledger.makings import MARA, bare, content, draft, redact_memory
from tests.standins import plain_vector
from tur_engine.engine import Engine
from tur_engine.ledger import bodies, connection
from tur_engine.ledger.codec import TOMBSTONE
from tur_engine.ledger.projector import sign_bits
from tur_engine.records import OnConflict, Status

SECRET = "the vault opens with xylophonequartz"


@pytest.fixture
def seq(engine: Engine) -> int:
    """A store with one secret among other texts; the event that brought it in."""
    engine.learn(draft("the vault: in the cellar"))
    result = engine.learn(draft(SECRET, topic="vaultsecrets", fields={"code": "zebrafjord"}, session="s9"))
    engine.learn(draft("the vault opens with a key", topic="keys"))
    assert engine.verify().ok
    assert result.seq is not None
    return result.seq


def refs(engine: Engine, seq: int) -> list[bytes]:
    with bare(engine.path) as db:
        payload = db.execute("SELECT json FROM events WHERE seq=?", (seq,)).get
    return [bodies.key_of(ref) for ref in bodies.references(payload)]


def change(engine: Engine, statement: str, *values: object) -> None:
    with bare(engine.path) as db:
        db.execute(statement, values)
        assert db.changes() == 1


def problem(engine: Engine) -> tuple[int | None, str]:
    report = engine.verify()
    assert not report.ok
    return report.first_bad, report.problem


def test_a_text_replaced_by_its_tombstone_verifies(engine: Engine, seq: int) -> None:
    before = content(engine.path)
    head = engine.status().head
    redacted = redact_memory(engine, engine.memories()[1].id)
    report = engine.verify()
    assert report.ok, report.problem
    assert report.events == redacted
    after = content(engine.path)
    assert [row for row in after["events"] if row[0] <= head.size] == before["events"]
    named = refs(engine, seq)
    assert len(named) == 3  # content, details, vector
    gone = [row for row in after["bodies"] if row[0] in named]
    assert [row[1:] for row in gone] == [(None, None, redacted)] * 3


def test_what_was_redacted_is_found_nowhere(engine: Engine, seq: int) -> None:
    id = engine.memories()[1].id
    redact_memory(engine, id)
    belief = engine.memory(id)
    assert belief.memory.redacted
    assert belief.memory.content == TOMBSTONE
    assert (belief.memory.topic, belief.memory.fields, belief.memory.session) == (None, {}, None)
    assert belief.status is Status.ACTIVE
    assert id not in {hit.belief.id for hit in engine.recall("vault opens xylophonequartz")}
    assert engine.at(seq).memory(id).memory.content == TOMBSTONE
    assert not any("xylophone" in entry.summary for entry in engine.history())
    with bare(engine.path) as db:
        assert db.execute("SELECT count(*) FROM places WHERE doc=?", (seq,)).get == 0
        assert db.execute("SELECT count(*) FROM vectors WHERE mid=?", (seq,)).get == 0
        assert db.execute("SELECT content_key, topic_key FROM memories WHERE mid=?", (seq,)).fetchall() == [(b"", b"")]


def traces(engine: Engine) -> list[bytes]:
    """The text, its words and its vector, as they would lie in the files."""
    words = [SECRET.encode(), b"xylophonequartz", b"vaultsecrets", b"zebrafjord"]
    vector = plain_vector(SECRET)[-384:]
    return [*words, vector, vector[:64], sign_bits(vector)]


def files(engine: Engine) -> bytes:
    return b"".join(file.read_bytes() for file in sorted(engine.path.parent.iterdir()))


def test_not_a_byte_of_it_stays_in_the_files(engine: Engine, seq: int) -> None:
    """Neither in the store nor in its log, at once, while the store stays open."""
    there = files(engine)
    assert [trace for trace in traces(engine) if trace not in there] == []
    redact_memory(engine, engine.memories()[1].id)
    assert not engine.lingers
    left = files(engine)
    assert [trace for trace in traces(engine) if trace in left] == []
    assert engine.verify().ok


def test_a_reader_keeps_the_log_and_that_is_said(engine: Engine, seq: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connection, "BUSY_MS", 50)
    with Engine.open(engine.path, actor=MARA) as writer, bare(engine.path) as reader:
        reader.execute("BEGIN")
        reader.execute("SELECT count(*) FROM events").fetchall()
        redact_memory(writer, engine.memories()[1].id)
        assert writer.lingers
        assert any(trace in files(engine) for trace in traces(engine))
        reader.execute("COMMIT")
        writer.note("the next write takes it away")
        assert not writer.lingers
        left = files(engine)
        assert [trace for trace in traces(engine) if trace in left] == []


def test_the_same_text_may_be_learned_again(engine: Engine, seq: int) -> None:
    redact_memory(engine, engine.memories()[1].id)
    again = engine.learn(draft(SECRET), on_conflict=OnConflict.ALLOW)
    assert again.outcome == "committed"
    assert engine.verify().ok


def test_a_redacted_store_is_rebuilt_as_it_was(engine: Engine, seq: int) -> None:
    redact_memory(engine, engine.memories()[1].id)
    before = content(engine.path)
    engine.rebuild()
    assert content(engine.path) == before
    assert engine.verify().ok


def test_an_altered_text_fails(engine: Engine, seq: int) -> None:
    for key in refs(engine, seq):
        before = content(engine.path)["bodies"]
        (salt, text) = next((row[1], row[2]) for row in before if row[0] == key)
        change(engine, "UPDATE bodies SET body=? WHERE ref=?", text[:-1] + b"!", key)
        assert problem(engine) == (seq, f"a text of event {seq} was altered")
        change(engine, "UPDATE bodies SET body=?, salt=? WHERE ref=?", text, salt[:-1] + b"!", key)
        assert problem(engine) == (seq, f"a text of event {seq} was altered")
        change(engine, "UPDATE bodies SET salt=? WHERE ref=?", salt, key)
        assert engine.verify().ok


@pytest.mark.parametrize(
    "tamper",
    [
        "DELETE FROM bodies WHERE ref=?",
        "UPDATE bodies SET body=NULL WHERE ref=?",
        "UPDATE bodies SET salt=NULL, body=NULL WHERE ref=?",
        "UPDATE bodies SET salt=NULL, body=NULL, redacted_seq=5 WHERE ref=?",
        "UPDATE bodies SET redacted_seq=5 WHERE ref=?",
        "UPDATE bodies SET salt=NULL WHERE ref=?",
        "UPDATE bodies SET ref=zeroblob(32) WHERE ref=?",
    ],
)
def test_a_text_taken_out_without_an_event_fails(engine: Engine, seq: int, tamper: str) -> None:
    for key in refs(engine, seq):
        row = next(row for row in content(engine.path)["bodies"] if row[0] == key)
        change(engine, tamper, key)
        first_bad, why = problem(engine)
        assert first_bad == seq
        assert why.startswith((f"a text of event {seq} ", f"event {seq} cannot be applied"))
        with bare(engine.path) as db:
            db.execute("DELETE FROM bodies WHERE ref IN (?, zeroblob(32))", (key,))
            db.execute("INSERT INTO bodies VALUES(?,?,?,?)", row)
        assert engine.verify().ok


@pytest.mark.parametrize(
    "tamper",
    [
        lambda row: ("UPDATE bodies SET salt=?, body=? WHERE ref=?", row[1], row[2], row[0]),
        lambda row: ("UPDATE bodies SET salt=?, body=?, redacted_seq=NULL WHERE ref=?", row[1], row[2], row[0]),
        lambda row: ("UPDATE bodies SET redacted_seq=2 WHERE ref=?", row[0]),
        lambda row: ("UPDATE bodies SET redacted_seq=NULL WHERE ref=?", row[0]),
        lambda row: ("UPDATE bodies SET salt=? WHERE ref=?", row[1], row[0]),
        lambda row: ("DELETE FROM bodies WHERE ref=?", row[0]),
    ],
    ids=["put back", "put back clean", "other event", "no event", "salt put back", "tombstone removed"],
)
def test_a_tombstone_changed_fails(
    engine: Engine, seq: int, tamper: Callable[[tuple[object, ...]], tuple[str, object]]
) -> None:
    key = refs(engine, seq)[0]
    row = next(row for row in content(engine.path)["bodies"] if row[0] == key)
    redact_memory(engine, engine.memories()[1].id)
    change(engine, *tamper(row))
    first_bad, why = problem(engine)
    assert first_bad == seq
    assert why.startswith(f"a text of event {seq} ")


def test_a_forged_text_with_a_hash_of_its_own_fails(engine: Engine, seq: int) -> None:
    """The event names the old hash: another body is one that no event names, and the old one is missing."""
    key = refs(engine, seq)[0]
    forged = bodies.body("the vault opens with sesame")
    change(
        engine,
        "UPDATE bodies SET ref=?, salt=?, body=? WHERE ref=?",
        bodies.key_of(forged.ref),
        forged.salt,
        forged.content,
        key,
    )
    first_bad, _ = problem(engine)
    assert first_bad == seq


def test_a_guess_cannot_be_checked_against_the_events(engine: Engine, seq: int) -> None:
    """Without its salt a hash says nothing about a text, however short."""
    with bare(engine.path) as db:
        payload = bytes(db.execute("SELECT json FROM events WHERE seq=?", (seq,)).get)
    assert SECRET.encode() not in payload
    assert hashlib.sha256(SECRET.encode()).hexdigest().encode() not in payload
