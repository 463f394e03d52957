"""A rule asks for one tool, the action takes another of its family: "managed with Poetry" against "installed with uv".

The pair detector wants to know that both are about one thing; for a single act under a general rule it seldom is sure.
"""

from __future__ import annotations

from ...detect.pair import Pair
from ...detect.rivalry import rival_names
from ...detect.words import stem
from ...records import Memory
from .compliance import demands

_MAKING = frozenset(map(stem, ("write", "implement", "code")))
"""What is done to anything in any language: to have it in common is to be about nothing in common."""
LIKELY = 0.5
"""Probability told of such a pair: no calibration stands behind it."""


def rival(rule: Memory, action: Memory) -> tuple[str, str] | None:
    """Return what the rule asks for and what the action takes in its place; None where it does not.

    Both must share another word of meaning, so that they are about one matter.
    """
    asked = {word for phrase in demands(rule.content).asked for word in phrase}
    if not asked:
        return None
    pair = Pair.of(rule, action)
    for ours, theirs, _ in rival_names(pair.a, pair.b):
        names = {token.stem for token in (*ours, *theirs)}
        if {token.text for token in ours} <= asked and (pair.a.stems & pair.b.stems) - names - _MAKING:
            return " ".join(t.text for t in ours), " ".join(t.text for t in theirs)
    return None
