"""Antonym: opposite words, one on each side, in like surroundings. An opposite under `not` is no opposite."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from importlib.resources import files

from ...records import Evidence
from ..context import Scale, context
from ..pair import Pair
from ..reading import Reading, Token
from ..words import stem
from .negation import effective

KIND = "antonym"
SCALE = Scale(0.9, near=0.4, alone=-0.3, bare=-0.4, strength=0.1, tight=0.1, apart=-1.0, subject=0.8)
_LISTS = ("antonyms.txt", "antonyms_technical.txt")
_TOO_LOOSE = frozenset(
    frozenset(pair.split())
    for pair in """
    new old|first last|more less|more fewer|much little|many few|up down|before after|in out|here there|back front
    |to from|this that|now then|same different|good bad|well badly|go stop|have lack|all some|add subtract|begin end
    |start end|work idle|take give|ask tell|come go|general specific|top side|employer employee|high low|get leave
    |leave enter|stay go|stay leave|all none|always never|nothing everything|everybody nobody|everyone nobody|yes no
    |keep break
    """.split("|")
)
"""Pairs that tell two subjects apart, or that another kind of evidence reads."""


@lru_cache(maxsize=1)
def opposites() -> dict[str, frozenset[str]]:
    """Return the opposites of each folded word, hyphens left out; read once."""
    found: dict[str, set[str]] = {}
    folder = files(__package__ or "")
    for name in _LISTS:
        for line in (folder / name).read_text(encoding="utf-8").splitlines():
            if not line or line.startswith("#"):
                continue
            one, other = line.replace("-", "").split()
            if frozenset((one, other)) in _TOO_LOOSE:
                continue
            for x, y in ((one, other), (other, one)):
                found.setdefault(x, set()).add(y)
                found.setdefault(stem(x), set()).add(stem(y))
    return {word: frozenset(others) for word, others in found.items()}


@lru_cache(maxsize=4096)
def marks(reading: Reading) -> tuple[tuple[str, str, tuple[int, ...], bool], ...]:
    """Return the words of a text that have an opposite: (text, stem, tokens, denied).

    Words joined by a hyphen count as one, `read-only` as `readonly`.
    """
    table = opposites()
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
            if joined in table:
                found.append((joined, joined, (k, k + 1), k in denied))
        if token.text in table or token.stem in table:
            found.append((token.text, token.stem, (k,), k in denied))
    return tuple(found)


def _joined(reading: Reading, one: Token, other: Token) -> bool:
    if one.kind == other.kind == "cjk":
        return one.end == other.start
    return other.start - one.end == 1 and reading.text[one.end] in "-‐‑"


def meetings(pair: Pair) -> Iterator[tuple[tuple[Token, ...], tuple[Token, ...], bool]]:
    """Yield opposite words (incumbent's, challenger's) and whether denial makes them agree."""
    table = opposites()
    mine, theirs = marks(pair.a), marks(pair.b)
    if not mine or not theirs:
        return
    a_words = {t.text for t in pair.a.tokens} | {t.stem for t in pair.a.tokens}
    b_words = {t.text for t in pair.b.tokens} | {t.stem for t in pair.b.tokens}
    for text, root, places, denied in mine:
        if text in b_words or root in b_words:
            continue
        against = table.get(text, frozenset()) | table.get(root, frozenset())
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
