"""A finding is held against the present before it is written: what was learned or settled meanwhile stays so.

Nothing is removed or replaced: conflicts are opened, edges added, notes made, all by `system:introspect`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import apsw

from ..gate.clash import Clash
from ..gate.invariants import escalated
from ..ledger import NewEvent, Reads, Writing
from ..ledger.bodies import body
from ..ledger.effects import conflict_id, edge
from ..ledger.sweep import ever_joined
from ..ontology import EdgeType
from ..records import Author, AuthorKind, EventKind, Memory, Status
from .findings import Finding, Kind

ACTOR = Author(kind=AuthorKind.SYSTEM, name="introspect")
Written = tuple[Finding, str]
"""A finding that holds still, with the conflict that it opens; no conflict for other kinds."""


class Present:
    """The store as it stands now: what of the findings is new and holds still."""

    def __init__(self, db: apsw.Connection) -> None:
        self._db = db
        self.reads = Reads(db)

    def holds(self, finding: Finding) -> bool:
        """True where both sides still hold side by side and nobody knows of the pair yet."""
        reads = self.reads
        if any(reads.status(mid) is not Status.ACTIVE for mid in finding.pair):
            return False
        older, newer = (reads.memory(mid) for mid in finding.pair)
        if older.redacted or newer.redacted or not older.scope.overlaps(newer.scope) or self._known(finding):
            return False
        match finding.kind:
            case Kind.VIOLATION:
                return reads.approved(finding.older)
            case Kind.CONTRADICTION:
                return not (reads.approved(finding.older) or reads.approved(finding.newer))
            case Kind.DUPLICATE:
                return older.scope == newer.scope and not self._noted(older, newer)
            case Kind.REFINEMENT:
                shaken = reads.causes(finding.older) or reads.causes(finding.newer)
                return not shaken and not ever_joined(self._db, *finding.pair)

    def _known(self, finding: Finding) -> bool:
        """True where there is, or was, a conflict between the two: what is settled or dismissed never comes back."""
        return any(
            finding.newer in self.reads.sides(cid) for cid in self.reads.conflicts_of(finding.older, open_only=False)
        )

    def _noted(self, older: Memory, newer: Memory) -> bool:
        return any(
            self.reads.kind(seq) == EventKind.NOTED
            and self.reads.event(seq)[2].get("about") == [older.digest, newer.digest]
            for seq in self.reads.mentions(newer.digest)
        )

    def event(self, finding: Finding) -> tuple[NewEvent, str]:
        """Return the event that tells of a finding, and the conflict that it opens."""
        older, newer = (self.reads.memory(mid) for mid in finding.pair)
        match finding.kind:
            case Kind.VIOLATION:
                cid, effect, packed = escalated(newer, older, finding.verdict)
                return _detected([effect], [packed], found=str(finding.kind)), cid
            case Kind.CONTRADICTION:
                cid = conflict_id(older.digest, newer.digest)
                effect, packed = Clash(older.seq, older.digest, cid, finding.verdict).opening(newer.digest)
                return _detected([effect], [packed], found=str(finding.kind)), cid
            case Kind.REFINEMENT:
                drawn = edge(newer.digest, older.digest, EdgeType.REFINES)
                return _detected([drawn], [], found=str(finding.kind)), ""
            case Kind.DUPLICATE:
                sentence = (
                    f"{newer.short_id} says the same as {older.short_id}; "
                    f"`tur-adm memory retract {newer.short_id}` keeps one of them"
                )
                text = body(sentence)
                data = {"about": [older.digest, newer.digest], "text_ref": text.ref, "effects": []}
                return NewEvent(EventKind.NOTED, ACTOR, data, [text]), ""


def _detected(effects: list[dict[str, Any]], bodies: list[Any], **more: str) -> NewEvent:
    return NewEvent(EventKind.DETECTED, ACTOR, {**more, "effects": effects}, bodies)


def confirmed(db: apsw.Connection, findings: Sequence[Finding]) -> list[Written]:
    """Return the findings that hold at present, each with the conflict that it would open; nothing is written."""
    present = Present(db)
    return [(finding, _names(present, finding)) for finding in findings if present.holds(finding)]


def write(db: apsw.Connection, tx: Writing, findings: Sequence[Finding], told: Callable[[Written], None]) -> None:
    """Write the findings that hold at present, one event each, in the caller's transaction."""
    present = Present(db)
    for finding in findings:
        if present.holds(finding):
            event, cid = present.event(finding)
            tx.append([event])
            told((finding, cid))


def _names(present: Present, finding: Finding) -> str:
    if finding.kind not in (Kind.CONTRADICTION, Kind.VIOLATION):
        return ""
    return conflict_id(*(present.reads.digest(mid) for mid in finding.pair))
