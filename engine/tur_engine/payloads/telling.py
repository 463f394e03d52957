"""What happened: history, differences, passes over the store."""

from __future__ import annotations

from collections.abc import Sequence

from ..records import (
    Change,
    Difference,
    GraphReport,
    HistoryEntry,
    Introspection,
    Outcome,
)
from .deciding import conflict, side
from .learning import clash, strongest_first
from .plain import Payload, merkle, stamp


def event(entry: HistoryEntry) -> Payload:
    """One line of the history."""
    return {
        "seq": entry.seq,
        "at": stamp(entry.at),
        "actor": str(entry.actor),
        "kind": entry.kind.value,
        "subject": entry.subject,
        "reason": entry.reason,
        "summary": entry.summary,
    }


def history(entries: Sequence[HistoryEntry]) -> Payload:
    """`events[]`, oldest first."""
    return {"events": [event(entry) for entry in entries]}


def difference(found: Difference) -> Payload:
    """What stands otherwise at a later moment: one list a kind of change, conflicts in full."""
    return {
        "since": {"seq": found.since, "at": stamp(found.since_at) if found.since_at else None},
        "until": {"seq": found.until, "at": stamp(found.until_at) if found.until_at else None},
        **{name: [_change(each) for each in group] for name, group in found.memories.items()},
        "conflicts_opened": [conflict(each) for each in found.opened],
        "conflicts_settled": [conflict(each) for each in found.settled],
    }


def _change(item: Change) -> Payload:
    return side(item.belief) | {
        "was": item.was.value if item.was else None,
        "seq": item.seq,
        "at": stamp(item.at),
        "by": str(item.by),
        "reason": item.reason,
    }


def graph_report(report: GraphReport) -> Payload:
    """What became of a committed or imported graph, node by node."""
    return {
        "status": _status(report),
        "committed": report.count(Outcome.COMMITTED),
        "duplicates": report.count(Outcome.DUPLICATE),
        "held": report.count(Outcome.CONFLICT),
        "nodes": [
            {"node": each.node, "id": each.id, "status": each.outcome.value, "warnings": list(each.warnings)}
            for each in report.nodes
        ],
        "edges_drawn": report.edges_drawn,
        "edges_known": report.edges_known,
        "emergent": [{"type": name, "nearest": near} for name, near in report.emergent.items()],
        "conflicts": [clash(each) for each in strongest_first(report.conflicts)],
        "conflicts_opened": list(report.conflicts_opened),
        "warnings": list(report.warnings),
        "seq": report.seq,
        "merkle": merkle(report.merkle),
    }


def _status(report: GraphReport) -> str:
    """A graph of which all that is new is held is not committed."""
    if report.dry_run:
        return "tried"
    kept = report.count(Outcome.COMMITTED) or report.count(Outcome.DUPLICATE) or report.edges_drawn
    return Outcome.COMMITTED.value if kept or not report.nodes else Outcome.CONFLICT.value


def introspection(report: Introspection) -> Payload:
    """The answer of a pass over the whole store: the contract's counts, then what was found.

    `elsewhere[]` are clashes with invariants of other stores, which are no conflicts of this one.
    """

    def pairs(*kinds: str) -> list[Payload]:
        return [
            {
                "kind": pair.kind,
                "older": side(pair.older),
                "newer": side(pair.newer),
                "probability": pair.probability,
                "reason": pair.reason,
                "conflict_id": pair.conflict_id,
                **({"store": pair.store, "certain": pair.certain} if pair.store else {}),
            }
            for pair in report.of(*kinds)
        ]

    conflicts, duplicates = pairs("contradiction", "violation"), pairs("duplicate")
    refinements = pairs("refinement")
    return {
        "scanned": report.scanned,
        "pairs_judged": report.pairs_judged,
        "conflicts_found": len(conflicts),
        "duplicates_found": len(duplicates),
        "refinements": len(refinements),
        "suspects": report.suspects,
        "cycles": len(report.cycles),
        "seconds": report.seconds,
        "live": report.live,
        "pairs_read": report.pairs_read,
        "islands": report.islands,
        "unlinked": report.unlinked,
        "shard": report.shard,
        "dry_run": report.dry_run,
        "stopped": report.stopped,
        "conflicts": conflicts,
        "duplicates": duplicates,
        "refined": refinements,
        "elsewhere": pairs("elsewhere"),
        "circles": [list(circle) for circle in report.cycles],
    }
