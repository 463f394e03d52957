"""Reads named for what they mean, as of any moment: `now` is a sequence number, OPEN for the present."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Sequence
from typing import Any

import apsw

from ..errors import AmbiguousId, BadInput, UnknownId
from ..records import (
    Author,
    Belief,
    Conflict,
    ConflictState,
    ConflictType,
    DetectedBy,
    Edge,
    Evidence,
    Memory,
    MemoryType,
    Settlement,
    Status,
    Verb,
)
from . import bodies
from .codec import author_of, decode, unstamp
from .ledger import event_data
from .schema import OPEN

LIVE = (str(Status.ACTIVE),)
_AT = "from_seq <= :now AND to_seq > :now"
_OPEN_STATES = ("detected", "resolving", "escalated")


class Reads:
    """Reading one connection as of `now`."""

    def __init__(self, db: apsw.Connection, now: int = OPEN - 1) -> None:
        self._db = db
        self.now = now
        self.past = now < OPEN - 1

    def as_of(self, seq: int) -> Reads:
        """Return the same reads as of another event."""
        return Reads(self._db, seq)

    def _rows(self, sql: str, **values: Any) -> list[tuple[Any, ...]]:
        return self._db.execute(sql, {"now": self.now, **values}).fetchall()

    def _one(self, sql: str, **values: Any) -> tuple[Any, ...] | None:
        return next(iter(self._rows(sql, **values)), None)

    # memories -----------------------------------------------------------------

    def memory(self, mid: int) -> Memory:
        """Return one memory by its row."""
        data = event_data(self._db, mid)["data"]
        digest = self.digest(mid)
        return decode(data["memory"], digest, mid, lambda ref: bodies.read(self._db, ref), self.scope_of(mid))

    def digest(self, mid: int) -> str:
        """Return the digest of a row."""
        return str(self._db.execute("SELECT digest FROM memories WHERE mid=?", (mid,)).get)

    def mid(self, digest: str) -> int | None:
        """Return the row of a full digest, None where there is none (yet)."""
        row = self._one("SELECT mid FROM memories WHERE digest=:digest AND mid <= :now", digest=digest)
        return int(row[0]) if row else None

    def scope_of(self, mid: int) -> str:
        """Return the scope a memory holds in now."""
        row = self._one(f"SELECT scope_id FROM narrowings WHERE mid=:mid AND {_AT}", mid=mid)
        scope_id = row[0] if row else self._db.execute("SELECT scope_id FROM memories WHERE mid=?", (mid,)).get
        return str(self._db.execute("SELECT scope FROM scopes WHERE scope_id=?", (scope_id,)).get)

    def status(self, mid: int) -> Status:
        """Return where a memory stands, `suspect` left aside."""
        row = self._one(f"SELECT status FROM standing WHERE mid=:mid AND {_AT}", mid=mid)
        if row is None:
            raise LookupError(f"memory {mid} was not there at event {self.now}")
        return Status(row[0])

    def causes(self, mid: int) -> list[int]:
        """Return the fallen memories that make this one suspect."""
        return [
            row[0] for row in self._rows(f"SELECT DISTINCT cause FROM suspicions WHERE mid=:mid AND {_AT}", mid=mid)
        ]

    def belief(self, mid: int) -> Belief:
        """Return a memory with its standing, contests and pending conflicts."""
        status = self.status(mid)
        causes = self.causes(mid) if status is Status.ACTIVE else []
        others, pending = self._contests(mid)
        return Belief(
            memory=self.memory(mid),
            status=Status.SUSPECT if causes else status,
            approved=self.approved(mid),
            suspect_because=tuple(self.digest(cause) for cause in causes),
            contested_by=tuple(self.digest(other) for other in others)
            if status in (Status.ACTIVE, Status.HELD)
            else (),
            pending=tuple(pending),
        )

    def _contests(self, mid: int) -> tuple[list[int], list[str]]:
        """Other sides of open conflicts and of forced coexistence; ids of the open conflicts."""
        others: dict[int, None] = {}
        pending = []
        for cid, incumbent, challenger in self._rows(
            "SELECT c.cid, c.incumbent, c.challenger FROM conflicts c JOIN conflict_states s ON s.cid=c.cid "
            f"WHERE (c.incumbent=:mid OR c.challenger=:mid) AND s.state <> 'resolved' AND {_AT} ORDER BY c.seq",
            mid=mid,
        ):
            others[challenger if incumbent == mid else incumbent] = None
            pending.append(f"conflict-{cid}")
        for source, target in self._rows(
            f"SELECT source, target FROM edges WHERE (source=:mid OR target=:mid) AND type='competes_with' AND {_AT}",
            mid=mid,
        ):
            other = target if source == mid else source
            if self.status(other) is Status.ACTIVE:
                others[other] = None
        return list(others), pending

    def approved(self, mid: int) -> bool:
        """True for an axiom or core in force."""
        return self._one(f"SELECT 1 FROM approvals WHERE mid=:mid AND {_AT}", mid=mid) is not None

    def with_status(
        self, statuses: Collection[Status], *, type: MemoryType | None = None, limit: int = -1, after: int = 0
    ) -> list[int]:
        """Return rows in these statuses, newest first; `after` pages on from a row."""
        wanted = {str(s) for s in statuses}
        rows = self._rows(
            "SELECT s.mid FROM standing s JOIN memories m ON m.mid=s.mid WHERE s.from_seq <= :now AND s.to_seq > :now "
            "AND s.status IN (SELECT value FROM json_each(:statuses)) AND (:type='' OR m.type=:type) "
            "AND (:after=0 OR s.mid < :after) "
            "AND (:suspects=2 OR (:suspects=1) = EXISTS("
            "  SELECT 1 FROM suspicions u WHERE u.mid=s.mid AND u.from_seq <= :now AND u.to_seq > :now)"
            "  OR s.status <> 'active') "
            "ORDER BY s.mid DESC LIMIT :limit",
            statuses=json.dumps(sorted(wanted | ({"active"} if "suspect" in wanted else set()))),
            type=str(type or ""),
            after=after,
            limit=limit,
            suspects=2
            if {"active", "suspect"} <= wanted or not wanted & {"active", "suspect"}
            else int("suspect" in wanted),
        )
        return [row[0] for row in rows]

    def counts(self) -> dict[Status, int]:
        """Return how many memories stand where."""
        found = {
            Status(s): n for s, n in self._rows(f"SELECT status, count(*) FROM standing WHERE {_AT} GROUP BY status")
        }
        suspects = self._one(
            "SELECT count(DISTINCT u.mid) FROM suspicions u JOIN standing s ON s.mid=u.mid WHERE u.from_seq <= :now "
            "AND u.to_seq > :now AND s.from_seq <= :now AND s.to_seq > :now AND s.status='active'"
        )
        if suspects and suspects[0]:
            found[Status.SUSPECT] = suspects[0]
            found[Status.ACTIVE] -= suspects[0]
        return found

    def approved_rows(self) -> list[int]:
        """Return the invariants in force."""
        return [r[0] for r in self._rows(f"SELECT DISTINCT mid FROM approvals WHERE {_AT} ORDER BY mid")]

    def same_key(self, key: str) -> list[int]:
        """Return rows with this content key, newest first."""
        return [
            r[0]
            for r in self._rows(
                "SELECT mid FROM memories WHERE content_key=:key AND mid <= :now ORDER BY mid DESC",
                key=bytes.fromhex(key),
            )
        ]

    def same_topic(self, topic_key: str) -> list[int]:
        """Return rows on this topic, newest first."""
        return [
            r[0]
            for r in self._rows(
                "SELECT mid FROM memories WHERE topic_key=:key AND topic_key <> x'' AND mid <= :now ORDER BY mid DESC",
                key=bytes.fromhex(topic_key),
            )
        ]

    # ids ------------------------------------------------------------------------

    def find_memory(self, ref: str) -> int:
        """Return the row of an id or prefix (4+ hex, type word optional). Raises UnknownId, AmbiguousId, BadInput."""
        kind, dash, prefix = ref.strip().rpartition("-")
        if kind and kind not in {*MemoryType, "proposal"}:
            raise BadInput(f"{ref!r} is not a memory id; ids look like fact-104e77a1")
        _check_prefix(ref, prefix)
        rows = [
            (mid, f"{type}-{digest}")
            for mid, digest, type in self._rows(
                "SELECT mid, digest, type FROM memories "
                "WHERE digest >= :low AND digest < :high AND mid <= :now LIMIT 20",
                low=prefix.lower(),
                high=prefix.lower() + "g",
            )
            if not dash or type == kind or (kind == "proposal" and MemoryType(type).invariant_tier)
        ]
        return int(_only(ref, rows, "memory"))

    def find_conflict(self, ref: str) -> str:
        """Return the full hex of a conflict id or prefix."""
        kind, _, prefix = ref.strip().rpartition("-")
        if kind not in ("", "conflict"):
            raise BadInput(f"{ref!r} is not a conflict id; ids look like conflict-5f0c1a2b, `tur conflicts` lists them")
        _check_prefix(ref, prefix)
        rows = [
            (cid, f"conflict-{cid}")
            for (cid,) in self._rows(
                "SELECT cid FROM conflicts WHERE cid >= :low AND cid < :high AND seq <= :now LIMIT 20",
                low=prefix.lower(),
                high=prefix.lower() + "g",
            )
        ]
        return str(_only(ref, rows, "conflict"))

    def shortest(self, hexes: str, table: str = "memories", column: str = "digest") -> str:
        """Return the shortest unique prefix of a digest, at least 8 hex."""
        for length in range(8, 64, 2):
            prefix = hexes[:length]
            rows = self._rows(
                f"SELECT 1 FROM {table} WHERE {column} >= :low AND {column} < :high LIMIT 2",
                low=prefix,
                high=prefix + "g",
            )
            if len(rows) < 2:
                return prefix
        return hexes

    # conflicts --------------------------------------------------------------------

    def conflict_ids(self, states: Iterable[ConflictState] = ()) -> list[str]:
        """Return conflicts in these states (all where none is named), oldest first."""
        wanted = [str(s) for s in states] or [*_OPEN_STATES, "resolved"]
        return [
            r[0]
            for r in self._rows(
                "SELECT c.cid FROM conflicts c JOIN conflict_states s ON s.cid=c.cid WHERE s.from_seq <= :now "
                "AND s.to_seq > :now AND s.state IN (SELECT value FROM json_each(:states)) ORDER BY c.seq, c.cid",
                states=json.dumps(wanted),
            )
        ]

    def conflicts_of(self, mid: int, *, open_only: bool = True) -> list[str]:
        """Return the conflicts a memory is a side of, oldest first."""
        return [
            r[0]
            for r in self._rows(
                "SELECT c.cid FROM conflicts c JOIN conflict_states s ON s.cid=c.cid WHERE (c.incumbent=:mid OR "
                f"c.challenger=:mid) AND {_AT} AND (:all OR s.state <> 'resolved') ORDER BY c.seq, c.cid",
                mid=mid,
                all=int(not open_only),
            )
        ]

    def has_conflict(self, cid: str) -> bool:
        """True where a conflict has this id."""
        return self._one("SELECT 1 FROM conflicts WHERE cid=:cid", cid=cid) is not None

    def sides(self, cid: str) -> tuple[int, int]:
        """Return (incumbent row, challenger row)."""
        row = self._one("SELECT incumbent, challenger FROM conflicts WHERE cid=:cid", cid=cid)
        assert row is not None
        return row[0], row[1]

    def state(self, cid: str) -> ConflictState:
        """Return where a conflict stands."""
        row = self._one(f"SELECT state FROM conflict_states WHERE cid=:cid AND {_AT}", cid=cid)
        return ConflictState(row[0]) if row else ConflictState.RESOLVED

    def conflict_record(self, cid: str) -> dict[str, Any]:
        """Return the record the conflict was opened with (evidence by reference)."""
        row = self._one("SELECT record FROM conflicts WHERE cid=:cid", cid=cid)
        assert row is not None
        record: dict[str, Any] = json.loads(row[0])
        return record

    def conflict(self, cid: str) -> Conflict:
        """Return a conflict as it stands, both sides filled in."""
        row = self._one("SELECT incumbent, challenger, seq, reopens, record FROM conflicts WHERE cid=:cid", cid=cid)
        assert row is not None
        incumbent, challenger, seq, reopens, text = row
        record = json.loads(text)
        evidence = bodies.read(self._db, record["evidence_ref"]) if record.get("evidence_ref") else None
        state = self.state(cid)
        return Conflict(
            id=f"conflict-{cid}",
            incumbent=self.belief(incumbent),
            challenger=self.belief(challenger),
            state=state,
            revision=self.revision(cid, incumbent, challenger),
            probability=record["probability"],
            conflict_type=ConflictType(record["type"]),
            detected_by=DetectedBy(record["detected_by"]),
            evidence=tuple(Evidence(**item) for item in json.loads(evidence)) if evidence else (),
            suggested=Verb(record["suggested"]),
            detected_at=unstamp(self._at(seq)),
            seq=seq,
            reopens=f"conflict-{reopens}" if reopens else None,
            dependants=len(self.dependants(incumbent)),
            chosen=self._choice(cid) if state.open else None,
            settlement=None if state.open else self._settlement(cid),
            conflicting_fields=tuple(record.get("fields", ())),
        )

    def _at(self, seq: int) -> str:
        return str(self._db.execute("SELECT at FROM events WHERE seq=?", (seq,)).get)

    def _settlement(self, cid: str) -> Settlement | None:
        row = self._one(
            f"SELECT verb, by_seq FROM conflict_states WHERE cid=:cid AND state='resolved' AND {_AT}", cid=cid
        )
        if row is None or not row[0]:
            return None
        at, _, _ = self.event(row[1])
        _, actor, data = self.event(self._decision_behind(cid, *row))
        return Settlement(verb=Verb(row[0]), by=actor, at=unstamp(at), reason=self.reason(data), seq=row[1])

    def _decision_behind(self, cid: str, verb: str, seq: int) -> int:
        """Return the event that says who and why: a decision that an undo restored, a choice that had waited."""
        data = self.event(seq)[2]
        while "undoes" in data and "undoes" in (before := self.event(data["undoes"])[2]):
            seq = int(before["undoes"])
            data = self.event(seq)[2]
        if "undoes" not in data and data.get("conflict") != cid:
            for earlier in reversed(self.mentions(cid, changes_only=True)):
                if earlier < seq and self.kind(earlier) == "chosen" and not self.undone(earlier):
                    return earlier if self.event(earlier)[2]["decision"]["verb"] == verb else seq
        return seq

    def _choice(self, cid: str) -> Settlement | None:
        seq = self.chosen_event(cid)
        if seq is None:
            return None
        at, actor, data = self.event(seq)
        return Settlement(
            verb=Verb(data["decision"]["verb"]), by=actor, at=unstamp(at), reason=self.reason(data), seq=seq
        )

    def chosen_event(self, cid: str) -> int | None:
        """Return the event whose verb an open conflict waits with; None where none is given or people took over."""
        if self.state(cid) not in (ConflictState.RESOLVING, ConflictState.ESCALATED):
            return None
        for seq in reversed(self.mentions(cid, changes_only=True)):
            kind = self.kind(seq)
            if kind == "escalated":
                return None
            if kind == "chosen" and not self.undone(seq):
                return seq
        return None

    def settlement_of(self, cid: str) -> Verb | None:
        """Return the verb a conflict was settled with; None while open, or where an undo replaced it."""
        row = self._one(f"SELECT verb FROM conflict_states WHERE cid=:cid AND state='resolved' AND {_AT}", cid=cid)
        return Verb(row[0]) if row is not None and row[0] and not self.reopened(cid) else None

    def reopened(self, cid: str) -> bool:
        """True where an undo opened a successor of this conflict."""
        row = self._one(
            "SELECT 1 FROM conflicts c JOIN conflicts s ON s.incumbent=c.incumbent AND s.reopens=c.cid "
            "WHERE c.cid=:cid AND s.seq <= :now",
            cid=cid,
        )
        return row is not None

    def revision(self, cid: str, incumbent: int, challenger: int) -> int:
        """Count the events that touch the conflict, either side or their direct dependants; it never falls."""
        named = {cid, self.digest(incumbent), self.digest(challenger)}
        named.update(self.digest(d) for side in (incumbent, challenger) for d in self._rested_on(side))
        row = self._one(
            "SELECT count(DISTINCT seq) FROM mentions WHERE seq <= :now "
            "AND subject IN (SELECT value FROM json_each(:named))",
            named=json.dumps(sorted(named)),
        )
        return int(row[0]) if row else 0

    # edges ----------------------------------------------------------------------

    def _rested_on(self, mid: int) -> list[int]:
        """Return the memories that ever rested directly on this one, live or not."""
        rows = self._rows(
            "SELECT DISTINCT source FROM edges WHERE target=:mid AND from_seq <= :now "
            "AND type IN ('depends_on', 'refines')",
            mid=mid,
        )
        return [row[0] for row in rows]

    def suspected_by(self, cause: int) -> list[int]:
        """Return the memories that are suspect because this one fell."""
        rows = self._rows(f"SELECT DISTINCT mid FROM suspicions WHERE cause=:cause AND {_AT}", cause=cause)
        return [row[0] for row in rows]

    def dependants(self, mid: int, types: Sequence[str] = ("depends_on", "refines")) -> list[int]:
        """Return live memories that rest directly on this one."""
        return [
            r[0]
            for r in self._rows(
                "SELECT DISTINCT e.source FROM edges e JOIN standing s ON s.mid=e.source WHERE e.target=:mid "
                "AND e.from_seq <= :now AND e.to_seq > :now AND s.from_seq <= :now AND s.to_seq > :now "
                "AND s.status='active' AND e.type IN (SELECT value FROM json_each(:types)) ORDER BY e.source",
                mid=mid,
                types=json.dumps(list(types)),
            )
        ]

    def edges_of(self, mid: int) -> list[Edge]:
        """Return the edges at a memory, either way, oldest first; open conflicts count as `contradicts`."""
        rows = self._rows(
            f"SELECT source, target, type, from_seq FROM edges WHERE (source=:mid OR target=:mid) AND {_AT} "
            "UNION SELECT c.challenger, c.incumbent, 'contradicts', c.seq FROM conflicts c JOIN conflict_states s "
            "ON s.cid=c.cid WHERE (c.incumbent=:mid OR c.challenger=:mid) AND s.state <> 'resolved' "
            "AND s.from_seq <= :now AND s.to_seq > :now ORDER BY 4, 1, 2",
            mid=mid,
        )
        return [
            Edge(
                source=self.digest(s),
                target=self.digest(t),
                type=kind,
                seq=seq,
                reason=self.reason(self.event(seq)[2]),
            )
            for s, t, kind, seq in rows
        ]

    def has_edge(self, source: int, target: int, type: str) -> bool:
        """True where this edge holds."""
        return (
            self._one(
                f"SELECT 1 FROM edges WHERE source=:s AND target=:t AND type=:k AND {_AT}",
                s=source,
                t=target,
                k=type,
            )
            is not None
        )

    def has_former(self) -> bool:
        """True where anything was superseded or refuted."""
        return (
            self._one(f"SELECT 1 FROM standing WHERE status IN ('superseded', 'refuted') AND {_AT} LIMIT 1") is not None
        )

    def lost_to(self, mid: int) -> tuple[int, int] | None:
        """Return (winner, event) of the latest supersession or refutation of a memory."""
        row = self._one(
            "SELECT target, from_seq FROM edges WHERE source=:mid AND type IN ('superseded_by', 'refuted_by') "
            f"AND {_AT} ORDER BY from_seq DESC LIMIT 1",
            mid=mid,
        )
        return (int(row[0]), int(row[1])) if row else None

    # events -----------------------------------------------------------------------

    def last_event(self) -> int:
        """Return the last sequence number in sight."""
        row = self._one("SELECT coalesce(max(seq), 0) FROM events WHERE seq <= :now")
        return int(row[0]) if row else 0

    def event(self, seq: int) -> tuple[str, Author, dict[str, Any]]:
        """Return (time, actor, data) of an event."""
        decoded = event_data(self._db, seq)
        return decoded["at"], author_of(decoded["actor"]), decoded["data"]

    def kind(self, seq: int) -> str:
        """Return the kind of an event, empty where there is none."""
        return str(self._db.execute("SELECT kind FROM events WHERE seq=?", (seq,)).get or "")

    def reason(self, data: dict[str, Any]) -> str:
        """Return an event's reason in words, empty where none was given."""
        text = self.text(data.get("reason_ref", ""))
        return text or ""

    def text(self, ref: str) -> str | None:
        """Return a body as text; None where redacted or not given."""
        content = bodies.read(self._db, ref) if ref else None
        return content.decode() if content is not None else None

    def mentions(self, subject: str, *, changes_only: bool = False) -> list[int]:
        """Return the events about a digest or conflict, oldest first."""
        names = [subject] if changes_only else [subject, "~" + subject]
        return [
            r[0]
            for r in self._rows(
                "SELECT DISTINCT seq FROM mentions WHERE subject IN (SELECT value FROM json_each(:names)) "
                "AND seq <= :now ORDER BY seq",
                names=json.dumps(names),
            )
        ]

    def undone(self, seq: int) -> bool:
        """True where an event was undone, and that undoing was not itself undone."""
        return any(
            not self.undone(by)
            for (by,) in self._rows("SELECT seq FROM undoings WHERE target=:s AND seq <= :now", s=seq)
        )

    def decision_on(self, cid: str) -> int | None:
        """Return the event whose decision on this conflict stands: it settled it, or its verb waits for the case."""
        if (chosen := self.chosen_event(cid)) is not None:
            return chosen
        row = self._one(
            f"SELECT by_seq FROM conflict_states WHERE cid=:cid AND state='resolved' AND verb <> '' AND {_AT}", cid=cid
        )
        return None if row is None or self.undone(row[0]) else int(row[0])

    def last_resolution(self, actor: Author) -> int | None:
        """Return the actor's latest decision that still holds."""
        for seq, kind in self._rows(
            "SELECT seq, kind FROM events WHERE kind IN ('resolved', 'chosen') AND actor=:actor AND seq <= :now "
            "ORDER BY seq DESC",
            actor=str(actor),
        ):
            lapsed = kind == "chosen" and self.reopened(self.event(seq)[2]["conflict"])
            if not lapsed and not self.undone(seq):
                return int(seq)
        return None


def _check_prefix(ref: str, prefix: str) -> None:
    if not 4 <= len(prefix) <= 64 or prefix.lower().strip("0123456789abcdef"):
        raise BadInput(f"{ref!r} is not an id; give at least 4 of its hex digits, as in fact-104e77a1")


def _only(ref: str, rows: list[tuple[Any, str]], noun: str) -> Any:
    if not rows:
        raise UnknownId(f"no {noun} has an id that starts with {ref!r}")
    if len(rows) > 1:
        shown = ", ".join(full[: full.index("-") + 17] for _, full in rows[:5])
        raise AmbiguousId(
            f"{ref!r} fits {len(rows)} ids: {shown}; give more digits",
            matches=tuple(full for _, full in rows),
        )
    return rows[0][0]
