"""The models behind one engine: embedder and detector, each loaded when a probe first needs it."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING

from .probe.candidate import Candidate
from .records import Memory, Verdict

if TYPE_CHECKING:
    from .detect.detector import Detector
    from .probe.embedder import Embedder

Over = Callable[[Callable[[Memory, Sequence[Candidate]], list[Verdict]], Memory, Sequence[Candidate]], list[Verdict]]
"""Weighs a newcomer against candidates with the help of what weighs them otherwise."""


class Minds:
    """Embeds texts and weighs pairs at one profile. A text is embedded once in a while."""

    def __init__(self, profile: str, threshold: float | None = None) -> None:
        self._profile = profile
        self._threshold = threshold
        self._embedder: Embedder | None = None
        self._detector: Detector | None = None
        self.eager = False
        """True where the judge is sure to be asked: it then loads beside the embedder."""
        self.over: Over | None = None
        """Goes over the verdicts, where a caller knows more of the pairs than the detector reads."""
        self.embed = lru_cache(maxsize=256)(self._embed)

    def _embed(self, text: str) -> bytes | None:
        """Return the body of a vector: the model's SHA-256 (32 bytes) and 384 int8."""
        from .probe import beside
        from .probe.embedder import Embedder, quantise

        if self._embedder is None:
            self._embedder = Embedder.load()
            if self.eager and not beside.serves() and (judge := self.detector.judge) is not None:
                threading.Thread(target=judge.warm, name="judge").start()
        if not (vector := beside.answer("embedder", text)):
            (vector,) = quantise(self._embedder.embed([text]))
        return bytes.fromhex(self._embedder.model_sha256) + vector

    @property
    def detector(self) -> Detector:
        """The detector, made on first use. Raises BadInput for an unknown profile."""
        if self._detector is None:
            from .detect.detector import Detector

            self._detector = Detector(self._profile, threshold=self._threshold)
        return self._detector

    @property
    def suspicion(self) -> float:
        return self.detector.suspicion

    @property
    def has_judge(self) -> bool:
        """True where the neural judge is installed; nothing is loaded to tell."""
        import os

        from .models import present

        return present("judge") and os.environ.get("TUR_NO_JUDGE") != "1"

    def weigh(self, challenger: Memory, candidates: Sequence[Candidate]) -> list[Verdict]:
        """Return one verdict a candidate."""
        weigh = self.detector.weigh
        return weigh(challenger, candidates) if self.over is None else self.over(weigh, challenger, candidates)
