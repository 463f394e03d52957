"""What our verbs are in the protocol's strategies (Akashik 7)."""

from __future__ import annotations

from typing import Any

from ..records import Conflict, ConflictState, Settlement, Verb

STRATEGIES = {
    Verb.SUPERSEDE: "last_write_wins",
    Verb.REFUTE: "authority",
    Verb.MERGE: "synthesis",
    Verb.FORCE: "authority",
    Verb.BRANCH: "authority",
    Verb.DISMISS: "authority",
    Verb.ABORT: "authority",
}
"""`authority`: somebody decided who may, and neither age nor confidence did."""


def resolution(conflict: Conflict) -> dict[str, Any] | None:
    """Return how a conflict was resolved, or that it waits for people; None while it is detected or resolving."""
    if conflict.state is ConflictState.ESCALATED:
        return {
            "strategy": "human_escalation",
            "winner_id": None,
            "rationale": conflict.reason,
            "resolved_by": "",
            "epoch_resolved": conflict.seq,
        }
    if conflict.state is not ConflictState.RESOLVED or conflict.settlement is None:
        return None
    settled = conflict.settlement
    return {
        "strategy": STRATEGIES[settled.verb],
        "winner_id": _winner(conflict, settled),
        "rationale": settled.reason or f"{settled.verb}, without a reason",
        "resolved_by": str(settled.by),
        "epoch_resolved": settled.seq,
    }


def _winner(conflict: Conflict, settled: Settlement) -> str | None:
    match settled.verb:
        case Verb.SUPERSEDE:
            return conflict.challenger.id
        case Verb.REFUTE | Verb.ABORT:
            return conflict.incumbent.id
        case _:
            return None
