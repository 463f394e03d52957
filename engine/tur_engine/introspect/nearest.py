"""Nearest by vector among what came in before, or after: every stored vector at hand, compared exactly.

Vectors are whole numbers up to 127, so a product in float32 is exact: the answer does not depend on how many are
compared at a time, and shards of a store agree with the whole.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from ..ledger.search import DIMENSIONS
from ..ledger.sweep import Standing
from ..records import Scope

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_COLUMNS = 8192
"""So many are compared with a block at a time: a few megabytes whatever the store holds."""

Near = list[tuple[int, float]]
"""Rows and cosines, the nearest first."""


class Vectors:
    """The vectors of the live memories, in the order they came in."""

    def __init__(self, standings: Sequence[Standing], stored: Iterable[tuple[int, bytes]]) -> None:
        import numpy as np

        scopes = {standing.mid: standing.scope for standing in standings}
        kept = [(mid, vector) for mid, vector in stored if mid in scopes]
        self._mids = np.array([mid for mid, _ in kept], dtype=np.int64)
        self._rows = {mid: row for row, (mid, _) in enumerate(kept)}
        self._vectors: NDArray[np.int8] = np.frombuffer(b"".join(v for _, v in kept), dtype=np.int8).reshape(
            -1, DIMENSIONS
        )
        self._squares = np.array([_square(np, row) for row in self._vectors], dtype=np.float64)
        names = sorted(set(scopes.values()))
        places = {name: place for place, name in enumerate(names)}
        self._scope_of = np.array([places[scopes[mid]] for mid, _ in kept], dtype=np.int64)
        read = [Scope.parse(name) for name in names]
        self._overlap: NDArray[np.bool_] | None = np.array([[a.overlaps(b) for b in read] for a in read], dtype=bool)
        if self._overlap.size and self._overlap.all():
            self._overlap = None

    def vector(self, mid: int) -> bytes | None:
        """Return the int8 vector of a memory, None where it has none."""
        row = self._rows.get(mid)
        return None if row is None else self._vectors[row].tobytes()

    def cosines(self, mid: int, others: Sequence[int]) -> dict[int, float]:
        """Return the cosine with each of the others that has a vector."""
        import numpy as np

        row = self._rows.get(mid)
        rows = [self._rows[other] for other in others if other in self._rows]
        if row is None or not rows:
            return {}
        dots = self._vectors[rows].astype(np.float64) @ self._vectors[row].astype(np.float64)
        found = self._scaled(dots[None, :], np.array([row]), np.array(rows))[0]
        return {int(self._mids[r]): float(c) for r, c in zip(rows, found, strict=True)}

    def older(self, mids: Sequence[int], limit: int) -> dict[int, Near]:
        """Return for each memory the nearest that came in before it."""
        return self._nearest(mids, limit, newer=False)

    def newer(self, mids: Sequence[int], limit: int) -> dict[int, Near]:
        """Return for each memory the nearest that came in after it."""
        return self._nearest(mids, limit, newer=True)

    def _nearest(self, mids: Sequence[int], limit: int, *, newer: bool) -> dict[int, Near]:
        import numpy as np

        asked = np.array([self._rows[mid] for mid in mids if mid in self._rows], dtype=np.int64)
        if not len(asked):
            return {}
        block = self._vectors[asked].astype(np.float32)
        best: list[list[tuple[float, int]]] = [[] for _ in asked]
        low, high = (int(asked.min()) + 1, len(self._mids)) if newer else (0, int(asked.max()))
        for start in range(low, high, _COLUMNS):
            columns = np.arange(start, min(high, start + _COLUMNS))
            dots = (block @ self._vectors[columns[0] : columns[-1] + 1].astype(np.float32).T).astype(np.float64)
            cosines = self._scaled(dots, asked, columns)
            outside = columns[None, :] <= asked[:, None] if newer else columns[None, :] >= asked[:, None]
            if self._overlap is not None:
                outside |= ~self._overlap[self._scope_of[asked]][:, self._scope_of[columns]]
            cosines[outside] = -2.0
            for place, row in enumerate(cosines):
                best[place] += _top(np, row, columns, limit)
        found = {}
        for place, row in enumerate(asked):
            ordered = sorted(best[place], key=lambda hit: (-hit[0], hit[1]))[:limit]
            found[int(self._mids[row])] = [(int(self._mids[column]), cosine) for cosine, column in ordered]
        return found

    def _scaled(self, dots: Any, rows: Any, columns: Any) -> Any:
        import numpy as np

        norms = np.sqrt(self._squares[columns][None, :] * self._squares[rows][:, None])
        return np.divide(dots, norms, out=np.zeros_like(dots), where=norms > 0)


def _square(np: Any, row: Any) -> float:
    wide = row.astype(np.int64)
    return float(wide @ wide)


def _top(np: Any, cosines: Any, columns: Any, limit: int) -> list[tuple[float, int]]:
    """Return the best of one row; all that are as good as the last one stay, so ties are settled by age later."""
    if len(cosines) > limit:
        least = np.partition(cosines, -limit)[-limit]
        chosen = np.flatnonzero(cosines >= max(least, -1.5))
    else:
        chosen = np.flatnonzero(cosines > -1.5)
    return [(float(cosines[i]), int(columns[i])) for i in chosen]
