"""What is found again, what is held back, and what a note clashes with."""

from __future__ import annotations

from .base import Record
from .memory import Belief


class HeldBack(Record):
    """A memory that is held though no conflict stops it: it waits for a person's word."""

    belief: Belief
    reason: str


class RecalledMemory(Record):
    """A hit of recall."""

    belief: Belief
    score: float
    companion: bool = False
    """True where it is listed only because it contests a hit."""
    others: tuple[Belief, ...] = ()
    """What contests it and waits, so that it is no hit itself."""


class NoteResult(Record):
    """A note was taken; clashes with live memories come back as warnings, never as a stop."""

    seq: int
    warnings: tuple[str, ...] = ()
    clashes: tuple[str, ...] = ()
    """Ids of the live memories it clashes with."""
