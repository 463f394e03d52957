"""Nets: wordings by which a memory of the same matter is told, where the two share no rare word and lie far apart."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from ..records import Memory

HAULED = 32
"""How many memories that hold the wording are read for each net: the shortest ones come first."""
CAUGHT = 8
"""How many of all that were read are kept."""


class Net(NamedTuple):
    """One wording that is looked for, and which memories of those that have it are kept."""

    phrases: tuple[str, ...]
    """Words in a row, one of which a memory has: `lives in`, `moved to`."""
    about: tuple[str, ...]
    """Words in a row, one of which it has too; none where any will do."""
    fit: Callable[[str], float]
    """How well a text meets the newcomer, 0 to 1; 0 is thrown back."""


def haul(
    nets: Sequence[Net], cast: Callable[[Net, int], Iterable[int]], memory: Callable[[int], Memory]
) -> dict[int, float]:
    """Return how well each row fits that the nets bring in, the best CAUGHT, best first."""
    fits: dict[int, float] = {}
    for net in nets:
        for mid in cast(net, HAULED):
            each = memory(mid)
            if not each.redacted:
                fits[mid] = max(fits.get(mid, 0.0), net.fit(each.content))
    best = sorted((mid for mid, fit in fits.items() if fit > 0), key=lambda mid: (-fits[mid], -mid))
    return {mid: fits[mid] for mid in best[:CAUGHT]}
