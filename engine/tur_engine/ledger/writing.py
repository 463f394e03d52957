"""One write transaction: events with their bodies are appended, and every projection is brought up to date."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any, NamedTuple

import apsw

from ..records import Author, EventKind, Merkle
from . import bodies
from .bodies import Body
from .canonical import canonical, hash_bytes
from .codec import stamp
from .merkle import Peaks
from .projector import QUIET, Projector


class NewEvent(NamedTuple):
    """An event to be appended. `data` names texts by body reference only."""

    kind: EventKind
    actor: Author
    data: dict[str, Any]
    bodies: Sequence[Body] = ()

    def because(self, reason: str) -> NewEvent:
        """Return the event with its reason behind a body; as it is where there is none."""
        if not reason:
            return self
        kept = bodies.body(reason)
        return self._replace(data={**self.data, "reason_ref": kept.ref}, bodies=[*self.bodies, kept])


class Appended(NamedTuple):
    """Where the events landed: sequence numbers and the tree head after them."""

    seqs: tuple[int, ...]
    head: Merkle


class Writing:
    """The open write transaction: nobody else can append until it ends."""

    def __init__(self, db: apsw.Connection) -> None:
        self._db = db
        self.clock = memory_clock(db)
        self.before = self.after = Peaks.load(meta(db, "peaks"))
        """The Merkle tree when the transaction began, and as it stands."""
        self.redacts = False
        """True once a text was taken out."""

    def append(self, events: Sequence[NewEvent]) -> Appended:
        """Append events with their bodies and bring every projection up to date."""
        db = self._db
        peaks = self.after
        previous = meta(db, "head_hash")
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
        set_meta(db, "peaks", peaks.dump())
        set_meta(db, "head_hash", previous)
        if clock is not None:
            set_meta(db, "memory_clock", str(clock))
            self.clock = clock
        self.after = peaks
        self.redacts |= projector.redacted
        return Appended(tuple(seqs), Merkle(size=peaks.size, root=peaks.root.hex()))


def encode(seq: int, at: str, actor: str, kind: str, previous: str, data: dict[str, Any]) -> bytes:
    """Return the canonical bytes that are hashed and kept."""
    return canonical({"v": 1, "seq": seq, "at": at, "actor": actor, "kind": kind, "previous": previous, "data": data})


def memory_clock(db: apsw.Connection) -> int:
    """Return the sequence number of the last event that changed what is believed."""
    return int(meta(db, "memory_clock"))


def meta(db: apsw.Connection, key: str) -> str:
    """Return what the store keeps under a name."""
    return str(db.execute("SELECT value FROM meta WHERE key=?", (key,)).get)


def set_meta(db: apsw.Connection, key: str, value: str) -> None:
    db.execute(
        "INSERT INTO meta(key, value) VALUES(?,?) ON CONFLICT(key) DO UPDATE SET value=excluded.value",
        (key, value),
    )
