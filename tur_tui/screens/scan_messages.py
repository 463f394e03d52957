"""What a scan in a thread answers with: a worker touches no widget, it posts one of these."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from textual.message import Message

from tur_engine.records import Belief
from tur_engine.rulebook import Report


@dataclass
class Scanned(Message):
    """A scan is done; `beliefs` are the memories that it compared with and found at odds."""

    report: Report
    beliefs: Mapping[str, Belief]


@dataclass
class Weighing(Message):
    """How far a scan is."""

    done: int
    of: int


@dataclass
class Unscanned(Message):
    """A scan came to nothing: one sentence."""

    sentence: str
