"""A check of the whole ledger while it goes on: how far, how fast, how long still, and what it came to."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from threading import Event
from time import monotonic
from typing import Final

from tur_engine.records import VerifyReport

from ..drawing.wording import counted

NOT_YET: Final = "Not checked in this sitting."
_SETTLES: Final = 0.5
"""Seconds before a rate says something."""


@dataclass
class Check:
    """One run. `stop` ends it from any thread; nothing was written, so nothing is lost."""

    clock: Callable[[], float] = monotonic
    stop: Event = field(default_factory=Event)
    done: int = 0
    of: int = 0
    began: float = 0.0
    at: float = 0.0

    def __post_init__(self) -> None:
        self.began = self.at = self.clock()

    def went(self, done: int, of: int) -> None:
        """So many events are through."""
        self.done, self.of, self.at = done, of, self.clock()

    @property
    def share(self) -> float:
        """From 0 to 1."""
        return min(1.0, self.done / self.of) if self.of else 0.0

    @property
    def rate(self) -> float:
        """Events a second; 0 while it is too early to tell."""
        seconds = self.at - self.began
        return self.done / seconds if seconds >= _SETTLES else 0.0

    @property
    def words(self) -> str:
        """`12,000 of 100,506 events, 9,800 a second, 9 s left`."""
        if not self.of:
            return "begins"
        if self.done >= self.of:
            return f"{counted(self.of, 'event')} hold; comparing what follows from them, then the signatures"
        told = [f"{self.done:,} of {counted(self.of, 'event')}"]
        if self.rate:
            told += [f"{self.rate:,.0f} a second", f"{_span((self.of - self.done) / self.rate)} left"]
        return ", ".join(told)


def outcome(report: VerifyReport) -> str:
    """What a check that came to its end says, in a sentence or two."""
    if not report.ok:
        where = (
            ""
            if report.first_bad is None or f"event {report.first_bad} " in report.problem
            else (f" (event {report.first_bad:,})")
        )
        return f"Damaged: {report.problem}{where}. Restore a backup: tur-adm restore."
    signed = f"{counted(report.checkpoints, 'signature')} among them" if report.checkpoints else "none is signed yet"
    persona = f" Persona: {report.persona}." if report.persona else ""
    return f"All {counted(report.events, 'event')} hold, {signed}. Witness: {report.witness}.{persona}"


def _span(seconds: float) -> str:
    if seconds < 90:
        return f"{max(1, round(seconds))} s"
    return f"{round(seconds / 60)} min"
