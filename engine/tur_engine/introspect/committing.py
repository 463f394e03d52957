"""A graph comes in whole, or not at all: each node through the gate, then its edges, in one transaction (EP-0126)."""

from __future__ import annotations

import hashlib
from datetime import UTC, datetime
from typing import Any

from ..errors import InvariantViolation
from ..gate import Gate
from ..gate.gate import RETRIES
from ..ledger import Encoded, Ledger, NewEvent, Reads, Writing
from ..records import CommittedNode, EventKind, GraphReport
from ..text import excerpt
from . import staging
from .checking import Checked
from .edges import Drawn, drawn, emergent
from .nodes import Nodes, Violated
from .rehearsing import Remembering, rehearse
from .wishes import Wishes


class Tried(Exception):
    """Ends a dry run: its transaction is rolled back."""


class Committing:
    """One checked graph on its way into one ledger."""

    def __init__(self, ledger: Ledger, gate: Gate, checked: Checked, where: str, wishes: Wishes) -> None:
        self._ledger = ledger
        self._gate = gate
        self._checked = checked
        self._where = where
        self._wishes = wishes
        self._weigher = Remembering(gate.weigher)

    def run(self, *, dry_run: bool = False) -> GraphReport:
        """Return what became of it. Raises InvariantViolation, ConflictHeld (`fail`), GraphRefused: nothing is kept
        then, but for the log of a violation."""
        nodes = list(self._checked.nodes.values())
        vectors = {node.id: self._gate.embed(node.content) for node in nodes}
        with self._ledger.snapshot() as db:
            asked = Nodes(self._checked, self._wishes)
            drafts = [Encoded(asked.draft(Reads(db), node), datetime.now(UTC)) for node in nodes]
            self._weigher = Remembering(self._gate.weigher, asked.joined(Reads(db)))
        rehearse(self._gate, [(e, vectors[n.id]) for e, n in zip(drafts, nodes, strict=True)], self._weigher)
        report = GraphReport()
        try:
            if not dry_run and len(nodes) >= staging.WORTH_A_COPY:
                for _ in range(RETRIES):
                    done, again = staging.staged(
                        self._ledger,
                        self._gate,
                        lambda gate, copy, reads, tx: self._elsewhere(gate, copy)._under_lock(reads, tx, vectors),
                    )
                    if done is not None:
                        return done
                    if not again:
                        break
            with self._ledger.writing() as tx, self._ledger.reading() as db:
                report = self._under_lock(Reads(db), tx, vectors)
                if dry_run:
                    raise Tried
        except Tried:
            return report.model_copy(update={"dry_run": True, "seq": None, "merkle": None})
        except Violated as e:
            raise self._turned_away(e, dry_run) from None
        return report

    def _elsewhere(self, gate: Gate, ledger: Ledger) -> Committing:
        """Return the same graph on its way into a copy, by the verdicts reached so far."""
        other = Committing(ledger, gate, self._checked, self._where, self._wishes)
        other._weigher = self._weigher
        return other

    def _turned_away(self, e: Violated, dry_run: bool) -> InvariantViolation:
        if not dry_run:
            self._gate.turn_away(e.found, self._wishes.actor, e.vector)
        with self._ledger.snapshot() as db:
            invariant = e.found.violated_elsewhere
            if e.found.invariant is not None:
                invariant = Reads(db).belief(e.found.invariant)
        assert invariant is not None
        return InvariantViolation.of(
            invariant.memory.short_id,
            f'{self._where}: node {e.node} contradicts it ("{excerpt(invariant.memory.content, 80)}"); '
            "nothing of the graph was taken",
        )

    def _under_lock(self, reads: Reads, tx: Writing, vectors: dict[str, bytes | None]) -> GraphReport:
        after = tx.before.size
        nodes = Nodes(self._checked, self._wishes)
        committed = [
            nodes.take(reads, tx, self._gate, self._weigher, node, vectors[node.id])
            for node in self._checked.nodes.values()
        ]
        found = drawn(reads, self._checked, nodes.at, self._where)
        report = GraphReport(
            nodes=tuple(committed),
            edges_drawn=found.edges,
            edges_known=found.known,
            conflicts_opened=found.conflicts,
            emergent=emergent(self._checked, self._wishes.declared),
            warnings=(*self._checked.warnings, *found.warnings),
        )
        if not found.effects and all(mid <= after for mid in nodes.at.values()):
            return _at_the_end(reads, report.model_copy(update={"merkle": self._ledger.tree_head()}))
        done = tx.append([self._event(reads, nodes.at, found, after)])
        return _at_the_end(reads, report.model_copy(update={"seq": done.seqs[0], "merkle": done.head}))

    def _event(self, reads: Reads, at: dict[str, int], found: Drawn, after: int) -> NewEvent:
        """Return the event of the edges. `after`: the last one before the graph; what arrived later came in with it."""
        digests = sorted({reads.digest(mid) for mid in at.values()})
        names = hashlib.sha256("\n".join(sorted(at)).encode()).hexdigest()
        data: dict[str, Any] = {"effects": found.effects, "about": digests}
        data["graph"] = {"nodes": len(at), "edges": len(self._checked.edges), "names": names, "after": after}
        event = NewEvent(EventKind.MAPPED, self._wishes.actor, data, found.bodies)
        return event.because(f"imported from {excerpt(self._where, 200)}" if self._checked.legacy else "")


def _at_the_end(reads: Reads, report: GraphReport) -> GraphReport:
    """Return the report with its conflicts as they stand now: what came in after a node moved those that it touches."""
    return report.model_copy(update={"nodes": tuple(_moved(reads, node) for node in report.nodes)})


def _moved(reads: Reads, node: CommittedNode) -> CommittedNode:
    found = []
    for each in node.conflicts:
        cid = each.conflict.id.removeprefix("conflict-")
        now = reads.conflict(cid) if reads.has_conflict(cid) else each.conflict
        found.append(each.model_copy(update={"conflict": now}))
    return node.model_copy(update={"conflicts": tuple(found)})
