"""Slot: a place that takes one value holds another one: `package manager is uv` against `... Poetry`.

Places that take many values (supports, likes, knows) are none.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from ...records import Evidence
from ..context import Scale, context
from ..frames import frames, rival_frames
from ..pair import Pair, Swap
from ..reading import Reading, Token
from ..rivalry import rival_names
from ..words import root
from .antonym import opposites
from .different import scope_words

KIND = "slot"
SCALE = Scale(0.3, near=-0.2, bare=0.2, strength=1.2, tight=0.1, apart=-0.9, subject=0.5)
_LONGEST = 4
_LEAST = 0.4
"""Aligned swaps below this are as often another wording or another subject as another value."""
_FRAMES = (0.0, 1.0)
"""Frames whose keys differ somewhat: half agreed, one within the other. Equal keys: 58 of 70 training pairs clash."""

SINGLE = frozenset(
    """manager owner default lead leader head boss chair captain maintainer name called primary main location address
    capital headquarter office host hosted lives live resides based located home birthday born age married spouse
    husband wife partner favourite database branch language licence licensed timezone currency colour format formatter
    linter bundler framework runtime shell editor theme encoding protocol region zone provider registry vendor
    supplier port version status state level priority deadline frequency password username mode type kind size unit
    height weight doctor dentist teacher trainer coach employer landlord school assigned deployed runs stack backend
    frontend orm broker queue cache store storage scheduler runner container base image written author president
    director treasurer goalkeeper striker nationality blood diet religion works belongs responsible approver reviewer
    sponsor heisst wohnt standard vive llama capital predeterminado habite appelle défaut""".split()
)
MULTI = frozenset(
    """supports support likes like loves enjoys knows know speaks speak reads read uses use offers offer includes
    include contains contain has have had owns sells sell visits visit collects plays play teaches teach covers cover
    accepts accept handles handle exports export integrates allows wants needs need requires require tests test
    mentions lists provides provide carries bought ate met plays and or also tried unterstützt unterstützen mag
    spricht kennt soporta soportan habla conoce gusta gustan prend supporte parle connaît aime 支 持""".split()
)
_OPENERS = frozenset(
    """is are was were be on in at by with via to into from through using under as called named = : after before than
    ist sind in mit auf heisst wohnt es son está en con por est sont dans avec sur à 是 用 在""".split()
)
_SUBJECT_OPENERS = frozenset("^ the for our my his her their its a an this that every each all no some of".split())
_POLAR = frozenset(
    """not no never none nobody nothing without cannot all every each any only both neither either some most few must
    may""".split()
)
_COPULA = frozenset("is are was were = : ist sind es son est sont 是".split())
_URGES = frozenset("always please only we must should shall".split())
_DOES = frozenset("runs via with through by".split())
_NAMED = 2.5
"""`The cache is X` against `The cache is Y`, both names: 24 of 29 training pairs clash, and guards explain the rest."""


class Rivals(NamedTuple):
    """Two values for one place."""

    mine: tuple[Token, ...]
    theirs: tuple[Token, ...]
    strength: float
    weight: float | None = None
    """Set where a frame was read: measured on its own."""


def rivals(pair: Pair) -> Iterator[Rivals]:
    """Yield value swaps found by alignment and by the two sides of `is`."""
    yield from _aligned(pair)
    yield from _equated(pair)
    for mine_name, theirs_name, several in rival_names(pair.a, pair.b):
        if not several and (_asked_alike(pair, mine_name, theirs_name) or _one_job(pair, mine_name, theirs_name)):
            yield Rivals(mine_name, theirs_name, 0.9, _NAMED)
            continue
        strength = _rival_strength(pair, mine_name, theirs_name, several)
        if strength >= _LEAST:
            yield Rivals(mine_name, theirs_name, strength)
    for mine, theirs, agreement in rival_frames(frames(pair.a), frames(pair.b)):
        if not _measured(pair, mine.value, theirs.value):
            yield Rivals(mine.value, theirs.value, agreement, _FRAMES[agreement >= 0.65] if agreement < 1 else 2.5)


def _aligned(pair: Pair) -> Iterator[Rivals]:
    full = [s for s in pair.swaps if _meaning(s.incumbent) and _meaning(s.challenger)]
    for swap in full:
        mine, theirs = _meaning(swap.incumbent), _meaning(swap.challenger)
        if len(mine) > _LONGEST or len(theirs) > _LONGEST or _measured(pair, mine, theirs):
            continue
        if _kin(mine, theirs) or not (swap.before or swap.after) or scope_words(mine, theirs):
            continue
        if any(t.text in _POLAR for t in (*swap.incumbent, *swap.challenger)):
            continue
        if any(t.sentence != mine[0].sentence for t in mine) or any(t.sentence != theirs[0].sentence for t in theirs):
            continue
        strength = _strength(pair, swap, mine, theirs, len(full) == 1)
        if strength >= _LEAST:
            yield Rivals(mine, theirs, strength)


def _rival_strength(pair: Pair, mine: tuple[Token, ...], theirs: tuple[Token, ...], several: bool) -> float:
    """Names of one family stand for one place, unless a word of many values or another subject leads them in."""
    strength = 0.9 - 0.3 * several
    before = {_word_before(pair.a, mine[0]), _word_before(pair.b, theirs[0])}
    if before & MULTI or {t.text for t in pair.a.words} & {t.text for t in pair.b.words} & MULTI:
        return 0.0
    if pair.a.place(mine[0]) <= 1 and pair.b.place(theirs[0]) <= 1:
        strength -= 0.4
    if before & {"for", "the"}:
        strength -= 0.1
    return max(0.0, strength)


def asks(pair: Pair) -> bool:
    """Tell whether both sides ask for the use of one thing, and for rivals of one family: `Use npm`, `Use pnpm`."""
    return any(not several and _asked_alike(pair, a, b) for a, b, several in rival_names(pair.a, pair.b))


def _asked_alike(pair: Pair, mine: tuple[Token, ...], theirs: tuple[Token, ...]) -> bool:
    asked = _asked_for(pair.a, mine)
    return asked is not None and asked == _asked_for(pair.b, theirs)


def _one_job(pair: Pair, mine: tuple[Token, ...], theirs: tuple[Token, ...]) -> bool:
    """Tell whether nothing differs but the tool that one thing runs, or is done with: `The mail host runs Exim`."""
    if _word_before(pair.a, mine[0]) not in _DOES or _word_before(pair.b, theirs[0]) not in _DOES:
        return False
    if {t.text for t in (*pair.a.tokens, *pair.b.tokens)} & (_POLAR | {"and", "or", "also", "too"}):
        return False
    parts = [swap for swap in pair.swaps if any(t.content for t in (*swap.incumbent, *swap.challenger))]
    return [(swap.incumbent, swap.challenger) for swap in parts] == [(mine, theirs)]


def _asked_for(reading: Reading, name: tuple[Token, ...]) -> tuple[str, ...] | None:
    """Return what a rule asks a name for: `Use uv`, `Use uv for installs`; None where it is no such rule."""
    first, last = reading.place(name[0]), reading.place(name[-1])
    before = [token.text for token in reading.tokens[:first] if token.text not in _URGES]
    if before != ["use"]:
        return None
    return tuple(token.stem for token in reading.tokens[last + 1 :] if token.kind != "sign")


def _meaning(tokens: tuple[Token, ...]) -> tuple[Token, ...]:
    return tuple(t for t in tokens if t.content)


def _measured(pair: Pair, mine: tuple[Token, ...], theirs: tuple[Token, ...]) -> bool:
    """True where the swap is a difference of numbers or moments, or of opposites: other kinds speak of those."""
    if any(t.kind == "number" for t in (*mine, *theirs)):
        return True
    for difference in pair.measures.differing:
        if any(difference.incumbent.first <= pair.a.place(t) <= difference.incumbent.last for t in mine):
            return True
    for one, _ in pair.measures.agreed:
        if any(one.first <= pair.a.place(t) <= one.last for t in mine):
            return True
    return any(u.text in opposites(t.text) or u.stem in opposites(t.stem) for t in mine for u in theirs)


def _kin(mine: tuple[Token, ...], theirs: tuple[Token, ...]) -> bool:
    """True for two forms of one word, or an abbreviation of the other side's words."""
    if {root(t.stem) for t in mine} & {root(t.stem) for t in theirs}:
        return True
    for one, other in ((mine, theirs), (theirs, mine)):
        if len(one) == 1 and len(other) > 1 and one[0].text == "".join(t.text[0] for t in other):
            return True
    a, b = "".join(t.text for t in mine), "".join(t.text for t in theirs)
    return a == b or (min(len(a), len(b)) >= 4 and (a.startswith(b) or b.startswith(a)))


