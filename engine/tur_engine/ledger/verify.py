"""Does the ledger hold? Chain, bodies, tree head, and every projection and index against a replay of the events."""

from __future__ import annotations

import hashlib
import json
import struct
from collections.abc import Callable, Iterable
from itertools import zip_longest
from typing import Any

import apsw

from ..errors import TurError
from ..records import EventKind, Merkle, VerifyReport
from ..text import excerpt
from . import bodies, schema
from .canonical import GENESIS, has_digest, hash_bytes, is_canonical
from .connection import load_extension
from .ledger import Ledger
from .merkle import Peaks
from .projector import QUIET, Projector

Progress = Callable[[int, int], None]
STEP = 500
"""Progress is told every so many events."""

_MENDS = "; `tur-adm rebuild` makes them anew"


class _Bad(Exception):
    def __init__(self, seq: int | None, problem: str) -> None:
        super().__init__(problem)
        self.seq = seq


def verify(ledger: Ledger, progress: Progress | None = None) -> VerifyReport:
    """Check one moment of the store; reports the first event that is wrong, raises only where it cannot be read."""
    with ledger.snapshot() as db:
        total = 0
        try:
            total = int(db.execute("SELECT count(*) FROM events").get)
            head = _Check(db, total, progress or (lambda done, of: None)).run()
        except apsw.SQLError as e:
            return _failed(total, _Bad(None, f"a part of the store is missing ({excerpt(str(e))})"))
        except _Bad as bad:
            return _failed(total, bad)
        return VerifyReport(ok=True, events=total, head=head)


def _failed(total: int, bad: _Bad) -> VerifyReport:
    head = Merkle(size=total, root="")
    return VerifyReport(ok=False, events=total, head=head, first_bad=bad.seq, problem=str(bad))


