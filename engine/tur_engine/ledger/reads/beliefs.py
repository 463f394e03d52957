"""Memories and where they stand."""

from __future__ import annotations

import json
from collections.abc import Collection

from ...records import (
    Belief,
    Memory,
    MemoryType,
    Scope,
    Status,
)
from .. import bodies
from ..codec import decode
from ..ledger import event_data
from .ids import IdReads
from .moment import AT


class BeliefReads(IdReads):
    """Memories, their standing, and how they are found by key or topic."""

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
        row = self._one(f"SELECT scope_id FROM narrowings WHERE mid=:mid AND {AT}", mid=mid)
        scope_id = row[0] if row else self._db.execute("SELECT scope_id FROM memories WHERE mid=?", (mid,)).get
        return str(self._db.execute("SELECT scope FROM scopes WHERE scope_id=?", (scope_id,)).get)

    def status(self, mid: int) -> Status:
        """Return where a memory stands, `suspect` left aside."""
        row = self._one(f"SELECT status FROM standing WHERE mid=:mid AND {AT}", mid=mid)
        if row is None:
            raise LookupError(f"memory {mid} was not there at event {self.now}")
        return Status(row[0])

    def causes(self, mid: int) -> list[int]:
        """Return the fallen memories that make this one suspect."""
        return [row[0] for row in self._rows(f"SELECT DISTINCT cause FROM suspicions WHERE mid=:mid AND {AT}", mid=mid)]

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
            f"WHERE (c.incumbent=:mid OR c.challenger=:mid) AND s.state <> 'resolved' AND {AT} ORDER BY c.seq",
            mid=mid,
        ):
            others[challenger if incumbent == mid else incumbent] = None
            pending.append(f"conflict-{cid}")
        for source, target in self._rows(
            f"SELECT source, target FROM edges WHERE (source=:mid OR target=:mid) AND type='competes_with' AND {AT}",
            mid=mid,
        ):
            other = target if source == mid else source
            if self.status(other) is Status.ACTIVE:
                others[other] = None
        return list(others), pending

    def approved(self, mid: int) -> bool:
        """True for an axiom or core in force."""
        return self._one(f"SELECT 1 FROM approvals WHERE mid=:mid AND {AT}", mid=mid) is not None

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

    def on_branches(self) -> list[int]:
        """Return the live memories that hold on one branch only, oldest first."""
        scopes = self._rows("SELECT scope_id, scope FROM scopes WHERE scope LIKE '%@_%'")
        wanted = [scope_id for scope_id, scope in scopes if Scope.parse(scope).branch]
        if not wanted:
            return []
        rows = self._rows(
            "SELECT s.mid FROM standing s JOIN memories m ON m.mid=s.mid "
            "LEFT JOIN narrowings n ON n.mid=s.mid AND n.from_seq <= :now AND n.to_seq > :now "
            "WHERE s.from_seq <= :now AND s.to_seq > :now AND s.status='active' "
            "AND coalesce(n.scope_id, m.scope_id) IN (SELECT value FROM json_each(:wanted)) ORDER BY s.mid",
            wanted=json.dumps(wanted),
        )
        return [row[0] for row in rows]

    def counts(self) -> dict[Status, int]:
        """Return how many memories stand where."""
        found = {
            Status(s): n for s, n in self._rows(f"SELECT status, count(*) FROM standing WHERE {AT} GROUP BY status")
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
        return [r[0] for r in self._rows(f"SELECT DISTINCT mid FROM approvals WHERE {AT} ORDER BY mid")]

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
