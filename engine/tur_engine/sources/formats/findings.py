"""Findings as rows of one shape: what GitHub's annotations and SARIF are made of."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from ...text import excerpt
from ..report import Report, Side

RULES = {
    "clash": "Two rules that agents read cannot both hold",
    "invariant": "A rule contradicts a memory that people approved",
    "duplicate": "One rule is said more than once",
    "disproved": "The repository contradicts a rule",
}
"""Kinds of findings, with a sentence on each."""


class Finding(NamedTuple):
    """One finding, where it is shown, and what else belongs to it."""

    rule: str
    level: str
    """`error`, `warning` or `note`."""
    at: Side
    message: str
    others: tuple[Side, ...]
    fingerprint: str


def findings(report: Report) -> Iterator[Finding]:
    """Yield all findings of a report, the gravest kind first."""
    for clash in report.clashes:
        who = f" Read by {', '.join(clash.agents)}." if clash.agents else " No agent reads both."
        message = (
            f'"{excerpt(clash.b.text, 120)}" clashes with {clash.a.shown} "{excerpt(clash.a.text, 120)}". '
            f"{clash.reason}{who} Suggestion: {clash.suggestion}."
        )
        rule = "invariant" if clash.invariant else "clash"
        yield Finding(rule, "error", clash.b, excerpt(message, 900), (clash.a,), clash.fingerprint)
    for disproof in report.disproved:
        message = f'"{excerpt(disproof.side.text, 120)}": {disproof.reason}.'
        yield Finding("disproved", "warning", disproof.side, excerpt(message, 900), (), disproof.fingerprint)
    for duplicate in report.duplicates:
        first, *rest = duplicate.places
        message = f'"{excerpt(first.text, 120)}" is said again at {", ".join(side.shown for side in rest)}.'
        yield Finding(
            "duplicate", "note", rest[-1], excerpt(message, 900), duplicate.places[:-1], duplicate.fingerprint
        )