def _strength(pair: Pair, swap: Swap, mine: tuple[Token, ...], theirs: tuple[Token, ...], sole: bool) -> float:
    """How much a swap looks like another value, not another subject or another wording; measured by place and
    opener."""
    opening = {_word_before(pair.a, swap.incumbent[0]), _word_before(pair.b, swap.challenger[0])}
    words = {t.text for t in (*swap.incumbent, *swap.challenger)}
    if opening & MULTI or words & MULTI or opening & _SUBJECT_OPENERS:
        return 0.0
    strength = 0.3
    if len(mine) <= 2 and len(theirs) <= 2 and not swap.after:
        strength += 0.2
    if opening & _OPENERS or words & _COPULA:
        strength += 0.1
    if all(t.name for t in (*mine, *theirs)):
        strength += 0.1
    if pair.shared & SINGLE or {t.text for t in pair.a.words} & {t.text for t in pair.b.words} & SINGLE:
        strength += 0.2
    return strength if sole else 0.7 * strength


def _word_before(reading: Reading, token: Token) -> str:
    place = reading.place(token)
    return reading.tokens[place - 1].text if place else "^"


def _equated(pair: Pair) -> Iterator[Rivals]:
    """`Grace is the owner of billing` against `The owner of billing is Tomas`: one side equal, the other not."""
    for left_a, right_a in _equations(pair.a):
        for left_b, right_b in _equations(pair.b):
            for same_a, value_a in ((left_a, right_a), (right_a, left_a)):
                for same_b, value_b in ((left_b, right_b), (right_b, left_b)):
                    one, other = {t.stem for t in same_a}, {t.stem for t in same_b}
                    if not one or not other or len(one & other) < 0.6 * max(len(one), len(other)):
                        continue
                    if len(value_a) > _LONGEST or len(value_b) > _LONGEST or not value_a or not value_b:
                        continue
                    if {t.stem for t in value_a} & {t.stem for t in value_b} or _kin(value_a, value_b):
                        continue
                    if _measured(pair, value_a, value_b):
                        continue
                    single = bool(one & other & SINGLE) or any(t.text in SINGLE for t in same_a)
                    straight = same_a is left_a and same_b is left_b
                    named = one == other and straight and all(t.name for t in (*value_a, *value_b))
                    strength = 0.6 + 0.15 * single + 0.05 * straight + 0.2 * (one == other)
                    yield Rivals(value_a, value_b, strength, _NAMED if named else None)


