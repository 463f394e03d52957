"""Holding: one side has no such thing, or has given it up; the other has it, takes it, or one kind of it."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from ...records import Evidence
from ..holdings import Holding, Lack, held, lacks
from ..pair import Pair
from ..persons import alike
from ..reading import Reading

KIND = "holding"
_WEIGHT = 2.0
_KIND = 0.85
"""How much a kind of the thing says, beside the thing itself."""
_NARROW = 0.6
"""The lack is one of some place, time or use that the other side does not name."""


class Meeting(NamedTuple):
    """One side lacks what the other has."""

    lack: Lack
    holding: Holding
    second: bool
    """It is the second that lacks it."""
    strength: float
    """How sure both speak of the same people and things, 0 to 1."""


@lru_cache(maxsize=4096)
def meeting(one: Reading, other: Reading) -> Meeting | None:
    """Return the surest meeting of a lack with what the other side has."""
    best: Meeting | None = None
    for speaker, hearer, second in ((one, other, False), (other, one, True)):
        for lack in lacks(speaker):
            found = held(hearer, lack)
            if found is None:
                continue
            if lack.within and found.within and not lack.within & found.within:
                continue
            strength = alike(lack.whom, found.whom) * (_KIND if found.kind else 1.0)
            if lack.within - found.within:
                strength *= _NARROW
            if strength > (best.strength if best else 0.0):
                best = Meeting(lack, found, second, strength)
    return best


def surest(one: Reading, other: Reading) -> float:
    """Return how sure one side has what the other lacks, 0 to 1."""
    met = meeting(one, other)
    return met.strength if met else 0.0


def find(pair: Pair) -> Iterator[Evidence]:
    """Yield the surest meeting."""
    met = meeting(pair.a, pair.b)
    if met is None:
        return
    lacking, having = (*met.lack.cue, *met.lack.thing), (*met.holding.verb, *met.holding.thing)
    mine, theirs = (having, lacking) if met.second else (lacking, having)
    piece = pair.evidence(KIND, round(_WEIGHT * met.strength, 2), "", mine, theirs)
    without, has = piece.incumbent_words, piece.challenger_words
    if met.second:
        without, has = has, without
    what = "is given up" if met.lack.gone else "is not there"
    yield piece.model_copy(update={"sentence": f'On one side it {what}: "{without}"; the other has it: "{has}".'})
