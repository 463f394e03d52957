"""One pass over the whole store: what is left to weigh, weighed, held against the present, written, noted.

Found contradictions are opened as the gate opens them under `allow`: both memories stay, people or agents decide. Order
is by sequence number, so a pass finds the same however it is parted. Writing and noting what was read go on together
block by block: a pass that is stopped goes on where it was.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

from ..detect.detector import Detector
from ..gate import Above
from ..ledger import Ledger, Reads
from ..ledger.examined import Examined, Stamp
from ..ledger.sweep import Standing, live
from ..records import FoundPair, Introspection, Status
from . import recheck
from .answers import judge_sha, signature
from .elsewhere import forbidden_elsewhere
from .findings import Examination, Finding
from .partition import Plan, Shard
from .recheck import Written
from .structure import structure
from .weighing import law_of
from .workers import Assignment, Done, Scales, pool

if TYPE_CHECKING:
    from ..gate.weigher import Weigher

NOTES = "introspect.db"
WORTH_A_POOL = 200
"""Memories from which other processes pay back the time they take to start."""
WHOLE = Shard()
Progress = Callable[[int, int], None]


class Scan:
    """A pass over one store, or over one shard of it."""

    def __init__(
        self,
        ledger: Ledger,
        weigher: Weigher,
        *,
        threshold: float | None = None,
        shard: Shard = WHOLE,
        workers: int = 1,
        dry_run: bool = False,
        anew: bool = False,
        above: Above | None = None,
    ) -> None:
        """`threshold` is the weigher's own, in place of its profile's; `anew` does not heed what was read before.

        `above` gives the invariants of other stores.
        """
        self._ledger = ledger
        self._weigher = weigher
        self._threshold = threshold
        self._shard = shard
        self._workers = workers
        self._dry_run = dry_run
        self._anew = anew
        self._notes = ledger.path.with_name(NOTES)
        self._above = above
        self._elsewhere: list[FoundPair] = []
        self._written: list[Written] = []
        self._scanned = self._pairs = self._read = 0

    def run(self, progress: Progress | None = None, stop: threading.Event | None = None) -> Introspection:
        """Carry the pass out. A Ctrl-C, or `stop`, ends it early: what was found so far is kept."""
        began = time.perf_counter()
        named, stopped = signature(self._weigher), False
        with self._ledger.snapshot() as db:
            upto, law = Reads(db).last_event(), law_of(db)
            standings = live(db, upto)
        notes = Examined(self._notes, read_only=self._dry_run)
        known = Examined(None if self._anew else self._notes, read_only=True)
        try:
            plan = Plan.make(standings, known.stamps(named), law, self._shard)
            seen = {standing.mid: standing for standing in standings}
            with self._working(plan, upto, known) as steps:
                for block, found, answers in steps:
                    self._keep(found)
                    self._scanned += len(block)
                    if not self._dry_run:
                        notes.keep(answers, judge_sha())
                        marked = [seen[mid] for mid in (*block.mids, *block.lawful)]
                        stamps = [Stamp(each.since, law, plan.noted.get(each.mid, upto)) for each in marked]
                        notes.mark([each.digest for each in marked], stamps, named)
                    if progress is not None:
                        progress(self._scanned, len(plan))
                    if stop is not None and stop.is_set():
                        stopped = self._scanned < len(plan)
                        break
            if self._above is not None and not stopped:
                mine = [each for each in standings if self._shard.holds(each.digest)]
                weigher = self._weigher
                self._elsewhere = forbidden_elsewhere(self._ledger, self._above, weigher, mine, notes, stop)
        except KeyboardInterrupt:
            stopped = True
        finally:
            known.close()
            notes.close()  # the last one folds the log into the file
        return self._report(standings, began, stopped)

    @contextmanager
    def _working(self, plan: Plan, upto: int, known: Examined) -> Iterator[Iterator[Done]]:
        weigher = self._weigher
        if not len(plan):
            yield iter(())
        elif self._workers > 1 and len(plan) >= WORTH_A_POOL and isinstance(weigher, Detector):
            judged = weigher.judge is not None
            assignment = Assignment(
                self._ledger.path,
                None if self._anew else self._notes,
                upto,
                weigher.profile,
                self._threshold,
                judged,
                plan.noted,
            )
            with pool(assignment, self._workers, plan.blocks()) as steps:
                yield steps
        else:
            scales = Scales(self._ledger, upto, weigher, known, plan.noted)
            yield (scales.weigh(block) for block in plan.blocks())

    def _keep(self, found: Sequence[Examination]) -> None:
        findings = [finding for each in found for finding in each.findings]
        self._pairs += sum(each.pairs for each in found)
        self._read += sum(each.read for each in found)
        if not findings:
            return
        with self._ledger.snapshot() as db:
            written = recheck.confirmed(db, findings)
        if written and not self._dry_run:
            findings, written = [finding for finding, _ in written], []
            with self._ledger.writing() as tx, self._ledger.reading() as db:
                recheck.write(db, tx, findings, written.append)
        self._written += written

    def _report(self, standings: Sequence[Standing], began: float, stopped: bool) -> Introspection:
        with self._ledger.snapshot() as db:
            reads = Reads(db)
            shape = structure(db, standings)
            return Introspection(
                live=len(standings),
                scanned=self._scanned,
                pairs_judged=self._pairs,
                pairs_read=self._read,
                found=(*(_told(reads, *each) for each in self._written), *self._elsewhere),
                suspects=reads.counts().get(Status.SUSPECT, 0),
                cycles=tuple(tuple(reads.memory(mid).id for mid in circle) for circle in shape.cycles),
                islands=shape.islands,
                unlinked=shape.unlinked,
                seconds=round(time.perf_counter() - began, 3),
                shard=str(self._shard),
                dry_run=self._dry_run,
                stopped=stopped,
            )


def _told(reads: Reads, finding: Finding, cid: str) -> FoundPair:
    return FoundPair(
        kind=str(finding.kind),
        older=reads.belief(finding.older),
        newer=reads.belief(finding.newer),
        probability=finding.verdict.probability,
        reason=finding.verdict.reason,
        conflict_id=f"conflict-{cid}" if cid else None,
    )
