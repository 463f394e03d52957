"""Projections: what follows from the events. One function a kind of effect; the same for live, rebuild and verify."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import apsw

from ..records import ConflictState, Status
from ..text import tokens
from . import bodies
from .canonical import canonical
from .codec import content_key, texts_of, topic_key
from .effects import Effect, proposals_of, subjects
from .schema import OPEN

DIMENSIONS = 384
QUIET = {"confirmed", "noted", "rejected", "signed"}
"""Events that show in history but change no belief: their subjects are marked with `~`."""
MENTION = "INSERT OR IGNORE INTO mentions(subject, seq) VALUES(?,?)"
_OPS = (
    *("memory", "status", "suspect", "edge", "scope", "open", "state", "approve", "proposal_state", "key", "policy"),
    *("quarantine", "redact"),
)
"""Kinds of effect; proposals are told apart, for format 1 wrote none."""
_SIGN_DIGITS = b"1" * 128 + b"0" * 128
PROBED = {Status.ACTIVE: 1, Status.HELD: 1, Status.PENDING: 2}


class Arrival(NamedTuple):
    """A memory as it comes in: all that its rows are made of. Its text is None where it was redacted since."""

    seq: int
    digest: str
    type: str
    status: str
    scope: str
    embedding: bytes | None
    content: str | None
    topic: str | None
    fields: dict[str, Any]
    vector: bytes | None


class Projector:
    """Applies events to the projection tables of one connection, inside the caller's transaction."""

    def __init__(
        self,
        connection: apsw.Connection,
        *,
        read: Callable[[str], bytes | None] | None = None,
        insert: Callable[[str, tuple[Any, ...]], Any] | None = None,
    ) -> None:
        """`read` gives bodies where they lie in another store; there they are only read, never redacted.

        `insert` may keep rows back until the connection is asked for something else.
        """
        self._db = connection
        self._insert = insert or connection.execute
        self._ops = {name: getattr(self, f"_{name}") for name in _OPS}
        self._redacts = read is None
        self.redacted = False
        """True once a text was taken out."""
        self._scope_ids: dict[str, int] = {}
        self._read = read or (lambda ref: bodies.read(connection, ref))

    def apply(self, seq: int, kind: str, data: dict[str, Any]) -> None:
        """Apply one event. Raises KeyError or ValueError where its data is not well formed."""
        effects: list[Effect] = data.get("effects", [])
        sides: list[str] = []
        for effect in effects:
            if (op := effect["op"]) != "proposal":
                self._ops[op](seq, effect, data)
                if op == "open":
                    sides += (effect["record"]["incumbent"], effect["record"]["challenger"])
        for effect in proposals_of(kind, data):
            self._proposal(seq, effect, data)
        if "undoes" in data:
            self._insert("INSERT INTO undoings(target, seq) VALUES(?,?)", (data["undoes"], seq))
        named = subjects(effects)
        if about := data.get("about"):
            named.update(about)
        for side in sides:
            if side not in named:
                self._insert(MENTION, ("~" + side, seq))
        mark = "~" if kind in QUIET else ""
        for name in sorted(named):
            self._insert(MENTION, (mark + name, seq))

    def mid(self, digest: str) -> int:
        """Return the row of a memory. Raises ValueError where the events never brought it in."""
        mid = self._db.execute("SELECT mid FROM memories WHERE digest=?", (digest,)).get
        if mid is None:
            raise ValueError(f"event names a memory that never came in: {digest}")
        return int(mid)

    def _spoken(self, mid: int) -> bool:
        """True where words of the memory stand in the index."""
        return self._db.execute("SELECT 1 FROM words WHERE rowid=?", (mid,)).get is not None

    def _scope_id(self, scope: str) -> int:
        if scope not in self._scope_ids:
            self._db.execute("INSERT OR IGNORE INTO scopes(scope) VALUES(?)", (scope,))
            self._scope_ids[scope] = int(self._db.execute("SELECT scope_id FROM scopes WHERE scope=?", (scope,)).get)
        return self._scope_ids[scope]

    def _memory(self, seq: int, effect: Effect, data: dict[str, Any]) -> None:
        record = data["memory"]
        content, details = texts_of(record, self._read)
        embedding = effect.get("embedding_ref", "")
        vector = self._read(embedding) if embedding and content is not None else None
        self.arrive(
            Arrival(
                seq,
                effect["digest"],
                record["type"],
                effect["status"],
                record["scope"],
                bodies.key_of(embedding) if embedding else None,
                content,
                details.get("topic"),
                details.get("fields", {}),
                None if vector is None else vector[-DIMENSIONS:],
            )
        )

    def arrive(self, new: Arrival) -> None:
        """Make the rows of a memory that comes in. Raises ValueError for a vector of another length."""
        seq, content, topic = new.seq, new.content, new.topic
        key = "" if content is None else content_key(content, topic, new.fields, new.scope)
        scope_id = self._scope_id(new.scope)
        self._insert(
            "INSERT INTO memories VALUES(?,?,?,?,?,?,?)",
            (seq, new.digest, new.type, bytes.fromhex(key), scope_id, bytes.fromhex(topic_key(topic)), new.embedding),
        )
        self._insert("INSERT INTO standing VALUES(?,?,?,?)", (seq, new.status, seq, OPEN))
        if content is None:
            return
        words = tokens(content) + (tokens(topic) if topic else [])
        self._insert("INSERT INTO words(rowid, tokens) VALUES(?,?)", (seq, " ".join(words)))
        if new.vector is not None:
            self._insert(
                "INSERT INTO vectors(mid, embedding, probed, scope_id) VALUES(?,vec_bit(?),?,?)",
                (seq, sign_bits(new.vector), PROBED.get(Status(new.status), 0), scope_id),
            )

    def _status(self, seq: int, effect: Effect, data: dict[str, Any]) -> None:
        mid = self.mid(effect["digest"])
        self._end("standing", "mid=?", (mid,), seq)
        self._insert("INSERT INTO standing VALUES(?,?,?,?)", (mid, effect["to"], seq, OPEN))
        self._db.execute("UPDATE vectors SET probed=? WHERE mid=?", (PROBED.get(Status(effect["to"]), 0), mid))

    def _suspect(self, seq: int, effect: Effect, data: dict[str, Any]) -> None:
        mid, cause = self.mid(effect["digest"]), self.mid(effect["cause"])
        if effect["on"]:
            self._insert("INSERT INTO suspicions VALUES(?,?,?,?)", (mid, cause, seq, OPEN))
        else:
            self._end("suspicions", "mid=? AND cause=?", (mid, cause), seq)

    def _edge(self, seq: int, effect: Effect, data: dict[str, Any]) -> None:
        source, target = self.mid(effect["source"]), self.mid(effect["target"])
        if effect["on"]:
            self._insert("INSERT INTO edges VALUES(?,?,?,?,?)", (source, target, effect["type"], seq, OPEN))
        else:
            self._end("edges", "source=? AND target=? AND type=?", (source, target, effect["type"]), seq)

    def _scope(self, seq: int, effect: Effect, data: dict[str, Any]) -> None:
        mid, scope_id = self.mid(effect["digest"]), self._scope_id(effect["to"])
        self._end("narrowings", "mid=?", (mid,), seq)
        self._insert("INSERT INTO narrowings VALUES(?,?,?,?)", (mid, scope_id, seq, OPEN))
        self._db.execute("UPDATE vectors SET scope_id=? WHERE mid=?", (scope_id, mid))

    def _open(self, seq: int, effect: Effect, data: dict[str, Any]) -> None:
        record = effect["record"]
        incumbent, challenger = self.mid(record["incumbent"]), self.mid(record["challenger"])
        self._insert(
            "INSERT INTO conflicts(cid, incumbent, challenger, seq, reopens, record) VALUES(?,?,?,?,?,?)",
            (
                effect["conflict"],
                incumbent,
                challenger,
                seq,
                effect["reopens"],
                canonical(record).decode(),
            ),
        )
        state = record.get("state", str(ConflictState.DETECTED))
        self._insert("INSERT INTO conflict_states VALUES(?,?,?,?,?,?)", (effect["conflict"], state, seq, "", seq, OPEN))

    def _state(self, seq: int, effect: Effect, data: dict[str, Any]) -> None:
        self._end("conflict_states", "cid=?", (effect["conflict"],), seq)
        self._insert(
            "INSERT INTO conflict_states VALUES(?,?,?,?,?,?)",
            (effect["conflict"], effect["to"], seq, effect["verb"], seq, OPEN),
        )

    def _approve(self, seq: int, effect: Effect, data: dict[str, Any]) -> None:
        mid = self.mid(effect["digest"])
        if effect["on"]:
            self._insert("INSERT INTO approvals VALUES(?,?,?)", (mid, seq, OPEN))
        else:
            self._end("approvals", "mid=?", (mid,), seq)

    def _proposal(self, seq: int, effect: Effect, data: dict[str, Any]) -> None:
        self._insert(
            "INSERT INTO proposals VALUES(?,?,?,?,?,?)",
            (
                effect["proposal"],
                effect["kind"],
                self.mid(effect["digest"]),
                seq,
                canonical(effect["replaces"]).decode(),
                effect["promotes"],
            ),
        )
        self._insert("INSERT INTO proposal_states VALUES(?,?,?,?)", (effect["proposal"], "pending", seq, OPEN))

    def _proposal_state(self, seq: int, effect: Effect, data: dict[str, Any]) -> None:
        self._end("proposal_states", "proposal=?", (effect["proposal"],), seq)
        self._insert("INSERT INTO proposal_states VALUES(?,?,?,?)", (effect["proposal"], effect["to"], seq, OPEN))

    def _key(self, seq: int, effect: Effect, data: dict[str, Any]) -> None:
        if effect["on"]:
            values = (effect["key"], effect["public"], effect["name"], seq, OPEN)
            self._insert("INSERT INTO reviewer_keys VALUES(?,?,?,?,?)", values)
        else:
            self._end("reviewer_keys", "key=?", (effect["key"],), seq)

    def _policy(self, seq: int, effect: Effect, data: dict[str, Any]) -> None:
        self._end("policies", "1", (), seq)
        self._insert("INSERT INTO policies VALUES(?,?,?)", (canonical(effect["quorum"]).decode(), seq, OPEN))

    def _quarantine(self, seq: int, effect: Effect, data: dict[str, Any]) -> None:
        if effect["on"]:
            self._insert("INSERT INTO quarantines VALUES(?,?,?)", (effect["author"], seq, OPEN))
        else:
            self._end("quarantines", "author=?", (effect["author"],), seq)

    def _redact(self, seq: int, effect: Effect, data: dict[str, Any]) -> None:
        mid = self.mid(effect["digest"])
        self._db.execute("UPDATE memories SET content_key=x'', topic_key=x'' WHERE mid=?", (mid,))
        if self._spoken(mid):
            self._db.execute("DELETE FROM words WHERE rowid=?", (mid,))
            self._db.execute("INSERT INTO words(words) VALUES('optimize')")  # or the words stay, marked as deleted
        self._db.execute("DELETE FROM vectors WHERE mid=?", (mid,))
        self.redacted = True
        if self._redacts:
            self._db.executemany(
                "UPDATE bodies SET salt=NULL, body=NULL, redacted_seq=? WHERE ref=?",
                [(seq, bodies.key_of(ref)) for ref in effect["refs"]],
            )

    def _end(self, table: str, where: str, keys: tuple[Any, ...], seq: int) -> None:
        """Close what holds. What began in this very event held for no time: it is deleted."""
        self._db.execute(f"DELETE FROM {table} WHERE {where} AND to_seq={OPEN} AND from_seq=?", (*keys, seq))
        self._db.execute(f"UPDATE {table} SET to_seq=? WHERE {where} AND to_seq={OPEN}", (seq, *keys))


def sign_bits(vector: bytes) -> bytes:
    """Return the signs of an int8 vector as bits, lowest bit first: 384 bytes become 48. Raises ValueError."""
    if len(vector) != DIMENSIONS:
        raise ValueError(f"a vector has {DIMENSIONS} numbers, not {len(vector)}")
    return int(vector[::-1].translate(_SIGN_DIGITS), 2).to_bytes(len(vector) // 8, "little")
