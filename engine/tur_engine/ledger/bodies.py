"""Salted bodies: the texts and vectors that events name by hash only (CONTRACTS 1, Bodies).

An event holds `body:<hex>`, the SHA-256 of salt and content. Deleting the row redacts; the chain still verifies.
"""

from __future__ import annotations

import hashlib
import os
import re
from binascii import unhexlify
from collections.abc import Iterable
from typing import NamedTuple

import apsw

PREFIX = "body:"
SALT_BYTES = 16
# The key is part of it: no text inside a JSON string can look like this, its quotes are escaped.
_NAMED = b'_ref":"body:'
_KEY = re.compile(rb"[0-9a-f]{64}\"")


class Body(NamedTuple):
    """A content with its salt; `ref` is what an event says."""

    salt: bytes
    content: bytes

    @property
    def ref(self) -> str:
        return PREFIX + hashlib.sha256(self.salt + self.content).hexdigest()


def key_of(ref: str) -> bytes:
    """Return the row key of a reference: its 32 bytes."""
    return bytes.fromhex(ref.removeprefix(PREFIX))


def body(content: bytes | str) -> Body:
    """Return the content with a fresh salt."""
    return Body(os.urandom(SALT_BYTES), content.encode() if isinstance(content, str) else content)


def store(connection: apsw.Connection, bodies: Iterable[Body]) -> None:
    """Write bodies; part of the caller's transaction."""
    connection.executemany(
        "INSERT OR IGNORE INTO bodies(ref, salt, body) VALUES(?,?,?)",
        [(key_of(b.ref), b.salt, b.content) for b in bodies],
    )


def read(connection: apsw.Connection, ref: str) -> bytes | None:
    """Return the content, or None where it was redacted (or is missing: `verify` tells which)."""
    row = connection.execute("SELECT body FROM bodies WHERE ref=?", (key_of(ref),)).get
    return row  # type: ignore[no-any-return]


def fits(key: object, salt: object, content: object) -> bool:
    """True where salt and content are what the key names; a shorter salt would shift the border."""
    if not isinstance(salt, bytes) or not isinstance(content, bytes) or len(salt) != SALT_BYTES:
        return False
    return hashlib.sha256(salt + content).digest() == key


def references(payload: bytes) -> list[str]:
    """Return every body that an event's canonical JSON names, by keys that end in `_ref`."""
    return [PREFIX + key.hex() for key in keys(payload)]


def keys(payload: bytes) -> list[bytes]:
    """Return the row keys of all that it names."""
    return [unhexlify(part[:64]) for part in payload.split(_NAMED)[1:] if _KEY.match(part)]
