"""What structured memories are about, and where their fields differ (Akashik RECORD, CONTRACTS 8)."""

from __future__ import annotations

from .memory import Memory, Scalar

SCOPING_KEYS = ("topic", "subject", "entity", "key")
"""Fields that say what a memory is about; equal text makes two memories comparable, and never clashes itself."""


def scoping_keys(memory: Memory) -> dict[str, str]:
    """Return what the memory is about, by scoping key; texts are NFC already and compared as they are."""
    keys = {k: v for k in SCOPING_KEYS if isinstance(v := memory.fields.get(k), str) and v}
    if memory.topic:
        keys["topic"] = memory.topic
    return keys


def same(one: Scalar, other: Scalar) -> bool:
    """Compare by type and value: `1 == 1.0`, `1 != true`, `1 != "1"`."""
    if isinstance(one, bool) or isinstance(other, bool):
        return one is other
    if isinstance(one, (int, float)) and isinstance(other, (int, float)):
        return one == other
    return type(one) is type(other) and one == other


def conflicting_fields(incumbent: Memory, challenger: Memory) -> tuple[str, ...]:
    """Return the sorted names of shared fields whose values differ, where the two share a scoping key."""
    if not incumbent.fields or not challenger.fields:
        return ()
    mine, theirs = scoping_keys(incumbent), scoping_keys(challenger)
    if not any(theirs.get(key) == value for key, value in mine.items()):
        return ()
    return tuple(
        sorted(
            name
            for name in incumbent.fields.keys() & challenger.fields.keys()
            if name not in SCOPING_KEYS
            and incumbent.fields[name] is not None
            and challenger.fields[name] is not None
            and not same(incumbent.fields[name], challenger.fields[name])
        )
    )
