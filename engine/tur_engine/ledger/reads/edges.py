"""Typed edges: what rests on what, and what lost to what."""

from __future__ import annotations

import json
from collections.abc import Sequence

from ...records import (
    Edge,
)
from .beliefs import BeliefReads
from .moment import AT


class EdgeReads(BeliefReads):
    """Edges between memories."""

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
        rows = self._rows(f"SELECT DISTINCT mid FROM suspicions WHERE cause=:cause AND {AT}", cause=cause)
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
            f"SELECT source, target, type, from_seq FROM edges WHERE (source=:mid OR target=:mid) AND {AT} "
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
                f"SELECT 1 FROM edges WHERE source=:s AND target=:t AND type=:k AND {AT}",
                s=source,
                t=target,
                k=type,
            )
            is not None
        )

    def has_former(self) -> bool:
        """True where anything was superseded or refuted."""
        return (
            self._one(f"SELECT 1 FROM standing WHERE status IN ('superseded', 'refuted') AND {AT} LIMIT 1") is not None
        )

    def lost_to(self, mid: int) -> tuple[int, int] | None:
        """Return (winner, event) of the latest supersession or refutation of a memory."""
        row = self._one(
            "SELECT target, from_seq FROM edges WHERE source=:mid AND type IN ('superseded_by', 'refuted_by') "
            f"AND {AT} ORDER BY from_seq DESC LIMIT 1",
            mid=mid,
        )
        return (int(row[0]), int(row[1])) if row else None
