"""What a user would feel: planted contradictions found, and interruptions for nothing, at a threshold."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from .table import Row, Table

Probabilities = Mapping[tuple[str, int, int], float]


def key(row: Row) -> tuple[str, int, int]:
    """Return what names a row."""
    return row.stream, row.challenger, row.incumbent


@dataclass
class Outcome:
    """Counts over some streams at one threshold."""

    planted: int = 0
    recalled: int = 0
    clean: int = 0
    false: int = 0

    @property
    def per_100(self) -> float:
        return 100 * self.false / self.clean if self.clean else 0.0


def outcome(tables: Sequence[Table], probability: Probabilities, threshold: float) -> Outcome:
    """Play the streams: what is flagged is superseded and meets nobody any more; a duplicate is not stored."""
    total = Outcome()
    for table in tables:
        flags = _play(table, probability, threshold)
        total.planted += len(table.planted)
        total.clean += table.memories - len(table.planted)
        total.recalled += sum(bool(flags.get(seq, set()) & old) for seq, old in table.planted.items())
        total.false += sum(seq not in table.planted for seq in flags)
    return total


def _play(table: Table, probability: Probabilities, threshold: float) -> dict[int, set[int]]:
    gone: set[int] = set()
    flags: dict[int, set[int]] = {}
    by_newcomer: dict[int, list[Row]] = {}
    for row in table.rows:
        by_newcomer.setdefault(row.challenger, []).append(row)
    for newcomer, rows in by_newcomer.items():
        live = [row for row in rows if row.incumbent not in gone]
        if any(row.duplicate for row in live):
            gone.add(newcomer)
            continue
        hit = {row.incumbent for row in live if probability[key(row)] >= threshold}
        if hit:
            flags[newcomer] = hit
            gone |= hit
    return flags


def curve(tables: Sequence[Table], probability: Probabilities) -> list[tuple[float, Outcome]]:
    """Return (threshold, outcome) from strict to lax, down to 15 false interruptions per 100."""
    points = []
    for threshold in sorted(set(probability.values()), reverse=True):
        points.append((threshold, outcome(tables, probability, threshold)))
        if points[-1][1].per_100 > 15:
            break
    return points


def at_rate(points: Sequence[tuple[float, Outcome]], per_100: float) -> tuple[float, Outcome]:
    """Return the point that finds most with at most so many false interruptions per 100 clean learns."""
    fit = [(t, o) for t, o in points if o.per_100 <= per_100]
    return max(fit, key=lambda point: (point[1].recalled, -point[1].false)) if fit else points[0]
