"""Exception: one side states the case as an exception to the rule. A guard."""

from __future__ import annotations

from collections.abc import Iterator

from ...records import Evidence
from ..context import Scale
from ..cues import EXCEPTION, NO_EXCEPTION
from ..pair import Pair
from . import _cued

KIND = "exception"
SCALE = Scale(-0.6, strength=-0.5, akin_only=False)


def find(pair: Pair) -> Iterator[Evidence]:
    """Yield the wording tied closest to the other side; a side that allows of no exception leaves no room for one."""
    if NO_EXCEPTION.first(pair.a) or NO_EXCEPTION.first(pair.b):
        return iter(())
    return _cued.find(pair, KIND, EXCEPTION, SCALE, 'One side states an exception: "{words}".')
