"""What the gate needs of a detector."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from ..probe.candidate import Candidate
from ..records import Memory, Verdict


class Weigher(Protocol):
    """What the gate needs of a detector."""

    @property
    def suspicion(self) -> float: ...

    def weigh(self, challenger: Memory, candidates: Sequence[Candidate]) -> list[Verdict]: ...
