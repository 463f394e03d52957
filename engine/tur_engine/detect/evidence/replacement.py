"""Replacement: one side tells that something was dropped, renamed, replaced or moved off; the other still has it."""

from __future__ import annotations

from collections.abc import Iterator

from ...records import Evidence
from ..change import Change, changes
from ..context import Scale, context
from ..pair import Pair
from ..reading import Reading, Token
from ..words import LIGHT

KIND = "replacement"
SCALE = Scale(0.7, near=0.1, bare=-0.2, strength=0.4, tight=0.2, apart=-0.2, subject=0.3, akin_only=False)


def _held(change: Change, other: Reading) -> tuple[float, tuple[Token, ...]]:
    """Return how far the other side still has what was given up, 0 to 1, and its words for it."""
    old = [t for t in change.old if t.stem not in LIGHT]
    if not old or any(other_change.verb[0].stem == change.verb[0].stem for other_change in changes(other)):
        return 0.0, ()
    new = {t.stem for t in change.new}
    places = {t.stem: t for t in other.words}
    found = tuple(places[t.stem] for t in old if t.stem in places and t.stem not in new)
    if not found:
        return 0.0, ()
    share = len(found) / len(old) * (1.0 if any(t.name for t in (*found, *old)) else 0.6)
    if new and new <= other.stems:
        share *= 0.4  # the other side knows of the new one already
    return share, found


def find(pair: Pair) -> Iterator[Evidence]:
    """Yield the change whose given-up thing is most plainly still held on the other side."""
    best: tuple[float, Change, tuple[Token, ...], bool] | None = None
    for teller, other, by_challenger in ((pair.a, pair.b, False), (pair.b, pair.a, True)):
        for change in changes(teller):
            share, held = _held(change, other)
            if not held:
                continue
            told = (*change.verb, *change.old)
            mine, theirs = (held, told) if by_challenger else (told, held)
            weight = SCALE.weight(context(pair, mine, theirs, share))
            if best is None or weight > best[0]:
                best = weight, change, held, by_challenger
    if best is None or best[0] <= 0:
        return
    weight, change, held, by_challenger = best
    told = (*change.verb, *change.old, *change.new)
    mine, theirs = (held, told) if by_challenger else (told, held)
    piece = pair.evidence(KIND, weight, "", mine, theirs)
    still, gone = (
        (piece.incumbent_words, piece.challenger_words)
        if by_challenger
        else (piece.challenger_words, piece.incumbent_words)
    )
    yield piece.model_copy(update={"sentence": f'"{still}" was given up, says the other side: "{gone}".'})
