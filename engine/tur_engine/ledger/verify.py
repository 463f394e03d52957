"""Does the ledger hold? Chain, bodies, Merkle root, and every projection against a replay of the events."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from typing import Any

import apsw

from ..records import Merkle, VerifyReport
from . import bodies, schema
from .canonical import GENESIS, hash_bytes, is_canonical
from .ledger import Ledger
from .merkle import Peaks
from .projector import Projector

Progress = Callable[[int, int], None]
_STEP = 500


class _Bad(Exception):
    def __init__(self, seq: int | None, problem: str) -> None:
        super().__init__(problem)
        self.seq = seq


def verify(ledger: Ledger, progress: Progress | None = None) -> VerifyReport:
    """Check one moment of the store; reports the first event that is wrong, raises only where it cannot be read."""
    with ledger.snapshot() as db:
        total = int(db.execute("SELECT count(*) FROM events").get)
        try:
            head = _check(db, total, progress)
        except _Bad as bad:
            return VerifyReport(
                ok=False, events=total, head=Merkle(size=total, root=""), first_bad=bad.seq, problem=str(bad)
            )
        return VerifyReport(ok=True, events=total, head=head)


def _check(db: apsw.Connection, total: int, progress: Progress | None) -> Merkle:
    peaks, previous = Peaks(), GENESIS
    replay = apsw.Connection(":memory:")
    replay.execute(schema.PROJECTIONS)
    projector = Projector(replay, search=False, read=lambda ref: bodies.read(db, ref))
    tombstones: dict[str, int] = {}
    named: dict[str, int] = {}
    replay.execute("BEGIN")
    rows = db.execute("SELECT seq, at, actor, kind, json, hash FROM events ORDER BY seq")
    for expected, row in enumerate(rows, 1):
        decoded = _check_event(expected, previous, row)
        peaks, previous = peaks.append(row[4]), row[5].hex()
        for ref in bodies.references(decoded["data"]):
            named.setdefault(ref, expected)
        for effect in decoded["data"].get("effects", []):
            if effect.get("op") == "redact":
                tombstones.update(dict.fromkeys(effect["refs"], expected))
        try:
            projector.apply(expected, decoded["kind"], decoded["data"])
        except (KeyError, ValueError, TypeError, AttributeError, apsw.Error) as e:
            raise _Bad(expected, f"event {expected} cannot be applied: {e}") from e
        if progress and expected % _STEP == 0:
            progress(expected, total)
    _check_bodies(db, named, tombstones)
    if (kept := db.execute("SELECT value FROM meta WHERE key='peaks'").get) != peaks.dump():
        size = Peaks.load(kept).size if kept else 0
        raise _Bad(
            min(size, peaks.size) + 1 if size != peaks.size else None,
            f"the tree head says {size} events, the log holds {peaks.size}"
            if size != peaks.size
            else "the Merkle root kept in the store is not that of its events",
        )
    if db.execute("SELECT value FROM meta WHERE key='head_hash'").get != previous:
        raise _Bad(peaks.size, "the last hash kept in the store is not that of the last event")
    _check_projections(db, replay)
    replay.close()
    if progress:
        progress(total, total)
    return Merkle(size=peaks.size, root=peaks.root.hex())


def _check_event(expected: int, previous: str, row: tuple[Any, ...]) -> dict[str, Any]:
    seq, at, actor, kind, payload, digest = row
    if seq != expected:
        raise _Bad(expected, f"event {expected} is missing")
    if not isinstance(digest, bytes) or hash_bytes(payload) != digest.hex():
        raise _Bad(seq, f"event {seq} was altered: its hash does not fit its bytes")
    try:
        decoded: dict[str, Any] = json.loads(payload)
        fits = is_canonical(decoded, payload)
    except (ValueError, TypeError):
        fits = False
    if not fits:
        raise _Bad(seq, f"event {seq} is not canonical JSON")
    if (decoded["seq"], decoded["at"], decoded["actor"], decoded["kind"]) != (
        seq, at, actor, kind,
    ):  # fmt: skip
        raise _Bad(seq, f"event {seq} was altered: its columns do not fit its bytes")
    if decoded["previous"] != previous:
        raise _Bad(seq, f"event {seq} does not follow event {seq - 1}: the chain is broken")
    return decoded


def _check_bodies(db: apsw.Connection, named: dict[str, int], tombstones: dict[str, int]) -> None:
    first: tuple[int, str] | None = None

    def blame(seq: int, problem: str) -> None:
        nonlocal first
        if first is None or seq < first[0]:
            first = (seq, problem)

    left = dict(named)
    for key, salt, content, redacted in db.execute("SELECT ref, salt, body, redacted_seq FROM bodies"):
        ref = bodies.PREFIX + bytes(key).hex()
        seq = left.pop(ref, None)
        if seq is None:
            raise _Bad(None, f"a text that no event names stands in the store ({ref[:21]}...)")
        if content is None:
            if tombstones.get(ref) is None or tombstones[ref] != redacted:
                blame(seq, f"a text of event {seq} is missing and no event redacts it")
        elif ref != bodies.PREFIX + hashlib.sha256(salt + content).hexdigest():
            blame(seq, f"a text of event {seq} was altered")
        elif ref in tombstones:
            blame(seq, f"a text of event {seq} was redacted but stands in the store again")
    for ref, seq in left.items():
        blame(seq, f"a text of event {seq} is missing ({ref[:21]}...)")
    if first is not None:
        raise _Bad(*first)


def _check_projections(db: apsw.Connection, replay: apsw.Connection) -> None:
    for table in schema.PROJECTION_TABLES:
        query = f"SELECT * FROM {table} ORDER BY " + ", ".join(
            str(i + 1) for i in range(len(replay.execute(f"PRAGMA table_info({table})").fetchall()))
        )
        for kept, due in _zip(db.execute(query), replay.execute(query)):
            if kept != due:
                raise _Bad(
                    _seq_of(table, kept, due),
                    f"the {table.replace('_', ' ')} kept in the store are not those of its events",
                )
    live = db.execute(
        "SELECT count(*) FROM memories m WHERE m.content_key <> x'' "
        "AND NOT EXISTS (SELECT 1 FROM words w WHERE w.rowid=m.mid)"
    ).get
    if live:
        raise _Bad(None, f"the full-text index lacks {live} memories; `tur-adm rebuild` mends it")


def _zip(kept: apsw.Cursor, due: apsw.Cursor) -> Any:
    from itertools import zip_longest

    return zip_longest(kept, due)


def _seq_of(table: str, *rows: tuple[Any, ...] | None) -> int | None:
    """Return an event that a differing row belongs to, where the row tells."""
    place = {"memories": 0, "standing": 2, "suspicions": 2, "narrowings": 2, "edges": 3, "conflicts": 3,
             "conflict_states": 2, "approvals": 1, "mentions": 1, "undoings": 1}.get(table)  # fmt: skip
    seqs = [row[place] for row in rows if row is not None and place is not None and isinstance(row[place], int)]
    return min(seqs) if seqs else None


def rebuild(ledger: Ledger, progress: Progress | None = None) -> int:
    """Make every projection and index anew from the events, in one transaction. Returns how many events were read."""
    with ledger._transaction() as db:
        total = int(db.execute("SELECT count(*) FROM events").get)
        for table in schema.PROJECTION_TABLES:
            db.execute(f"DELETE FROM {table}")
        db.execute("INSERT INTO words(words) VALUES('delete-all'); DELETE FROM vectors;")
        projector = Projector(db)
        rows: list[tuple[Any, ...]] = db.execute("SELECT seq, kind, json FROM events ORDER BY seq").fetchall()
        for seq, kind, payload in rows:
            projector.apply(seq, kind, json.loads(payload)["data"])
            if progress and seq % _STEP == 0:
                progress(seq, total)
    return total
