"""Records as the JSON that programs and models read (CONTRACTS 4): full ids, times in UTC, texts as stored.

The command lines and MCP give the same shapes, so they are made in one place; each is loaded when it is asked for.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..lazily import lazily

if TYPE_CHECKING:
    from .believed import context, fall, memory, memory_in_full, recall, support
    from .deciding import conflict, conflicts, exposure, resolution, session_undo, side
    from .learning import (
        OPTIONS,
        batch,
        evidence,
        guard,
        guard_notes,
        invariant_error,
        learn,
        note,
        strongest_first,
    )
    from .plain import Payload, failure, stamp
    from .telling import difference, event, graph_report, history, introspection
    from .upkeep import proof, status, verify

__all__ = [
    "OPTIONS",
    "Payload",
    "batch",
    "conflict",
    "conflicts",
    "context",
    "difference",
    "event",
    "evidence",
    "exposure",
    "failure",
    "fall",
    "graph_report",
    "guard",
    "guard_notes",
    "history",
    "introspection",
    "invariant_error",
    "learn",
    "memory",
    "memory_in_full",
    "note",
    "proof",
    "recall",
    "resolution",
    "session_undo",
    "side",
    "stamp",
    "status",
    "strongest_first",
    "support",
    "verify",
]
_ROOMS = {
    "believed": "context fall memory memory_in_full recall support",
    "deciding": "conflict conflicts exposure resolution session_undo side",
    "learning": "OPTIONS batch evidence guard guard_notes invariant_error learn note strongest_first",
    "plain": "Payload failure stamp",
    "telling": "difference event graph_report history introspection",
    "upkeep": "proof status verify",
}
__getattr__ = lazily(__name__, _ROOMS)
