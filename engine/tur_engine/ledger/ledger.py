"""The ledger: an append-only event log with its projections, in one SQLite file.

All writes go through `writing()`: one IMMEDIATE transaction holds events, bodies and every projection, or nothing.
"""

from __future__ import annotations

import json
import os
import threading
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, cast

import apsw

from ..errors import BadInput, IntegrityFailure, ReadOnlyStore, StoreError
from ..records import Author, AuthorKind, EventKind, Merkle
from . import bodies, connection, schema, witness
from .bodies import Body
from .canonical import GENESIS, canonical, hash_bytes
from .codec import stamp
from .merkle import Peaks
from .projector import QUIET, Projector
from .verify import verify

_PERHAPS_DAMAGE = (
    *(LookupError, ValueError, TypeError, AttributeError, AssertionError, ArithmeticError),
    *(apsw.SQLError, apsw.ConstraintError, apsw.MismatchError, apsw.TooBigError),
)
SYSTEM = Author(kind=AuthorKind.SYSTEM, name="tur")


@dataclass(frozen=True, slots=True)
class NewEvent:
    """An event to be appended. `data` names texts by body reference only."""

    kind: EventKind
    actor: Author
    data: dict[str, Any]
    bodies: list[Body] = field(default_factory=list)

    def because(self, reason: str) -> NewEvent:
        """Return the event with its reason behind a body; as it is where there is none."""
        if not reason:
            return self
        kept = bodies.body(reason)
        return replace(self, data={**self.data, "reason_ref": kept.ref}, bodies=[*self.bodies, kept])


@dataclass(frozen=True, slots=True)
class Appended:
    """Where the events landed: sequence numbers and the tree head after them."""

    seqs: tuple[int, ...]
    head: Merkle


class Writing:
    """The open write transaction: nobody else can append until it ends."""

    def __init__(self, db: apsw.Connection) -> None:
        self._db = db
        self.clock = memory_clock(db)
        self.before = self.after = Peaks.load(_meta(db, "peaks"))
        """The Merkle tree when the transaction began, and as it stands."""
        self.redacts = False
        """True once a text was taken out."""

    def append(self, events: Sequence[NewEvent]) -> Appended:
        """Append events with their bodies and bring every projection up to date."""
        db = self._db
        peaks = self.after
        previous = _meta(db, "head_hash")
        projector = Projector(db)
        seqs = []
        clock = None
        for event in events:
            seq = peaks.size + 1
            at = stamp(datetime.now(UTC))
            payload = encode(seq, at, str(event.actor), str(event.kind), previous, event.data)
            digest = hash_bytes(payload)
            bodies.store(db, event.bodies)
            db.execute(
                "INSERT INTO events(seq, at, actor, kind, json, hash) VALUES(?,?,?,?,?,?)",
                (seq, at, str(event.actor), str(event.kind), payload, bytes.fromhex(digest)),
            )
            projector.apply(seq, str(event.kind), event.data)
            peaks, previous = peaks.append(payload), digest
            seqs.append(seq)
            if event.kind not in QUIET:
                clock = seq
        _set_meta(db, "peaks", peaks.dump())
        _set_meta(db, "head_hash", previous)
        if clock is not None:
            _set_meta(db, "memory_clock", str(clock))
            self.clock = clock
        self.after = peaks
        self.redacts |= projector.redacted
        return Appended(tuple(seqs), Merkle(size=peaks.size, root=peaks.root.hex()))


def encode(seq: int, at: str, actor: str, kind: str, previous: str, data: dict[str, Any]) -> bytes:
    """Return the canonical bytes that are hashed and kept."""
    return canonical({"v": 1, "seq": seq, "at": at, "actor": actor, "kind": kind, "previous": previous, "data": data})


def memory_clock(db: apsw.Connection) -> int:
    """Return the sequence number of the last event that changed what is believed."""
    return int(_meta(db, "memory_clock"))


