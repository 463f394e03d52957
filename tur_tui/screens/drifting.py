"""The part of the triage screen that watches the rule files around the store: what drifts from the ledger."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from textual.message import Message
from textual.worker import get_current_worker

from tur_engine.engine import Engine
from tur_engine.errors import IntegrityFailure, TurError

from ..calls import sentence
from ..messages import Failed
from .aside import AsideScreen

if TYPE_CHECKING:
    from tur_engine.rulebook import Drift

LATER = 1.0
"""Seconds after the first look at the store until the files are watched: the screen comes first."""
AGAIN = 2.0
"""Seconds before they are watched again after the store could not serve."""


@dataclass
class Drifted(Message):
    """Rule files changed: what of it the ledger says otherwise, or does not know."""

    drifts: list[Drift]
    root: Path


class DriftingScreen(AsideScreen):
    """Drift stands in the feed; the cursor on it shows line against memory."""

    def follow(self, since: int) -> None:
        super().follow(since)
        if self.engine is getattr(self.app, "engine", None) and _has_repository(self.engine, self.here):
            self.set_timer(LATER, self._watch_files)

    def _watch_files(self) -> None:
        """Watch in a thread that ends with the screen. Nothing is written to the ledger."""
        engine, here = self.engine, self.here

        def watch() -> None:
            from tur_engine.rulebook import Rulebook

            stop, told = get_current_worker().cancelled_event, ""
            while not stop.is_set() and (book := Rulebook.around(engine, here)) is not None:
                try:
                    for drifts in book.follow(stop):
                        told = ""
                        if drifts:
                            self.post_message(Drifted(drifts, book.root))
                    return
                except Exception as error:
                    why = sentence(error)
                    if why != told and not engine.displaced():  # else the screen says it, and what to do
                        self.post_message(Failed(f"Changes of rule files are not followed: {why}"))
                    if isinstance(error, IntegrityFailure) or not isinstance(error, TurError):
                        return
                    told = why
                    stop.wait(AGAIN)

        self.run_worker(watch, thread=True, group="watch", exit_on_error=False)

    def on_drifted(self, message: Drifted) -> None:
        from ..desk.drifting import DriftAside, announced

        self.files = message.root
        self.woven.weave([DriftAside(drift) for drift in message.drifts])
        if toast := announced(message.drifts):
            self.say(toast, severity="warning", timeout=8)


def _has_repository(engine: Engine, here: Path) -> bool:
    """A first look, before anything is loaded for it."""
    folders = (engine.root, *engine.root.parents, here, *here.parents)
    return any((folder / ".git").exists() for folder in folders)
