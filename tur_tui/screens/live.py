"""Following the ledger from a screen: what is recorded arrives there as messages, whoever records it."""

from __future__ import annotations

from collections.abc import Callable

from textual.screen import Screen
from textual.worker import get_current_worker

from tur_engine.engine import Engine
from tur_engine.errors import IntegrityFailure, StoreBusy, StoreError, TurError

from ..calls import sentence
from ..messages import Arrived, Damaged, Failed, Unreadable

AGAIN = 1.0
"""Seconds before the ledger is watched again after the store could not serve."""


def follow(
    screen: Screen[None],
    engine: Engine,
    since: int = -1,
    *,
    saying: str = "",
    beat: Callable[[], object] | None = None,
) -> None:
    """Post `Arrived` for each batch of entries after `since` (-1: from now on); the thread ends with the screen.

    `beat` is called in that thread every time it looks: threads that only wait are few.
    Damage ends it with `Damaged`; while the store cannot be read it is `Unreadable`, with no sentence once it can be.
    With `saying` each new failure is posted as `Failed` too, behind these words.
    """

    def watch() -> None:
        stop = get_current_worker().cancelled_event
        seen, told = since, ""
        unread, looks = False, 0

        def look() -> None:
            nonlocal unread, looks
            looks += 1
            if unread and looks > 1:  # the look before this one went well
                unread = False
                screen.post_message(Unreadable(""))
            if beat is not None:
                beat()

        while not stop.is_set():
            looks = 0
            try:
                seen = engine.head() if seen < 0 else seen
                for entries in engine.watch(seen, stop, beat=look):
                    screen.post_message(Arrived(entries))
                    seen, told = entries[-1].seq, ""
            except Exception as error:
                why = sentence(error)
                if isinstance(error, IntegrityFailure):
                    screen.post_message(Damaged(why))
                elif isinstance(error, StoreError) and not isinstance(error, StoreBusy) and not engine.displaced():
                    unread = True
                    screen.post_message(Unreadable(why))
                if saying and why != told:
                    screen.post_message(Failed(f"{saying} {why}"))
                if isinstance(error, IntegrityFailure) or not isinstance(error, TurError):
                    return
                told = why
                stop.wait(AGAIN)  # a store that was moved may come back

    screen.run_worker(watch, thread=True, group="watch", exit_on_error=False)
