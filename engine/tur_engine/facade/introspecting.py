"""A pass over the whole store in the background: contradictions, repetitions, refinements."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable

from ..errors import BadInput
from ..records import Introspection
from .store import Store

MOST_WORKERS = 64


class Introspecting(Store):
    """A pass over the whole store in the background: contradictions, repetitions, refinements."""

    def introspect(
        self,
        *,
        workers: int | None = None,
        shard: str = "1/1",
        dry_run: bool = False,
        anew: bool = False,
        progress: Callable[[int, int], None] | None = None,
        stop: threading.Event | None = None,
    ) -> Introspection:
        """Weigh each live memory against those before it; open what contradicts, note what repeats, link what refines.

        Nothing is removed or replaced. What an earlier pass read is not read again, unless `anew`; what contradicts an
        invariant of a store above, or of the user's own, is told each time. `workers`: processes, one a core where not
        given; `shard`: `i/n`, one part of the store. `stop`, or a Ctrl-C, ends it early and keeps what was found.
        Raises BadInput, ReadOnlyStore (not for a `dry_run`, which writes nothing), StoreError for another store that
        cannot be read.
        """
        from ..introspect.partition import Shard
        from ..introspect.scan import Scan

        if dry_run:
            self._of_the_present()
        else:
            self._writable()
        if workers is not None and not 1 <= workers <= MOST_WORKERS:
            raise BadInput(f"workers cannot be {workers}; give 1 to {MOST_WORKERS}")
        scan = Scan(
            self._ledger,
            self._minds.detector,
            threshold=self.settings.threshold,
            shard=Shard.parse(shard),
            workers=workers or os.cpu_count() or 1,
            dry_run=dry_run,
            anew=anew,
            above=self._gate.above,
        )
        return scan.run(progress, stop)
