"""Date: two values for one thing. Bounds, rounding and parts left out are no clash (see `measures`)."""

from __future__ import annotations

from collections.abc import Iterator

from ...records import Evidence
from ..context import Scale
from ..pair import Pair
from . import _measured

KIND = "date"
SCALE = Scale(1.1, tight=0.7, apart=-0.6, subject=0.4)


_AGAIN = frozenset(
    """visited bought ordered ran cooked watched travelled traveled flew played swam hiked cycled walked attended
    went""".split()
)
_ONE = frozenset("the this that his her their my our its first last".split())


def find(pair: Pair) -> Iterator[Evidence]:
    """Yield the difference whose surroundings are most alike, if any."""
    if not _done_again(pair):
        yield from _measured.find(pair, KIND, SCALE, "Date")


def _done_again(pair: Pair) -> bool:
    """True where both tell of what is done more than once: `visited Rome in 2019`, and not `bought the house`."""
    done = [
        (token.text, reading.tokens[k + 1].text)
        for reading in (pair.a, pair.b)
        for k, token in enumerate(reading.tokens[:-1])
        if token.text in _AGAIN
    ]
    return len(done) == 2 and done[0][0] == done[1][0] and not {following for _, following in done} & _ONE
