"""What engine calls of the health screen answer with."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from textual.message import Message

from tur_engine.records import Health, VerifyReport

from ..desk.checking import Check


@dataclass
class HealthRead(Message):
    """The facts, and when they were read."""

    health: Health
    at: datetime


@dataclass
class HealthUnread(Message):
    """They could not be read."""

    sentence: str


@dataclass
class Went(Message):
    """The check is further."""

    check: Check


@dataclass
class CheckEnded(Message):
    """The check came to its end; the sentence alone where it was stopped or could not be made."""

    check: Check
    sentence: str = ""
    report: VerifyReport | None = None
