"""Which open conflicts are about one subject: they share a memory, or their memories share a topic."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tur_engine.records import Conflict


def groups(conflicts: Sequence[Conflict]) -> dict[str, int]:
    """The number of each conflict's group, by id; groups are numbered in the order of their first conflict."""
    leader = list(range(len(conflicts)))
    """For each conflict an earlier one of its group, or itself."""
    first: dict[str, int] = {}
    for place, conflict in enumerate(conflicts):
        for subject in _subjects(conflict):
            other = first.setdefault(subject, place)
            low, high = sorted((_root(leader, other), _root(leader, place)))
            leader[high] = low
    numbers: dict[int, int] = {}
    return {
        conflict.id: numbers.setdefault(_root(leader, place), len(numbers)) for place, conflict in enumerate(conflicts)
    }


def _subjects(conflict: Conflict) -> Iterator[str]:
    for side in (conflict.incumbent, conflict.challenger):
        yield side.id
        if side.memory.topic:
            yield f"topic {side.memory.topic.casefold()}"


def _root(leader: list[int], place: int) -> int:
    while leader[place] != place:
        leader[place] = leader[leader[place]]
        place = leader[place]
    return place
