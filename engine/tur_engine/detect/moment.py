"""Moments in a text: dates, times of day, weekdays, and versions; the numbers in them are no quantities."""

from __future__ import annotations

import re
from typing import NamedTuple

from ..patterns import later
from .reading import Reading, Token
from .units import UNITS, WORDS

MONTHS = {
    name: i + 1
    for i, names in enumerate(
        (
            "january jan januar enero janvier", "february feb februar febrero février", "march mar märz marzo mars",
            "april apr abril avril", "may mai mayo", "june jun juni junio juin", "july jul juli julio juillet",
            "august aug agosto août", "september sep sept septiembre septembre", "october oct oktober octubre octobre",
            "november nov noviembre novembre", "december dec dezember diciembre décembre",
        )
    )
    for name in names.split()
}  # fmt: skip
WEEKDAYS = {
    name: i
    for i, names in enumerate(
        (
            "monday mondays mon montag montags lunes lundi", "tuesday tuesdays tue dienstag dienstags martes mardi",
            "wednesday wednesdays wed mittwoch mittwochs miércoles mercredi",
            "thursday thursdays thu donnerstag donnerstags jueves jeudi",
            "friday fridays fri freitag freitags viernes vendredi",
            "saturday saturdays sat samstag samstags sábado samedi",
            "sunday sundays sun sonntag sonntags domingo dimanche",
        )
    )
    for name in names.split()
}  # fmt: skip
_RISKY_MONTHS = frozenset("may mar mai mars sep dec jan jun jul".split())
_RISKY_DAYS = frozenset("mon sat sun wed".split())
_ORDINAL = {
    w: i + 1
    for i, w in enumerate("first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth".split())
}
_CLOCK = later(r"([01]?\d|2[0-4]):([0-5]\d)(?::([0-5]\d))?")
_ISO = later(r"(\d{4})-(\d\d)-(\d\d)")
_VERSION = later(r"v?\d+(?:\.\d+)+(?:-(?:rc|alpha|beta)\.?\d*)?|v\d+")
_VERSION_WORDS = frozenset("version versions release releases ver versión versione".split())
_NOT_PRODUCTS = frozenset(
    """room gate line route building floor phase step stage level tier section chapter page table figure clause
    article rule ticket issue pr batch row column slot bay platform track track lane unit unit group team class grade
    week day quarter q sprint port number no num top option case district zone sector part form appendix annex seed
    run model node shard rack server visit trial""".split()
)


_PRODUCTS = frozenset(
    """python node java go ruby php react vue angular django rails flask postgres postgresql mysql redis tls ssl rust
    gcc clang cuda pytorch tensorflow kubernetes k8s terraform ubuntu debian android ios typescript php8 npm pnpm
    elasticsearch kafka nginx spring dotnet swift kotlin scala""".split()
)


class Moment(NamedTuple):
    """A date, time, weekday or version, as far as it was written."""

    kind: str
    """`date`, `time`, `weekday` or `version`."""
    value: tuple[int | None, ...]
    """date: year, month, day; time: minutes after midnight; weekday: 0 is Monday; version: its numbers."""
    label: str
    """Zone of a time, or name of what a version is of."""
    first: int
    last: int
    clause: int
    sentence: int
    lower: bool = False
    """A version or date written as `>=`, `at least`, `from`, `or newer`."""
    upper: bool = False

    def matches(self, other: Moment) -> bool:
        """True where neither says anything the other denies: parts left out match all."""
        if self.kind != other.kind:
            return False
        if self.kind == "version":
            shorter = min(len(self.value), len(other.value))
            return self.value[:shorter] == other.value[:shorter]
        return all(x is None or y is None or x == y for x, y in zip(self.value, other.value, strict=False))


def moments(reading: Reading) -> tuple[Moment, ...]:
    """Return the moments of a text in order."""
    tokens = reading.tokens
    found: list[Moment] = []
    i = 0
    while i < len(tokens):
        moment = _date(tokens, i) or _time(tokens, i) or _weekday(tokens, i) or _version(tokens, i)
        if moment is None:
            i += 1
            continue
        found.append(moment)
        i = moment.last + 1
    return tuple(found)


