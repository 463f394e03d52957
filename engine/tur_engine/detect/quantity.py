"""Quantities in a text: number, unit, bound, and what role the number plays there."""

from __future__ import annotations

import math
import re
from typing import NamedTuple

from .bounds import ABOUT, BOUND_WORDS, EXACT
from .bounds import bound as bound_of
from .reading import Reading, Token
from .units import MONTH, PERIODS, SCALES, SHORT, TIMES, UNITS, WORDS, Unit
from .words import FUNCTION

_COUNTED_ADJECTIVES = 2


class Quantity(NamedTuple):
    """One number with its unit. `base` is the value in the dimension's base unit."""

    value: float
    base: float
    unit: str
    dimension: str
    """A physical dimension, or `count <stem of what is counted>`, or `bare`."""
    bound: str
    about: bool
    digits: int
    """Significant digits as written: how far the value may have been rounded."""
    first: int
    last: int
    """Tokens it covers, both included."""
    clause: int
    sentence: int
    per: str = ""
    """What it is counted by, as in `requests per minute`."""
    label: str = ""
    """Stem of the closest word of meaning before it in its clause: `port`, `retry`."""

    def matches(self, other: Quantity) -> bool:
        """True where both say the same within what was rounded."""
        return self.dimension == other.dimension and close(self, other)


def close(one: Quantity, other: Quantity) -> bool:
    """True where two base values agree within the rounding of the less exact one."""
    if one.base == other.base:
        return True
    loose = 0.1 if one.about or other.about else 0.0
    if one.unit != other.unit:  # a conversion is seldom written out in full
        loose = max(loose, 0.5 * 10 ** (1 - min(one.digits, other.digits)), 0.005)
        loose = min(loose, 0.02 if not (one.about or other.about) else 0.1)
    return loose > 0 and math.isclose(one.base, other.base, rel_tol=loose)


def number(token: Token) -> float | None:
    """Read a token as a plain number; None for versions, dates, times and words."""
    text = token.text
    if token.kind == "number":
        if text[0] == "v" or ":" in text or "-" in text or text.count(".") > 1:
            return None
        if "," in text:
            if re.fullmatch(r"\d{1,3}(?:,\d{3})+(?:\.\d+)?", text):
                text = text.replace(",", "")
            elif re.fullmatch(r"\d+,\d{1,2}", text):
                text = text.replace(",", ".")
            else:
                return None
        return float(text)
    if token.kind in ("word", "cjk"):
        return WORDS.get(token.text)
    return None


def significant(text: str) -> int:
    """Count the significant digits of a written number; words count as two."""
    digits = re.sub(r"\D", "", text).lstrip("0")
    if not digits:
        return 2
    return max(1, len(digits.rstrip("0") if "." not in text else digits), 2)


def quantities(reading: Reading, taken: frozenset[int] = frozenset()) -> tuple[Quantity, ...]:
    """Return the quantities of a text in order; tokens in `taken` (dates, times, versions) are left out."""
    tokens = reading.tokens
    found: list[Quantity] = []
    i = 0
    while i < len(tokens):
        if i not in taken and (period := _period(tokens, i)) is not None:
            found.append(period)
            i = period.last + 1
            continue
        value = None if i in taken else number(tokens[i])
        if value is None or (tokens[i].text in ("one", "una", "une", "uno") and not _one_counts(tokens, i)):
            i += 1
            continue
        start, end, digits = i, i, significant(tokens[i].text)
        if tokens[i].text == "dozen" and i >= 2 and tokens[i - 2].text == "half":
            value, start = 6.0, i - 2
        while end + 1 < len(tokens) and end + 1 not in taken:
            word = tokens[end + 1]
            if word.text in SCALES and (word.text != "k" or tokens[end].end == word.start):
                value *= SCALES[word.text]
            elif [t.text for t in tokens[end + 1 : end + 4]] == ["and", "a", "half"]:
                value += 0.5
                end += 3
                continue
            elif (
                tokens[end].text in WORDS
                and 20 <= WORDS[tokens[end].text] <= 90
                and 1 <= WORDS.get(word.text, 0) <= 9
                and word.clause == tokens[end].clause
            ):  # thirty five
                value += WORDS[word.text]
            else:
                break
            end += 1
        unit, last, per = _unit(tokens, start, end)
        if start and tokens[start - 1].text in ("$", "€", "£"):
            unit, start = UNITS[tokens[start - 1].text], start - 1
        bound, about = bound_of(reading, start, last)
        if unit is not None:
            base = value * unit.factor + unit.offset
            name, dimension = unit.name, unit.dimension
        else:
            base, name = value, ""
            dimension = "bare"
            if noun := _counted(tokens, last, taken):
                dimension = f"count {noun}"
        if per:
            dimension = f"{dimension} per"
        found.append(
            Quantity(
                value,
                base,
                name,
                dimension,
                bound,
                about,
                digits,
                start,
                last,
                tokens[i].clause,
                tokens[i].sentence,
                per,
                _label(tokens, start),
            )
        )
        i = max(last, end) + 1
    return tuple(found)


