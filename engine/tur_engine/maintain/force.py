"""Custom edge types gain force when people approve the persona file, and lose it when the file changes (CONTRACTS 7).

What fell before is marked then as if the types had always had it, and unmarked where they have it no more.
"""

from __future__ import annotations

from ..ledger import NewEvent, Reads
from ..ledger.ledger import SYSTEM
from ..records import EventKind
from .labels import over_again
from .view import View


def relabelling(reads: Reads) -> NewEvent | None:
    """Return the event that brings the suspect marks in line with the types in force; None where they are."""
    if not reads.kinds(str(EventKind.PERSONA)):
        return None  # nobody ever approved one
    view = View(reads)
    before, now = set(_noted(reads)), set(view.declared_to_pass)
    if before == now:
        return None
    effects = over_again(view, reads.drawn_from(sorted(before ^ now)))
    passing = {"passing": sorted(now), "gained": sorted(now - before), "lost": sorted(before - now)}
    return NewEvent(EventKind.RELABELLED, SYSTEM, {**passing, "effects": effects})


def _noted(reads: Reads) -> list[str]:
    """Return the types by which the marks were made last."""
    seqs = reads.kinds(str(EventKind.RELABELLED))
    return list(reads.event(seqs[-1])[2]["passing"]) if seqs else []
