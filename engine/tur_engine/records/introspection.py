"""The answer of a pass over the whole store (CONTRACTS 4, `introspect`)."""

from __future__ import annotations

from .base import Record
from .memory import Belief


class FoundPair(Record):
    """Two memories and what a pass found on them."""

    kind: str
    """`contradiction`, `violation` (one is an invariant), `elsewhere` (one is an invariant of another store),
    `duplicate`, `refinement`."""
    older: Belief
    """Of a violation the invariant, here or elsewhere, of a refinement the general one."""
    newer: Belief
    probability: float
    """That the two cannot both hold."""
    reason: str = ""
    conflict_id: str | None = None
    store: str = ""
    """The other store that the invariant is of."""
    certain: bool = True
    """False for a suspicion against an invariant of another store."""


class Introspection(Record):
    """What one pass read, found and wrote."""

    live: int
    """Memories that are live."""
    scanned: int
    """Memories read in this pass; the others stand as an earlier pass read them."""
    pairs_judged: int
    """Pairs that got a verdict."""
    pairs_read: int
    """Those of them that the neural judge read."""
    found: tuple[FoundPair, ...] = ()
    suspects: int = 0
    cycles: tuple[tuple[str, ...], ...] = ()
    """Ids round each circle of depends_on or precedes."""
    islands: int = 0
    """Groups of joined memories."""
    unlinked: int = 0
    """Memories without an edge."""
    seconds: float = 0.0
    shard: str = "1/1"
    dry_run: bool = False
    stopped: bool = False
    """True where it was stopped before the end: the next pass goes on from there."""

    def of(self, *kinds: str) -> tuple[FoundPair, ...]:
        """Return what was found of these kinds."""
        return tuple(pair for pair in self.found if pair.kind in kinds)