def _int(token: Token | None, low: int, high: int) -> int | None:
    if token is None or not token.text.isdigit():
        return None
    value = int(token.text)
    return value if low <= value <= high else None


def _at(tokens: tuple[Token, ...], i: int) -> Token | None:
    return tokens[i] if 0 <= i < len(tokens) else None


def _make(kind: str, value: tuple[int | None, ...], tokens: tuple[Token, ...], first: int, last: int, label: str = "",
          lower: bool = False, upper: bool = False) -> Moment:  # fmt: skip
    token = tokens[first]
    return Moment(kind, value, label, first, last, token.clause, token.sentence, lower, upper)


def _year(tokens: tuple[Token, ...], i: int) -> int | None:
    token = _at(tokens, i)
    year = _int(token, 1900, 2100)
    return year if token is not None and len(token.text) == 4 else None


def _date(tokens: tuple[Token, ...], i: int) -> Moment | None:
    token = tokens[i]
    if token.kind == "number" and (iso := _ISO.fullmatch(token.text)):
        return _make("date", tuple(int(part) for part in iso.groups()), tokens, i, i)
    day = _int(token, 1, 31) or (_ORDINAL.get(token.text) if token.kind == "word" else None)
    if day is not None:
        k = i + 1
        if (suffix := _at(tokens, k)) is not None and suffix.text in ("st", "nd", "rd", "th"):
            k += 1
        if (of := _at(tokens, k)) is not None and of.text in ("of", "de"):
            k += 1
        month_word = _at(tokens, k)
        if month_word is not None and (month := MONTHS.get(month_word.text)) and month_word.kind == "word":
            year_at = k + 1
            year = _year(tokens, year_at)
            return _make("date", (year, month, day), tokens, i, year_at if year else k)
    if token.kind == "word" and (month := MONTHS.get(token.text)):
        k = i + 1
        the = _at(tokens, k)
        if the is not None and the.text == "the":
            k += 1
        day_word = _at(tokens, k)
        day = _int(day_word, 1, 31) or (_ORDINAL.get(day_word.text) if day_word else None)
        if day is not None and not _has_unit(tokens, k + 1):
            last = k
            if (suffix := _at(tokens, k + 1)) is not None and suffix.text in ("st", "nd", "rd", "th"):
                last = k + 1
            year = _year(tokens, last + 1)
            return _make("date", (year, month, day), tokens, i, last + 1 if year else last)
        year = _year(tokens, i + 1)
        if year:
            return _make("date", (year, month, None), tokens, i, i + 1)
        before = _at(tokens, i - 1)
        if token.text not in _RISKY_MONTHS or (
            token.name
            and before is not None
            and before.text in ("in", "since", "until", "by", "from", "of", "last", "next")
        ):
            return _make("date", (None, month, None), tokens, i, i)
        return None
    year = _year(tokens, i)
    if year and not _has_unit(tokens, i + 1):
        before = _at(tokens, i - 1)
        if before is not None and before.text in (
            "in", "since", "until", "from", "of", "before", "after", "by", "year", "spring", "summer", "autumn",
            "winter",
            "dated", "late", "early", "mid", "for",
        ):  # fmt: skip
            return _make("date", (year, None, None), tokens, i, i)
    return None


def _has_unit(tokens: tuple[Token, ...], i: int) -> bool:
    word = _at(tokens, i)
    return word is not None and ((word.text in UNITS and word.text not in ("a", "an", "in")) or word.text in ("%", "°"))


def _zone(tokens: tuple[Token, ...], i: int) -> str:
    word = _at(tokens, i)
    zones = (
        "utc",
        "gmt",
        "cet",
        "cest",
        "est",
        "edt",
        "pst",
        "pdt",
        "jst",
        "bst",
        "ist",
        "eastern",
        "pacific",
        "local",
    )
    return word.text if word is not None and word.text in zones else ""


