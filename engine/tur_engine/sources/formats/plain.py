"""The JSON of `tur scan` (the shape that the commands' documentation promises)."""

from __future__ import annotations

from typing import Any

from ...records import Evidence
from ..report import Clash, Disproof, Report, Side


def payload(report: Report) -> dict[str, Any]:
    """Return a report as one JSON object."""
    return {
        "root": str(report.root),
        "files": [
            {
                "file": each.file,
                "statements": each.statements,
                "agents": list(each.agents),
                "scope": each.scope,
                "globs": list(each.globs),
                "stops_at": dict(each.cut),
            }
            for each in report.files
        ],
        "statements": report.statements,
        "clashes": [clash(each) for each in report.clashes],
        "duplicates": [{"places": [side(place) for place in each.places]} for each in report.duplicates],
        "disproved": [_disproof(each) for each in report.disproved],
        "skipped": list(report.problems),
        "stacks": {agent: list(files) for agent, files in report.stacks.items()},
        "ledger": report.ledger or None,
        "baselined": report.baselined,
        "judge": report.judged,
        "seconds": report.seconds,
    }


def side(one: Side) -> dict[str, Any]:
    """Return one side: a line of a file, or a memory."""
    told: dict[str, Any] = {"file": one.file or None, "line": one.line or None, "text": one.text}
    if one.memory:
        told |= {"memory": one.memory, "invariant": one.approved, "store": one.store or None}
    return told


def clash(clash: Clash) -> dict[str, Any]:
    return {
        "a": side(clash.a),
        "b": side(clash.b),
        "probability": clash.probability,
        "conflict_type": clash.conflict_type,
        "detected_by": clash.detected_by,
        "invariant": clash.invariant,
        "reason": clash.reason,
        "suggestion": clash.suggestion,
        "agents": list(clash.agents),
        "also": list(clash.also),
        "evidence": [_evidence(piece) for piece in clash.evidence],
        "fingerprint": clash.fingerprint,
    }


def _evidence(piece: Evidence) -> dict[str, Any]:
    return {
        "kind": piece.kind,
        "weight": piece.weight,
        "a_words": piece.incumbent_words,
        "b_words": piece.challenger_words,
        "sentence": piece.sentence,
    }


def _disproof(one: Disproof) -> dict[str, Any]:
    return {
        "file": one.side.file,
        "line": one.side.line,
        "text": one.side.text,
        "kind": one.kind,
        "named": one.named,
        "reason": one.reason,
        "fingerprint": one.fingerprint,
    }
