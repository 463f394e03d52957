"""A pair that the gate found contradicting, and the conflict that it opens."""

from __future__ import annotations

from typing import Any, NamedTuple

from ..ledger.bodies import Body, body
from ..ledger.canonical import canonical
from ..ledger.effects import Effect, open_conflict
from ..records import ConflictState, Relationship, Verdict


class Clash(NamedTuple):
    """One incumbent that the draft clashes with."""

    mid: int
    incumbent: str
    cid: str
    verdict: Verdict
    named: bool = False
    """Named in `supersedes`: decided by the author."""
    guarded: bool = False
    """One side is an invariant, or the author is quarantined: people decide, whatever the verdict."""

    @property
    def state(self) -> ConflictState:
        """A mere suspicion waits for people from the first."""
        doubtful = self.verdict.suspicious and self.verdict.relationship is not Relationship.CLASH
        return ConflictState.ESCALATED if doubtful or self.guarded else ConflictState.DETECTED

    def opening(self, challenger: str, **more: Any) -> tuple[Effect, Body]:
        """Return the effect that opens its conflict, `more` kept with it, and the body of its evidence."""
        record, grounds = self.record(challenger)
        packed = body(canonical(grounds))
        return open_conflict(self.cid, {**record, **more, "evidence_ref": packed.ref}), packed

    def record(self, challenger: str) -> tuple[dict[str, Any], dict[str, Any]]:
        """Return what the conflict's event keeps, and what goes behind a body: evidence, names of fields."""
        verdict = self.verdict
        record: dict[str, Any] = {
            "incumbent": self.incumbent,
            "challenger": challenger,
            "probability": round(verdict.probability, 4),
            "type": str(verdict.conflict_type),
            "detected_by": str(verdict.detected_by),
            "suggested": str(verdict.suggested),
            "judged": verdict.judged,
        }
        if self.state is not ConflictState.DETECTED:
            record["state"] = str(self.state)
        grounds: dict[str, Any] = {"evidence": [piece.model_dump(mode="json") for piece in verdict.evidence]}
        if verdict.conflicting_fields:
            grounds["fields"] = list(verdict.conflicting_fields)
        return record, grounds