def _time(tokens: tuple[Token, ...], i: int) -> Moment | None:
    token = tokens[i]
    minutes: int | None = None
    last = i
    after = _at(tokens, i + 1)
    before = _at(tokens, i - 1)
    if token.kind == "number" and (clock := _CLOCK.fullmatch(token.text)):
        minutes = int(clock[1]) * 60 + int(clock[2])
    elif token.text in ("noon", "midday", "mittag", "mediodía", "midi"):
        minutes = 720
    elif token.text in ("midnight", "mitternacht", "medianoche", "minuit"):
        minutes = 0
    elif token.text in ("half", "quarter") and after is not None and after.text in ("past", "to"):
        hour = _hour(_at(tokens, i + 2))
        if hour is not None:
            step = 30 if token.text == "half" else 15
            minutes, last = hour * 60 + (step if after.text == "past" else -step), i + 2
    else:
        hour = _hour(token)
        if (hour is not None and after is not None and after.text in ("am", "pm", "o'clock", "oclock", "uhr")) or (
            hour is not None
            and token.kind == "word"
            and before is not None
            and before.text in ("at", "until", "by")
            and (after is None or (after.text not in UNITS and after.kind != "word"))
        ):
            minutes = hour * 60
    if minutes is None:
        return None
    mark = _at(tokens, last + 1)
    if mark is not None and mark.text in ("am", "pm", "o'clock", "oclock", "uhr"):
        if mark.text == "pm" and minutes < 720:
            minutes += 720
        elif mark.text == "am" and 720 <= minutes < 780:
            minutes -= 720
        last += 1
    return _make("time", (minutes % 1440,), tokens, i, last, _zone(tokens, last + 1))


def _hour(token: Token | None) -> int | None:
    if token is None:
        return None
    hour = _int(token, 0, 24)
    if hour is None and token.text in WORDS and WORDS[token.text] <= 12:
        hour = int(WORDS[token.text])
    return hour


def _weekday(tokens: tuple[Token, ...], i: int) -> Moment | None:
    token = tokens[i]
    if token.kind != "word" or (day := WEEKDAYS.get(token.text)) is None:
        return None
    if token.text in _RISKY_DAYS and not token.name:
        return None
    return _make("weekday", (day,), tokens, i, i)


def _version(tokens: tuple[Token, ...], i: int) -> Moment | None:
    token = tokens[i]
    if token.kind != "number" or "," in token.text or ":" in token.text or "-" in token.text[:5]:
        return None
    dotted = _VERSION.fullmatch(token.text) is not None
    lower = upper = False
    k = i - 1
    while (before := _at(tokens, k)) is not None and before.text in (
        ">=", ">", "<=", "<", "==", "=", "~", "least", "at", "from", "to", "than", "with",
    ):  # fmt: skip
        lower = lower or before.text in (">=", ">", "least", "from", "~")
        upper = upper or before.text in ("<=", "<")
        k -= 1
    name = _at(tokens, k)
    if name is not None and name.text in _VERSION_WORDS:
        owner = _at(tokens, k - 1)
        label = owner.stem if owner is not None and owner.kind != "sign" else ""
    elif token.text[0] == "v" or token.text.count(".") >= 2:
        label = name.stem if name is not None and name.kind != "sign" else ""
    elif (
        name is not None and (name.capital or name.text in _PRODUCTS)
        and name.kind in ("word", "code") and name.clause == token.clause
        and name.stem not in _NOT_PRODUCTS and name.text not in MONTHS and len(token.text) <= 6
        and not _has_unit(tokens, i + 1) and (dotted or (len(token.text) <= 2 and name.end + 1 == token.start))
    ):  # fmt: skip
        label = name.stem
    else:
        return None
    after = " ".join(t.text for t in tokens[i + 1 : i + 3])
    lower = lower or after in ("or newer", "or later", "or higher", "or above", "and up", "and above", "and later")
    lower = lower or after.startswith("+")
    upper = upper or after in ("or older", "or earlier", "or lower", "or below")
    numbers = tuple(int(part) for part in re.findall(r"\d+", token.text))
    return _make("version", numbers, tokens, i, i, label, lower, upper)
