"""Negation: one side denies, of the same subject, what the other affirms. Scope decides, not the mere word `not`."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

from ...records import Evidence
from ..context import Scale, context
from ..pair import Pair
from ..persons import possessor
from ..polarity import Negation, negations
from ..reading import Reading, Token
from ..words import root

KIND = "negation"
SCALE = Scale(-0.0, near=-0.3, alone=0.6, bare=0.2, strength=1.2, tight=0.2, apart=-0.1, subject=0.3)
_PAIRED = frozenset("neither nor ni ne n pas plus".split())
_TOTAL = frozenset("no nobody nothing none never not cannot kein keine niemand nie".split())
_RELATIVE = frozenset("that which who whom where when whose".split())
_BOUNDS = {
    ("other", "than"),
    ("more", "than"),
    ("less", "than"),
    ("fewer", "than"),
    ("apart", "from"),
    ("aside", "from"),
}
_HEDGES = frozenset("only except unless but other apart aside save exception exempt alone few most".split())
"""Words that on either side make the denial a rule with a rest: both may hold."""
_FADING = (1.0, 0.8, 0.6, 0.5, 0.4, 0.3, 0.3, 0.2, 0.2)


class Denial(NamedTuple):
    """A negation of one side whose words the other side affirms."""

    negation: Negation
    by_challenger: bool
    coverage: float
    """Weighted share of the denied words that are affirmed, the closest to the cue count most."""
    denied: tuple[Token, ...]
    """The cue and the matched words."""
    affirmed: tuple[Token, ...]

    @property
    def strength(self) -> float:
        return self.coverage * (0.6 if self.negation.contrast else 1.0)


def denials(pair: Pair) -> Iterator[Denial]:
    """Yield every negation of either side that meets an affirmation on the other."""
    for speaker, other, by_challenger in ((pair.a, pair.b, False), (pair.b, pair.a, True)):
        for negation in effective(speaker):
            if denial := _met(speaker, other, negation, by_challenger):
                yield denial


@lru_cache(maxsize=4096)
def effective(reading: Reading) -> tuple[Negation, ...]:
    """Return the negations that stand alone: `no X without Y`, `no X that is not Y`, `cannot not` deny nothing."""
    found = negations(reading)
    cancelled: set[int] = set()
    for one, other in pairwise(found):
        if _cancel(reading, one, other):
            cancelled |= {one.cue, other.cue}
    return tuple(n for n in found if n.cue not in cancelled and not _bounded(reading, n))


def _cancel(reading: Reading, one: Negation, other: Negation) -> bool:
    tokens = reading.tokens
    first, second = tokens[one.cue], tokens[other.cue]
    if first.sentence != second.sentence or other.cue - one.cue > 18 or other.contrast:
        return False
    if first.text in _PAIRED or second.text in _PAIRED:
        return False
    if second.text in ("without", "ohne", "sin", "sans"):
        return True
    between = [t.text for t in tokens[one.cue + 1 : other.cue]]
    if any(w in ("and", "or", "but", "because", "so", "while") for w in between):
        return False
    if any(w in _RELATIVE for w in between):
        return first.text in _TOTAL
    return first.clause == second.clause and other.cue - one.cue <= 6


def _bounded(reading: Reading, negation: Negation) -> bool:
    """`no X other than Y`, `nobody but Y`, `no X unless Y`, `no more than 5`: a rule with a bound, no plain denial."""
    last = negation.scope[-1] if negation.scope else negation.cue
    window = reading.tokens[negation.cue + 1 : last + 4]
    texts = [t.text for t in window if t.sentence == reading.tokens[negation.cue].sentence]
    if any(w in ("except", "unless", "until", "save", "besides") for w in texts):
        return True
    return any(tuple(texts[k : k + 2]) in _BOUNDS for k in range(len(texts))) or any(
        tuple(texts[k : k + 2]) == ("but", "the") for k in range(min(3, len(texts)))
    )


def _met(speaker: Reading, other: Reading, negation: Negation, by_challenger: bool) -> Denial | None:
    if not negation.scope:
        return None
    places: dict[str, int] = {}
    blocked = _denied_places(other)
    for k, token in enumerate(other.tokens):
        if token.content and k not in blocked:
            places.setdefault(root(token.stem), k)
    tokens = speaker.tokens
    hits = [(k, places[root(tokens[k].stem)]) for k in negation.scope if root(tokens[k].stem) in places]
    if not hits:
        return None
    total = sum(_FADING[: len(negation.scope)])
    coverage = sum(_FADING[i] for i, k in enumerate(negation.scope) if root(tokens[k].stem) in places) / total
    subject = [
        places[root(tokens[k].stem)]
        for k in negation.subject
        if root(tokens[k].stem) in places
        and possessor(tokens[k]) >= possessor(other.tokens[places[root(tokens[k].stem)]])
    ]
    if negation.subject:
        coverage *= 0.45 + 0.55 * len(subject) / len(negation.subject)
    spread = {other.tokens[k].sentence for _, k in hits} | {other.tokens[k].sentence for k in subject}
    if len(spread) > 1:
        coverage *= 0.75
    about = {t.text for t in tokens if t.sentence == tokens[negation.cue].sentence}
    about |= {t.text for t in other.tokens if t.sentence in spread}
    if about & _HEDGES:
        coverage *= 0.6
    if tokens[negation.cue].text in ("without", "ohne", "sin", "sans"):
        coverage *= 0.7
    if negation.cue and tokens[negation.cue - 1].text in ("need", "needs"):
        coverage *= 0.6
    mine = [tokens[k] for k in negation.cues] + [tokens[k] for k, _ in hits]
    theirs = [other.tokens[k] for _, k in hits]
    return Denial(negation, by_challenger, coverage, tuple(mine), tuple(theirs))


def _denied_places(reading: Reading) -> frozenset[int]:
    """Return the tokens inside a negated clause: they affirm nothing."""
    return frozenset(k for n in effective(reading) for k in (*n.scope, *n.subject))


def find(pair: Pair) -> Iterator[Evidence]:
    """Yield the best supported denial."""
    best = max(denials(pair), key=lambda d: d.strength, default=None)
    if best is None:
        return
    mine, theirs = (best.affirmed, best.denied) if best.by_challenger else (best.denied, best.affirmed)
    weight = SCALE.weight(context(pair, mine, theirs, best.strength))
    if weight <= 0:
        return
    piece = pair.evidence(KIND, weight, "", mine, theirs)
    old, new = piece.incumbent_words, piece.challenger_words
    ended = "no longer holds" if best.negation.ended else "is denied"
    said = f"{old!r} {ended}: {new!r}." if best.by_challenger else f"{new!r} is said, yet {old!r}."
    yield piece.model_copy(update={"sentence": said.replace("'", '"')})
