"""What became of many lines that were learned one after another."""

from __future__ import annotations

from .base import Record
from .learning import ConflictReport, LearnResult
from .memory import Draft


class Refusal(Record):
    """A line of a batch that could not be taken."""

    line: int
    reason: str


class Replacing(Draft):
    """A line of a batch that says what it replaces, as `supersedes` of one learn does."""

    supersedes: tuple[str, ...]

    @classmethod
    def named_by(cls, draft: Draft) -> tuple[str, ...]:
        """Return the ids of what a line of a batch replaces."""
        return draft.supersedes if isinstance(draft, cls) else ()


class BatchReport(Record):
    """A batch learn, counted (CONTRACTS 4)."""

    committed: int = 0
    duplicates: int = 0
    held: int = 0
    proposed: int = 0
    invariant_violations: int = 0
    refused: tuple[Refusal, ...] = ()
    conflicts: tuple[ConflictReport, ...] = ()
    results: tuple[LearnResult, ...] = ()
    lines: tuple[int, ...] = ()
    """The line of each of the `results`."""
    dry_run: bool = False
    nothing_kept: bool = False
    """All or nothing was asked for, and something must not come in: the counts tell what would have been."""
