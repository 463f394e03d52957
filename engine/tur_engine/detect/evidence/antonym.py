"""Antonym: opposite words, one on each side, in like surroundings. An opposite under `not` is no opposite."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator
from functools import lru_cache

from ...records import Evidence
from ..context import Scale, context
from ..lists import lines
from ..pair import Pair
from ..reading import Reading, Token
from .negation import effective

KIND = "antonym"
SCALE = Scale(0.9, near=0.4, alone=-0.3, bare=-0.4, strength=0.1, tight=0.1, apart=-1.0, subject=0.8)


@lru_cache(maxsize=1)
def _table() -> list[str]:
    """Return a line for each word that has opposites, in order (`tools/make_tables.py`)."""
    return lines("opposites.txt")


@lru_cache(maxsize=16384)
def opposites(word: str) -> frozenset[str]:
    """Return the opposites of a folded word or of a stem, hyphens left out; none for most."""
    table = _table()
    place = bisect_left(table, f"{word} ")
    if place == len(table) or not table[place].startswith(f"{word} "):
        return frozenset()
    return frozenset(table[place].split()[1:])


@lru_cache(maxsize=4096)
def marks(reading: Reading) -> tuple[tuple[str, str, tuple[int, ...], bool], ...]:
    """Return the words of a text that have an opposite: (text, stem, tokens, denied).

    Words joined by a hyphen count as one, `read-only` as `readonly`.
    """
    denied = {k for n in effective(reading) for k in n.scope[:3]}
    found: list[tuple[str, str, tuple[int, ...], bool]] = []
    tokens = reading.tokens
    for k, token in enumerate(tokens):
        if token.kind == "sign":
            continue
        if token.text in ("stand", "bear", "abide") and [t.text for t in tokens[max(0, k - 2) : k]] == ["can", "not"]:
            found.append(("hate", "hate", (k - 2, k - 1, k), False))
            continue
        if k + 1 < len(tokens) and _joined(reading, token, tokens[k + 1]):
            joined = token.text + tokens[k + 1].text
            if opposites(joined):
                found.append((joined, joined, (k, k + 1), k in denied))
        if opposites(token.text) or opposites(token.stem):
            found.append((token.text, token.stem, (k,), k in denied))
    return tuple(found)


def _joined(reading: Reading, one: Token, other: Token) -> bool:
    if one.kind == other.kind == "cjk":
        return one.end == other.start
    return other.start - one.end == 1 and reading.text[one.end] in "-‐‑"


def meetings(pair: Pair) -> Iterator[tuple[tuple[Token, ...], tuple[Token, ...], bool]]:
    """Yield opposite words (incumbent's, challenger's) and whether denial makes them agree."""
    mine, theirs = marks(pair.a), marks(pair.b)
    if not mine or not theirs:
        return
    a_words = {t.text for t in pair.a.tokens} | {t.stem for t in pair.a.tokens}
    b_words = {t.text for t in pair.b.tokens} | {t.stem for t in pair.b.tokens}
    for text, root, places, denied in mine:
        if text in b_words or root in b_words:
            continue
        against = opposites(text) | opposites(root)
        for other, other_root, other_places, other_denied in theirs:
            if (other in against or other_root in against) and other not in a_words and other_root not in a_words:
                yield (
                    tuple(pair.a.tokens[k] for k in places),
                    tuple(pair.b.tokens[k] for k in other_places),
                    denied != other_denied,
                )


def find(pair: Pair) -> Iterator[Evidence]:
    """Yield the opposite pair whose surroundings are most alike."""
    best: tuple[float, tuple[Token, ...], tuple[Token, ...]] | None = None
    for mine, theirs, agree in meetings(pair):
        if agree:
            continue
        weight = SCALE.weight(context(pair, mine, theirs, same_place(pair, mine, theirs)))
        if best is None or weight > best[0]:
            best = weight, mine, theirs
    if best is not None and best[0] > 0:
        piece = pair.evidence(KIND, best[0], "", best[1], best[2])
        words = f'"{piece.incumbent_words}" and "{piece.challenger_words}" are opposites.'
        yield piece.model_copy(update={"sentence": words})


def same_place(pair: Pair, mine: tuple[Token, ...], theirs: tuple[Token, ...]) -> float:
    """1 where the two words stand in each other's place in the aligned texts, else 0."""
    for swap in pair.swaps:
        if mine[0] in swap.incumbent and theirs[0] in swap.challenger:
            return 1.0
    return 0.0
