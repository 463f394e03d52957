"""Ids as people give them: a prefix of 4 or more hex digits, the type word optional (CONTRACTS 1)."""

from __future__ import annotations

from typing import Any

from ...errors import AmbiguousId, BadInput, UnknownId


def check_prefix(ref: str, prefix: str, example: str = "fact-104e77a1") -> None:
    """Raise BadInput where this cannot be the start of a digest."""
    if not 4 <= len(prefix) <= 64 or prefix.lower().strip("0123456789abcdef"):
        raise BadInput(f"{ref!r} is not an id; give at least 4 of its hex digits, as in {example}")


def only_one(ref: str, rows: list[tuple[Any, str]], noun: str) -> Any:
    """Return the one row that fits. Raises UnknownId, AmbiguousId with the matches."""
    if not rows:
        raise UnknownId(f"no {noun} has an id that starts with {ref!r}")
    if len(rows) > 1:
        shown = ", ".join(full[: full.index("-") + 17] for _, full in rows[:5])
        raise AmbiguousId(
            f"{ref!r} fits {len(rows)} ids: {shown}; give more digits",
            matches=tuple(full for _, full in rows),
        )
    return rows[0][0]
