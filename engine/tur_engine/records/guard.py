"""What the guardrail says of a proposed action (EP-0134, section 3)."""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum

from .author import Author
from .base import Record
from .memory import Belief


class GuardOutcome(StrEnum):
    """What a report comes to."""

    CLEAR = "clear"
    WARNED = "warned"
    """It clashes with what is marked as a constraint, and with no invariant."""
    VIOLATION = "invariant_violation"


class GuardWarning(Record):
    """One action against one invariant or constraint."""

    belief: Belief
    binding: bool
    """True for an axiom or core in force; False for a memory of the topic `constraint`."""
    action: str
    """The words that the action was proposed in."""
    read_as: str
    """The statement that was weighed."""
    probability: float
    reason: str
    """The strongest evidence in one sentence."""
    invariant_words: str = ""
    action_words: str = ""
    store: str | None = None
    """The other store it is an invariant of, where it is not of this one."""

    @property
    def advice(self) -> str:
        """What to do now."""
        if not self.binding:
            return "Keep to it, or say to a person why not; it is no invariant."
        where = f"tur --store {self.store} propose" if self.store else "tur propose"
        return (
            f"Do not do this. Find a way that keeps to it, or ask for a change with "
            f"`{where} --supersedes {self.belief.memory.short_id}`; people decide."
        )


class GuardReport(Record):
    """Everything that speaks against a proposed action or plan, the most probable first."""

    text: str
    actions: tuple[str, ...] = ()
    """The statements that were weighed; empty where nothing in the text acts."""
    left_out: int = 0
    """How many actions were too many to be weighed."""
    weighed: int = 0
    """How many invariants and constraints in force they were weighed against."""
    rules_left_out: int = 0
    """How many were too many: of those, each action was weighed against the nearest only."""
    warnings: tuple[GuardWarning, ...] = ()

    @property
    def outcome(self) -> GuardOutcome:
        if any(warning.binding for warning in self.warnings):
            return GuardOutcome.VIOLATION
        return GuardOutcome.WARNED if self.warnings else GuardOutcome.CLEAR


class GuardNote(Record):
    """A warning that was given: it is kept beside the store and outside of its chain."""

    at: datetime
    after: int
    """The last event of the ledger then."""
    actor: Author
    session: str = ""
    memory_id: str
    """The invariant or constraint; full id."""
    belief: Belief | None = None
    """The same as it stands now; None where it is not found."""
    store: str | None = None
    """The other store it is an invariant of."""
    binding: bool
    probability: float
    action: str
    """The words that the action was proposed in, cut where they were long."""
    read_as: str
    """The statement that was weighed."""
