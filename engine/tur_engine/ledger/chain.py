"""One event as it stands in the store: do bytes, hash, link and columns fit, and what does it hold?"""

from __future__ import annotations

from hashlib import sha256
from typing import Any

from pydantic_core import from_json, to_json

from .canonical import has_digest, hash_bytes, is_canonical
from .replay import Bad


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
        fits = decoded["seq"] == seq and decoded["at"] == at and decoded["actor"] == actor and decoded["kind"] == kind
        linked = decoded["previous"]
    except (ValueError, TypeError, KeyError, RecursionError):
        well_formed = False
    if not well_formed:
        raise Bad(seq, f"event {seq} is not canonical JSON of an event")
    if not fits:
        raise Bad(seq, f"event {seq} was altered: its columns do not fit its bytes")
    if linked != previous:
        raise Bad(seq, f"event {seq} does not follow event {seq - 1}: the chain is broken")
    return kind, data


def check_ids(data: dict[str, Any]) -> None:
    """Raise ValueError where a memory came in under an id that is not the digest of its record."""
    for effect in data["effects"]:
        if effect["op"] == "memory":
            record = data["memory"]
            if hash_bytes(to_json(record)) != effect["digest"] and not has_digest(record, effect["digest"]):
                raise ValueError("the memory's id is not the digest of its record")
