"""Which part of a store is whose: blocks for the processes of one pass, shards for a scheduler.

A pair belongs to its newer memory, and a memory to shard `int(digest[:8], 16) % n`. What is found on a memory depends
on what came in before it alone, so the shards of a store find together what one pass finds.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from ..errors import BadInput
from ..ledger.examined import Stamp
from ..ledger.sweep import Standing

BLOCK = 16
"""So many memories are weighed, written and noted at a time: what a stopped pass may lose."""
MOST_SHARDS = 4096


class Shard(NamedTuple):
    """One of `of` parts, counted from 1."""

    number: int = 1
    of: int = 1

    @classmethod
    def parse(cls, text: str) -> Shard:
        """Read `i/n`. Raises BadInput."""
        number, slash, of = text.strip().partition("/")
        if not (slash and _whole(number) and _whole(of)) or not 1 <= int(number) <= int(of) <= MOST_SHARDS:
            raise BadInput(f"shard {text!r} is not i/n; give the part and the number of parts, as in 2/8")
        return cls(int(number), int(of))

    def holds(self, digest: str) -> bool:
        """True where a memory is of this part."""
        return int(digest[:8], 16) % self.of == self.number - 1

    def __str__(self) -> str:
        return f"{self.number}/{self.of}"


def _whole(text: str) -> bool:
    return text.isascii() and text.isdecimal() and len(text) < 10


class Block(NamedTuple):
    """What one step weighs: rows against all that came in before them, and rows against the invariants only."""

    mids: tuple[int, ...] = ()
    lawful: tuple[int, ...] = ()

    def __len__(self) -> int:
        return len(self.mids) + len(self.lawful)


class Plan(NamedTuple):
    """What is left to be weighed, by what earlier passes noted."""

    fresh: tuple[int, ...]
    lawful: tuple[int, ...]
    noted: Mapping[int, int]
    """Rows that were weighed as they stand, with the last event of the store at that time."""

    @classmethod
    def make(cls, standings: Sequence[Standing], stamps: Mapping[str, Stamp], law: bytes, shard: Shard) -> Plan:
        """Compare what stands with what was noted."""
        fresh, lawful, noted = [], [], {}
        for standing in standings:
            stamp = stamps.get(standing.digest)
            if stamp is None or stamp.since != standing.since:
                if shard.holds(standing.digest):
                    fresh.append(standing.mid)
                continue
            noted[standing.mid] = stamp.at
            if stamp.law != law and shard.holds(standing.digest):
                lawful.append(standing.mid)
        return cls(tuple(fresh), tuple(lawful), noted)

    def blocks(self) -> Iterator[Block]:
        """Yield the work, oldest first."""
        for start in range(0, len(self.fresh), BLOCK):
            yield Block(mids=self.fresh[start : start + BLOCK])
        for start in range(0, len(self.lawful), BLOCK):
            yield Block(lawful=self.lawful[start : start + BLOCK])

    def __len__(self) -> int:
        return len(self.fresh) + len(self.lawful)


def unmet(noted: Mapping[int, int], mid: int, since: int) -> frozenset[int]:
    """Return the later memories that were weighed before this one stood as it does: they have not met it."""
    return frozenset(other for other, at in noted.items() if other > mid and at < since)
