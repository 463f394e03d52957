"""The part of the triage screen that follows the guard: its warnings stand in the feed."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from textual.message import Message

from tur_engine.records import GuardNote

from ..desk.guarding import GuardAside, announced, as_rows
from .drifting import DriftingScreen


@dataclass
class Guarded(Message):
    """The warnings that are kept, the newest first."""

    notes: list[GuardNote]


class GuardingScreen(DriftingScreen):
    """Warnings kept beside the store are woven into the feed, those given meanwhile too."""

    _known: frozenset[tuple[datetime, str, str]] | None = None
    """The warnings that the feed has; None before the first look."""

    _state: object = ()

    def beat(self) -> None:
        super().beat()
        state = self.engine.guard_state()
        if state != self._state:
            self.post_message(Guarded(self.engine.guard_notes()))
            self._state = state

    def on_guarded(self, message: Guarded) -> None:
        rows = as_rows(message.notes)
        first, known = self._known is None, self._known or frozenset()
        if known and not rows:  # somebody removed the file
            self.woven.unweave(GuardAside)
        fresh = [row for row in rows if row.key not in known]
        self._known = frozenset(row.key for row in rows)
        if fresh:
            self.woven.weave(fresh)
        if toast := "" if first else announced(fresh):
            self.say(toast, severity="warning", timeout=8)
