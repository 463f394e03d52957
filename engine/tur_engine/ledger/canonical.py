"""Canonical JSON (RFC 8785) and the hashes over it."""

from __future__ import annotations

import hashlib
import json
from typing import Any

import rfc8785
from pydantic_core import to_json

GENESIS = "0" * 64
"""The `previous` of the first event."""
_NESTING = (dict, list)
_KNOWN_ORDERS: set[tuple[str, ...]] = set()
"""Keys in order, met before: events have few shapes."""


def canonical(value: Any) -> bytes:
    """Return the RFC 8785 bytes of a JSON value."""
    return rfc8785.dumps(value)


def is_canonical(value: Any, data: bytes) -> bool:
    """True where `data`, which was read as `value`, is its canonical form: written again as it came, it is the same.

    Some numbers are written otherwise by the plain encoder; the slow one decides on them.
    """
    return (_in_order(value) and to_json(value) == data) or canonical(value) == data


def _in_order(value: Any) -> bool:
    """True where the keys stand in order at every depth."""
    left = [value]
    for each in left:
        if type(each) is dict:
            if (keys := tuple(each)) not in _KNOWN_ORDERS:
                if list(keys) != sorted(keys):
                    return False
                if len(_KNOWN_ORDERS) < 1000:
                    _KNOWN_ORDERS.add(keys)
            left += [inner for inner in each.values() if type(inner) in _NESTING]
        elif type(each) is list:
            left += [inner for inner in each if type(inner) in _NESTING]
    return True


def has_digest(value: Any, digest: str) -> bool:
    """True where `digest` is the one of `value`; tried the fast way first."""
    return hash_bytes(plain(value)) == digest or digest_of(value) == digest


def plain(value: Any) -> bytes:
    """Return JSON that is canonical but for some numbers and for keys beyond the basic plane; ten times as fast."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()


def digest_of(value: Any) -> str:
    """Return SHA-256 over the canonical JSON, in hex."""
    return hashlib.sha256(canonical(value)).hexdigest()


def hash_bytes(data: bytes) -> str:
    """Return SHA-256 in hex."""
    return hashlib.sha256(data).hexdigest()
