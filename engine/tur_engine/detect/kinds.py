"""Kinds of things: an espresso is a coffee, an estate car is a car. Data in evidence/kinds*.txt."""

from __future__ import annotations

from functools import lru_cache

from .lists import lines
from .words import stem

LONGEST = 3
"""Words of the longest name that is looked up."""
_LISTS = ("kinds.txt", "kinds_common.txt")
_OTHER_NAMES = {"bike": "bicycle", "motorbike": "motorcycle", "tv": "television", "automobile": "car", "auto": "car"}


@lru_cache(maxsize=1)
def _table() -> tuple[dict[str, frozenset[str]], dict[str, frozenset[str]]]:
    """Return what each name is a kind of, and the names below each genus; both go down all the way."""
    direct: dict[str, set[str]] = {}
    written: dict[str, set[str]] = {}
    for name in _LISTS:
        for line in lines(name):
            genus, _, names = line.partition(":")
            for each in names.split("|"):
                direct.setdefault(key(each), set()).add(genus)
                written.setdefault(genus, set()).add(each.strip())
    above: dict[str, frozenset[str]] = {}
    for name in direct:
        found: set[str] = set()
        left = set(direct[name])
        while left:
            genus = left.pop()
            if genus not in found:
                found.add(genus)
                left |= direct.get(key(genus), set())
        above[name] = frozenset(found)
    below = {
        key(genus): frozenset(names.union(*(written[each] for each in written if genus in above.get(key(each), ()))))
        for genus, names in written.items()
    }
    return above, below


@lru_cache(maxsize=4096)
def key(name: str) -> str:
    """Return a name as it is compared: the last word in the singular."""
    words = _OTHER_NAMES.get(name.strip(), name.strip()).replace("-", " ").split()
    return " ".join((*words[:-1], stem(words[-1]))) if words else ""


def genera(name: str) -> frozenset[str]:
    """Return what a name is a kind of: `espresso` -> coffee; a genus is none of its own. Empty where it is unknown."""
    return _table()[0].get(key(name), frozenset())


def below(genus: str) -> frozenset[str]:
    """Return the names of all kinds of a genus, as they are written."""
    return _table()[1].get(key(genus), frozenset())
