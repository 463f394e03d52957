"""What a verb or an undo brought about, and a whole session taken back."""

from __future__ import annotations

from pydantic import Field

from .base import Record
from .conflict import Conflict
from .effect import Effect
from .event import EventKind


class ResolutionResult(Record):
    """What a verb or an undo did."""

    verb: str
    """A Verb, or `undo`."""
    decided: Conflict | None = Field(default=None, alias="conflict")
    """The conflict as it stands afterwards; None where an undo took back what a graph or a pass drew."""
    seq: int
    effects: tuple[Effect, ...] = ()
    waiting: tuple[str, ...] = ()
    """Ids of the same candidate's other conflicts that must be settled before anything changes."""
    memory_id: str | None = None
    """The merged memory, after `merge`."""
    reopened: tuple[str, ...] = ()
    """Conflicts that an undo opened again."""

    @property
    def conflict(self) -> Conflict:
        """The conflict as it stands afterwards. Raises LookupError where none was decided on."""
        if self.decided is None:
            raise LookupError(f"event {self.seq} concerns no conflict")
        return self.decided


class SessionStep(Record):
    """What became of one event of a session that is rolled back."""

    seq: int
    kind: EventKind
    done: bool
    reason: str = ""
    """Why it stays."""
    by_seq: int | None = None
    """The event that took it back."""
    summary: str = ""


class SessionUndo(Record):
    """A session rolled back, the newest event first; in a preview nothing was written."""

    steps: tuple[SessionStep, ...] = ()
    dry_run: bool = False

    @property
    def done(self) -> int:
        return sum(step.done for step in self.steps)
