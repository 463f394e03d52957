"""What holds, one memory after the other, the oldest first."""

from __future__ import annotations

from collections.abc import Iterator

from ..records import Belief, Status
from .store import Store


class Exporting(Store):
    """What holds, to be carried elsewhere."""

    def live(self) -> Iterator[Belief]:
        """Yield every memory that holds, the oldest first, all as of one moment."""
        with self._reads() as (_, reads):
            for mid in reversed(reads.with_status((Status.ACTIVE, Status.SUSPECT))):
                yield reads.belief(mid)
