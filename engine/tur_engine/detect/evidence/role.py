"""Role: the same people or things, the same relation, but swapped: who writes and who reviews, from A to B or back."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from ...records import Evidence
from ..context import Scale, context
from ..pair import Pair
from ..reading import Reading, Token
from ..words import FUNCTION, LIGHT

KIND = "role"
SCALE = Scale(0.3, near=0.5, alone=0.1, bare=0.3, strength=0.1, tight=0.2, apart=-0.6, subject=0.7)
_BE = frozenset("is are was were be been being gets get got".split())
_DIRECTED = frozenset("from to into before after over above below under than behind".split())
_FLIPPED = {"to": "from", "into": "from", "after": "before", "under": "over", "below": "above"}
_REACH = 8


@lru_cache(maxsize=4096)
def links(reading: Reading) -> dict[str, list[tuple[str, Token]]]:
    """Return, for each stem, the (stem, token) that acts on it or stands first in its relation: `agent -> verb`.

    A word of meaning before a verb-like word in its clause is its agent; after `by` in the passive too.
    """
    tokens = reading.tokens
    found: dict[str, list[tuple[str, Token]]] = {}
    for k, verb in enumerate(tokens):
        if verb.kind != "word" or verb.text in FUNCTION or not _verbal(tokens, k):
            continue
        passive = verb.text.endswith(("ed", "en", "wn", "nt", "pt", "ld", "de")) and any(
            t.text in _BE for t in tokens[max(0, k - 3) : k] if t.clause == verb.clause
        )
        agent: Token | None = None
        if passive:
            for j in range(k + 1, min(len(tokens) - 1, k + _REACH)):
                if tokens[j].sentence != verb.sentence:
                    break
                if tokens[j].text == "by":
                    agent = _next(tokens, j + 1)
                    break
        else:
            agent = _previous(tokens, k)
        if agent is not None:
            found.setdefault(verb.stem, []).append((agent.stem, agent))
    return found


def _verbal(tokens: tuple[Token, ...], k: int) -> bool:
    text = tokens[k].text
    if tokens[k].name:
        return False
    return text.endswith(("s", "ed", "ing", "en")) or (
        k > 0 and tokens[k - 1].text in ("to", "must", "may", "can", "will", "should", "and")
    )


def _next(tokens: tuple[Token, ...], start: int) -> Token | None:
    for t in tokens[start : start + 4]:
        if t.content:
            return t
    return None


def _previous(tokens: tuple[Token, ...], k: int) -> Token | None:
    for j in range(k - 1, max(-1, k - _REACH), -1):
        if tokens[j].clause != tokens[k].clause:
            break
        if tokens[j].content and tokens[j].stem not in LIGHT:
            return tokens[j]
    return None


def _agents(pair: Pair) -> Iterator[tuple[Token, Token]]:
    """Yield agents of one shared verb that differ, though each is named on both sides."""
    a, b = links(pair.a), links(pair.b)
    for verb in sorted(a.keys() & b.keys()):
        mine, theirs = {stem for stem, _ in a[verb]}, {stem for stem, _ in b[verb]}
        if mine & theirs:
            continue
        for stem, token in a[verb]:
            for other_stem, other in b[verb]:
                if stem in pair.b.stems and other_stem in pair.a.stems:
                    yield token, other


@lru_cache(maxsize=4096)
def directions(reading: Reading) -> dict[str, tuple[frozenset[str], frozenset[str], Token]]:
    """Return what stands on each side of a directed word: `from X to Y` -> to: (X's stems, Y's stems)."""
    found: dict[str, tuple[frozenset[str], frozenset[str], Token]] = {}
    tokens = reading.tokens
    for k, token in enumerate(tokens):
        if token.text not in _DIRECTED:
            continue
        opened = max((j for j in range(max(0, k - 6), k) if tokens[j].text == "from"), default=-1)
        start = opened + 1 if opened >= 0 and token.text in ("to", "into") else max(0, k - 5)
        left = frozenset(t.stem for t in tokens[start:k] if t.sentence == token.sentence and t.content)
        right = frozenset(t.stem for t in tokens[k + 1 : k + 5] if t.sentence == token.sentence and t.content)
        word = _FLIPPED.get(token.text, token.text)
        if word != token.text:
            left, right = right, left
        if token.text in ("to", "into") and any(t.text == "from" for t in tokens[max(0, k - 6) : k]):
            found["from to"] = (left, right, token)
        elif left and right:
            found.setdefault(word, (left, right, token))
    return found


def _turned(pair: Pair) -> Iterator[tuple[Token, Token, float]]:
    a, b = directions(pair.a), directions(pair.b)
    for word in sorted(a.keys() & b.keys()):
        left_a, right_a, token_a = a[word]
        left_b, right_b, token_b = b[word]
        crossed = len(left_a & right_b) + len(right_a & left_b)
        straight = len(left_a & left_b) + len(right_a & right_b)
        if left_a & right_b and right_a & left_b and crossed > straight:
            yield token_a, token_b, crossed / (crossed + straight)


def _crossed(pair: Pair) -> Iterator[tuple[Token, Token]]:
    """Yield two shared words whose neighbours in the clause were exchanged: `teacher 70B, student 7B` and back."""
    a, b = _neighbours(pair.a), _neighbours(pair.b)
    for one, (mine, token) in a.items():
        if one not in b:
            continue
        theirs, _ = b[one]
        if mine == theirs or (mine in b and b[mine][0] == one):
            continue
        # `one` kept company with `mine`, now with `theirs`, and both are on both sides
        if mine in pair.b.stems and theirs in pair.a.stems:
            for other, (companion, _) in a.items():
                if other != one and companion == theirs and other in b and b[other][0] == mine:
                    yield token, b[one][1]


@lru_cache(maxsize=4096)
def _neighbours(reading: Reading) -> dict[str, tuple[str, Token]]:
    """Return for each word of meaning the next one in its clause."""
    found: dict[str, tuple[str, Token]] = {}
    for one, other in zip(reading.words, reading.words[1:], strict=False):
        if one.clause == other.clause:
            found.setdefault(one.stem, (other.stem, one))
    return found


def find(pair: Pair) -> Iterator[Evidence]:
    """Yield the best supported swap."""
    if pair.overlap < 0.5:
        return
    options = [(a, b, 0.6) for a, b in _agents(pair)]
    options += list(_turned(pair))
    options += [(a, b, 1.0) for a, b in _crossed(pair)]
    best: tuple[float, Token, Token] | None = None
    for a, b, strength in options:
        weight = SCALE.weight(context(pair, (a,), (b,), strength))
        if best is None or weight > best[0]:
            best = weight, a, b
    if best is not None and best[0] > 0:
        weight, a, b = best
        yield pair.evidence(
            KIND, weight, f'The roles are swapped: "{a.text}" on one side, "{b.text}" on the other.', (a,), (b,)
        )
