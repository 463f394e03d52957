"""Time of day: two values for one thing. Bounds, rounding and parts left out are no clash (see `measures`)."""

from __future__ import annotations

from collections.abc import Iterator

from ...records import Evidence
from ..context import Scale
from ..pair import Pair
from . import _measured

KIND = "time"
SCALE = Scale(0.7, near=0.1, tight=0.4, apart=-0.3, subject=0.4)


def find(pair: Pair) -> Iterator[Evidence]:
    """Yield the difference whose surroundings are most alike, if any."""
    return _measured.find(pair, KIND, SCALE, "Time of day")
