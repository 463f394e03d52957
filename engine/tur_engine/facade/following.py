"""The live feed of events."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Sequence

from ..ledger.history import Narrator
from ..records import (
    FeedFilter,
    HistoryEntry,
)
from .store import Store


class Following(Store):
    """The live feed of events."""

    def feed_index(self, filter: FeedFilter | None = None) -> list[int]:
        """Return the sequence numbers that pass the filter, newest first."""
        with self._reads() as (db, reads):
            return Narrator(db, reads).index(filter or FeedFilter())

    def entries(self, seqs: Sequence[int]) -> list[HistoryEntry]:
        """Return the history entries of these events, in the order given."""
        with self._reads() as (db, reads):
            narrator = Narrator(db, reads)
            return [narrator.entry(seq) for seq in seqs]

    def watch(
        self,
        since: int,
        stop: threading.Event,
        interval: float = 0.1,
        *,
        beat: Callable[[], object] | None = None,
    ) -> Iterator[list[HistoryEntry]]:
        """Yield batches of new entries until `stop` is set; blocks, so run it in a thread of its own.

        `beat` is called every time it looks, for whoever looks for something else too.
        """
        seen, version = since, -1
        while not stop.is_set():
            if beat is not None:
                beat()
            moved = self._ledger.data_version()
            if moved != version:
                version = moved
                while (head := self.head()) > seen and not stop.is_set():
                    upto = min(head, seen + 500)
                    batch = self.entries(range(seen + 1, upto + 1))
                    seen = upto
                    yield batch
            stop.wait(interval)
