"""Cosines of int8 vectors: the same numbers, bit for bit, with numpy and without it.

Every sum is of whole numbers below 2**53, which floats hold exactly in whatever order they are added. So a process
that runs one command adds them up by itself: importing numpy takes as long as six thousand vectors do. One that has it
already lets it, which takes a hundredth.
"""

from __future__ import annotations

import math
import sys
from operator import mul


def cosines(rows: bytes, given: bytes) -> list[float]:
    """Return the cosine between `given` and each of the vectors of its length that `rows` is made of, 0 for none."""
    return _all_at_once(rows, given) if "numpy" in sys.modules else _one_by_one(rows, given)


def _one_by_one(rows: bytes, given: bytes) -> list[float]:
    mine = memoryview(given).cast("b").tolist()
    length = sum(map(mul, mine, mine))
    found = []
    for start in range(0, len(rows), len(given)):
        row = memoryview(rows)[start : start + len(given)].cast("b").tolist()
        norm = math.sqrt(sum(map(mul, row, row)) * length)
        found.append(sum(map(mul, row, mine)) / norm if norm else 0.0)
    return found


def _all_at_once(rows: bytes, given: bytes) -> list[float]:
    import numpy as np

    mine = np.frombuffer(given, dtype=np.int8).astype(np.float64)
    vectors = np.frombuffer(rows, dtype=np.int8).reshape(-1, len(given)).astype(np.float64)
    norms = np.sqrt((vectors * vectors).sum(1) * (mine @ mine))
    found: list[float] = np.divide(vectors @ mine, norms, out=np.zeros(len(vectors)), where=norms > 0).tolist()
    return found
