"""Live memories against the invariants of other stores that hold here too: those above, and the user's own.

Such a pair is no conflict of this store, for one side is not in it: it is told by every pass as long as it stands, and
nothing is written.
"""

from __future__ import annotations

import threading
from collections.abc import Sequence
from typing import TYPE_CHECKING

from ..gate import Above
from ..ledger import Ledger, Reads, search
from ..ledger.examined import Examined
from ..ledger.sweep import Standing
from ..records import FoundPair
from .answers import judge_sha, remembering

if TYPE_CHECKING:
    from ..gate.weigher import Weigher

KIND = "elsewhere"
STEP = 256
"""Memories read at one moment: a pass does not keep the store's log from being folded in."""


def forbidden_elsewhere(
    ledger: Ledger,
    above: Above,
    weigher: Weigher,
    standings: Sequence[Standing],
    notes: Examined,
    stop: threading.Event | None = None,
) -> list[FoundPair]:
    """Return what each of the memories contradicts, or may, in another store. Raises StoreError for an unreadable one.

    Costs nothing where no other store has an invariant.
    """
    law = above.invariants()
    if not law:
        return []
    weigher, judge = remembering(weigher, notes, len(standings))
    found: list[FoundPair] = []
    for start in range(0, len(standings), STEP):
        with ledger.snapshot() as db:
            reads = Reads(db)
            for standing in standings[start : start + STEP]:
                if stop is not None and stop.is_set():
                    return found
                memory = reads.memory(standing.mid)
                if memory.redacted or not reads.status(standing.mid).live:
                    continue
                if judge is not None:
                    judge.about([memory, *law])
                vector = search.embedding(db, standing.mid)
                for inherited, verdict in above.all_against(weigher, memory, vector):
                    found.append(
                        FoundPair(
                            kind=KIND,
                            older=inherited.belief,
                            newer=reads.belief(standing.mid),
                            probability=verdict.probability,
                            reason=inherited.sentence,
                            store=str(inherited.store),
                            certain=inherited.certain,
                        )
                    )
    if judge is not None and judge.fresh:
        notes.keep(judge.fresh, judge_sha())
    return found
