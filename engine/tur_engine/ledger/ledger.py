"""The ledger: an append-only event log with its projections, in one SQLite file.

All writes go through `writing()`: one IMMEDIATE transaction holds events, bodies and every projection, or nothing.
"""

from __future__ import annotations

import json
import os
import threading
from collections.abc import Collection, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, cast

import apsw

from ..errors import BadInput, IntegrityFailure, NewerStore, NoHome, ReadOnlyStore, StoreError
from ..records import Author, AuthorKind, EventKind, Merkle
from ..text import counted
from . import connection, heads, schema, stood, turns, witness
from .canonical import GENESIS
from .merkle import Peaks
from .verify import verify
from .writing import NewEvent, Writing, memory_clock, meta, set_meta

_PERHAPS_DAMAGE = (
    *(LookupError, ValueError, TypeError, AttributeError, AssertionError, ArithmeticError),
    *(apsw.SQLError, apsw.ConstraintError, apsw.MismatchError, apsw.TooBigError),
)
SYSTEM = Author(kind=AuthorKind.SYSTEM, name="tur")


def _roll_back(db: apsw.Connection) -> None:
    if db.in_transaction:  # SQLite may have rolled back by itself (disk full)
        db.execute("ROLLBACK")


def _leaves(db: apsw.Connection, after: int, upto: int) -> Iterator[bytes]:
    """Yield the bytes of the events behind `after` up to `upto`."""
    for (payload,) in db.execute("SELECT json FROM events WHERE seq > ? AND seq <= ? ORDER BY seq", (after, upto)):
        yield cast(bytes, payload)


class Ledger:
    """One store file. Safe to use from several threads: each has its own connection."""

    def __init__(self, path: Path, *, read_only: bool = False, to_mend: bool = False) -> None:
        """Raises IntegrityFailure where `meta` names another store than the founding event.

        `to_mend` opens that too, by the event's word: for what tells of damage or mends it. Nothing can be appended.
        """
        self.path = path
        self.read_only = read_only
        self._connections = connection.Connections(path, read_only=read_only)
        self._blaming = threading.local()
        self.lingers = False
        """True where a redacted text is still in the store's log, because a reader holds an older moment open."""
        with self.reading() as db:
            first = heads.founded(db) if to_mend else None
            named, sound = (first, True) if first else heads.named(db)
        if named is None:
            raise IntegrityFailure(f"{path} lost the name of its store; restore it from a backup")
        if not sound:
            raise IntegrityFailure(
                f"{path} is damaged: {heads.not_of('store_id')}; `tur verify` checks it, `tur-adm rebuild` mends it"
            )
        self.store_id = named
        self._turns = turns.of(path)

    @classmethod
    def create(cls, path: Path, actor: Author) -> Ledger:
        """Make a store with its first event. Raises StoreExists where a file is there, ReadOnlyStore."""
        store_id = os.urandom(16).hex()
        founding = {"store": store_id, "format": schema.VERSION, "effects": []}

        def found(db: apsw.Connection) -> None:
            kept = {"store_id": store_id, "peaks": Peaks().dump(), "head_hash": GENESIS, "memory_clock": "0"}
            for key, value in kept.items():
                set_meta(db, key, value)
            Writing(db).append([NewEvent(EventKind.FOUNDED, actor, founding)])

        connection.create(path, found)
        ledger = cls(path)
        with ledger.reading() as db:
            witness.record(store_id, Peaks(), Peaks.load(meta(db, "peaks")), witness.NOBODY, lambda low, high: ())
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
            if fault := heads.fault(db):
                raise IntegrityFailure(f"{self.path} is damaged: {fault}; `tur verify` checks it")
            tx = Writing(db)
            yield tx
            keys, invariants = witness.reviewers(db), stood.in_force(db)
        self.lingers = (tx.redacts or self.lingers) and not self.fold_in()
        if tx.after.size > tx.before.size:
            witness.record(self.store_id, tx.before, tx.after, keys, lambda low, high: _leaves(db, low, high))
            if not self.path.name.startswith("."):  # a copy on its way to its place
                stood.note(self.path, self.store_id, invariants)

    @contextmanager
    def transaction(self) -> Iterator[apsw.Connection]:
        """Hold the write lock over bare SQL: for what is not an event (founding, rebuild)."""
        if self.read_only:
            raise ReadOnlyStore(f"{self.path} was opened for reading only; nothing was written")
        if moved := self.displaced():
            raise StoreError(moved)
        with self.reading() as db, self._turns.mine():
            db.execute("BEGIN IMMEDIATE")
            try:
                self._same_format(db)
                yield db
                db.execute("COMMIT")
            except BaseException:
                _roll_back(db)
                raise

    def _same_format(self, db: apsw.Connection) -> None:
        """Raise NewerStore where another version brought the open file up to its own format meanwhile."""
        if (version := db.execute("PRAGMA user_version").get) > schema.VERSION:
            raise NewerStore(
                f"{self.path} was brought to store format {version} by a newer version of tur meanwhile; nothing was "
                "written, leave and upgrade tur-tui"
            )

    def former(self) -> str:
        """Return in a sentence that this machine knows another store at this place; nothing where it does not."""
        return stood.former(self.path, self.store_id)

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
            peaks = Peaks.load(meta(db, "peaks"))
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
                raise BadInput(f"the ledger never held {counted(unknown[0], 'event')}; it holds {last}")
            peaks = Peaks()
            if 0 in wanted:
                heads[0] = Merkle(size=0, root=peaks.root.hex())
            for payload in _leaves(db, 0, max(wanted, default=0)):
                peaks = peaks.append(payload)
                if peaks.size in wanted:
                    heads[peaks.size] = Merkle(size=peaks.size, root=peaks.root.hex())
        return heads

    def data_version(self) -> int:
        """Return a number that moves when another connection has committed. Raises NewerStore, IntegrityFailure."""
        if self._connections.overwritten():
            raise IntegrityFailure(
                f"{self.path} was overwritten by something that is no store; restore it from a backup"
            )
        with self.reading() as db:
            self._same_format(db)
            return int(db.execute("PRAGMA data_version").get)

    def backup(self, target: Path, named: Path | None = None) -> None:
        """Copy the store, as it stands now, to a file that is not there yet; errors tell it as `named`."""
        with self.reading() as db:
            connection.copy(db, target, named)

    def fold_in(self) -> bool:
        """Bring the log into the file and empty it; waits for readers. False where one of them still holds it."""
        with self.reading() as db:
            try:
                busy, _, _ = db.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()[0]
            except apsw.Error:  # what was committed stands
                return False
        return not busy

    def reset_witness(self, barred: Collection[str] = ()) -> None:
        """Let the witness begin anew from this store, for a person restored it; these keys stay `barred`."""
        with self.reading() as db, suppress(NoHome):  # without one there is no witness to begin anew
            stood.note(self.path, self.store_id, stood.in_force(db))
            try:
                witness.reset(self.store_id, Peaks.load(meta(db, "peaks")), witness.reviewers(db), barred)
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