class _Check:
    """One run over one snapshot. Everything that follows from the events is made again in memory and compared."""

    def __init__(self, db: apsw.Connection, total: int, progress: Progress) -> None:
        self._db = db
        self._total = total
        self._progress = progress
        self._replay = apsw.Connection(":memory:")
        load_extension(self._replay)
        self._replay.execute(schema.TRUTH + schema.PROJECTIONS + schema.SEARCH)
        self._named: dict[str, int] = {}
        self._tombstones: dict[str, int] = {}
        self._meta: dict[str, Any] = {}

    def run(self) -> Merkle:
        """Return the tree head. Raises _Bad at the first thing that does not fit."""
        try:
            peaks = self._events()
            self._heads()
            self._bodies()
            self._tables()
            self._projections()
            self._indexes()
            self._reachable()
        except UnicodeDecodeError as e:
            raise _Bad(None, f"a text in a table of the store is not UTF-8 ({e.object[:20]!r})") from e
        finally:
            self._replay.close()
        self._progress(self._total, self._total)
        return Merkle(size=peaks.size, root=peaks.root.hex())

    def _events(self) -> Peaks:
        db, replay = self._db, self._replay
        projector = Projector(replay, read=lambda ref: bodies.read(db, ref))
        peaks, previous, clock = Peaks(), GENESIS, 0
        replay.execute("BEGIN")
        rows = db.execute("SELECT seq, at, actor, kind, json, hash FROM events ORDER BY seq")
        for seq, row in enumerate(rows, 1):
            kind, data = _event(seq, previous, row)
            peaks, previous = peaks.append(row[4]), row[5].hex()
            for ref in bodies.references(row[4]):
                self._named.setdefault(ref, seq)
            try:
                self._tombstones.update(
                    (ref, seq) for effect in data["effects"] if effect["op"] == "redact" for ref in effect["refs"]
                )
                _fits_its_id(data)
                projector.apply(seq, kind, data)
            except (KeyError, ValueError, TypeError, AttributeError, TurError, apsw.Error) as e:
                self._altered(seq, row[4])
                raise _Bad(seq, f"event {seq} cannot be applied: {excerpt(str(e))}") from e
            if seq == 1:
                if kind != EventKind.FOUNDED:
                    raise _Bad(1, "the first event does not found a store")
                self._meta["store_id"] = data.get("store")
            clock = clock if kind in QUIET else seq
            if seq % STEP == 0:
                self._progress(seq, self._total)
        self._meta |= {"peaks": peaks.dump(), "head_hash": previous, "memory_clock": str(clock)}
        return peaks

    def _altered(self, seq: int, payload: bytes) -> None:
        """Raise where a text of the event explains best why it cannot be applied."""
        query = "SELECT salt, CAST(body AS BLOB) FROM bodies WHERE ref=?"
        for ref in bodies.references(payload):
            for row in self._db.execute(query, (bodies.key_of(ref),)):
                if row != (None, None) and not _is_body(ref, *row):
                    raise _Bad(seq, f"a text of event {seq} was altered")

    def _bodies(self) -> None:
        left, faults = dict(self._named), []
        for key, salt, content, redacted in self._db.execute("SELECT ref, salt, body, redacted_seq FROM bodies"):
            ref = bodies.PREFIX + key.hex() if isinstance(key, bytes) else str(key)
            if (seq := left.pop(ref, None)) is None:
                faults.append((self._total + 1, f"a text that no event names stands in the store ({ref[:21]}...)"))
            elif content is None and salt is None:
                if redacted is None or self._tombstones.get(ref) != redacted:
                    faults.append((seq, f"a text of event {seq} is missing and no event redacts it"))
            elif not _is_body(ref, salt, content):
                faults.append((seq, f"a text of event {seq} was altered"))
            elif ref in self._tombstones or redacted is not None:
                faults.append((seq, f"a text of event {seq} was redacted but stands in the store again"))
        faults += [(seq, f"a text of event {seq} is missing ({ref[:21]}...)") for ref, seq in left.items()]
        if faults:
            seq, problem = min(faults)
            raise _Bad(seq if seq <= self._total else None, problem)

    def _heads(self) -> None:
        kept: dict[Any, Any] = {key: value for key, value in self._db.execute("SELECT key, value FROM meta")}  # noqa: C416
        due = self._meta
        size = str(kept.get("peaks")).partition(":")[0]
        if size != str(self._total):
            first = min(int(size), self._total) + 1 if size.isdecimal() and len(size) < 20 else None
            raise _Bad(first, f"the tree head says {size[:20]} events, the log holds {self._total}")
        if kept.get("head_hash") != due["head_hash"]:
            raise _Bad(self._total, "the last hash kept in the store is not that of the last event")
        if kept["peaks"] != due["peaks"]:
            raise _Bad(None, "the Merkle root kept in the store is not that of its events")
        for name in kept.keys() | due.keys():
            if kept.get(name) != due.get(name):
                raise _Bad(None, f"the {str(name)[:40]} kept in the store is not that of its events")

    def _tables(self) -> None:
        """A trigger could change what is written, a lost index what is found."""
        shadows = "name NOT GLOB 'words_*' AND name NOT GLOB 'vectors_*'"  # theirs to make as they like
        query = f"SELECT type, name, sql FROM sqlite_schema WHERE {shadows}"
        due, kept = (set(connection.execute(query).fetchall()) for connection in (self._replay, self._db))
        for kind, name, _ in sorted(due - kept, key=str):
            raise _Bad(None, f"the {kind} {name} is missing or not as this version makes it{_MENDS}")
        for kind, name, _ in kept - due:
            if kind in ("trigger", "view"):
                raise _Bad(None, f"a {kind} that tur did not make stands in the store ({str(name)[:40]})")
        if (answer := self._db.execute("PRAGMA integrity_check(1)").get) != "ok":
            raise _Bad(None, f"the store's pages or indexes do not fit ({excerpt(str(answer))}){_MENDS}")

    def _projections(self) -> None:
        for table in schema.PROJECTION_TABLES:
            columns = len(self._replay.execute(f"PRAGMA table_info({table})").fetchall())
            query = f"SELECT * FROM {table} ORDER BY {', '.join(str(i + 1) for i in range(columns))}"
            self._same(table.replace("_", " "), query, place=_SEQ_COLUMN.get(table))

    def _indexes(self) -> None:
        words = "SELECT term, group_concat(doc || ':' || offset) FROM places GROUP BY term"
        self._same("words", words)
        self._same("words", "SELECT id, sz FROM words_docsize ORDER BY id", place=0)
        self._same("words", "SELECT k, v FROM words_config WHERE k <> 'version'")
        self._same("vectors", "SELECT mid, embedding, probed, scope_id FROM vectors ORDER BY mid", place=0)

    def _reachable(self) -> None:
        """Neighbours are found by chunks, rows by number: both ways must lead to the same place (tables of vec0)."""
        by_row: dict[Any, Any] = {}
        numbered = "SELECT rowid, chunk_id, chunk_offset FROM vectors_rowids"
        try:
            by_row.update((row[0], row) for row in self._db.execute(numbered))
            for chunk, valid, numbers in self._db.execute("SELECT chunk_id, validity, rowids FROM vectors_chunks"):
                for offset, (number,) in enumerate(struct.iter_unpack("<q", numbers)):
                    if valid[offset >> 3] >> (offset & 7) & 1 and by_row.pop(number) != (number, chunk, offset):
                        raise KeyError(number)
        except (KeyError, IndexError, TypeError, struct.error, apsw.Error):
            by_row[None] = ()
        if by_row:
            raise _Bad(None, f"the vectors in the store cannot all be found{_MENDS}")

    def _same(self, what: str, query: str, place: int | None = None) -> None:
        try:
            for kept, due in zip_longest(self._db.execute(query), self._replay.execute(query)):
                if kept != due:
                    first = _seq_of((kept, due), place, self._total)
                    raise _Bad(first, f"the {what} in the store do not follow its events{_MENDS}")
        except apsw.Error as e:
            raise _Bad(None, f"the {what} kept in the store cannot be read ({excerpt(str(e))}){_MENDS}") from e


