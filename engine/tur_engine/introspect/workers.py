"""Who weighs: this process, or a pool of others, each with the store opened for reading and a judge of its own."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import AbstractContextManager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from ..ledger import Ledger
from ..ledger.examined import Answer, Examined
from ..ledger.sweep import count
from .answers import Remembering, remembering
from .findings import Examination
from .hands import hands
from .partition import Block
from .weighing import Weighing

if TYPE_CHECKING:
    from ..gate.weigher import Weigher

Done = tuple[Block, list[Examination], dict[bytes, Answer]]
"""A block, what was found on it, and what the judge was asked anew."""


class Assignment(NamedTuple):
    """What a process needs to know to weigh memories of one store at one moment."""

    store: Path
    notes: Path | None
    upto: int
    profile: str
    threshold: float | None
    judged: bool
    noted: Mapping[int, int]


class Scales:
    """A store on the scales in this process."""

    def __init__(self, ledger: Ledger, upto: int, weigher: Weigher, notes: Examined, noted: Mapping[int, int]) -> None:
        self._ledger = ledger
        with ledger.snapshot() as db:
            weigher, self._judge = remembering(weigher, notes, count(db, upto))
            self._weighing = Weighing(db, upto, weigher, self._judge, noted)

    def weigh(self, block: Block) -> Done:
        """Return what was found on a block."""
        with self._ledger.snapshot():
            found = self._weighing.examine(block)
        return block, found, _fresh(self._judge)


def _fresh(judge: Remembering | None) -> dict[bytes, Answer]:
    if judge is None:
        return {}
    fresh, judge.fresh = judge.fresh, {}
    return fresh


def _begin(assignment: Assignment) -> Callable[[Block], Done]:
    """Open what this process works with, and return what weighs."""
    from ..detect.detector import Detector
    from ..probe import embedder

    embedder.THREADS = 1
    ledger = Ledger(assignment.store, read_only=True)
    notes = Examined(assignment.notes, read_only=True)
    weigher = Detector(assignment.profile, threshold=assignment.threshold)
    if not assignment.judged:
        weigher = weigher.with_judge(None)
    return Scales(ledger, assignment.upto, weigher, notes, assignment.noted).weigh


def pool(assignment: Assignment, workers: int, blocks: Iterable[Block]) -> AbstractContextManager[Iterator[Done]]:
    """Give what was found on each block, in their order; at the end, or on an error, nobody works on."""
    return hands(workers, partial(_begin, assignment), blocks)
