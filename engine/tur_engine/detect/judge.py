"""The pair judge: a cross-encoder that reads two memories together (models/judge/CARD.md).

It answers with three logits: same or follows, compatible, contradicts. They are raw: the verdict calibrates them.
A skimmer, a small reader that it taught, reads first at a tenth of its cost: where that and the symbols leave no doubt,
the judge is spared (`detector`).
Each pair runs alone: dynamic int8 scales its activations by the whole batch, so company would change an answer by up
to a tenth, and on two cores a batch saves nothing.
"""

from __future__ import annotations

import os
import struct
import threading
from collections import OrderedDict
from functools import lru_cache
from typing import Any

from ..models import model_file, present
from ..probe import beside
from ..probe.embedder import open_session, open_tokenizer, readable

Answer = tuple[float, float, float]
"""Three logits: same or follows, compatible, contradicts."""

MAX_TOKENS = 192
_REMEMBERED = 8192
_PACKED = struct.Struct("<3f")


class Judge:
    """Reads pairs of texts. The weights load at the first one, or in a process beside (`probe/beside`)."""

    skimmer: Judge | None = None
    """Who reads before it; None where nobody does."""

    def __init__(self, room: str = "judge", *, words: str = "judge") -> None:
        """`room` has the weights, `words` the tokenizer."""
        self._room, self._words = room, words
        self._lock = threading.Lock()
        self._session: Any = None
        self._tokenizer: Any = None
        self._known: OrderedDict[tuple[str, str], Answer] = OrderedDict()

    @classmethod
    def load(cls) -> Judge | None:
        """Return the judge of this process, or None where its weights are absent or TUR_NO_JUDGE is set."""
        if os.environ.get("TUR_NO_JUDGE", "") not in ("", "0") or not present("judge"):
            return None
        return _shared()

    def read(self, existing: str, new: str) -> Answer:
        """Return the logits of two texts: same or follows, compatible, contradicts.

        Text beyond 192 word pieces a pair is cut, the longer side first. Raises IntegrityFailure where the weights are
        not the ones measured.
        """
        pair = (readable(existing), readable(new))
        with self._lock:
            if pair in self._known:
                self._known.move_to_end(pair)
                return self._known[pair]
        told = b"" if self._session is not None else beside.answer(self._room, *pair)
        same, compatible, contradicts = _PACKED.unpack(told) if told else self._run(*pair)
        answer = (same, compatible, contradicts)
        with self._lock:
            self._known[pair] = answer
            while len(self._known) > _REMEMBERED:
                self._known.popitem(last=False)
        return answer

    def warm(self) -> None:
        """Load the weights now."""
        self._ready()

    def _run(self, existing: str, new: str) -> Answer:
        import numpy as np

        session, tokenizer = self._ready()
        ids = np.asarray([tokenizer.encode(existing, new).ids], dtype=np.int64)
        same, compatible, contradicts = session.run(None, {"input_ids": ids, "attention_mask": np.ones_like(ids)})[0][0]
        return float(same), float(compatible), float(contradicts)

    def _ready(self) -> tuple[Any, Any]:
        with self._lock:
            if self._session is None:
                if self._room == "judge":
                    model_file("judge", "embeddings.bin")
                self._tokenizer = open_tokenizer(self._words, MAX_TOKENS)
                self._session = open_session(self._room)
            return self._session, self._tokenizer


def skimmer() -> Judge:
    """Return a reader of pairs as small as the embedder, whose vocabulary it shares."""
    return Judge("skimmer", words="embedder")


@lru_cache(maxsize=1)
def _shared() -> Judge:
    judge = Judge()
    if present("skimmer"):
        judge.skimmer = skimmer()
    return judge


def packed(room: str, existing: str, new: str) -> bytes:
    """Return what this process's judge, or its skimmer, makes of two readable texts: for who asks from another one."""
    reader = _shared() if room == "judge" else _shared().skimmer or skimmer()
    return _PACKED.pack(*reader._run(existing, new))
