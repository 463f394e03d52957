"""Rules read as directives: what they ask for, by what means, instead of what; and when two of them are opposed.

Three forms are read, all that rule files are full of: one act by two means ("Fetch data with SWR", "Fetch data with
TanStack Query"), a preference turned round ("interfaces over types", "types instead of interfaces"), and a thing asked
for that the other forbids ("Use raw SQL for reports", "do not write raw SQL"). And one form that is no clash: the same
rule told with more words.
"""

from __future__ import annotations

import re
from functools import lru_cache

from ..detect.words import stem
from ..probe.words import distinctive
from ..records import Evidence
from ..text import fold, tokens

KIND = "directive"
WEIGHT = 1.6
LIKELY = 0.5
"""Probability told of opposed directives; no calibration stands behind it."""
_ALL = re.compile(r"\b(?:all|every|each|any|new|the|a|an|our|always|everywhere|throughout|please)\b")
_CLAUSE = re.compile(r"[;,:()]|\s[-–—]+\s|\.\s|\bbut\b|\band\b(?= (?:do not|never|not)\b)")
_ACT = re.compile(
    r"^(?P<act>[a-z]+ [a-z0-9 _-]{2,40}?) (?:with|using|via|through|by) (?P<means>[\w`#+./@ &-]{2,40}?)"
    r"(?: in (?:components?|code|files?|tests?))?[.!]?$"
)
_FOR = re.compile(r"^use (?P<means>[\w`#+./@ -]{2,40}?) for (?P<act>[\w /-]{3,50}?)[.!]?$")
_RATHER = re.compile(
    r"^(?:(?:use|prefer|choose|favou?r) )?(?P<first>[\w` #+./-]{2,40}?) (?:over|instead of|rather than)"
    r" (?P<second>[\w` #+./-]{2,40}?)(?: for [\w ]+| in [\w ]+)?[.!]?$"
)
_TO = re.compile(r"^prefer (?P<first>[\w` #+./-]{2,40}?) to (?P<second>[\w` #+./-]{2,40}?)(?: for [\w ]+)?[.!]?$")
_FORBIDS = re.compile(
    r"^(?:please )?(?:do not|never|must not|should not|avoid|no)"
    r"(?: (?:ever|write|writing|use|using|add|adding|create|have))* (?P<what>[\w` #+./-]{2,50}?)[.!]?$"
)
_FORBIDDEN = re.compile(
    r"^(?P<what>[\w` #+./-]{2,40}?) (?:is|are) (?:not allowed|forbidden|prohibited|banned|never used|not used)[.!]?$"
)
_ASKS = re.compile(r"^(?:always |please )*(?:use|write|prefer|add) (?P<what>[\w` #+./-]{2,80}?)[.!]?$")
_CODE = re.compile(r"`([^`]+)`")
_LIFTED = re.compile(r"\b(?:unless|except|without|other than|besides|only)\b")
_INSTEAD = re.compile(r"\b(?:instead of|rather than)\b")
_NOT = re.compile(r"\b(?:not|no|never|none|cannot|without|avoid|forbidden|prohibited|nicht|nie|niemals|kein\w*)\b")


def opposed(one: str, other: str) -> Evidence | None:
    """Return why two rules are opposed as directives; None where they are not read so."""
    return _turned(one, other) or _other_means(one, other) or _forbidden(one, other) or _forbidden(other, one, True)


def _evidence(sentence: str, mine: str, theirs: str) -> Evidence:
    return Evidence(kind=KIND, weight=WEIGHT, sentence=sentence, incumbent_words=mine, challenger_words=theirs)


@lru_cache(maxsize=4096)
def _stems(text: str) -> frozenset[str]:
    return frozenset(stem(word) for word in distinctive(_ALL.sub(" ", text)) if word.strip())


@lru_cache(maxsize=4096)
def _clauses(text: str) -> tuple[str, ...]:
    bare = fold(text.replace("`", ""))
    return tuple(" ".join(part.split()) for part in _CLAUSE.split(bare) if part and part.strip())


