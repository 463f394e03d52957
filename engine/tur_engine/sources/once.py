"""A line and the memory that says the same contradict another line together: that is told once."""

from __future__ import annotations

from collections.abc import Sequence

from .rendering import key
from .report import Clash


def told_once(clashes: Sequence[Clash]) -> list[Clash]:
    """Return the clashes without those of memories that a line has too; the line's names the memory beside it.

    An invariant's is told always.
    """
    between_lines = {}
    for clash in clashes:
        if not clash.a.memory:
            between_lines[key(clash.a.text), clash.b.place] = clash
            between_lines[key(clash.b.text), clash.a.place] = clash
    besides: dict[str, list[str]] = {}
    kept = []
    for clash in clashes:
        line = between_lines.get((key(clash.a.text), clash.b.place)) if clash.a.memory else None
        if line is None or clash.a.approved:
            kept.append(clash)
        else:
            besides.setdefault(line.fingerprint, []).append(clash.a.short_id)
    return [each._replace(also=(*each.also, *besides.get(each.fingerprint, ()))) for each in kept]
