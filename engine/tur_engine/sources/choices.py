"""Choices that every rule file makes, read as topic and option: indentation, quotes, package manager, limits, versions.

Two rules that take another option of one topic clash, however they are worded: "Indentation: tabs" and "Indent with two
spaces". A rule that names several options of a topic, or forbids one, chooses none here.
"""

from __future__ import annotations

import re
from functools import lru_cache

from ..detect.reading import read
from ..detect.rivalry import rival_names
from ..detect.words import stem
from ..probe.words import distinctive
from ..records import Evidence
from ..text import fold
from .apart import apart

KIND = "choice"
WEIGHT = 1.6
_NUMBERS = {"two": "2", "three": "3", "four": "4", "eight": "8"}
_INDENT = re.compile(r"\b(tabs?|(?:2|3|4|8|two|three|four|eight)[ -]spaces?)\b")
_QUOTES = re.compile(r"\b(single|double)(?:[ -]quot|\b(?= quot))")
_ENDS = re.compile(r"\b(lf|crlf)\b")
_MANAGER = re.compile(r"(?<![\w./-])(npm|pnpm|yarn|bun)(?![\w/-]|\.\w)(?: (?:run )?([a-z][\w:-]*))?")
_RUNTIME = re.compile(
    r"(?<![\w/-])(node|python|go|java|ruby|php|rust|dotnet|\.net|postgres|postgresql|typescript|react|django|rails)"
    r"(?:\.?js)?(?: version)?(?: is| must be|:)?(?: at least| >=)? v?(\d+(?:\.\d+)?)(?![\w%])"
)
_LIMIT = re.compile(
    r"(?<![\w.])(\d+(?:[.,]\d+)?) ?(characters?|chars?|columns?|lines?|%|percent|seconds?|minutes?|hours?|days?|"
    r"ms|[km]b|rows?|files?|zeichen|zeilen)(?!\w)"
)
_BOUND = re.compile(
    r"\b(?:max\w*|at most|up to|no (?:longer|more|larger) than|under|below|within|limit\w*|width|length|min\w*|"
    r"at least|above|aim|target|coverage|höchstens|mindestens)\b"
)
_UNITS = {"chars": "character", "char": "character", "columns": "character", "column": "character", "percent": "%"}
_NOT = re.compile(r"\b(?:not|no|never|none|cannot|without|avoid|instead|rather|nicht|nie|niemals|kein\w*)\b")
_LIGHT = frozenset(
    stem(word)
    for word in "keep make use write run must should may length long width maximum minimum limit size".split()
)
_LONGEST = 10
"""Words of meaning above which a rule is about more than its choice."""
_ALIKE = 0.5
_Options = dict[str, frozenset[str]]


@lru_cache(maxsize=8192)
def options(text: str) -> _Options:
    """Return the options that a rule takes, by topic."""
    folded = fold(text.replace("`", ""))
    found: _Options = {}
    if "indent" in folded or "einrück" in folded:
        found["indentation"] = frozenset(_indent(hit) for hit in _INDENT.findall(folded))
    if "quot" in folded:
        found["quotes"] = frozenset(_QUOTES.findall(folded))
    if "line end" in folded:
        found["line ends"] = frozenset(_ENDS.findall(folded))
    managers = [(hit[0], hit[1]) for hit in _MANAGER.findall(folded)]
    if managers:
        tools = frozenset(tool for tool, _ in managers)
        for _, script in managers:
            task = "install" if script in ("i", "ci", "add", "install") else script
            found[f"package manager to {task}" if task in _TASKS else "package manager"] = tools
    for name, version in _RUNTIME.findall(folded):
        topic = f"version of {name}"
        found[topic] = found.get(topic, frozenset()) | {version}
    if _BOUND.search(folded) and not _NOT.search(re.sub(r"\bno (?:longer|more|larger) than\b", "", folded)):
        for number, unit in _LIMIT.findall(folded):
            topic = f"limit in {_UNITS.get(unit, unit.rstrip('s'))}"
            found[topic] = found.get(topic, frozenset()) | {number}
    return {topic: taken for topic, taken in found.items() if taken}


_TASKS = frozenset("install test build lint dev start format typecheck".split())


def _indent(words: str) -> str:
    if words.startswith("tab"):
        return "tabs"
    count = re.split("[ -]", words)[0]
    return f"{_NUMBERS.get(count, count)} spaces"


def chosen(one: str, other: str) -> Evidence | None:
    """Return the topic on which two rules choose differently; None where they do not."""
    mine, theirs = options(one), options(other)
    for topic in mine.keys() & theirs.keys():
        a, b = mine[topic], theirs[topic]
        if len(a) != 1 or len(b) != 1 or a == b or (_negated(one, topic) or _negated(other, topic)):
            continue
        if topic.startswith("version") and _same_version(min(a), min(b)):
            continue
        if topic.startswith("limit") and not _subject(one) & _subject(other):
            continue
        return _evidence(f"{topic[:1].upper()}{topic[1:]}", min(a), min(b))
    return _rivals(one, other)


def _negated(text: str, topic: str) -> bool:
    return not topic.startswith("limit") and bool(_NOT.search(fold(text)))


def _same_version(one: str, other: str) -> bool:
    mine, theirs = one.split("."), other.split(".")
    shared = min(len(mine), len(theirs))
    return mine[:shared] == theirs[:shared]


@lru_cache(maxsize=8192)
def _subject(text: str) -> frozenset[str]:
    bare = _LIMIT.sub(" ", fold(text))
    return frozenset(stem(word) for word in distinctive(bare) if not word.isdigit()) - _LIGHT


def _rivals(one: str, other: str) -> Evidence | None:
    """Two names of one family, all else that is said being about the same."""
    if _NOT.search(fold(one)) or _NOT.search(fold(other)):
        return None
    for ours, theirs, several in rival_names(read(one), read(other)):
        a, b = _subject(one), _subject(other)
        mine, yours = (frozenset(token.stem for token in side) for side in (ours, theirs))
        left, right = a - mine, b - yours
        if apart(one, other):
            continue
        if several or not left & right or max(len(a), len(b)) > _LONGEST:
            continue
        if len(left & right) >= _ALIKE * len(left | right):
            return _evidence("One place", *(" ".join(token.text for token in side) for side in (ours, theirs)))
    return None


def _evidence(topic: str, mine: str, theirs: str) -> Evidence:
    return Evidence(
        kind=KIND,
        weight=WEIGHT,
        sentence=f'{topic}: "{mine}" against "{theirs}".',
        incumbent_words=mine,
        challenger_words=theirs,
    )
