"""Reported: one side passes on what somebody claims or believes. A guard."""

from __future__ import annotations

from collections.abc import Iterator

from ...records import Evidence
from ..context import Scale
from ..cues import REPORTED
from ..pair import Pair
from . import _cued

KIND = "reported"
SCALE = Scale(-0.15, strength=-0.25, akin_only=False)


def find(pair: Pair) -> Iterator[Evidence]:
    """Yield the wording tied closest to the other side."""
    return _cued.find(pair, KIND, REPORTED, SCALE, 'One side is hearsay: "{words}".')
