"""What engine calls of the history screen answer with."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from textual.message import Message

from tur_engine.engine import Engine
from tur_engine.records import Belief, LearnResult

from ..desk.remembering import Known, Listed


@dataclass
class RowsRead(Message):
    """What is listed, and the last event there is."""

    asked: tuple[str, str, int]
    """Page, words and moment that were asked for."""
    rows: list[Listed]
    total: int
    head: int


@dataclass
class RowsUnread(Message):
    """The list could not be read."""

    sentence: str


@dataclass
class TextsRead(Message):
    """Texts of rows in view."""

    seqs: Sequence[int]
    beliefs: list[Belief]
    problem: str = ""


@dataclass
class KnownRead(Message):
    """Everything about the memory in front."""

    wanted: str
    known: Known


@dataclass
class KnownUnread(Message):
    """The memory in front could not be read."""

    wanted: str
    sentence: str


@dataclass
class Travelled(Message):
    """A view of the past; None for the present."""

    past: Engine | None
    words: str = ""
    """The moment for people: `event 5 of 11, 2026-03-04 12:00`."""
    at: str = ""
    typed: bool = False
    """It was typed, and the field for it is still open."""


@dataclass
class Compared(Message):
    """What changed between two events, a sentence each."""

    title: str
    lines: list[str]


@dataclass
class Corrected(Message):
    """What the gate said to a changed text."""

    result: LearnResult


@dataclass
class Retired(Message):
    """A memory was retracted, or its retirement proposed."""

    sentence: str


@dataclass
class Foreseen(Message):
    """What would be doubted if the memory went."""

    sentence: str


@dataclass
class Refused(Message):
    """Nothing was written, and why."""

    sentence: str