def _equations(reading: Reading) -> list[tuple[tuple[Token, ...], tuple[Token, ...]]]:
    """Return what stands left and right of each copula or colon within its sentence."""
    found = []
    tokens = reading.tokens
    for k, token in enumerate(tokens):
        if token.text not in _COPULA or (token.text == ":" and not k):
            continue
        left: list[Token] = []
        for t in reversed(tokens[:k]):
            if t.clause != token.clause:
                break
            if t.content:
                left.insert(0, t)
        right: list[Token] = []
        clause = tokens[k + 1].clause if k + 1 < len(tokens) else -1
        for t in tokens[k + 1 :]:
            if t.clause != clause or t.sentence != token.sentence or len(right) > _LONGEST:
                break
            if t.text in ("not", "nicht", "no", "pas", "never"):
                right = []
                break
            if t.content:
                right.append(t)
        if left and right:
            found.append((tuple(left), tuple(right)))
    return found


def find(pair: Pair) -> Iterator[Evidence]:
    """Yield the rival values with the most alike surroundings."""
    best: tuple[float, Rivals] | None = None
    for found in rivals(pair):
        weight = found.weight
        if weight is None:
            weight = SCALE.weight(context(pair, found.mine, found.theirs, found.strength))
        if best is None or weight > best[0]:
            best = weight, found
    if best is not None and best[0] > 0:
        piece = pair.evidence(KIND, best[0], "", best[1].mine, best[1].theirs)
        words = f'"{piece.challenger_words}" stands where the older memory has "{piece.incumbent_words}".'
        yield piece.model_copy(update={"sentence": words})
