"""The answer to a learn or a check: let in, held, refused, and with what it clashes."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from enum import StrEnum

from pydantic import Field

from .author import Author
from .base import Record
from .conflict import Conflict, Verb
from .effect import Preview
from .head import Merkle
from .memory import Belief


class OnConflict(StrEnum):
    """What the caller wants done with a clash (CONTRACTS 2). `ask` is the surface's business."""

    ASK = "ask"
    HOLD = "hold"
    ALLOW = "allow"
    FAIL = "fail"


class Outcome(StrEnum):
    """How the gate answered."""

    COMMITTED = "committed"
    DUPLICATE = "duplicate"
    CONFLICT = "conflict_detected"
    INVARIANT = "invariant_violation"
    PROPOSED = "proposed"


class SettledBefore(Record):
    """The newcomer repeats what was settled: when, by whom, why."""

    conflict_id: str
    at: datetime
    by: Author
    reason: str
    verb: Verb


class ConflictReport(Record):
    """One clash as a learn or check reports it. `conflict` has no stored id in a dry run's ledger, but the same one."""

    conflict: Conflict
    previews: dict[Verb, Preview] = Field(default_factory=dict)
    may: tuple[Verb, ...] = ()
    """Verbs that take effect when the author gives them; the others are put before people, or change nothing."""
    recorded: bool = True
    """False where the ledger has no such conflict: a dry run, or nothing was kept."""


class LearnResult(Record):
    """The gate's answer to one draft."""

    outcome: Outcome
    id: str | None = None
    """Full id of the memory, candidate or proposal; the existing one for a duplicate."""
    digest: str | None = None
    seq: int | None = None
    merkle: Merkle | None = None
    conflicts: tuple[ConflictReport, ...] = ()
    duplicate_of: str | None = None
    proposal_id: str | None = None
    invariant: Belief | None = None
    """The approved axiom or core it violates."""
    invariant_store: str | None = None
    """The other store that this invariant is of, and holds here from."""
    settled_before: SettledBefore | None = None
    warnings: tuple[str, ...] = ()
    doubt: float = 0.0
    """The highest probability of a clash among all pairs weighed, stopped or not."""
    seconds: float = 0.0
    """What probe and verdict took."""
    dry_run: bool = False
    content: str = ""
    recorded: bool = True
    """False where the ledger has no such memory: a dry run, or nothing was kept."""

    def unrecorded(self, holds_memory: Callable[[str], bool], holds_conflict: Callable[[str], bool]) -> LearnResult:
        """Return the answer marked with what of it the ledger does not hold, by digest and by full id."""
        reports = tuple(
            each.model_copy(update={"recorded": holds_conflict(each.conflict.id)}) for each in self.conflicts
        )
        recorded = self.digest is not None and holds_memory(self.digest)
        return self.model_copy(update={"recorded": recorded, "conflicts": reports})
