"""Typed edges: what rests on what, and what lost to what."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from ... import records
from ...records import Status
from ..codec import unstamp
from .beliefs import BeliefReads
from .moment import AT

_HOLDS = "e.from_seq <= :now AND e.to_seq > :now"
_STANDS = "s.from_seq <= :now AND s.to_seq > :now"
_REOPENED = "SELECT 1 FROM conflicts r WHERE r.incumbent=c.incumbent AND r.reopens=c.cid AND r.seq <= :now"
_AS_EDGE = f"""c JOIN conflict_states s ON s.cid=c.cid WHERE {_STANDS} AND (s.state <> 'resolved'
OR (s.verb='scope_branch' AND NOT EXISTS ({_REOPENED})))"""
_KIND = "iif(s.state='resolved', 'scope_branch', 'contradicts'), iif(s.state='resolved', s.from_seq, c.seq)"
"""An open conflict is an edge; so is a settled scope branch, unless it came back."""
_EDGES_AT = f"""
SELECT a.digest, b.digest, x.type, x.seq FROM (
    SELECT e.source, e.target, e.type AS type, e.from_seq AS seq FROM edges e
    WHERE (e.source=:mid OR e.target=:mid) AND {_HOLDS}
    UNION SELECT c.challenger, c.incumbent, {_KIND} FROM conflicts {_AS_EDGE}
    AND (c.incumbent=:mid OR c.challenger=:mid)
) x JOIN memories a ON a.mid=x.source JOIN memories b ON b.mid=x.target"""
_ALL_EDGES = f"""
SELECT e.source, e.target, e.type, e.from_seq FROM edges e WHERE {_HOLDS}
UNION ALL SELECT c.challenger, c.incumbent, {_KIND} FROM conflicts {_AS_EDGE}"""
_BY_DECISION = ("superseded_by", "refuted_by", "competes_with", "scope_branch")
_THESE = "IN (SELECT value FROM json_each(:mids))"
_AHEAD = f"""
SELECT e.source, e.target FROM edges e WHERE e.source {_THESE} AND {_HOLDS}
UNION SELECT c.challenger, c.incumbent FROM conflicts {_AS_EDGE} AND c.challenger {_THESE} ORDER BY 1, 2"""
_BACK = f"""
SELECT e.target, e.source FROM edges e WHERE e.target {_THESE} AND {_HOLDS}
UNION SELECT c.incumbent, c.challenger FROM conflicts {_AS_EDGE} AND c.incumbent {_THESE} ORDER BY 1, 2"""


class EdgeReads(BeliefReads):
    """Edges between memories."""

    @property
    def store(self) -> Path:
        """The store's file."""
        return Path(self._db.filename)

    def _rested_on(self, mid: int) -> list[int]:
        """Return the memories that ever rested directly on this one, live or not."""
        rows = self._rows(
            "SELECT DISTINCT source FROM edges WHERE target=:mid AND from_seq <= :now "
            "AND type IN ('depends_on', 'refines')",
            mid=mid,
        )
        return [row[0] for row in rows]

    def grounds(self, mid: int, types: Sequence[str]) -> list[tuple[int, str, str]]:
        """Return (justification, edge type, digest) of what a memory rests on directly.

        Justification 0 came with the memory; another is the number of the event that confirmed it on other grounds.
        """
        rows = self._rows(
            "SELECT iif(v.kind='confirmed', e.from_seq, 0), e.type, m.digest FROM edges e "
            "JOIN events v ON v.seq=e.from_seq JOIN memories m ON m.mid=e.target "
            "WHERE e.source=:mid AND e.from_seq <= :now AND e.to_seq > :now "
            "AND e.type IN (SELECT value FROM json_each(:types)) ORDER BY 1, e.rowid",
            mid=mid,
            types=json.dumps(list(types)),
        )
        return [(int(number), str(kind), str(digest)) for number, kind, digest in rows]

    def resting_on(self, mid: int, types: Sequence[str]) -> list[tuple[int, str, Status]]:
        """Return (row, digest, status) of what rests directly on a memory, live or not; suspect counts as active."""
        rows = self._rows(
            "SELECT DISTINCT m.mid, m.digest, s.status FROM edges e JOIN memories m ON m.mid=e.source "
            "JOIN standing s ON s.mid=e.source WHERE e.target=:mid AND e.from_seq <= :now AND e.to_seq > :now "
            "AND s.from_seq <= :now AND s.to_seq > :now AND e.type IN (SELECT value FROM json_each(:types)) "
            "ORDER BY m.mid",
            mid=mid,
            types=json.dumps(list(types)),
        )
        return [(int(row), str(digest), Status(status)) for row, digest, status in rows]

    def reaffirmations(self, digest: str) -> list[int]:
        """Return the events that reaffirmed a memory, oldest first, those taken back too."""
        rows = self._rows(
            "SELECT n.seq FROM mentions n JOIN events v ON v.seq=n.seq WHERE n.subject=:digest "
            "AND v.kind='reaffirmed' AND n.seq <= :now ORDER BY n.seq",
            digest=digest,
        )
        return [int(row[0]) for row in rows]

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

    def edges_of(self, mid: int) -> list[records.Edge]:
        """Return the edges at a memory, either way, oldest first.

        Open conflicts count as `contradicts`, settled scope branches as `scope_branch`; the other verbs draw their own.
        """
        return [self.drawn(*row) for row in self.edge_rows(mid)]

    def edge_rows(self, mid: int) -> list[tuple[str, str, str, int]]:
        """Return (source, target, type, event) of the same edges, which costs less."""
        rows = self._rows(f"{_EDGES_AT} ORDER BY x.seq, x.source, x.target", mid=mid)
        return [(str(source), str(target), str(kind), int(seq)) for source, target, kind, seq in rows]

    def drawn(self, source: str, target: str, kind: str, seq: int) -> records.Edge:
        """Return an edge with who drew it, when and why: the decision behind it, where an undo brought it back."""
        at, actor, data = self.event(self.decision_behind(source, target, seq) if kind in _BY_DECISION else seq)
        return records.Edge(
            source=source,
            target=target,
            type=kind,
            seq=seq,
            reason=self.reason(data),
            actor=actor,
            at=unstamp(at),
            scope=str(data.get("decision", {}).get("scope", "")),
        )

    def decision_behind(self, source: str, target: str, seq: int) -> int:
        """Return the event that says who drew an edge and why; not an undoing that brought it back."""
        while self.kind(seq) == "undone":
            seq = int(self.event(seq)[2]["undoes"])
        return seq

    def all_edges(self) -> Iterator[tuple[int, int, str, int]]:
        """Yield (source row, target row, type, event) of every edge, open conflicts and scope branches among them."""
        yield from self._rows(_ALL_EDGES)

    def pairs_joined_by(self, type: str) -> list[tuple[int, int]]:
        """Return (source row, target row) of every edge of one type, oldest first."""
        rows = self._rows(f"SELECT source, target FROM edges WHERE type=:type AND {AT} ORDER BY from_seq", type=type)
        return [(int(source), int(target)) for source, target in rows]

    def drawn_from(self, types: Sequence[str]) -> list[str]:
        """Return the digests of the memories from which an edge of one of these types starts."""
        rows = self._rows(
            "SELECT DISTINCT m.digest FROM edges e JOIN memories m ON m.mid=e.source "
            f"WHERE e.type IN (SELECT value FROM json_each(:types)) AND {_HOLDS} ORDER BY m.mid",
            types=json.dumps(list(types)),
        )
        return [str(row[0]) for row in rows]

    def standings(self) -> list[tuple[int, str, str, str]]:
        """Return (row, digest, type, status) of every memory, suspect told apart from active."""
        rows = self._rows(
            "SELECT m.mid, m.digest, m.type, iif(s.status='active' AND EXISTS(SELECT 1 FROM suspicions u "
            "WHERE u.mid=m.mid AND u.from_seq <= :now AND u.to_seq > :now), 'suspect', s.status) "
            "FROM memories m JOIN standing s ON s.mid=m.mid WHERE s.from_seq <= :now AND s.to_seq > :now ORDER BY m.mid"
        )
        return [(int(mid), str(digest), str(kind), str(status)) for mid, digest, kind, status in rows]

    def neighbours(self, mids: Sequence[int], *, ahead: bool = True, back: bool = True) -> list[tuple[int, int]]:
        """Return (row, neighbour) over every edge that leaves (`ahead`) or ends in (`back`) one of the rows."""
        found: dict[tuple[int, int], None] = {}
        for wanted, sql in ((ahead, _AHEAD), (back, _BACK)):
            if wanted:
                found.update(dict.fromkeys(self._rows(sql, mids=json.dumps(list(mids)))))
        return list(found)

    def stands_since(self, mid: int) -> int:
        """Return the event since which a memory stands where it does."""
        row = self._one(f"SELECT from_seq FROM standing WHERE mid=:mid AND {AT}", mid=mid)
        return mid if row is None else int(row[0])

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

    def path_between(self, source: int, target: int, types: Sequence[str]) -> list[int] | None:
        """Return the rows on a shortest way over edges of these types, both ends included; None where there is none.

        The way from a memory to itself goes round a cycle: its first and last row are the same.
        """
        came: dict[int, int] = {}
        frontier = [source]
        while frontier:
            ahead: list[int] = []
            for here, there in self.steps_from(frontier, types):
                if there in came:
                    continue
                came[there] = here
                if there == target:
                    way = [there, here]
                    while way[-1] != source:
                        way.append(came[way[-1]])
                    return way[::-1]
                ahead.append(there)
            frontier = ahead
        return None

    def steps_from(self, mids: Sequence[int], types: Sequence[str]) -> list[tuple[Any, ...]]:
        """Return (source, target) of the edges of these types that start at the rows."""
        return self._rows(
            "SELECT DISTINCT source, target FROM edges WHERE source IN (SELECT value FROM json_each(:mids)) "
            f"AND {AT} AND type IN (SELECT value FROM json_each(:types)) ORDER BY source, target",
            mids=json.dumps(list(mids)),
            types=json.dumps(list(types)),
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
