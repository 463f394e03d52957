"""Temporal: the later memory speaks of how things are now (`now`, `as of`, `switched to`), on the earlier one's
subject."""

from __future__ import annotations

from collections.abc import Iterator

from ...records import Evidence
from ..context import Scale, context
from ..cues import NOW
from ..pair import Pair
from ..reading import Reading, Token
from ..vicinity import around

KIND = "temporal"
_EVENTS = frozenset({"became"})
"""Change words that a life is told by too."""
SCALE = Scale(0.8, near=-0.2, strength=0.9, subject=0.5, akin_only=False)


def find(pair: Pair) -> Iterator[Evidence]:
    """Yield the change word of the later side; of either side where both have one date."""
    a_at, b_at = pair.incumbent.occurred_at, pair.challenger.occurred_at
    best: tuple[float, tuple[Token, ...], tuple[Token, ...]] | None = None
    for teller, other, by_challenger in ((pair.a, pair.b, False), (pair.b, pair.a, True)):
        if (a_at > b_at and by_challenger) or (a_at < b_at and not by_challenger):
            continue
        if NOW.first(other):
            continue
        for cue in NOW.find(teller):
            if cue[-1].text in _EVENTS and _two_dates(pair):
                continue
            shared, share = _ties(teller, other, cue)
            if not shared:
                continue
            mine, theirs = (shared, cue) if by_challenger else (cue, shared)
            weight = SCALE.weight(context(pair, mine, theirs, share))
            if best is None or weight > best[0]:
                best = weight, mine, theirs
    if best is not None and best[0] > 0:
        piece = pair.evidence(KIND, best[0], "", best[1], best[2])
        yield piece.model_copy(
            update={"sentence": f'A change is told: "{piece.incumbent_words}" against "{piece.challenger_words}".'}
        )


def _two_dates(pair: Pair) -> bool:
    """True where each side has a date of its own: `joined in 2019`, `became the lead in 2021` are steps of one way."""
    return any(difference.kind == "date" for difference in pair.measures.differing)


def _ties(teller: Reading, other: Reading, cue: tuple[Token, ...]) -> tuple[tuple[Token, ...], float]:
    """Return the other side's words for what stands near the cue, and the share of those near words it has."""
    near = around(teller, cue)
    places: dict[str, Token] = {}
    for token in other.words:
        if token.stem in near:
            places.setdefault(token.stem, token)
    return tuple(places.values()), len(places) / len(near) if near else 0.0
