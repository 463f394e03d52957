"""Conflicts: their sides, their state, how they were settled."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

from ...records import (
    Author,
    Conflict,
    ConflictState,
    ConflictType,
    DetectedBy,
    Evidence,
    Settlement,
    Verb,
)
from .. import bodies
from ..codec import unstamp
from .edges import EdgeReads
from .moment import AT


class ConflictReads(EdgeReads):
    """Conflicts and the decisions on them."""

    def conflict_ids(self, states: Iterable[ConflictState] = ()) -> list[str]:
        """Return conflicts in these states (all where none is named), oldest first."""
        wanted = [str(s) for s in states] or [str(s) for s in ConflictState]
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
                f"c.challenger=:mid) AND {AT} AND (:all OR s.state <> 'resolved') ORDER BY c.seq, c.cid",
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
        row = self._one(f"SELECT state FROM conflict_states WHERE cid=:cid AND {AT}", cid=cid)
        return ConflictState(row[0]) if row else ConflictState.RESOLVED

    def conflict_record(self, cid: str) -> dict[str, Any]:
        """Return the record the conflict was opened with (evidence by reference)."""
        row = self._one("SELECT record FROM conflicts WHERE cid=:cid", cid=cid)
        assert row is not None
        record: dict[str, Any] = json.loads(row[0])
        return record

    def rank(self, cid: str) -> tuple[bool, float, int, int, int]:
        """Return what orders conflicts in the queue: open ones first, by probability, dependants and age."""
        row = self._one("SELECT incumbent, seq, record FROM conflicts WHERE cid=:cid", cid=cid)
        assert row is not None
        incumbent, seq, record = row
        sure = round(json.loads(record)["probability"], 2)
        return not self.state(cid).open, -sure, -len(self.dependants(incumbent)), seq, incumbent

    def conflict(self, cid: str) -> Conflict:
        """Return a conflict as it stands, both sides filled in."""
        row = self._one("SELECT incumbent, challenger, seq, reopens, record FROM conflicts WHERE cid=:cid", cid=cid)
        assert row is not None
        incumbent, challenger, seq, reopens, text = row
        record = json.loads(text)
        packed = bodies.read(self._db, record["evidence_ref"]) if record.get("evidence_ref") else None
        grounds: dict[str, Any] = json.loads(packed) if packed else {}
        state = self.state(cid)
        later = None if state.open else self.lives_on_as(cid)
        return Conflict(
            id=f"conflict-{cid}",
            incumbent=self.belief(incumbent),
            challenger=self.belief(challenger),
            state=state,
            revision=self.revision(cid, incumbent, challenger),
            probability=record["probability"],
            conflict_type=ConflictType(record["type"]),
            detected_by=DetectedBy(record["detected_by"]),
            evidence=tuple(Evidence(**item) for item in grounds.get("evidence", ())),
            suggested=Verb(record["suggested"]),
            detected_at=unstamp(self._at(seq)),
            seq=seq,
            reopens=f"conflict-{reopens}" if reopens else None,
            reopened_as=f"conflict-{later}" if later else None,
            dependants=len(self.dependants(incumbent)),
            chosen=self._choice(cid) if state.open else None,
            settlement=None if state.open else self._settlement(cid),
            conflicting_fields=tuple(grounds.get("fields", ())),
        )

    def decision_behind(self, source: str, target: str, seq: int) -> int:
        """Return the event that says who decided and why: on this pair, where its verb came before its case closed."""
        sides = "IN (SELECT mid FROM memories WHERE digest IN (:source, :target))"
        row = self._one(
            f"SELECT c.cid, s.verb FROM conflicts c JOIN conflict_states s ON s.cid=c.cid WHERE c.incumbent {sides} "
            f"AND c.challenger {sides} AND s.from_seq=:seq AND s.state='resolved' AND s.verb <> ''",
            seq=seq,
            source=source,
            target=target,
        )
        if row is None:
            return super().decision_behind(source, target, seq)
        cid, verb = row
        return self._decision_behind(cid, verb, seq)

    def _at(self, seq: int) -> str:
        return str(self._db.execute("SELECT at FROM events WHERE seq=?", (seq,)).get)

    def _settlement(self, cid: str) -> Settlement | None:
        row = self._one(
            f"SELECT verb, by_seq FROM conflict_states WHERE cid=:cid AND state='resolved' AND {AT}", cid=cid
        )
        if row is None or not row[0]:
            return None
        at, _, _ = self.event(row[1])
        _, actor, data = self.event(self._decision_behind(cid, *row))
        return Settlement(
            verb=Verb(row[0]),
            by=actor,
            at=unstamp(at),
            reason=self.reason(data),
            seq=row[1],
            undone=self.reopened(cid) or self.undone(row[1]),
        )

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
        row = self._one(f"SELECT verb FROM conflict_states WHERE cid=:cid AND state='resolved' AND {AT}", cid=cid)
        return Verb(row[0]) if row is not None and row[0] and not self.reopened(cid) else None

    def reopened(self, cid: str) -> bool:
        """True where an undo opened a successor of this conflict."""
        row = self._one(
            "SELECT 1 FROM conflicts c JOIN conflicts s ON s.incumbent=c.incumbent AND s.reopens=c.cid "
            "WHERE c.cid=:cid AND s.seq <= :now",
            cid=cid,
        )
        return row is not None

    def lives_on_as(self, cid: str) -> str | None:
        """Return the last of the conflicts that undos opened in this one's place; None where it has no successor."""
        last = None
        while row := self._one(
            "SELECT s.cid FROM conflicts c JOIN conflicts s ON s.incumbent=c.incumbent AND s.reopens=c.cid "
            "WHERE c.cid=:cid AND s.seq <= :now ORDER BY s.seq DESC LIMIT 1",
            cid=last or cid,
        ):
            last = str(row[0])
        return last

    def began_as(self, cid: str) -> tuple[str, int]:
        """Return the conflict that this one goes back to by undos, and the event that opened it."""
        while row := self._one(
            "SELECT c.cid, c.seq FROM conflicts c JOIN conflicts s ON s.incumbent=c.incumbent AND s.reopens=c.cid "
            "WHERE s.cid=:cid",
            cid=cid,
        ):
            cid = str(row[0])
        first = self._one("SELECT seq FROM conflicts WHERE cid=:cid", cid=cid)
        assert first is not None
        return cid, int(first[0])

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

    def decision_on(self, cid: str) -> int | None:
        """Return the event whose decision on this conflict stands: it settled it, or its verb waits for the case."""
        if (chosen := self.chosen_event(cid)) is not None:
            return chosen
        row = self._one(
            f"SELECT by_seq FROM conflict_states WHERE cid=:cid AND state='resolved' AND verb <> '' AND {AT}", cid=cid
        )
        return None if row is None or self.undone(row[0]) else int(row[0])

    def last_undoing(self, actor: Author) -> int | None:
        """Return the actor's latest undo that still holds: undoing it brings the decision back."""
        for (seq,) in self._rows(
            "SELECT seq FROM events WHERE kind='undone' AND actor=:actor AND seq <= :now ORDER BY seq DESC",
            actor=str(actor),
        ):
            if not self.undone(seq):
                return int(seq)
        return None

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
