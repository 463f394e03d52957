"""What a pass may find: a contradiction, one with an invariant, a text said twice, a refinement."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import NamedTuple

from ..records import Verdict


class Kind(StrEnum):
    """What was found on a pair."""

    CONTRADICTION = "contradiction"
    VIOLATION = "violation"
    """One side is an invariant in force: people decide."""
    DUPLICATE = "duplicate"
    REFINEMENT = "refinement"


class Finding(NamedTuple):
    """One pair and what was found on it, by rows of the ledger.

    `older` came in first; of a violation it is the invariant, of a refinement the general one, whichever came first.
    """

    kind: Kind
    older: int
    newer: int
    verdict: Verdict

    @property
    def pair(self) -> tuple[int, int]:
        return self.older, self.newer


@dataclass(slots=True)
class Examination:
    """One memory, weighed against what it was to be weighed against."""

    mid: int
    pairs: int = 0
    read: int = 0
    """Pairs that the judge read."""
    findings: list[Finding] = field(default_factory=list)
