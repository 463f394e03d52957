"""Who weighs: this process, or a pool of others, each with the store opened for reading and a judge of its own."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from ..ledger import Ledger
from ..ledger.examined import Answer, Examined
from ..ledger.sweep import count
from .answers import Remembering, remembering
from .findings import Examination
from .partition import Block
from .weighing import Weighing

if TYPE_CHECKING:
    from ..gate.weigher import Weigher

_THREADS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")
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


_scales: Scales | None = None


def _begin(assignment: Assignment) -> None:
    """Open what this process works with. A Ctrl-C is the first process's business."""
    import signal

    from ..detect.detector import Detector
    from ..probe import embedder

    global _scales  # a pool hands its work to functions: what they share can only lie here
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    embedder.THREADS = 1
    ledger = Ledger(assignment.store, read_only=True)
    notes = Examined(assignment.notes, read_only=True)
    weigher = Detector(assignment.profile, threshold=assignment.threshold)
    if not assignment.judged:
        weigher = weigher.with_judge(None)
    _scales = Scales(ledger, assignment.upto, weigher, notes, assignment.noted)


def _weigh(block: Block) -> Done:
    assert _scales is not None
    return _scales.weigh(block)


@contextmanager
def pool(assignment: Assignment, workers: int, blocks: Iterable[Block]) -> Iterator[Iterator[Done]]:
    """Give what was found on each block, in their order; at the end, or on an error, nobody works on."""
    from concurrent.futures import ProcessPoolExecutor
    from multiprocessing import get_context

    with _one_thread_each():
        executor = ProcessPoolExecutor(
            workers, mp_context=get_context("spawn"), initializer=_begin, initargs=(assignment,)
        )
        try:
            yield executor.map(_weigh, blocks)
        finally:
            executor.shutdown(wait=True, cancel_futures=True)


@contextmanager
def _one_thread_each() -> Iterator[None]:
    """Processes that share the cores must not each take them all for their sums."""
    before = {name: os.environ.get(name) for name in _THREADS}
    os.environ.update(dict.fromkeys(_THREADS, "1"))
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                os.environ.pop(name, None)
            else:
                os.environ[name] = value
