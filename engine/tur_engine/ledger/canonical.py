"""Canonical JSON (RFC 8785) and the hashes over it."""

from __future__ import annotations

import hashlib
from typing import Any

import rfc8785

GENESIS = "0" * 64
"""The `previous` of the first event."""


def canonical(value: Any) -> bytes:
    """Return the RFC 8785 bytes of a JSON value."""
    return rfc8785.dumps(value)


def digest_of(value: Any) -> str:
    """Return SHA-256 over the canonical JSON, in hex."""
    return hashlib.sha256(canonical(value)).hexdigest()


def hash_bytes(data: bytes) -> str:
    """Return SHA-256 in hex."""
    return hashlib.sha256(data).hexdigest()
