"""The log itself: what an event says, who is named in it, whether it still stands."""

from __future__ import annotations

import json
from collections.abc import Sequence
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

    def by_actor(self, actor: Author | None, kinds: Sequence[str]) -> list[int]:
        """Return the events of these kinds by one actor, or by any, oldest first."""
        rows = self._rows(
            "SELECT seq FROM events WHERE kind IN (SELECT value FROM json_each(:kinds)) AND seq <= :now "
            "AND (:actor='' OR actor=:actor) ORDER BY seq",
            kinds=json.dumps(list(kinds)),
            actor="" if actor is None else str(actor),
        )
        return [row[0] for row in rows]

    def reason(self, data: dict[str, Any]) -> str:
        """Return an event's reason in words, empty where none was given."""
        text = self.text(data.get("reason_ref", ""))
        return text or ""

    def text(self, ref: str) -> str | None:
        """Return a body as text; None where redacted or not given."""
        content = bodies.read(self._db, ref) if ref else None
        return content.decode() if content is not None else None

    def has_text(self, ref: str) -> bool:
        """True where a body is still there."""
        return bodies.read(self._db, ref) is not None

    def references(self, seq: int) -> list[str]:
        """Return the bodies that an event names."""
        payload = self._db.execute("SELECT json FROM events WHERE seq=?", (seq,)).get
        return bodies.references(payload)

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
        return self.undone_by(seq) is not None

    def undone_by(self, seq: int) -> int | None:
        """Return the undoing that stands against an event; None where there is none."""
        found = self._rows("SELECT seq FROM undoings WHERE target=:s AND seq <= :now", s=seq)
        return next((int(by) for (by,) in found if not self.undone(by)), None)
