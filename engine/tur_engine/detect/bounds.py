"""Is a number a limit? `at least 5`, `5 or fewer`, `<= 5`, `about 5`: what the words around it say."""

from __future__ import annotations

from ..patterns import later
from .reading import Reading

AT_LEAST, AT_MOST, EXACT = "at least", "at most", "exactly"

_LOWER = later(
    r" (?:at least|no (?:less|fewer|lower|earlier|sooner) than|not (?:less|fewer|below|under) than?|minimum(?: of)?"
    r"|(?<!no )(?<!not )(?:more|greater|longer|older|later|larger|higher) than|(?<!not )(?:over|above)"
    r"|exceeds?|exceeding|upwards of|beyond|past|mindestens|al menos|au moins|más de|plus de|mehr als) $"
)
_UPPER = later(
    r" (?:at most|no (?:more|longer|later|higher|larger|bigger) than|not (?:more|longer|later|above|over) than?"
    r"|maximum(?: of)?|max|up to|(?<!no )(?<!not )(?:less|fewer|lower|earlier|sooner) than|(?<!not )(?:under|below)"
    r"|within|limit(?:ed)?(?: is| to| of)?|capped at|cap of"
    r"|shorter than|younger than|smaller than|höchstens|bis zu|como máximo|hasta|menos de|au plus|jusqu à|moins de) $"
)
ABOUT = frozenset(
    """about around roughly approximately almost nearly circa ca some approx ~ close ungefähr etwa rund unos
    aproximadamente environ""".split()
)
BOUND_WORDS = frozenset("least most more less than maximum minimum limited limit cap capped set equal equals".split())
_AFTER_LOWER = later(
    r"^ (?:or (?:more|longer|higher|above|newer|later|older)|and (?:up|above|over)|upwards|minimum|\+)"
)
_AFTER_UPPER = later(r"^ (?:or (?:less|fewer|lower|below|under|shorter|older)|maximum|max|tops|at (?:the )?most)")


def bound(reading: Reading, first: int, last: int) -> tuple[str, bool]:
    """Return which limit the words around the tokens of a number make it, and whether it is said roughly."""
    tokens = reading.tokens
    before = [t.text for t in tokens[max(0, first - 4) : first]]
    about = bool(before) and (before[-1] in ABOUT or before[-2:-1] == ["close"])
    while before and before[-1] in ABOUT:
        before.pop()
    if before and before[-1] in (">=", ">"):
        return AT_LEAST, about
    if before and before[-1] in ("<=", "<"):
        return AT_MOST, about
    lead = " " + " ".join(before) + " "
    after = "".join(f" {t.text}" for t in tokens[last + 1 : last + 4])
    if before and (_LOWER.search(lead) or _AFTER_LOWER.match(after)):
        return AT_LEAST, about
    if _UPPER.search(lead) or _AFTER_UPPER.match(after):
        return AT_MOST, about
    if _AFTER_LOWER.match(after):
        return AT_LEAST, about
    return EXACT, about
