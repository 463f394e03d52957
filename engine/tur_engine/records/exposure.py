"""How long a conflict stood open, and who was handed its sides meanwhile."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import datetime

from ..text import excerpt
from .author import Author
from .base import Record

_NAMED = 3
"""Readers that a sentence names."""
_BRIEF = 60
"""Seconds that a conflict may have stood open without a word, where nobody was handed its sides."""


class Reader(Record):
    """One session of an actor, or an actor without one, and how often a memory was handed out there."""

    actor: Author
    session: str = ""
    times: int
    last: datetime

    @property
    def name(self) -> str:
        return f"{self.actor.name} {excerpt(self.session, 14)}" if self.session else self.actor.name


class Served(Record):
    """Who was handed one side of a conflict, the latest first."""

    memory: str
    """Its id."""
    meanwhile: tuple[Reader, ...] = ()
    """While the conflict was open."""
    afterwards: tuple[Reader, ...] = ()
    """After it was settled, as if it still held."""
    marked: tuple[Reader, ...] = ()
    """After it was settled, marked as what no longer holds, to those who asked for that too."""


class Exposure(Record):
    """How long a conflict stood open, or stands, and who was handed its sides (recall, context) in that time.

    Of a settled one it is about the sides that lost, of an open one about both.
    """

    opened: datetime
    until: datetime
    """When it was settled; the moment of asking for an open one."""
    settled: bool
    at_once: bool = False
    """True where it was settled by the event that opened it."""
    sides: tuple[Served, ...] = ()

    @property
    def seconds(self) -> float:
        return max(0.0, (self.until - self.opened).total_seconds())

    @property
    def served(self) -> int:
        """How often a side was handed out, all sides and times together."""
        return sum(times(group) for side in self.sides for group in (side.meanwhile, side.afterwards, side.marked))

    @property
    def sentence(self) -> str:
        """What there is to say, empty where that is nothing."""
        if not self.served and (self.at_once or not self.settled or self.seconds < _BRIEF):
            return ""
        stood = f"Stood open {spelled(self.seconds)}" if self.settled else f"Open for {spelled(self.seconds)}"
        return "; ".join([stood, *self._said()])

    def _said(self) -> Iterator[str]:
        for side in self.sides:
            name, digest = side.memory.rsplit("-", 1)
            label = f"{name}-{digest[:8]}"
            if side.meanwhile:
                yield f"{label} was served {_how_often(side.meanwhile)} {'meanwhile' if self.settled else 'since'}"
            if side.afterwards:
                yield f"{label} was still served {_how_often(side.afterwards)} after it was settled"
            if side.marked:
                yield f"{label} was served {_how_often(side.marked)} afterwards, marked as no longer held"


def times(readers: Iterable[Reader]) -> int:
    """Return how often all of them were handed it."""
    return sum(reader.times for reader in readers)


def _how_often(readers: tuple[Reader, ...]) -> str:
    number = times(readers)
    often = "once" if number == 1 else f"{number:,} times"
    if len(readers) == 1:
        return f"{often} to {readers[0].name}"
    named = [reader.name for reader in readers[:_NAMED]]
    more = len(readers) - len(named)
    named += [f"{more} more"] if more else []
    word = "sessions" if all(reader.session for reader in readers) else "readers"
    return f"{often} to {len(readers)} {word} ({', '.join(named)})"


def spelled(seconds: float) -> str:
    """Return a length of time in its two largest units: `3 d 4 h`, `12 min`, `40 s`."""
    left = int(seconds)
    parts: list[str] = []
    for unit, word in ((86400, "d"), (3600, "h"), (60, "min"), (1, "s")):
        number, left = divmod(left, unit)
        if number or (word == "s" and not parts):
            parts.append(f"{number} {word}")
        elif parts:
            break
    return " ".join(parts[:2])
