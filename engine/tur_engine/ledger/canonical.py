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
_KNOWN_ORDERS: dict[tuple[str, ...], tuple[str, ...]] = {}
"""Keys in order, met before, and those that held objects or lists: events have few shapes."""


def canonical(value: Any) -> bytes:
    """Return the RFC 8785 bytes of a JSON value."""
    return rfc8785.dumps(value)


def is_canonical(value: Any, data: bytes) -> bool:
    """True where `data`, which was read as `value`, is its canonical form: written again as it came, it is the same.

    Some numbers are written otherwise by the plain encoder; the slow one decides on them.
    """
    ordered = _known_to_be_in_order(value, data) or _in_order(value)
    return (ordered and to_json(value) == data) or canonical(value) == data


def _known_to_be_in_order(value: Any, data: bytes) -> bool:
    """True where the objects are of shapes met before, and there are as many as `data` has braces."""
    left, seen = [value], 0
    for each in left:
        if type(each) is dict:
            if (nested := _KNOWN_ORDERS.get(tuple(each))) is None:
                return False
            seen += 1
            for key in nested:  # a comprehension takes twice as long for so few
                left.append(each[key])
        elif type(each) is list:
            left += each
    return seen == data.count(b"{")


def _in_order(value: Any) -> bool:
    """True where the keys stand in order at every depth."""
    left = [value]
    for each in left:
        if type(each) is dict:
            if list(each) != sorted(each):
                return False
            nested = [key for key, inner in each.items() if type(inner) in _NESTING]
            if len(_KNOWN_ORDERS) < 1000:
                _KNOWN_ORDERS[tuple(each)] = tuple(nested)
            left += [each[key] for key in nested]
        elif type(each) is list:
            left += each
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