def _roll_back(db: apsw.Connection) -> None:
    if db.in_transaction:  # SQLite may have rolled back by itself (disk full)
        db.execute("ROLLBACK")


def _meta(db: apsw.Connection, key: str) -> str:
    return str(db.execute("SELECT value FROM meta WHERE key=?", (key,)).get)


def _leaves(db: apsw.Connection, after: int, upto: int) -> Iterator[bytes]:
    """Yield the bytes of the events behind `after` up to `upto`."""
    for (payload,) in db.execute("SELECT json FROM events WHERE seq > ? AND seq <= ? ORDER BY seq", (after, upto)):
        yield cast(bytes, payload)


def _set_meta(db: apsw.Connection, key: str, value: str) -> None:
    db.execute(
        "INSERT INTO meta(key, value) VALUES(?,?) ON CONFLICT(key) DO UPDATE SET value=excluded.value",
        (key, value),
    )


class Ledger:
    """One store file. Safe to use from several threads: each has its own connection."""

    def __init__(self, path: Path, *, read_only: bool = False) -> None:
        self.path = path
        self.read_only = read_only
        self._connections = connection.Connections(path, read_only=read_only)
        self._blaming = threading.local()
        self.lingers = False
        """True where a redacted text is still in the store's log, because a reader holds an older moment open."""
        with self.reading() as db:
            named = db.execute("SELECT value FROM meta WHERE key='store_id'").get
        if not isinstance(named, str):
            raise IntegrityFailure(f"{path} lost the name of its store; restore it from a backup")
        self.store_id = named

    @classmethod
    def create(cls, path: Path, actor: Author) -> Ledger:
        """Make a store with its first event. Raises StoreExists where a file is there, ReadOnlyStore."""
        store_id = os.urandom(16).hex()
        founding = {"store": store_id, "format": schema.VERSION, "effects": []}

        def found(db: apsw.Connection) -> None:
            heads = {"store_id": store_id, "peaks": Peaks().dump(), "head_hash": GENESIS, "memory_clock": "0"}
            for key, value in heads.items():
                _set_meta(db, key, value)
            Writing(db).append([NewEvent(EventKind.FOUNDED, actor, founding)])

        connection.create(path, found)
        ledger = cls(path)
        with ledger.reading() as db:
            witness.record(store_id, Peaks(), Peaks.load(_meta(db, "peaks")), "", lambda low, high: ())
        return ledger

    @contextmanager
    def reading(self) -> Iterator[apsw.Connection]:
        """Give this thread's connection; SQLite's errors come out as ours."""
        with connection.translated(self.path):
            db = self._connections.get()
            try:
                yield db
            except _PERHAPS_DAMAGE as e:
                if not db.in_transaction:  # what is half done does not verify
                    self._blame_the_store(e)
                raise

    def _blame_the_store(self, error: Exception) -> None:
        """Tell damage from a fault of this program: raises IntegrityFailure where the store does not verify."""
        if getattr(self._blaming, "now", False):
            return
        self._blaming.now = True
        try:
            report = verify(self, witnessed=False)
        finally:
            self._blaming.now = False
        if not report.ok:
            raise IntegrityFailure(f"{self.path} is damaged: {report.problem}; `tur verify` checks it") from error

    @contextmanager
    def snapshot(self) -> Iterator[apsw.Connection]:
        """Reads inside see one moment of the store."""
        with self.reading() as db:
            nested = db.in_transaction
            if not nested:
                db.execute("BEGIN")
            try:
                yield db
            finally:
                if not nested:
                    _roll_back(db)

    @contextmanager
    def writing(self) -> Iterator[Writing]:
        """Hold the write lock; commit at the end, roll back on any error."""
        with self.transaction() as db:
            tx = Writing(db)
            yield tx
            key = witness.first_key(db)
        self.lingers = (tx.redacts or self.lingers) and not self.fold_in()
        if tx.after.size > tx.before.size:
            witness.record(self.store_id, tx.before, tx.after, key, lambda low, high: _leaves(db, low, high))

    @contextmanager
    def transaction(self) -> Iterator[apsw.Connection]:
        """Hold the write lock over bare SQL: for what is not an event (founding, rebuild)."""
        if self.read_only:
            raise ReadOnlyStore(f"{self.path} was opened for reading only; nothing was written")
        if moved := self.displaced():
            raise StoreError(moved)
        with self.reading() as db:
            db.execute("BEGIN IMMEDIATE")
            try:
                yield db
                db.execute("COMMIT")
            except BaseException:
                _roll_back(db)
                raise

    def displaced(self) -> str:
        """Return how the path stopped naming the open file, in a sentence; nothing while it names it."""
        return self._connections.displaced()

    def clock(self) -> int:
        """Return the sequence number of the last event that changed what is believed."""
        with self.reading() as db:
            return memory_clock(db)

    def head(self) -> int:
        """Return the last sequence number."""
        with self.reading() as db:
            return int(db.execute("SELECT coalesce(max(seq), 0) FROM events").get)

    def tree_head(self, at: int | None = None) -> Merkle:
        """Return size and root of the Merkle tree over all events, or over those up to `at` (which reads them)."""
        with self.snapshot() as db:
            peaks = Peaks.load(_meta(db, "peaks"))
            if at is not None and at < peaks.size:
                peaks = Peaks().extend(_leaves(db, 0, at))
        return Merkle(size=peaks.size, root=peaks.root.hex())

    def tree_heads(self, sizes: Collection[int]) -> dict[int, Merkle]:
        """Return the tree heads over the first n events for each of the sizes, in one pass over the events.

        Raises BadInput where the ledger never had that size.
        """
        wanted = set(sizes)
        heads: dict[int, Merkle] = {}
        with self.snapshot() as db:
            last = int(db.execute("SELECT coalesce(max(seq), 0) FROM events").get)
            if unknown := sorted(size for size in wanted if not 0 <= size <= last):
                raise BadInput(f"the ledger never held {unknown[0]} events; it holds {last}")
            peaks = Peaks()
            if 0 in wanted:
                heads[0] = Merkle(size=0, root=peaks.root.hex())
            for payload in _leaves(db, 0, max(wanted, default=0)):
                peaks = peaks.append(payload)
                if peaks.size in wanted:
                    heads[peaks.size] = Merkle(size=peaks.size, root=peaks.root.hex())
        return heads

    def data_version(self) -> int:
        """Return a number that moves when another connection has committed."""
        with self.reading() as db:
            return int(db.execute("PRAGMA data_version").get)

    def backup(self, target: Path) -> None:
        """Copy the store, as it stands now, to a file that is not there yet."""
        with self.reading() as db:
            connection.copy(db, target)

    def fold_in(self) -> bool:
        """Bring the log into the file and empty it; waits for readers. False where one of them still holds it."""
        with self.reading() as db:
            try:
                busy, _, _ = db.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()[0]
            except apsw.Error:  # what was committed stands
                return False
        return not busy

    def reset_witness(self) -> None:
        """Let the witness begin anew from this store: a person restored it."""
        with self.reading() as db:
            try:
                witness.reset(self.store_id, Peaks.load(_meta(db, "peaks")), witness.first_key(db))
            except OSError as e:
                raise StoreError(
                    f"the store is restored, but {witness.place(self.store_id)} cannot be written ({e.strerror}): "
                    "remove it, or `tur verify` takes the store for an older copy"
                ) from e

    def close(self) -> None:
        """Close every thread's connection."""
        self._connections.close()


def event_data(db: apsw.Connection, seq: int) -> dict[str, Any]:
    """Return the decoded event `seq`. Raises KeyError where there is none."""
    payload = db.execute("SELECT json FROM events WHERE seq=?", (seq,)).get
    if payload is None:
        raise KeyError(seq)
    decoded: dict[str, Any] = json.loads(payload)
    return decoded
