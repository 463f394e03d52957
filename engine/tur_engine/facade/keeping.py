"""The truth of the ledger: verify, prove, rebuild, backup."""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path

from ..errors import BadInput, Stopped
from ..govern.persona import standing
from ..govern.verify import examine
from ..ledger.proof import prove
from ..ledger.rebuild import rebuild
from ..ledger.verify import verify
from ..records import (
    Proof,
    VerifyReport,
)
from .store import Store


class Keeping(Store):
    """The truth of the ledger: verify, prove, rebuild, backup."""

    def verify(
        self,
        progress: Callable[[int, int], None] | None = None,
        *,
        witnessed: bool = True,
        stop: threading.Event | None = None,
    ) -> VerifyReport:
        """Check chain, bodies, Merkle root and projections; then every signature, and what may not be without one.

        Unless `witnessed` is off, the store is compared with what this machine saw of it before. Raises Stopped soon
        after `stop` is set.
        """

        def told(done: int, of: int) -> None:
            if stop is not None and stop.is_set():
                raise Stopped(f"stopped at event {done:,} of {of:,}; a check changes nothing")
            if progress is not None:
                progress(done, of)

        report = verify(self._ledger, told, witnessed=witnessed)
        if witnessed:
            report = report.model_copy(update={"former": self.former()})
        if not report.ok:
            return report
        governed = examine(self._ledger)
        with self._reads() as (_, reads):
            persona = standing(reads, self.path)
        return report.model_copy(
            update={
                "ok": governed.first_bad is None,
                "checkpoints": governed.checkpoints,
                "first_bad": governed.first_bad,
                "problem": governed.problem,
                "persona": persona,
            }
        )

    def prove(self, ref: str, *, since: int | None = None) -> Proof:
        """Return a proof that a memory is in the ledger, and that the one of `since` events is a part of it.

        Raises UnknownId, AmbiguousId, BadInput.
        """
        return prove(self._ledger, ref, since=since)

    def rebuild(self, progress: Callable[[int, int], None] | None = None) -> int:
        """Make anew what follows from the events; returns how many were read.

        Raises IntegrityFailure where that cannot be done: nothing was changed.
        """
        self._writable()
        return rebuild(self._ledger, progress)

    def backup(self, target: Path) -> None:
        """Copy the store to a new file while it is in use. Raises BadInput where the file exists."""
        if target.exists():
            raise BadInput(f"{target} exists already; name a new file")
        self._ledger.backup(target)
