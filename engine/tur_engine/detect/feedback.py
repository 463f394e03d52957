"""What people's decisions say about the threshold of one store (`tur calibrate feedback`).

A dismissal says that a question was asked for nothing; every other verb but abort says that it was right to ask. What
the gate let pass nobody decided on, so decisions can speak for a higher threshold and never for a lower one.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from ..records import Author, AuthorKind, DetectedBy, Verb
from ..text import counted

MISS = 3.0
"""A clash that would no longer be stopped weighs as much as so many needless questions."""
FEWEST = 20
"""Decisions below which nothing is proposed: chance would propose as well."""


class Decided(NamedTuple):
    """One conflict that a person closed."""

    probability: float
    """What the verdict said."""
    clash: bool
    """False where it was dismissed."""


def speaks(by: Author, verb: Verb, detected_by: DetectedBy) -> bool:
    """True where a decision says something about a verdict: a person's, where a verdict had been weighed."""
    weighed = detected_by not in (DetectedBy.EXPLICIT, DetectedBy.MECHANICAL)
    return weighed and by.kind is AuthorKind.HUMAN and verb is not Verb.ABORT


class Advice(NamedTuple):
    """A threshold for this store, and what it would have changed."""

    dismissed: int
    settled: int
    threshold: float
    """The one in force."""
    proposed: float | None
    spared: int = 0
    """Dismissed questions that would not have been asked."""
    missed: int = 0
    """Settled clashes that would not have been stopped."""
    sentence: str = ""


def advise(decisions: Sequence[Decided], threshold: float) -> Advice:
    """Return the threshold, at or above the present one, that costs least on these decisions."""
    dismissed = [each.probability for each in decisions if not each.clash]
    settled = [each.probability for each in decisions if each.clash]

    def advice(proposed: float | None, sentence: str, spared: int = 0, missed: int = 0) -> Advice:
        return Advice(len(dismissed), len(settled), threshold, proposed, spared, missed, sentence)

    if len(decisions) < FEWEST:
        return advice(None, f"too few decisions to go by: {len(decisions)}, and {FEWEST} are needed")

    def cost(at: float) -> float:
        return sum(p >= at for p in dismissed) + MISS * sum(p < at for p in settled)

    # Just above a dismissed question is where a threshold spares one more.
    places = [threshold, *(round(p + 0.0001, 4) for p in sorted(set(dismissed)) if p >= threshold)]
    best = min(places, key=lambda at: (cost(at), at))
    if best <= threshold:
        return advice(None, "the threshold in force costs least; nothing to change")
    spared, missed = (sum(threshold <= p < best for p in side) for side in (dismissed, settled))
    needless, clashes = counted(len(dismissed), "needless question"), counted(len(settled), "clash", "clashes")
    sentence = (
        f"threshold = {best} in .tur/config.toml would have spared {spared} of {needless} "
        f"and let {missed} of {clashes} pass"
    )
    return advice(best, sentence, spared, missed)
