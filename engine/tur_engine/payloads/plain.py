"""The parts that every payload is made of."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ..records import (
        Merkle,
    )

Payload = dict[str, Any]


def stamp(moment: datetime) -> str:
    """ISO 8601 in UTC, ending in Z."""
    return moment.astimezone(UTC).isoformat().replace("+00:00", "Z")


def merkle(head: Merkle | None) -> Payload | None:
    """`{size, root}`."""
    return None if head is None else {"size": head.size, "root": head.root}


def failure(code: str, message: str, extra: Mapping[str, Any] | None = None) -> Payload:
    """An error as an answer: what a program reads where a person reads the sentence."""
    return {"status": "error", "code": code, "message": message, **(extra or {})}
