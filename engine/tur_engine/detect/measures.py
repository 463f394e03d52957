"""Which numbers and moments of the two sides speak of the same thing, and which of them differ."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from .bounds import AT_LEAST, AT_MOST, EXACT
from .moment import Moment, moments
from .polarity import negations
from .quantity import Quantity, close, quantities
from .reading import Reading, Token
from .vicinity import around

Measure = Quantity | Moment
_ENDS = frozenset("and or".split())
_VALUE_LABELS = frozenset("port extension timeout limit retry ttl cost price seed total count age budget depth".split())


class Reach(NamedTuple):
    """Everything measured in one text."""

    quantities: tuple[Quantity, ...]
    moments: tuple[Moment, ...]


class Difference(NamedTuple):
    """A measure on each side, of one dimension, that do not agree."""

    incumbent: Measure
    challenger: Measure
    kind: str
    """`number`, `version`, `date`, `time`, `port`."""


class Comparison(NamedTuple):
    """All measures of two texts set against each other."""

    agreed: tuple[tuple[Measure, Measure], ...]
    differing: tuple[Difference, ...]
    scopes: tuple[Difference, ...]
    """Measures that tell the two subjects apart: `Ward 4` and `Ward 6`, `On Mondays` and `On Fridays`."""
    only_incumbent: tuple[Measure, ...]
    only_challenger: tuple[Measure, ...]


@lru_cache(maxsize=4096)
def measure(reading: Reading) -> Reach:
    """Return the quantities and moments of a text; numbers within moments count once."""
    when = moments(reading)
    taken = frozenset(i for m in when for i in range(m.first, m.last + 1))
    return Reach(quantities(reading, taken), when)


def tokens_of(reading: Reading, part: Measure) -> tuple[Token, ...]:
    """Return the tokens that a measure covers."""
    return reading.tokens[part.first : part.last + 1]


def clashes(one: Quantity, other: Quantity) -> bool:
    """True where the two values, with their bounds, cannot both be the value of one thing."""
    if one.matches(other):
        return False
    if one.bound == other.bound:
        return True
    for bound, exact in ((one, other), (other, one)):
        if exact.bound == EXACT:
            if bound.bound == AT_LEAST:
                return exact.base < bound.base
            if bound.bound == AT_MOST:
                return exact.base > bound.base
    return False  # "below 500 ..." beside "above 5,000 ...": two sides of a rule


def versions_clash(one: Moment, other: Moment) -> bool:
    """True where two versions of one thing exclude each other; `>= 3.10` and `3.12` do not."""
    if one.matches(other) and not (one.lower or one.upper or other.lower or other.upper):
        return False
    if (one.lower and other.lower) or (one.upper and other.upper):
        return not one.matches(other)
    for bound, exact in ((one, other), (other, one)):
        if bound.lower:
            return exact.value < bound.value
        if bound.upper:
            return exact.value > bound.value
    return True


def compare(mine: Reading, theirs: Reading) -> Comparison:
    """Match measures that agree, then pair off the rest by dimension and by the words around them."""
    a, b = measure(mine), measure(theirs)
    agreed: list[tuple[Measure, Measure]] = []
    left: list[Measure] = [*a.quantities, *a.moments]
    right: list[Measure] = [*b.quantities, *b.moments]
    for one in list(left):
        twin = max(
            (other for other in right if _comparable(one, other) and _agree(one, other)),
            key=lambda other: _near(mine, theirs, one, other),
            default=None,
        )
        if twin is not None:
            agreed.append((one, twin))
            left.remove(one)
            right.remove(twin)
    options = sorted(
        (
            (_near(mine, theirs, one, other), i, j)
            for i, one in enumerate(left)
            for j, other in enumerate(right)
            if _comparable(one, other)
        ),
        key=lambda option: (-option[0], option[1], option[2]),
    )
    differing: list[Difference] = []
    used_left: set[int] = set()
    used_right: set[int] = set()
    for _, i, j in options:
        if i in used_left or j in used_right:
            continue
        used_left.add(i)
        used_right.add(j)
        kind = _kind(left[i], right[j])
        if kind and _denied(mine, left[i]) != _denied(theirs, right[j]):
            continue  # "never on Saturdays" beside "on Fridays"
        if kind:
            differing.append(Difference(left[i], right[j], kind))
        else:
            agreed.append((left[i], right[j]))
    values, scopes = _parted(mine, theirs, differing)
    return Comparison(
        tuple(agreed),
        values,
        scopes,
        tuple(m for i, m in enumerate(left) if i not in used_left),
        tuple(m for j, m in enumerate(right) if j not in used_right),
    )


def _parted(
    mine: Reading, theirs: Reading, differing: list[Difference]
) -> tuple[tuple[Difference, ...], tuple[Difference, ...]]:
    """Part differing values from differing names of subjects."""
    scopes = [d for d in differing if _designates(mine, d.incumbent) and _designates(theirs, d.challenger)]
    if len(differing) > 1 and not scopes:
        loose = [
            d
            for d in differing
            if d.kind in ("date", "version") and _opens(mine, d.incumbent) | _opens(theirs, d.challenger)
        ]
        if len(loose) < len(differing):
            scopes = loose
    return tuple(d for d in differing if d not in scopes), tuple(scopes)


def _designates(reading: Reading, part: Measure) -> bool:
    """True where a number, version or date is part of the subject's name: it stands before what is said of it."""
    tokens = reading.tokens
    before = [t for t in tokens[: part.first] if t.sentence == part.sentence]
    after = tokens[part.last + 1] if part.last + 1 < len(tokens) else None
    if after is None or after.sentence != part.sentence:
        return False
    if isinstance(part, Quantity):
        if part.unit or part.bound != EXACT or not before or not before[-1].content or before[-1].kind != "word":
            return False
        label_first = all(not t.content for t in before[:-1])
        return label_first and after.text not in _ENDS and before[-1].stem not in _VALUE_LABELS
    return sum(t.content for t in before) <= (1 if part.kind == "version" else 0) and after.text not in _ENDS


