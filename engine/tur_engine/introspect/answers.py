"""The judge's answers, kept: a pair that was read once is not read again by the next pass."""

from __future__ import annotations

from collections.abc import Iterable
from hashlib import blake2b, sha256
from typing import TYPE_CHECKING

from ..detect import verdict
from ..detect.detector import Detector, Worth
from ..detect.judge import Judge
from ..ledger.examined import Answer, Examined
from ..models import present
from ..models import sha256 as promised
from ..version import __version__

if TYPE_CHECKING:
    from ..gate.weigher import Weigher
    from ..records import Memory


LARGE = 5000
"""Memories from which a pass would take hours if it read all that it could."""
THOROUGH, LIKELIER = Worth(reading=0.003), Worth(reading=0.015, judging=0.05)
"""Which pairs are read in a store, and in a large one (`tools/fit_verdict/thrift.py`, `skimming.py`)."""


class Remembering(Judge):
    """A judge that looks into earlier answers first. They are named by the digests of the pair, never by its text."""

    def __init__(self, judge: Judge, examined: Examined) -> None:
        super().__init__()
        self.skimmer = judge.skimmer
        self._judge = judge
        self._examined = examined
        self._sha = judge_sha()
        self._digests: dict[str, bytes] = {}
        self.fresh: dict[bytes, Answer] = {}
        """Answers that were not known yet."""

    def about(self, memories: Iterable[Memory]) -> None:
        """Name the memories that the next questions are about."""
        self._digests = {memory.content: bytes.fromhex(memory.digest) for memory in memories}

    def read(self, existing: str, new: str) -> Answer:
        """Return what Judge.read returns."""
        one, other = self._digests.get(existing), self._digests.get(new)
        if one is None or other is None:
            return self._judge.read(existing, new)
        key = blake2b(one + other, digest_size=16).digest()
        known = self.fresh.get(key) or self._examined.answer(key, self._sha)
        if known is None:
            known = self.fresh[key] = self._judge.read(existing, new)
        return known


def remembering(weigher: Weigher, examined: Examined, live: int = 0) -> tuple[Weigher, Remembering | None]:
    """Return the same detector with a judge that remembers, and that judge; the weigher itself where it has none.

    `live`: how many memories the store holds; in a large one the judge reads the likelier pairs only.
    """
    if not isinstance(weigher, Detector) or weigher.judge is None:
        return weigher, None
    judge = Remembering(weigher.judge, examined)
    return weigher.with_judge(judge, THOROUGH if live < LARGE else LIKELIER), judge


def judge_sha() -> bytes:
    """Return what names the weights of the judge; zeros where they are not installed."""
    return bytes.fromhex(promised("judge", "model.onnx")) if present("judge") else bytes(32)


def signature(weigher: Weigher) -> bytes:
    """Return what a verdict depends on beside the pair: weights, coefficients, thresholds, version."""
    told: list[object] = [__version__, weigher.suspicion, type(weigher).__name__]
    if isinstance(weigher, Detector):
        judge = weigher.judge
        told += [weigher.profile, weigher.threshold, judge is not None, judge_sha(), verdict.coefficients()]
        if judge is not None and judge.skimmer is not None:
            told.append(promised("skimmer", "model.onnx"))
    return sha256(repr(told).encode()).digest()
