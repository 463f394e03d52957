"""The part of a screen that knows whether its store can still be decided on: damaged, moved, replaced, migrated."""

from __future__ import annotations

from tur_engine.engine import Engine

from ..calls import one_line
from ..messages import Damaged, Unreadable
from .lifting import LiftingScreen

LOOK = 0.5
"""Seconds between two looks at what the path names: one `stat` each."""


class ReachingScreen(LiftingScreen):
    """Damage stays until the end of the sitting; a store that was moved or migrated may come back."""

    def __init__(self, engine: Engine) -> None:
        super().__init__()
        self.engine = engine
        self._damage = self._displaced = self._unreadable = ""

    @property
    def lost(self) -> str:
        """Why nothing can be decided on this store, in a sentence; "" while it can."""
        return self._damage or self._displaced or self._unreadable

    @property
    def damaged(self) -> bool:
        return bool(self._damage)

    def on_mount(self) -> None:
        self.set_interval(LOOK, self._look)

    def on_screen_resume(self) -> None:
        """Shown anew: what is lost is told at once."""
        self._look()

    def _look(self) -> None:
        displaced = one_line(self.engine.displaced())
        if displaced != self._displaced:
            self._displaced = displaced
            self.reach_changed()

    def on_damaged(self, message: Damaged) -> None:
        if not self._damage:
            self._damage = message.sentence
            self.reach_changed()

    def on_unreadable(self, message: Unreadable) -> None:
        message.stop()
        if message.sentence != self._unreadable:
            self._unreadable = message.sentence
            self.reach_changed()

    @property
    def loss(self) -> str:
        """What the header says while the store is lost."""
        if self._damage:
            return "the store is damaged"
        if self._displaced:
            return "the store is out of reach"
        return "the store cannot be read" if self._unreadable else ""

    def reach_changed(self) -> None:
        """The store was lost, or is back."""
        raise NotImplementedError
