"""What became of each line of a batch, counted."""

from __future__ import annotations

from ..records import BatchReport, LearnResult, Outcome, Refusal


class Tally:
    """Counts as a batch goes on; `report` may be asked for at any time."""

    def __init__(self) -> None:
        self.results: list[LearnResult] = []
        self._lines: list[int] = []
        self._counts = dict.fromkeys(Outcome, 0)
        self._refused: list[Refusal] = []

    def took(self, line: int, result: LearnResult) -> None:
        """The gate answered."""
        self._counts[result.outcome] += 1
        self._note(line, result)

    def refuse(self, refusal: Refusal, result: LearnResult | None = None) -> None:
        """The line was not taken; `result` where the gate had weighed it."""
        self._refused.append(refusal)
        if result is not None:
            self._note(refusal.line, result)

    def _note(self, line: int, result: LearnResult) -> None:
        self.results.append(result)
        self._lines.append(line)

    @property
    def stops(self) -> bool:
        """True where something must not come in: a clash that is held, a violation, a line that is none."""
        return bool(self._refused or self._counts[Outcome.CONFLICT] or self._counts[Outcome.INVARIANT])

    def report(self, *, dry_run: bool = False, nothing_kept: bool = False) -> BatchReport:
        """Return the counts and, line by line, the answers."""
        return BatchReport(
            committed=self._counts[Outcome.COMMITTED],
            duplicates=self._counts[Outcome.DUPLICATE],
            held=self._counts[Outcome.CONFLICT],
            proposed=self._counts[Outcome.PROPOSED],
            invariant_violations=self._counts[Outcome.INVARIANT],
            refused=tuple(self._refused),
            conflicts=tuple(report for result in self.results for report in result.conflicts),
            results=tuple(self.results),
            lines=tuple(self._lines),
            dry_run=dry_run,
            nothing_kept=nothing_kept,
        )
