"""What stands otherwise at one moment of the ledger than at an earlier one."""

from __future__ import annotations

from datetime import datetime
from typing import NamedTuple

import apsw

from .codec import stamp


class Moved(NamedTuple):
    """A memory or a conflict whose state changed."""

    subject: int | str
    before: str | None
    """None where it was not there yet."""
    after: str
    seq: int
    """The event that brought the state of the later moment."""


def moved_memories(db: apsw.Connection, since: int, until: int) -> list[Moved]:
    """Return the memories whose status differs, in the order in which they got it."""
    return _moved(db, "standing", "mid", "status", since, until)


def moved_conflicts(db: apsw.Connection, since: int, until: int) -> list[Moved]:
    """Return the conflicts whose state differs, in the order in which they got it."""
    return _moved(db, "conflict_states", "cid", "state", since, until)


def _moved(db: apsw.Connection, table: str, subject: str, state: str, since: int, until: int) -> list[Moved]:
    rows = db.execute(
        f"SELECT n.{subject}, b.{state}, n.{state}, n.from_seq FROM {table} n LEFT JOIN {table} b "
        f"ON b.{subject}=n.{subject} AND b.from_seq <= :since AND b.to_seq > :since "
        "WHERE n.from_seq > :since AND n.from_seq <= :until AND n.to_seq > :until "
        f"AND n.{state} IS NOT b.{state} ORDER BY n.from_seq, n.{subject}",
        {"since": since, "until": until},
    )
    return [Moved(*row) for row in rows]


def suspects(db: apsw.Connection, since: int, until: int) -> list[Moved]:
    """Return the memories that are suspect at one of the two moments only; `after` is suspect or cleared."""
    at = "SELECT mid, max(from_seq) AS seq FROM suspicions WHERE from_seq <= {0} AND to_seq > {0} GROUP BY mid"
    rows = db.execute(
        f"WITH earlier AS ({at.format(':since')}), later AS ({at.format(':until')}) "
        "SELECT mid, seq, 'suspect' FROM later WHERE mid NOT IN (SELECT mid FROM earlier) UNION ALL "
        "SELECT mid, (SELECT max(to_seq) FROM suspicions u WHERE u.mid=earlier.mid AND to_seq <= :until), 'cleared' "
        "FROM earlier WHERE mid NOT IN (SELECT mid FROM later) ORDER BY 2, 1",
        {"since": since, "until": until},
    )
    return [Moved(mid, None, after, seq) for mid, seq, after in rows]


def event_at(db: apsw.Connection, moment: datetime) -> int:
    """Return the last event at or before an aware time, 0 where there is none."""
    return int(db.execute("SELECT coalesce(max(seq), 0) FROM events WHERE at <= ?", (stamp(moment),)).get)
