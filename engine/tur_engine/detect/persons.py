"""Of whom a statement speaks: the user and the family go by several names, and pronouns may be either."""

from __future__ import annotations

from collections.abc import Sequence

from .reading import Token
from .words import root

PRONOUNS = frozenset("i we they he she".split())
HOUSEHOLD = frozenset("user family household".split())
"""Who lives together is called the user here and the family there."""
_TIMES = frozenset(
    """morning evening afternoon day night week weekend summer winter spring autumn holiday vacation breakfast lunch
    dinner""".split()
)
"""As a subject (`Mornings start with an espresso`) these leave the person unsaid."""


def whom(tokens: Sequence[Token], end: int) -> tuple[Token, ...]:
    """Return the words before `end` in its clause that say of whom it speaks, or the pronoun; the nearest ten count."""
    here = [t for t in tokens[max(0, end - 10) : end] if t.clause == tokens[end].clause]
    named = tuple(t for t in here if _names(t))
    if any(t.text.removesuffix("s") in _TIMES for t in named):
        return ()
    return named or tuple(t for t in here if t.text in PRONOUNS)[-1:]


def possessor(token: Token) -> bool:
    """Tell whether a word says whose something is: `user's`."""
    return token.end - token.start >= len(token.text) + 2


def _names(token: Token) -> bool:
    return token.content or token.text == "son"  # elsewhere a function word, for it is one in Spanish and French


def household(words: Sequence[Token]) -> bool:
    """Tell whether words name the user, the family or nobody nearer than a pronoun."""
    return bool(words) and all(t.text in PRONOUNS or t.text in HOUSEHOLD for t in words)


def alike(one: Sequence[Token], other: Sequence[Token]) -> float:
    """Return how sure two subjects are one, 0 to 1: the same words, both of the household, or one left unsaid.

    Whose somebody is names another: `The user's wife` is not the user.
    """
    if len({frozenset(t.text for t in side if t.kind == "number") for side in (one, other)}) > 1:
        return 0.0
    (a, of_a), (b, of_b) = _parted(one), _parted(other)
    households = household(one) and household(other)
    if of_a and of_b and not of_a & of_b and not (of_a | of_b) <= HOUSEHOLD:
        return 0.0
    if a and a == b:
        return 1.0 if of_a == of_b else 0.8
    if a & b:
        return 0.8 if a <= b or b <= a else 0.4
    if households:
        return 0.9
    return 0.5 if not one or not other else 0.0


def _parted(words: Sequence[Token]) -> tuple[set[str], set[str]]:
    """Return the roots of who is named, and of those whose they are."""
    named = [t for t in words if _names(t)]
    owners = [t for t in named if possessor(t)]
    if len(owners) == len(named):
        owners = []
    return {root(t.stem) for t in named if t not in owners}, {root(t.stem) for t in owners}