def _opens(reading: Reading, part: Measure) -> bool:
    """True for a moment that opens its sentence, `On Mondays ...`, or ends it after another measure, `... on
    Mondays`."""
    before = [t for t in reading.tokens[: part.first] if t.sentence == part.sentence]
    if all(not t.content for t in before):
        return True
    return bool(before) and before[-1].text in ("on", "in", "for", "since") and any(t.kind == "number" for t in before)


@lru_cache(maxsize=4096)
def _denied_places(reading: Reading) -> frozenset[int]:
    return frozenset(k for n in negations(reading) for k in (*n.scope, *n.subject))


def _denied(reading: Reading, part: Measure) -> bool:
    places = _denied_places(reading)
    return any(k in places for k in range(part.first, part.last + 1))


def _comparable(one: Measure, other: Measure) -> bool:
    if isinstance(one, Quantity) and isinstance(other, Quantity):
        if one.per != other.per:
            return False
        if not one.unit and not other.unit and one.base == other.base:
            return True
        if one.dimension == other.dimension:
            return one.dimension != "count th"
        if {one.dimension, other.dimension} == {"period", "duration"}:
            return close(one, other)
        counts = {one.dimension.removeprefix("count "), other.dimension.removeprefix("count ")}
        if "bare" in counts:
            return (bool(one.label) and one.label == other.label) or bool(
                {one.label, other.label} & (counts - {"bare"})
            )
        return {one.dimension, other.dimension} in (
            {"duration", "months"},
            {"temperature", "degrees"},
            {"data", "bits"},
        )
    if isinstance(one, Moment) and isinstance(other, Moment):
        return one.kind == other.kind
    moment, quantity = (one, other) if isinstance(one, Moment) else (other, one)
    return (
        isinstance(moment, Moment) and isinstance(quantity, Quantity)
        and moment.kind == "version" and quantity.dimension == "bare" and quantity.label == moment.label
    )  # fmt: skip


def _agree(one: Measure, other: Measure) -> bool:
    if isinstance(one, Quantity) and isinstance(other, Quantity):
        if {one.dimension, other.dimension} in ({"period", "duration"}, {"temperature", "degrees"}):
            return close(one, other)
        return one.matches(other) or (not one.unit and not other.unit and one.base == other.base)
    if isinstance(one, Moment) and isinstance(other, Moment):
        return one.matches(other)
    moment, quantity = (one, other) if isinstance(one, Moment) else (other, one)
    return (
        isinstance(moment, Moment) and isinstance(quantity, Quantity) and float(moment.value[0] or 0) == quantity.base
    )


def _kind(one: Measure, other: Measure) -> str:
    """Return the kind of difference; empty where bounds or missing parts leave room for both."""
    if isinstance(one, Quantity) and isinstance(other, Quantity):
        if one.dimension != other.dimension and {one.dimension, other.dimension} == {"duration", "months"}:
            if _same_span(one, other):
                return ""
        elif not clashes(one, other):
            return ""
        return "port" if "port" in (one.label, other.label) else "number"
    if isinstance(one, Moment) and isinstance(other, Moment):
        if one.kind == "version":
            return "version" if versions_clash(one, other) else ""
        if one.matches(other):
            return ""
        return {"date": "date", "weekday": "date", "time": "time"}[one.kind]
    return "version"


def _same_span(one: Quantity, other: Quantity) -> bool:
    """Months have no fixed length: 28 to 31 days each."""
    months, spell = (one, other) if one.dimension == "months" else (other, one)
    days = spell.base / 86400
    return 27.9 * months.base <= days <= 31.1 * months.base


def _near(mine: Reading, theirs: Reading, one: Measure, other: Measure) -> float:
    near_one = around(mine, tokens_of(mine, one))
    near_other = around(theirs, tokens_of(theirs, other))
    if not near_one or not near_other:
        return 0.5 if len(mine.words) + len(theirs.words) < 8 else 0.0
    return len(near_one & near_other) / min(len(near_one), len(near_other))