_SEQ_COLUMN = {
    "memories": 0,
    "standing": 2,
    "suspicions": 2,
    "narrowings": 2,
    "edges": 3,
    "conflicts": 3,
    "conflict_states": 4,
    "approvals": 1,
    "mentions": 1,
    "undoings": 1,
}
"""Which column of a projection names the event that a row comes from."""


def _seq_of(rows: Iterable[tuple[Any, ...] | None], place: int | None, total: int) -> int | None:
    named = [row[place] for row in rows if row is not None and place is not None]
    return min((seq for seq in named if isinstance(seq, int) and 1 <= seq <= total), default=None)


def _event(seq: int, previous: str, row: tuple[Any, ...]) -> tuple[str, dict[str, Any]]:
    """Return kind and data of an event whose bytes, hash, link and columns fit."""
    number, at, actor, kind, payload, digest = row
    if number != seq:
        raise _Bad(seq, f"event {seq} is missing")
    if not isinstance(payload, bytes) or not isinstance(digest, bytes) or hash_bytes(payload) != digest.hex():
        raise _Bad(seq, f"event {seq} was altered: its hash does not fit its bytes")
    try:
        decoded = json.loads(payload)
        data = decoded["data"]
        well_formed = is_canonical(decoded, payload) and isinstance(data, dict) and isinstance(data["effects"], list)
        columns = decoded["seq"], decoded["at"], decoded["actor"], decoded["kind"]
        linked = decoded["previous"]
    except (ValueError, TypeError, KeyError, RecursionError):
        well_formed = False
    if not well_formed:
        raise _Bad(seq, f"event {seq} is not canonical JSON of an event")
    if columns != (seq, at, actor, kind):
        raise _Bad(seq, f"event {seq} was altered: its columns do not fit its bytes")
    if linked != previous:
        raise _Bad(seq, f"event {seq} does not follow event {seq - 1}: the chain is broken")
    return kind, data


def _fits_its_id(data: dict[str, Any]) -> None:
    """Raise ValueError where a memory came in under an id that is not the digest of its record."""
    for effect in data["effects"]:
        if effect["op"] == "memory" and not has_digest(data["memory"], effect["digest"]):
            raise ValueError("the memory's id is not the digest of its record")


def _is_body(ref: str, salt: object, content: object) -> bool:
    """True where salt and content are what the reference names; a shorter salt would shift the border."""
    if not isinstance(salt, bytes) or not isinstance(content, bytes) or len(salt) != bodies.SALT_BYTES:
        return False
    return ref == bodies.PREFIX + hashlib.sha256(salt + content).hexdigest()
