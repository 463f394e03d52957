"""One event as it stands in the store: do bytes, hash, link and columns fit, and what does it hold?"""

from __future__ import annotations

from hashlib import sha256
from typing import Any

from pydantic_core import from_json

from .canonical import has_digest, hash_bytes, is_canonical
from .replay import Bad

_MEMORY = b'"memory":{'


def opened(seq: int, previous: str, row: tuple[Any, ...]) -> tuple[str, dict[str, Any]]:
    """Return kind and data of the event `seq`. Raises Bad where its row is not what was appended after `previous`."""
    number, at, actor, kind, payload, digest = row
    if number != seq:
        raise Bad(seq, f"event {seq} is missing")
    if not isinstance(payload, bytes) or not isinstance(digest, bytes) or sha256(payload).digest() != digest:
        raise Bad(seq, f"event {seq} was altered: its hash does not fit its bytes")
    try:
        decoded = from_json(payload, allow_inf_nan=False)
        data = decoded["data"]
        well_formed = is_canonical(decoded, payload) and isinstance(data, dict) and isinstance(data["effects"], list)
        columns = decoded["seq"], decoded["at"], decoded["actor"], decoded["kind"]
        linked = decoded["previous"]
    except (ValueError, TypeError, KeyError, RecursionError):
        well_formed = False
    if not well_formed:
        raise Bad(seq, f"event {seq} is not canonical JSON of an event")
    if columns != (seq, at, actor, kind):
        raise Bad(seq, f"event {seq} was altered: its columns do not fit its bytes")
    if linked != previous:
        raise Bad(seq, f"event {seq} does not follow event {seq - 1}: the chain is broken")
    return kind, data


def check_ids(data: dict[str, Any], payload: bytes) -> None:
    """Raise ValueError where a memory came in under an id that is not the digest of its record."""
    for effect in data["effects"]:
        if effect["op"] == "memory":
            record = _record(payload)
            fits = hash_bytes(record) == effect["digest"] if record else has_digest(data["memory"], effect["digest"])
            if not fits:
                raise ValueError("the memory's id is not the digest of its record")


def _record(payload: bytes) -> bytes:
    """Return the memory's record as it lies in the canonical bytes; nothing where that cannot be told at a glance."""
    start = payload.find(_MEMORY) + len(_MEMORY) - 1
    end = payload.find(b"}", start) + 1
    record = payload[start:end]
    # Without a backslash each quote opens or closes; an even number of them leaves the brace outside of strings.
    plain = b"\\" not in payload and payload.count(_MEMORY) == 1
    return record if plain and record.count(b"{") == 1 and not record.count(b'"') & 1 else b""
