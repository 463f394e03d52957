"""Numbered things: `Ticket 400 ...` and `Ticket 429 ...` speak of two tickets, whatever else they say.

Lists of numbered things sound alike line for line; weighed by likeness each would clash with each. A number names the
subject where it follows a word for something there are many of and stands before the verb. Where there can be only one
(`Gate 3 is the entrance`, `Gate 4 is the entrance`) the number is the value itself, and the rule is silent.
"""

from __future__ import annotations

import re

from ..patterns import later
from ..records import Evidence
from .clause import opens_a_predicate, predicates
from .pair import Pair
from .reading import Reading

_THINGS = (
    "ticket issue task job step stage phase probe shard replica partition worker server host machine box rack slot "
    "cluster zone region room ward floor level line lane bus route track platform terminal building block plot house "
    "apartment flat desk seat table row column cell bed bay dock gate door pump valve sensor motor unit device printer "
    "camera channel account customer client user tenant order invoice contract case claim ruling rule item article "
    "section chapter paragraph page appendix question lesson module course exercise experiment trial run batch sample "
    "sprint milestone iteration service queue topic bucket group team squad crew player patient student project site "
    "store branch warehouse pallet container box parcel truck car vehicle boat flight train hive garden field pond tank"
)
_VALUES = "the and its our any same port version phone fax account house pin code serial extension contact wrong whole"
"""What stands before `number` where that is the value itself: `the phone number 555 0123`."""
_NUMBERED = later(
    rf"\b(?:(?P<thing>{'|'.join(sorted(set(_THINGS.split())))})s?\s*(?:number|no\.?|nr\.?)?"
    rf"|(?!(?:{'|'.join(_VALUES.split())})\b)(?P<other>[a-z]{{3,}})\snumber)"
    r"\s*#?\s?(?P<number>\d{1,7})\b(?![.,:]\d)"
)
"""A thing that there are many of, or any that is called so: `cat number 2`."""
_LISTED = later(
    r"^(?:the\s+|this\s+is\s+)?(?P<thing>note|memory|fact|entry|record|example|test|message|line|statement|remark|reminder)"
    r"(?:\s+(?:number|no\.?|nr\.?)\s*#?\s?|\s*#\s?|\s+(?=\d+:))(?P<number>\d{1,7})\b(?![.,:]\d)"
)
"""What a memory may call itself; such words are verbs as well, so the number has to be marked as one."""
_PART = later(r"^(?:the|an?|our|my|your|their)\s+((?:[a-z]+\s+)?[a-z]+)\s+(?:of|in|for|at)\s+(?:the\s+)?$")
"""What is said to belong to a numbered thing: `the cook of team 1`."""
_HEADS = frozenset("head lead leader boss chief manager director captain owner".split())
"""Words that may name one and the same person."""
_ONLY_ONE = later(r"\b(?:is|are|was|were|stays|becomes|remains)\s+(?:now\s+)?(?:the|our|my|your|their|its)\b")
_WORDS = later(r"\w+")


def _name(reading: Reading) -> tuple[str, str, str] | None:
    """Return (thing, its number, all that is said besides) of the first sentence's subject."""
    found = _LISTED.match(reading.folded)
    if found is None and ((found := _NUMBERED.search(reading.folded)) is None or not _opens(reading, found)):
        return None
    said = found.groupdict()
    rest = reading.folded[: found.start("number")] + reading.folded[found.end("number") :]
    return said["thing"] or said["other"], said["number"].lstrip("0") or "0", rest


def _opens(reading: Reading, found: re.Match[str]) -> bool:
    """True where the numbered thing stands before the verb, or is a heading: `Probe 1: ...`."""
    if reading.folded[found.end() :].lstrip().startswith(":"):
        return True
    following = _WORDS.match(reading.folded[found.end() :].lstrip())
    if following is not None and opens_a_predicate(following[0]):
        return True  # whatever looks like a verb before it: `the audit log number 3 listens`
    verb = predicates(reading)[0] if reading.sentence_ends else len(reading.tokens)
    return verb < len(reading.tokens) and len(_WORDS.findall(reading.folded[: found.end()])) <= verb


def two_things(pair: Pair) -> Evidence | None:
    """Return the guard where the two name different numbers of one thing, or two parts of the same one."""
    a, b = _name(pair.a), _name(pair.b)
    if a is None or b is None or a[0] != b[0]:
        return None
    if a[1] == b[1]:
        return _two_parts(pair)
    if a[2] == b[2] and _ONLY_ONE.search(a[2]):
        return None  # one thing is looked for, the number says which
    if a[1] in _WORDS.findall(b[2]) or b[1] in _WORDS.findall(a[2]):
        return None  # each speaks of the other's thing as well
    return Evidence(
        kind="different",
        weight=-4.0,
        incumbent_words=f"{a[0]} {a[1]}",
        challenger_words=f"{b[0]} {b[1]}",
        sentence=f'They speak of two things: "{a[0]} {a[1]}" and "{b[0]} {b[1]}".',
    )


def _two_parts(pair: Pair) -> Evidence | None:
    """`The cook of team 1 ...`, `the guard of team 1 ...`: the last word says what they speak of."""
    a, b = _part(pair.a), _part(pair.b)
    if not a or not b:
        return None
    last = {a.split()[-1], b.split()[-1]}
    if len(last) == 1 or last <= _HEADS or set(_WORDS.findall(a)) & set(_WORDS.findall(b)):
        return None
    if _says(pair.b, a) or _says(pair.a, b):
        return None  # each speaks of the other's part as well
    return Evidence(
        kind="different",
        weight=-4.0,
        incumbent_words=a,
        challenger_words=b,
        sentence=f'They speak of two things: "{a}" and "{b}".',
    )


def _part(reading: Reading) -> str:
    found = _NUMBERED.search(reading.folded)
    hit = _PART.match(reading.folded[: found.start()]) if found is not None else None
    return hit[1] if hit is not None else ""


def _says(reading: Reading, part: str) -> bool:
    return part.split()[-1] in _WORDS.findall(reading.folded)
