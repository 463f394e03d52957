"""The head of the tree over the ledger (RFC 6962)."""

from __future__ import annotations

from .base import Record


class Merkle(Record):
    """A tree head (RFC 6962): how many events, and their root in hex."""

    size: int
    root: str
