"""The probe, as far as a fit needs it: what the product puts before the detector, in memory and without a ledger."""

from __future__ import annotations

import math
from collections import Counter

import numpy as np

from tur_engine.detect.nets import nets
from tur_engine.probe.candidate import Candidate
from tur_engine.probe.embedder import Embedder, quantise, restore
from tur_engine.probe.net import Net, haul
from tur_engine.probe.probe import fused
from tur_engine.records import Memory
from tur_engine.text import tokens

SIMILAR = 0.28
"""Cosine below which vectors alone bring nobody in."""
CLOSEST = 8
LEXICAL = 3
"""How many of the best word matches come in whatever their cosine."""


class Shelf:
    """Memories learned so far; `near` answers as the product's probe does: cosine, BM25, nets, reciprocal ranks."""

    def __init__(self, embedder: Embedder) -> None:
        self._embedder = embedder
        self._memories: list[Memory] = []
        self._vectors: list[np.ndarray] = []
        self._words: list[Counter[str]] = []
        self._lines: list[str] = []
        self._seen: Counter[str] = Counter()

    def add(self, memory: Memory) -> None:
        """Put a memory on the shelf."""
        self._memories.append(memory)
        self._vectors.append(self._vector(memory.content))
        said = tokens(memory.content)
        words = Counter(said)
        self._words.append(words)
        self._lines.append(f" {' '.join(said)} ")
        self._seen.update(words.keys())

    def remove(self, digest: str) -> None:
        """Take a superseded memory off the shelf."""
        at = next(i for i, memory in enumerate(self._memories) if memory.digest == digest)
        self._seen.subtract(self._words[at].keys())
        del self._memories[at], self._vectors[at], self._words[at], self._lines[at]

    def near(
        self, memory: Memory, *, similar: float = SIMILAR, closest: int = CLOSEST, lexical: int = LEXICAL
    ) -> list[Candidate]:
        """Return the incumbents worth weighing, best first."""
        if not self._memories:
            return []
        cosines = np.stack(self._vectors) @ self._vector(memory.content)
        words = set(tokens(memory.content))
        rarity = {word: self._rarity(word) for word in words}
        total = sum(rarity.values()) or 1.0
        bm25 = np.array([self._bm25(words, rarity, have) for have in self._words])
        by_vector = [i for i in np.argsort(-cosines, kind="stable")[:closest] if cosines[i] >= similar]
        by_words = [i for i in np.argsort(-bm25, kind="stable")[:lexical] if bm25[i] > 0]
        met = haul(nets(memory.content), self._cast, lambda at: self._memories[at])
        ranked = fused([int(i) for i in by_vector], [int(i) for i in by_words], (), list(met))
        return [
            Candidate(
                memory=self._memories[i],
                cosine=float(cosines[i]),
                rank=rank,
                words=sum(weight for word, weight in rarity.items() if word in self._words[i]) / total,
                met=i in met,
            )
            for rank, i in enumerate(ranked)
        ]

    def _cast(self, net: Net, limit: int) -> list[int]:
        """Return the memories that hold a net's wording, the shortest first."""
        groups = [[f" {phrase} " for phrase in group] for group in (net.phrases, net.about) if group]
        found = [i for i, line in enumerate(self._lines) if all(any(p in line for p in group) for group in groups)]
        return sorted(found, key=lambda i: (len(self._lines[i]), i))[:limit]

    def _vector(self, text: str) -> np.ndarray:
        vector: np.ndarray = restore(quantise(self._embedder.embed([text])))[0]
        return vector

    def _rarity(self, word: str) -> float:
        count = self._seen[word]
        return math.log(1 + (len(self._memories) - count + 0.5) / (count + 0.5))

    def _bm25(self, words: set[str], rarity: dict[str, float], have: Counter[str]) -> float:
        length = sum(have.values())
        return sum(
            rarity[word] * have[word] * 2.2 / (have[word] + 0.9 + 0.3 * length / 20) for word in words & have.keys()
        )
