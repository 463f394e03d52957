"""Does one side say what the other says, and something more? Then nothing is contradicted.

Two ways: `all` or `always` is put into a plain rule, and a phrase is added at the end (`in production`, `and payments`,
`by the release captain`, `PostgreSQL 15`). Of 42 such pairs among the training pairs none is a clash; the verdict has
learnt that texts so alike mostly differ by a swapped value, and would stop them. Any word that may turn a sentence ends
the rule.
"""

from __future__ import annotations

from typing import NamedTuple

from ..records import Evidence
from .equivalence import same_words, values_agree
from .pair import Pair
from .polarity import negations
from .reading import Reading, Token

_UNIVERSAL = frozenset(
    "all every each always alle jeder jede jedes immer todos todas siempre tous toutes toujours 所 每 都".split()
)
_ARTICLES = frozenset("a an the".split())
_STOPS = frozenset(".!。")
_OPENERS = frozenset(
    """in on at by for with and under via using per during after before which because so , ( through within across as
    from to where when if since while""".split()
)
"""What opens an added phrase."""
_TURNING = frozenset(
    """not no never none nobody nothing nowhere neither nor without cannot only just solely any few rarely seldom hardly
    but except unless until till instead rather than ago was were had used formerly previously once anymore longer
    cancelled forbidden banned prohibited optional must may might could should would will shall soon planned proposed
    deprecated removed dropped disabled off stopped ended replaced""".split()
)
"""Words with which an addition may take back what it follows."""
_LEAST = 3
"""Words that the shorter side has at least."""


class Addition(NamedTuple):
    """What the longer side (0 the incumbent, 1 the challenger) says more."""

    longer: int
    tokens: tuple[Token, ...]


def refines(pair: Pair) -> Evidence | None:
    """Return the guard where one side is the other and more."""
    a, b = pair.incumbent.topic, pair.challenger.topic
    if (a and b and a != b) or not values_agree(pair):
        return None
    return _said_for_all(pair) or _added(pair)


def _said_for_all(pair: Pair) -> Evidence | None:
    if negations(pair.a) or negations(pair.b) or not same_words(pair, but_for=_UNIVERSAL):
        return None
    found = [[t for t in side.tokens if t.text in _UNIVERSAL] for side in (pair.a, pair.b)]
    if len(found[0]) == len(found[1]):
        return None
    return pair.evidence("equivalent", -4.0, "They say the same; one says that it holds for all.", *found)


def _added(pair: Pair) -> Evidence | None:
    told = addition(pair)
    if told is None:
        return None
    found: list[list[Token]] = [[], []]
    found[told.longer] = list(told.tokens)
    return pair.evidence("equivalent", -4.0, "One says what the other says, and adds to it.", *found)


def addition(pair: Pair) -> Addition | None:
    """Return the phrase that one side adds to the whole of the other; None where it says anything else."""
    sides = [_plain(pair.a), _plain(pair.b)]
    longer = int(len(sides[1]) > len(sides[0]))
    short, long = sides[1 - longer], sides[longer]
    cut = len(short)
    if not _LEAST <= cut < len(long) or [t.text for t in short] != [t.text for t in long[:cut]]:
        return None
    added = long[cut:]
    opens = added[0].text in _OPENERS or (len(added) == 1 and added[0].kind == "number" and short[-1].kind == "word")
    if not opens or any(t.text in _TURNING for t in added):
        return None
    return Addition(longer, tuple(added))


def _plain(side: Reading) -> list[Token]:
    """Return the tokens of a text of one sentence; none of a longer one."""
    if len(side.sentence_ends) > 1 or any(end in ("?", "？") for end in side.sentence_ends):
        return []
    return [t for t in side.tokens if t.text not in _ARTICLES and t.text not in _STOPS]