def _other_means(one: str, other: str) -> Evidence | None:
    for pattern in (_ACT, _FOR):
        bare = (fold(text.replace("`", "")) for text in (one, other))
        mine, theirs = (pattern.match(" ".join(_ALL.sub(" ", text).split())) for text in bare)
        if mine is None or theirs is None or _stems(mine["act"]) != _stems(theirs["act"]):
            continue
        a, b = _stems(mine["means"]), _stems(theirs["means"])
        if _stems(mine["act"]) and a and b and not a & b:
            return _evidence(
                f'One act, two means: "{mine["means"]}" and "{theirs["means"]}".', mine["means"], theirs["means"]
            )
    return None


def _turned(one: str, other: str) -> Evidence | None:
    for mine in _preferences(one):
        for theirs in _preferences(other):
            first, second = _stems(mine[0]) & _stems(theirs[1]), _stems(mine[1]) & _stems(theirs[0])
            if first - second and second - first and not _stems(mine[0]) & _stems(theirs[0]) - (first & second):
                return _evidence(
                    f'Each prefers what the other does not: "{mine[0]}" and "{theirs[0]}".', mine[0], theirs[0]
                )
    return None


def _preferences(text: str) -> list[tuple[str, str]]:
    found = []
    for clause in _clauses(text):
        for pattern in (_RATHER, _TO):
            if match := pattern.match(clause):
                found.append((match["first"], match["second"]))
                break
    return found


def _forbidden(one: str, other: str, swapped: bool = False) -> Evidence | None:
    """`one` forbids what `other` asks for."""
    for code in _codes(one) & _codes(other):
        name = re.escape(code)
        no = re.search(rf"\b(?:never|do not|avoid)(?: (?:use|using|write|add))? {name}(?!\w)", _bare(one))
        yes = re.match(rf"(?:always |please )?(?:use|prefer) {name}(?!\w)", _bare(other))
        if no and yes and not _LIFTED.search(_bare(one)) and not _NOT.search(_bare(other)):
            return _evidence(f'One forbids "{code}", the other asks for it.', code, code)
    for clause in _clauses(one):
        forbids = _FORBIDS.match(clause) or _FORBIDDEN.match(clause)
        if forbids is None or _LIFTED.search(clause):
            continue
        what = _stems(forbids["what"])
        if len(what) < 2:
            continue
        for wanted in _clauses(other):
            asks = _ASKS.match(wanted)
            if asks and not _NOT.search(wanted) and what <= _stems(asks["what"]):
                sentence = f'One forbids "{forbids["what"]}", the other asks for it.'
                sides = (asks["what"], forbids["what"]) if swapped else (forbids["what"], asks["what"])
                return _evidence(sentence, *sides)
    return None


def elaborates(one: str, other: str) -> bool:
    """Tell whether one rule is the other told with more words: all that the shorter says, said the same way."""
    short, long = sorted((one, other), key=lambda text: len(set(distinctive(text))))
    wanted = _all_stems(short)
    if len(wanted) < 2 or len(wanted & _all_stems(long)) < 0.9 * len(wanted):
        return False
    if not _in_order(short, long) or (_INSTEAD.search(fold(long)) and not _INSTEAD.search(fold(short))):
        return False
    negated = _negations(short)
    clauses = _clauses(long)
    for start in range(len(clauses)):
        for end in range(start + 1, len(clauses) + 1):
            window = " ; ".join(clauses[start:end])
            if len(wanted & _all_stems(window)) >= 0.9 * len(wanted) and _negations(window) == negated:
                return True
    return False


def both_negated(one: str, other: str) -> bool:
    """Tell whether both rules forbid something: two prohibitions seldom clash."""
    return bool(_negations(one) and _negations(other))


def _in_order(short: str, long: str) -> bool:
    """Tell whether the words of the shorter come in the same order in the longer, one in five aside."""
    from rapidfuzz.distance import LCSseq

    mine, theirs = ([stem(word) for word in distinctive(text)] for text in (short, long))
    return LCSseq.similarity(mine, theirs) >= 0.8 * len(set(mine))


def _bare(text: str) -> str:
    return fold(text.replace("`", ""))


def _codes(text: str) -> frozenset[str]:
    return frozenset(fold(code) for code in _CODE.findall(text))


def _negations(text: str) -> int:
    return len(_NOT.findall(fold(text)))


@lru_cache(maxsize=4096)
def _all_stems(text: str) -> frozenset[str]:
    """Stems with every number and sign of the text: another value is no elaboration."""
    words = distinctive(text)
    return frozenset(stem(word) for word in words) | frozenset(w for w in tokens(text) if any(c.isdigit() for c in w))
