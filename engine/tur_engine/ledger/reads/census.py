"""What is in the store, counted: memories by standing and type, authors and how often they were contradicted."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from datetime import datetime
from typing import NamedTuple

from ...records import Author, DetectedBy, MemoryType, Status, Verb
from ..codec import author_of, unstamp
from .governance import GovernanceReads

_AT = "{0}.from_seq <= :now AND {0}.to_seq > :now"


class Decision(NamedTuple):
    """A conflict that somebody settled."""

    probability: float
    detected_by: DetectedBy
    verb: Verb
    by: Author


class CensusReads(GovernanceReads):
    """Counts; no texts are read."""

    def census(self) -> dict[Status, dict[MemoryType, int]]:
        """Return how many memories of each type stand where."""
        found: dict[Status, dict[MemoryType, int]] = {}
        rows = self._rows(
            "SELECT CASE WHEN s.status='active' AND EXISTS(SELECT 1 FROM suspicions u WHERE u.mid=s.mid AND "
            f"{_AT.format('u')}) THEN 'suspect' ELSE s.status END, m.type, count(*) FROM standing s "
            f"JOIN memories m ON m.mid=s.mid WHERE {_AT.format('s')} GROUP BY 1, 2"
        )
        for status, kind, number in rows:
            found.setdefault(Status(status), {})[MemoryType(kind)] = number
        return found

    def open_since(self) -> list[datetime]:
        """Return when each open conflict was found, the oldest first."""
        rows = self._rows(
            "SELECT e.at FROM conflict_states s JOIN conflicts c ON c.cid=s.cid JOIN events e ON e.seq=c.seq "
            f"WHERE {_AT.format('s')} AND s.state <> 'resolved' ORDER BY c.seq"
        )
        return [unstamp(at) for (at,) in rows]

    def arrivals(self) -> dict[Author, tuple[int, int]]:
        """Return how many memories are of each author, and how many of those contradicted another one."""
        author = "coalesce(json_extract(CAST(e.json AS TEXT), '$.data.memory.author'), e.actor)"
        query = f"SELECT {author}, count(*) FROM {{0}} JOIN events e ON e.seq={{1}} WHERE {{1}} <= :now GROUP BY 1"
        came = dict(self._rows(query.format("memories m", "m.mid")))
        clashed = "(SELECT DISTINCT challenger FROM conflicts WHERE seq <= :now) c"
        clashing = dict(self._rows(query.format(clashed, "c.challenger")))
        return {author_of(author): (number, clashing.get(author, 0)) for author, number in came.items()}

    def decisions(self) -> Iterator[Decision]:
        """Yield the settled conflicts, each with who decided; a decision that was taken back is none."""
        rows = self._rows(
            "SELECT c.cid, s.verb, s.by_seq, c.record FROM conflict_states s JOIN conflicts c ON c.cid=s.cid "
            f"WHERE {_AT.format('s')} AND s.state='resolved' AND s.verb <> '' ORDER BY c.seq"
        )
        for cid, verb, seq, text in rows:
            if self.reopened(cid) or self.undone(seq):
                continue
            record = json.loads(text)
            actor = self.event(self._decision_behind(cid, verb, seq))[1]
            yield Decision(record["probability"], DetectedBy(record["detected_by"]), Verb(verb), actor)

    def signed(self, kinds: Iterable[str]) -> tuple[int, int | None]:
        """Return how many events of these kinds there are, and the last of them."""
        wanted = json.dumps([str(kind) for kind in kinds])
        query = "SELECT count(*), max(seq) FROM events WHERE kind IN (SELECT value FROM json_each(:k)) AND seq <= :now"
        row = self._one(query, k=wanted)
        return (row[0], row[1]) if row else (0, None)
