"""The part of the triage screen that knows whether its store can still be decided on: damaged, moved, replaced."""

from __future__ import annotations

from textual.screen import Screen

from tur_engine.engine import Engine

from ..calls import one_line
from ..messages import Damaged

LOOK = 0.5
"""Seconds between two looks at what the path names: one `stat` each."""


class ReachingScreen(Screen[None]):
    """Damage stays until the end of the sitting; a store that was moved may come back."""

    def __init__(self, engine: Engine) -> None:
        super().__init__()
        self.engine = engine
        self._damage = self._displaced = ""

    @property
    def lost(self) -> str:
        """Why nothing can be decided on this store, in a sentence; "" while it can."""
        return self._damage or self._displaced

    @property
    def damaged(self) -> bool:
        return bool(self._damage)

    def on_mount(self) -> None:
        self.set_interval(LOOK, self._look)

    def _look(self) -> None:
        displaced = one_line(self.engine.displaced())
        if displaced != self._displaced:
            self._displaced = displaced
            self.reach_changed()

    def on_damaged(self, message: Damaged) -> None:
        message.stop()
        if not self._damage:
            self._damage = message.sentence
            self.reach_changed()

    def reach_changed(self) -> None:
        """The store was lost, or is back."""
        raise NotImplementedError
