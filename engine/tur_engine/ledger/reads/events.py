"""The log itself: what an event says, who is named in it, whether it still stands."""

from __future__ import annotations

import json
from typing import Any

from ...records import (
    Author,
)
from .. import bodies
from ..codec import author_of
from ..ledger import event_data
from .moment import Moment


class EventReads(Moment):
    """Events and their texts."""

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
