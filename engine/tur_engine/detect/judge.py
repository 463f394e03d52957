"""The pair judge: a cross-encoder that reads two memories together (models/judge/CARD.md).

It answers with three logits: same or follows, compatible, contradicts. They are raw: the verdict calibrates them.
Its student, half its size, reads first: where that sees no clash by far, the judge is spared.
Each pair runs alone: dynamic int8 scales its activations by the whole batch, so company would change an answer by up
to a tenth, and on two cores a batch saves nothing.
"""

from __future__ import annotations

import math
import os
import threading
from collections import OrderedDict
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from ..models import manifest, model_file, present
from ..probe.embedder import open_session, open_tokenizer, readable
from .features import Opinion

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    from numpy.typing import NDArray

    Logits = NDArray[np.float32]

JUDGE, STUDENT = "model.onnx", "student.onnx"
"""The weights, in the room `judge`; embeddings and tokenizer are the same."""
MAX_TOKENS = 192
GLANCE = 0.07
"""Probability of a clash, as the student says it, below which the judge is not asked: half of its readings and an
eighth of the false interruptions on left-out streams, none of 96 planted memories lost; the first at .15
(`tools/fit_verdict/glance.py`)."""
_GLANCE_ODDS = math.log(GLANCE / (1 - GLANCE))
_REMEMBERED = 8192


class Judge:
    """Reads pairs of texts. The weights load at the first `logits`."""

    def __init__(self, weights: str = JUDGE) -> None:
        self._weights = weights
        self._lock = threading.Lock()
        self._session: Any = None
        self._tokenizer: Any = None
        self._known: OrderedDict[tuple[str, str], tuple[float, float, float]] = OrderedDict()

    @classmethod
    def load(cls) -> Judge | None:
        """Return the judge of this process, or None where its weights are absent or TUR_NO_JUDGE is set."""
        if os.environ.get("TUR_NO_JUDGE", "") not in ("", "0") or not present("judge"):
            return None
        return _shared()

    def logits(self, pairs: Sequence[tuple[str, str]], *, careful: bool = False) -> Logits:
        """Return float32 [n, 3] for (existing, new) texts: same or follows, compatible, contradicts.

        `careful` wants the judge itself, where a student may answer for it. Text beyond 192 word pieces a pair is cut,
        the longer side first. Raises IntegrityFailure where the weights are not the ones measured.
        """
        import numpy as np

        answers = np.zeros((len(pairs), 3), dtype=np.float32)
        for row, pair in enumerate(pairs):
            answers[row] = self._one((readable(pair[0]), readable(pair[1])))
        return answers

    def warm(self) -> None:
        """Load the weights now."""
        self._ready()

    def _one(self, pair: tuple[str, str]) -> tuple[float, float, float]:
        with self._lock:
            if pair in self._known:
                self._known.move_to_end(pair)
                return self._known[pair]
        import numpy as np

        session, tokenizer = self._ready()
        ids = np.asarray([tokenizer.encode(*pair).ids], dtype=np.int64)
        same, compatible, contradicts = session.run(None, {"input_ids": ids, "attention_mask": np.ones_like(ids)})[0][0]
        answer = (float(same), float(compatible), float(contradicts))
        with self._lock:
            self._known[pair] = answer
            while len(self._known) > _REMEMBERED:
                self._known.popitem(last=False)
        return answer

    def _ready(self) -> tuple[Any, Any]:
        with self._lock:
            if self._session is None:
                model_file("judge", "embeddings.bin")
                self._tokenizer = open_tokenizer("judge", MAX_TOKENS)
                self._session = open_session("judge", self._weights)
            return self._session, self._tokenizer


class Cascade(Judge):
    """A judge whose student reads first."""

    def __init__(self, student: Judge | None = None) -> None:
        super().__init__()
        self._student = student or Judge(STUDENT)

    def logits(self, pairs: Sequence[tuple[str, str]], *, careful: bool = False) -> Logits:
        """Return what Judge.logits returns: of the student where it sees no clash by far, else of the judge."""
        if careful:
            return super().logits(pairs)
        answers = self._student.logits(pairs)
        for row, odds in enumerate(Opinion.of(list(answers)).contradicts):
            if odds >= _GLANCE_ODDS:
                answers[row] = super().logits(pairs[row : row + 1])[0]
        return answers


def weights() -> tuple[str, ...]:
    """Return the weights that are installed: the judge's, and its student's where there is one."""
    return tuple(name for name in (JUDGE, STUDENT) if name in manifest()["judge"])


@lru_cache(maxsize=1)
def _shared() -> Judge:
    return Cascade() if STUDENT in weights() else Judge()
