"""A conflict: one unordered pair, its evidence, its state (CONTRACTS 1)."""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum

from .author import Author
from .base import Record
from .evidence import Evidence, in_one_sentence
from .memory import Belief


class ConflictState(StrEnum):
    """detected -> resolving -> resolved, detected -> escalated, resolving -> escalated, escalated -> resolved."""

    DETECTED = "detected"
    RESOLVING = "resolving"
    ESCALATED = "escalated"
    RESOLVED = "resolved"

    @property
    def open(self) -> bool:
        return self is not ConflictState.RESOLVED

    def may_become(self, after: ConflictState) -> bool:
        """True for the five moves of the state machine; there are no others."""
        return (self, after) in _MOVES


_MOVES = frozenset(
    {
        (ConflictState.DETECTED, ConflictState.RESOLVING),
        (ConflictState.DETECTED, ConflictState.ESCALATED),
        (ConflictState.RESOLVING, ConflictState.RESOLVED),
        (ConflictState.RESOLVING, ConflictState.ESCALATED),
        (ConflictState.ESCALATED, ConflictState.RESOLVED),
    }
)


class ConflictType(StrEnum):
    """Akashik's four types."""

    FACTUAL = "factual"
    INTERPRETIVE = "interpretive"
    STRATEGIC = "strategic"
    PRIORITY = "priority"


class DetectedBy(StrEnum):
    """Which kind of evidence carried the verdict."""

    EXPLICIT = "explicit"
    MECHANICAL = "mechanical"
    SEMANTIC = "semantic"
    LOGICAL = "logical"
    TEMPORAL = "temporal"


class Verb(StrEnum):
    """What a person does with a conflict (CONTRACTS 3). `resolve` takes them all."""

    SUPERSEDE = "supersede"
    REFUTE = "refute"
    MERGE = "merge"
    FORCE = "force"
    BRANCH = "scope_branch"
    DISMISS = "dismiss"
    ABORT = "abort"

    @property
    def key(self) -> str:
        """The one key of the prompt and the workbench."""
        return _KEYS[self]


_KEYS = {
    Verb.SUPERSEDE: "s",
    Verb.REFUTE: "r",
    Verb.MERGE: "m",
    Verb.FORCE: "f",
    Verb.BRANCH: "b",
    Verb.DISMISS: "x",
    Verb.ABORT: "a",
}


class Relationship(StrEnum):
    """What the verdict says of an ordered pair."""

    CLASH = "clash"
    DUPLICATE = "duplicate"
    COMPATIBLE = "compatible"


class Verdict(Record):
    """The calibrated judgement on one (incumbent, challenger) pair."""

    relationship: Relationship
    probability: float
    """Calibrated probability that the two cannot both hold."""
    conflict_type: ConflictType = ConflictType.FACTUAL
    detected_by: DetectedBy = DetectedBy.SEMANTIC
    evidence: tuple[Evidence, ...] = ()
    suggested: Verb = Verb.SUPERSEDE
    suspicious: bool = False
    """Below the threshold, yet too likely to pass against an invariant."""
    judged: bool = False
    """True where the neural judge had its say; False where symbols alone decided."""
    conflicting_fields: tuple[str, ...] = ()

    @property
    def reason(self) -> str:
        """The strongest evidence in one sentence."""
        return in_one_sentence(self.evidence)


class Settlement(Record):
    """How a conflict was closed: by whom, when, why, by which event."""

    verb: Verb
    by: Author
    at: datetime
    reason: str
    seq: int
    undone: bool = False
    """Taken back since: what it did stands no longer, or stands by a successor of the conflict."""


class Conflict(Record):
    """A pair in question, as it stands now."""

    id: str
    incumbent: Belief
    challenger: Belief
    state: ConflictState
    revision: int
    """Counts the events that touch the conflict, either side or their direct dependants."""
    probability: float
    conflict_type: ConflictType
    detected_by: DetectedBy
    evidence: tuple[Evidence, ...] = ()
    suggested: Verb
    detected_at: datetime
    seq: int
    reopens: str | None = None
    reopened_as: str | None = None
    """The last of those that undos opened in its place."""
    dependants: int = 0
    """How many live memories rest on the incumbent."""
    chosen: Settlement | None = None
    """A verb already given, waiting for the other pairs of the same candidate (state resolving)."""
    settlement: Settlement | None = None
    conflicting_fields: tuple[str, ...] = ()

    @property
    def reason(self) -> str:
        """The strongest evidence in one sentence."""
        return in_one_sentence(self.evidence)
