"""Contrast: `X rather than Y`, `X, not Y`, `unlike Y` defines X against Y: the other side may hold either. A guard."""

from __future__ import annotations

from collections.abc import Iterator

from ...records import Evidence
from ..context import Scale, context
from ..cues import CONTRAST
from ..pair import Pair
from ..polarity import negations
from ..reading import Reading, Token

KIND = "contrast"
SCALE = Scale(0.0, strength=-2.4, akin_only=False)
_UNLIKE = frozenset("unlike as in".split())
"""First words of `unlike`, `as opposed to`, `in contrast to`: one subject is set against another."""


def contrasts(reading: Reading) -> Iterator[tuple[Token, ...]]:
    """Yield the wordings of contrast with the words they set aside."""
    for words in CONTRAST.find(reading):
        last = reading.place(words[-1])
        aside = [t for t in reading.tokens[last + 1 : last + 5] if t.clause == words[-1].clause and t.content]
        yield (*words, *aside)
    for negation in negations(reading):
        if negation.contrast:
            cue = reading.tokens[negation.cue]
            yield (cue, *(reading.tokens[k] for k in negation.scope[:3]))


def find(pair: Pair) -> Iterator[Evidence]:
    """Yield the contrast. What is set aside counts where the other side does not have it: `X, not Y` beside `X`."""
    best: tuple[float, tuple[Token, ...], bool] | None = None
    for teller, other, by_challenger in ((pair.a, pair.b, False), (pair.b, pair.a, True)):
        for words in contrasts(teller):
            aside = [t.stem for t in words if t.content]
            strange = not any(s in other.stems for s in aside)
            if words[0].text in _UNLIKE:
                strength = 1.0
            elif strange:
                strength = 0.3
            elif words[0].text == "rather":
                strength = 0.1
            else:
                continue
            mine, theirs = ((), words) if by_challenger else (words, ())
            weight = SCALE.weight(context(pair, mine, theirs, strength))
            if best is None or weight < best[0]:
                best = weight, words, by_challenger
    if best is None or best[0] >= 0:
        return
    weight, words, by_challenger = best
    piece = pair.evidence(KIND, weight, "", () if by_challenger else words, words if by_challenger else ())
    said = piece.challenger_words or piece.incumbent_words
    yield piece.model_copy(update={"sentence": f'A contrast is drawn, not a change: "{said}".'})
