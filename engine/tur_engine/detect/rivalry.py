"""Names that stand in each other's place: package managers, databases, formats, colours. Data in
evidence/rivals.txt."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from .lists import lines
from .reading import Reading, Token
from .words import ALIASES

_LONGEST = 3


@lru_cache(maxsize=1)
def _families() -> dict[str, tuple[int, ...]]:
    """Return the families of each name, by number."""
    table: dict[str, list[int]] = {}
    for number, line in enumerate(lines("rivals.txt")):
        for name in line.split("|"):
            table.setdefault(name.strip(), []).append(number)
    return {name: tuple(numbers) for name, numbers in table.items()}


def stands_for(words: Sequence[Token]) -> bool:
    """Tell whether one of the words is a name of some family: a tool, a format, a platform."""
    return any(t.text in _families() or ALIASES.get(t.text, "") in _families() for t in words)


@lru_cache(maxsize=4096)
def named(reading: Reading) -> dict[int, dict[str, tuple[Token, ...]]]:
    """Return by family the names of it that stand in the text; the longest name at a place wins."""
    table = _families()
    found: dict[int, dict[str, tuple[Token, ...]]] = {}
    tokens = [t for t in reading.tokens if t.kind != "sign"]
    at = 0
    while at < len(tokens):
        step = 1
        for length in range(min(_LONGEST, len(tokens) - at), 0, -1):
            name = " ".join(t.text for t in tokens[at : at + length])
            numbers = table.get(name) or table.get(ALIASES.get(name, ""))
            if not numbers:
                continue
            if name == "go" and not (tokens[at].capital and at + length <= len(tokens)):
                break
            for number in numbers:
                found.setdefault(number, {})[ALIASES.get(name, name)] = tuple(tokens[at : at + length])
            step = length
            break
        at += step
    return found


def rival_names(one: Reading, other: Reading) -> list[tuple[tuple[Token, ...], tuple[Token, ...], bool]]:
    """Return names of one family, each on one side only, and whether either side names several of the family."""
    mine, theirs = named(one), named(other)
    found = []
    for family in sorted(mine.keys() & theirs.keys()):
        a, b = mine[family], theirs[family]
        if a.keys() & b.keys():
            continue
        several = len(a) > 1 or len(b) > 1
        found.append((next(iter(a.values())), next(iter(b.values())), several))
    return found
