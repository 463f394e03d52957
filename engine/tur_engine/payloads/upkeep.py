"""The store itself."""

from __future__ import annotations

from ..records import (
    Proof,
    Status,
    StoreStatus,
    VerifyReport,
)
from .plain import Payload, merkle


def status(counts: StoreStatus) -> Payload:
    """Counts of one store."""
    return {
        "path": counts.path,
        "store_id": counts.store_id,
        "memories": {state.value: counts.memories.get(state, 0) for state in Status},
        "open_conflicts": counts.open_conflicts,
        "invariants": counts.invariants,
        "proposals_pending": counts.proposals_pending,
        "head": merkle(counts.head),
        "judge": counts.judge,
        "read_only": counts.read_only,
        **({"persona": counts.persona} if counts.persona else {}),
        **({"former": counts.former} if counts.former else {}),
    }


def verify(report: VerifyReport) -> Payload:
    """The result of checking a ledger."""
    return {
        "ok": report.ok,
        "events": report.events,
        "head": merkle(report.head),
        "checkpoints": report.checkpoints,
        "witness": report.witness,
        "first_bad": report.first_bad,
        "problem": report.problem,
        **({"persona": report.persona} if report.persona else {}),
        **({"former": report.former} if report.former else {}),
    }


def proof(found: Proof) -> Payload:
    """A proof of inclusion, and of consistency where it was asked for (docs/proofs.md)."""
    return found.model_dump(mode="json", exclude_none=True)
