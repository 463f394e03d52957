"""Different: each side names its own environment, component, version, tenant, group, person or period. A guard."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from ...records import Evidence
from ..clause import subject
from ..context import subjects
from ..measures import tokens_of
from ..pair import Pair, Swap
from ..reading import Reading, Token
from ..words import LIGHT, root

KIND = "different"
_LONGEST = 3
_APART, _APART_SHARING = -0.35, -0.55
"""Each subject has words that the other side lacks; they share a word, as `the red LED` and `the blue LED` do."""
_SCOPE_WORDS, _SCOPE_WORDS_APART, _SCOPE_WORDS_SHARING = -0.4, -1.5, -2.4
"""Words of one scope list in each other's place: alone, with subjects apart, with subjects apart that share a word."""
_SCOPE_WORD = -1.1
"""One scope word for one other."""
_SUBJECT_WORDS, _SUBJECT_WORDS_SHARING = -0.8, -2.0
_LOOSE = -0.35
_NUMBERED = -1.3
"""Numbers, dates or versions that name the subject: `Ward 4`, `Ward 6`. Measured on the training pairs, all of them."""

_SCOPES = tuple(
    frozenset(words.split())
    for words in """
    production staging development local locally ci test testing preview sandbox qa canary demo dev prod uat integration
    laptop laptops
    | ios android web desktop mobile tablet watch phone browser
    | linux windows macos mac ubuntu debian alpine amd64 arm64 x86
    | eu us uk apac emea dach europe asia america africa germany france spain japan india
    | frontend backend api worker gateway scheduler database cache queue cli sdk docs app website client server
    dashboard
    | admin administrator administrators admins user users guest guests customer customers member members staff partner
    partners employee employees contractor contractors visitor visitors student students teacher teachers patient
    patients adult adults child children kids parent parents senior seniors junior juniors beginner beginners
    | free trial pro enterprise premium paid basic standard
    | summer winter spring autumn
    | weekday weekdays weekend weekends
    | morning afternoon evening night noon daytime
    | internal external public private partner
    | read reads write writes
    | input output inputs outputs
    | unit integration e2e smoke regression
    | left right upper lower front rear north south east west northern southern eastern western
    | old new previous next first second third other former current
    | python typescript javascript go rust java ruby kotlin swift php
    | rest graphql grpc soap websocket
    | tests builds lint docs deploys
    | mother father brother sister son daughter wife husband partner uncle aunt cousin grandmother grandfather
    | dog cat horse cow chicken
    | breakfast lunch dinner supper
    """.split("|")
)
_SCOPED = frozenset().union(*_SCOPES)


def scope_words(mine: tuple[Token, ...], theirs: tuple[Token, ...]) -> bool:
    """True where the two hold words of one scope list: environments, platforms, groups, seasons."""
    a = _SCOPED & {form for t in mine for form in (t.text, t.stem)}
    b = _SCOPED & {form for t in theirs for form in (t.text, t.stem)} if a else a
    return bool(b) and any(a & scope and b & scope and not (a & b & scope) for scope in _SCOPES)


def parallels(pair: Pair) -> list[tuple[Swap, tuple[Token, ...], tuple[Token, ...]]]:
    """Return the short swaps of words of meaning, with those words; numbers left out."""
    found = []
    for swap in pair.swaps:
        mine = tuple(t for t in swap.incumbent if t.content and t.stem not in LIGHT)
        theirs = tuple(t for t in swap.challenger if t.content and t.stem not in LIGHT)
        if not (0 < len(mine) <= _LONGEST and 0 < len(theirs) <= _LONGEST):
            continue
        if all(t.kind == "number" for t in mine) or all(t.kind == "number" for t in theirs):
            continue
        if {root(t.stem) for t in mine} & {root(t.stem) for t in theirs}:
            continue
        found.append((swap, mine, theirs))
    return found


def find(pair: Pair) -> Iterator[Evidence]:
    """Yield the plainest difference of scope or subject."""
    reasons = list(_reasons(pair))
    if not reasons:
        return
    weight, mine, theirs = min(reasons, key=lambda reason: reason[0])
    piece = pair.evidence(KIND, weight, "", mine, theirs)
    words = f'They may speak of different things: "{piece.incumbent_words}" and "{piece.challenger_words}".'
    yield piece.model_copy(update={"sentence": words})


def _reasons(pair: Pair) -> Iterator[tuple[float, tuple[Token, ...], tuple[Token, ...]]]:
    for difference in pair.measures.scopes:
        yield _NUMBERED, tokens_of(pair.a, difference.incumbent), tokens_of(pair.b, difference.challenger)
    closest = pair.closest
    if closest is None:
        return
    a_subject, b_subject = subject(pair.a, closest[0]), subject(pair.b, closest[1])
    apart = subjects(pair, *closest) < 0
    sharing = bool({root(t.stem) for t in a_subject} & {root(t.stem) for t in b_subject})
    for _, mine, theirs in parallels(pair):
        if scope_words(mine, theirs):
            weight = (_SCOPE_WORDS_SHARING if sharing else _SCOPE_WORDS_APART) if apart else _SCOPE_WORDS
            if not apart and len(mine) == len(theirs) == 1:
                weight = _SCOPE_WORD
            yield weight, mine, theirs
    if apart:
        mine = tuple(t for t in a_subject if root(t.stem) not in pair.b.roots)
        theirs = tuple(t for t in b_subject if root(t.stem) not in pair.a.roots)
        if scope_words(a_subject, b_subject):
            yield _SUBJECT_WORDS_SHARING if sharing else _SUBJECT_WORDS, mine, theirs
        yield _APART_SHARING if sharing else _APART, mine, theirs
    if loose := _scopes_apart(pair):
        yield _LOOSE, *loose


def _scopes_apart(pair: Pair) -> tuple[tuple[Token, ...], tuple[Token, ...]] | None:
    """Return two words of one scope list, each on one side only, wherever they stand."""
    a, b = _scoped(pair.a), _scoped(pair.b)
    if not a or not b:
        return None
    for scope in _SCOPES:
        mine, theirs = scope & a.keys(), scope & b.keys()
        if mine and theirs and not mine & theirs:
            return (a[min(mine)],), (b[min(theirs)],)
    return None


@lru_cache(maxsize=4096)
def _scoped(reading: Reading) -> dict[str, Token]:
    """Return the words of a text that stand in a scope list."""
    return {t.text: t for t in reading.tokens if t.kind == "word" and t.text in _SCOPED}
