"""When an action does what an invariant asks for, it is no clash, however near the two texts lie.

"We deploy production from the release branch" keeps to "Production is only deployed from the release branch".
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

from ...text import fold, tokens

_CLAUSE = re.compile(
    r"[,;:()]|\.(?:\s|$)|\bbut\b|(?=\b(?:rather than|instead of|without)\b)"
    r"|(?<!\bmust )(?<!\bmay )(?<!\bshould )(?<!\bcan )(?<!\bis )(?<!\bare )(?<!\bdo )(?<!\bbe )(?=\b(?:never|not)\b)"
)
_NEGATED = re.compile(
    r"\b(?:never|not|no|none|cannot|without|forbidden|banned|prohibited|rather than|instead of|avoid)\b"
)
_MEANS = re.compile(
    r"(?=\b(?:with|via|through|using|from|by|use|uses|in|on|is|are|be|stays?|remains?)\s+"
    r"(?:always\s+|only\s+|the\s+|an?\s+|our\s+)*"
    r"(?P<what>[\w#+./-]+(?:\s+(?!and\b|or\b|to\b|for\b|when\b)[\w#+./-]+){0,3}))"
)
_COMPOUND = re.compile(r"\b([a-z]+)-([a-z]+)\b")
_UNLESS = re.compile(r"\b(?:without|unless|until|before)\s+(?:an?\s+|the\s+|prior\s+|first\s+)*(?P<what>\w+)")
_TURNS = re.compile(
    r"\b(?:not|never|no|without|instead|rather|replace[sd]?|drop|remove[sd]?|away from|stop|leave|skip|disable|"
    r"turn off|bypass|ignore|switch from|except|avoid|un\w+ed)\b"
)
_VERBS = frozenset(
    "managed installed run runs deployed used made done kept written stored sent committed merged published always "
    "allowed must signed reviewed tested called handled built formatted".split()
)
_SMALL = frozenset(
    "the a an of for to in on at by it its our all any each every with via through from using use uses or and nor be "
    "is are was been being must may should shall can could will would do does never not no none cannot without "
    "only".split()
)


class Demands(NamedTuple):
    """What an invariant asks for, what it speaks against, and what lifts a prohibition."""

    asked: tuple[tuple[str, ...], ...]
    against: frozenset[str]
    lifted_by: tuple[str, ...]
    compounds: tuple[tuple[str, str], ...]
    """Acts named by two words, as force-push is: the second alone is another act."""


@lru_cache(maxsize=512)
def demands(invariant: str) -> Demands:
    """Read an invariant: "with pnpm, never with npm" asks for pnpm and speaks against npm."""
    text = fold(invariant)
    asked: list[tuple[str, ...]] = []
    against: set[str] = set()
    compounds: list[tuple[str, str]] = []
    for clause in _CLAUSE.split(text):
        if _NEGATED.search(clause):
            against |= {word for word in tokens(clause) if len(word) > 1} - _SMALL - _VERBS
            compounds += [(hit[1], hit[2]) for hit in _COMPOUND.finditer(clause)]
            continue
        for hit in _MEANS.finditer(clause):
            words = tuple(word for word in tokens(hit["what"]) if word not in _SMALL)
            if words and words[0] not in _VERBS:
                asked.append(words)
    lifted = tuple(stem(hit["what"]) for hit in _UNLESS.finditer(text) if len(hit["what"]) > 2)
    return Demands(tuple(dict.fromkeys(asked)), frozenset(against), lifted, tuple(compounds))


def keeps_to(action: str, invariant: str) -> str:
    """Return the words by which an action does what the invariant asks for; empty where it does not."""
    wanted = demands(invariant)
    text = fold(action)
    words = tokens(text)
    if _TURNS.search(text):
        return ""
    for lifting in wanted.lifted_by:
        if any(word.startswith(lifting) for word in words):
            return lifting
    for first, second in wanted.compounds:
        if second in words and not any(word.startswith(first) for word in words):
            return second
    for phrase in wanted.asked:
        if _stands_in(phrase, words) and not (wanted.against - set(phrase)) & set(words) - _asked_words(wanted):
            return " ".join(phrase)
    return ""


def _asked_words(wanted: Demands) -> set[str]:
    return {word for phrase in wanted.asked for word in phrase}


def _stands_in(phrase: tuple[str, ...], words: list[str]) -> bool:
    size = len(phrase)
    return any(tuple(words[at : at + size]) == phrase for at in range(len(words) - size + 1))


def stem(word: str) -> str:
    """Return the beginning that forms of one word share: asking, asked, ask."""
    for ending in ("ing", "ed", "al", "s", "e"):
        if word.endswith(ending) and len(word) - len(ending) >= 3:
            return word[: -len(ending)]
    return word
