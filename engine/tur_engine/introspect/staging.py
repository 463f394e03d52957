"""A large graph is weighed in a copy of the store: the write lock is held while its events are appended, and no longer.

The copy is of one moment. What changed a belief since then is seen by the clock, and the graph is weighed anew.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from ..errors import StoreError
from ..gate import Gate
from ..govern.persona import place
from ..ledger import Appended, Ledger, NewEvent, Reads, Writing
from ..records import CommittedNode, EventKind, GraphReport

WORTH_A_COPY = 40
"""Nodes from which weighing them takes longer than copying the store."""


class Rehearsal(Writing):
    """A transaction on the copy: it keeps what is appended, and is rolled back."""

    events: list[NewEvent]

    def append(self, events: Sequence[NewEvent]) -> Appended:
        """Append, and keep."""
        self.events = [*getattr(self, "events", ()), *events]
        return super().append(events)


class _Done(Exception):
    """Ends the transaction on the copy."""


@contextmanager
def copied(ledger: Ledger) -> Iterator[Ledger | None]:
    """Give a copy of the store, with its persona file; None where there is no room for one. It is gone afterwards."""
    with TemporaryDirectory(prefix="tur-graph-") as folder:
        target = Path(folder, ".tur", ledger.path.name)
        try:
            target.parent.mkdir(mode=0o700)
            ledger.backup(target)
            if (persona := place(ledger.path)).is_file():
                shutil.copyfile(persona, place(target))
            copy = Ledger(target)
        except (OSError, StoreError):
            yield None
            return
        with closing(copy):
            yield copy


def staged(
    ledger: Ledger, gate: Gate, work: Callable[[Gate, Ledger, Reads, Writing], GraphReport]
) -> tuple[GraphReport | None, bool]:
    """Do the work in a copy and append what came of it. Returns what it tells, and whether to try again.

    None with False: there is no room for a copy. What the work raises ends it; nothing is appended then.
    """
    others = gate.others()
    with copied(ledger) as copy:
        if copy is None:
            return None, False
        clock, report = copy.clock(), GraphReport()
        try:
            with copy.transaction() as db:
                tx = Rehearsal(db)
                report = work(gate.on(copy), copy, Reads(db), tx)
                raise _Done
        except _Done:
            pass
    events = getattr(tx, "events", [])
    with ledger.writing() as real, ledger.reading() as db:
        if real.clock != clock or gate.others() != others:
            return None, True
        for event in events:
            if event.kind is EventKind.MAPPED:
                event.data["graph"]["after"] = real.before.size
        done = real.append(events)
        mapped = bool(events) and events[-1].kind is EventKind.MAPPED
        return report.model_copy(
            update={
                "nodes": tuple(_as_stored(Reads(db), node) for node in report.nodes),
                "seq": done.seqs[-1] if mapped else None,
                "merkle": done.head,
            }
        ), False


def _as_stored(reads: Reads, node: CommittedNode) -> CommittedNode:
    """Tell a node's conflicts by the events of the store itself."""
    told = [
        each.model_copy(update={"conflict": reads.conflict(each.conflict.id.removeprefix("conflict-"))})
        for each in node.conflicts
    ]
    return node.model_copy(update={"conflicts": tuple(told)})