def _period(tokens: tuple[Token, ...], i: int) -> Quantity | None:
    """Read `weekly`, `twice a day`, `5 times an hour`, `every 30 s` as the time from one to the next."""
    word = tokens[i]
    seconds = 0.0
    last = i
    if word.text in PERIODS:
        seconds = PERIODS[word.text]
    elif word.text in ("every", "alle", "cada", "each") and i + 1 < len(tokens):
        count = number(tokens[i + 1]) if i + 2 < len(tokens) else None
        if tokens[i + 1].text in ("other", "second"):
            count = 2.0
        if count is not None and i + 2 >= len(tokens):
            return None
        unit = UNITS.get(tokens[i + 1].text if count is None else tokens[i + 2].text)
        if unit is None or unit.dimension not in ("duration", "months") or (count is None and word.text == "each"):
            return None
        last = i + (1 if count is None else 2)
        seconds = (1.0 if count is None else count) * _seconds(unit)
    else:
        times = TIMES.get(word.text)
        k = i + 1
        if times is None and i + 3 < len(tokens) and tokens[i + 1].text in ("times", "time", "mal", "veces", "fois"):
            times, k = number(word), i + 2
        if (
            times
            and k + 1 < len(tokens)
            and tokens[k].text in ("a", "an", "per", "every", "each", "pro", "al", "por", "par")
        ):
            unit = UNITS.get(tokens[k + 1].text)
            if unit is not None and unit.dimension in ("duration", "months"):
                seconds, last = _seconds(unit) / times, k + 1
    if not seconds:
        return None
    return Quantity(
        seconds,
        seconds,
        "period",
        "period",
        EXACT,
        False,
        2,
        i,
        last,
        word.clause,
        word.sentence,
        "",
        _label(tokens, i),
    )


def _seconds(unit: Unit) -> float:
    return unit.factor if unit.dimension == "duration" else unit.factor * MONTH


def _one_counts(tokens: tuple[Token, ...], i: int) -> bool:
    """`one` is a number before a unit or a noun it counts, not in `no one`, `the one who`."""
    if i + 1 >= len(tokens) or (i and tokens[i - 1].text in ("no", "the", "this", "that", "which", "any", "every")):
        return False
    return tokens[i + 1].text in UNITS or tokens[i - 1].text in ("only", "exactly", "just", "than", "least", "most")


def _unit(tokens: tuple[Token, ...], first: int, end: int) -> tuple[Unit | None, int, str]:
    """Return the unit after a number, the last token taken, and the `per` word."""
    if end + 1 >= len(tokens):
        return None, end, ""
    word = tokens[end + 1]
    joined = word.start == tokens[end].end
    unit = UNITS.get(word.text)
    last = end + 1
    if word.text == "°" and end + 2 < len(tokens) and (scale := UNITS.get("°" + tokens[end + 2].text)) is not None:
        unit, last = scale, end + 2
    if unit is not None and word.text in SHORT and not joined:
        after = tokens[end + 2] if end + 2 < len(tokens) else None
        if (
            word.text in ("in", "a", "an", "d", "em", "mi", "w", "v")
            or (tokens[end].kind != "number" and word.text not in ("min", "gal", "bar"))
            or (after is not None and after.kind == "number" and word.text in ("m", "h", "l", "b", "k"))
        ):
            unit = None
    if unit is None:
        if word.kind == "code" and word.text.startswith("/") and joined:
            return None, end, word.text[1:]
        return None, end, ""
    if word.text == "m" and joined and _money_or_count(tokens, first):
        unit = None
        return unit, end, ""
    per = ""
    if last + 2 < len(tokens) and tokens[last + 1].text in ("per", "a", "an", "pro", "por", "par"):
        denominator = tokens[last + 2].text
        if (step := UNITS.get(denominator)) is not None and step.dimension in ("duration", "months"):
            per = step.name
        elif tokens[last + 1].text == "per":
            per = tokens[last + 2].stem
    return unit, last, per


def _money_or_count(tokens: tuple[Token, ...], first: int) -> bool:
    return first > 0 and tokens[first - 1].text in ("$", "€", "£")


def _counted(tokens: tuple[Token, ...], last: int, taken: frozenset[int]) -> str:
    """Return the stem of the noun that a bare number counts: the last word of the run right after it."""
    noun = ""
    if last + 1 < len(tokens) and tokens[last + 1].text in ("st", "nd", "rd", "th"):
        return "th"
    for k in range(last + 1, min(last + 2 + _COUNTED_ADJECTIVES, len(tokens))):
        word = tokens[k]
        if k in taken or word.kind != "word" or word.clause != tokens[last].clause or word.text in FUNCTION:
            break
        noun = word.stem
        if word.text.endswith("s") and not word.text.endswith("ss"):
            break
    return noun


def _label(tokens: tuple[Token, ...], first: int) -> str:
    for k in range(first - 1, max(-1, first - 6), -1):
        word = tokens[k]
        if word.sentence != tokens[first].sentence or word.kind == "number":
            break
        if word.content and word.text not in ABOUT and word.text not in BOUND_WORDS:
            return word.stem
    return ""
