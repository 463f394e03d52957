"""The Lamport clock: `max(local, received) + 1` on every message, kept beside the store (Akashik 5.1, level 1).

It never goes back. A message whose epoch would leave hardly any later one is refused, or one stranger could use it up.
"""

from __future__ import annotations

import contextlib
import logging
import os
from collections.abc import Callable, Iterator
from pathlib import Path

from ..records.memory import MAX_INTEGER
from .refusal import Code, Refused

FILE = "akashik-clock"
ROOM = 2**40
"""Epochs that no message may take at once: the last ones below 2^53-1."""

log = logging.getLogger("tur_engine.akashik")


def tick(store: Path, head: int, received: int, recorded: Callable[[], int]) -> int:
    """Return the epoch after a message. The ledger's own count is the least it can be. Raises Refused.

    `recorded` gives the highest epoch that units of the ledger name; it is asked where the kept one is damaged. On a
    store that cannot be written to, nothing is kept.
    """
    place = store.with_name(FILE)
    with _alone(store.parent):
        kept = read(place)
        if kept is None:
            kept = recorded()
            log.warning("%s is damaged; the clock goes on from the highest epoch known", place)
        local = max(head, kept)
        if received > max(local, MAX_INTEGER - ROOM):
            raise Refused(
                Code.EPOCH_OVERFLOW,
                f"epoch {received} leaves too few later ones (the clock stands at {local})",
                f"give one of at most {MAX_INTEGER - ROOM}",
            )
        epoch = max(local, received) + 1
        if epoch > MAX_INTEGER:
            raise Refused(Code.EPOCH_OVERFLOW, "the clock has reached 2^53-1", "go on in another store")
        with contextlib.suppress(OSError):
            fresh = place.with_name(f"{FILE}.{os.getpid()}")
            fresh.write_text(f"{epoch}\n", "ascii")
            fresh.replace(place)
    return epoch


def read(place: Path) -> int | None:
    """Return the epoch that was kept; 0 where none was, None where what is there is none."""
    try:
        kept = int(place.read_text("ascii"))
    except FileNotFoundError:
        return 0
    except (OSError, ValueError):
        return None
    return kept if 0 <= kept <= MAX_INTEGER else None


@contextlib.contextmanager
def _alone(folder: Path) -> Iterator[None]:
    """Keep other writers out, or a slower one would move it back. Where the platform cannot, that is risked."""
    try:
        import fcntl

        descriptor = os.open(folder, os.O_RDONLY)
    except (ImportError, OSError):
        yield
        return
    try:
        with contextlib.suppress(OSError):  # a file system without locks
            fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)
