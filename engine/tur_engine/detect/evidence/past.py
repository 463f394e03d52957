"""Past: one side speaks of how things once were, beside how they are. A guard."""

from __future__ import annotations

from collections.abc import Iterator

from ...records import Evidence
from ..context import Scale
from ..cues import PAST
from ..pair import Pair
from . import _cued

KIND = "past"
SCALE = Scale(-0.15, strength=-0.4, akin_only=False)


def find(pair: Pair) -> Iterator[Evidence]:
    """Yield the wording tied closest to the other side."""
    return _cued.find(pair, KIND, PAST, SCALE, 'One side speaks of the past: "{words}".')
