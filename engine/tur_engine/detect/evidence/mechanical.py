"""Mechanical: same scoping key, a shared field, two primitive values that differ (Akashik RECORD, CONTRACTS 8)."""

from __future__ import annotations

from collections.abc import Iterator

from ...records import Evidence, Scalar
from ...records.fields import conflicting_fields
from ..pair import Pair

KIND = "mechanical"
WEIGHT = 6.0


def find(pair: Pair) -> Iterator[Evidence]:
    """Yield one piece for each conflicting field."""
    for name in conflicting_fields(pair.incumbent, pair.challenger):
        old, new = pair.incumbent.fields[name], pair.challenger.fields[name]
        piece = pair.evidence(KIND, WEIGHT, f"Field {name} is {_show(old)} on one side and {_show(new)} on the other.")
        yield piece.model_copy(
            update={"incumbent_words": f"{name} = {_show(old)}", "challenger_words": f"{name} = {_show(new)}"}
        )


def _show(value: Scalar) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return f'"{value}"' if isinstance(value, str) else str(value)
