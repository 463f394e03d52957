"""What the guards share: a wording, on one side only, that says how the sentence it stands in is meant."""

from __future__ import annotations

from collections.abc import Iterator

from ...records import Evidence
from ..context import Scale, context
from ..cues import Cue
from ..pair import Pair
from ..reading import Reading, Token


def cued(pair: Pair, cue: Cue, both: bool = False) -> Iterator[tuple[bool, tuple[Token, ...], float]]:
    """Yield (by challenger, wording, share of its sentence found on the other side) for each wording."""
    for teller, other, by_challenger in ((pair.a, pair.b, False), (pair.b, pair.a, True)):
        if not both and cue.first(other):
            continue
        for words in cue.find(teller):
            yield by_challenger, words, tie(teller, other, words)


def tie(teller: Reading, other: Reading, words: tuple[Token, ...]) -> float:
    """Return the share of the sentence around a wording that the other side has too, 0 to 1."""
    inside = {t.stem for t in teller.words if t.sentence == words[0].sentence} - {t.stem for t in words}
    smaller = min(len(inside), len(other.stems))
    return len(inside & other.stems) / smaller if smaller else 0.0


def find(pair: Pair, kind: str, cue: Cue, scale: Scale, sentence: str, both: bool = False) -> Iterator[Evidence]:
    """Yield the wording tied closest to the other side. The sentence may name `{words}`."""
    best: tuple[float, tuple[Token, ...], bool] | None = None
    for by_challenger, words, share in cued(pair, cue, both):
        mine, theirs = ((), words) if by_challenger else (words, ())
        weight = scale.weight(context(pair, mine, theirs, cue.sure(words) * (0.5 + 0.5 * min(1.0, 2 * share))))
        if best is None or weight < best[0]:
            best = weight, words, by_challenger
    if best is None or best[0] >= 0:
        return
    weight, words, by_challenger = best
    piece = pair.evidence(kind, weight, "", () if by_challenger else words, words if by_challenger else ())
    said = piece.challenger_words or piece.incumbent_words
    yield piece.model_copy(update={"sentence": sentence.replace("{words}", said)})
