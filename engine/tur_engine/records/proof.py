"""A proof that a memory is in a ledger, for somebody who has neither the ledger nor this program."""

from __future__ import annotations

from .base import Record


class Consistency(Record):
    """Proves that the tree of `size` events is the beginning of the one that the proof is about (RFC 6962, 2.1.2)."""

    size: int
    root: str
    path: tuple[str, ...]


class Proof(Record):
    """Inclusion proof (RFC 6962, 2.1.1) of the event that brought a memory in; hashes as hex."""

    store: str
    memory: str
    """Id of the memory: its type and the SHA-256 of its record, which stands in the event."""
    seq: int
    event: str
    """The canonical JSON that was hashed, as text (UTF-8)."""
    leaf_index: int
    tree_size: int
    root: str
    audit_path: tuple[str, ...]
    salt: str | None = None
    """Hex: SHA-256 of salt and content is what the event names; None where the text was redacted."""
    content: str | None = None
    details_salt: str | None = None
    details: str | None = None
    """Canonical JSON of what else it says: topic, fields, tags, confidence, session, provenance, node type; None where
    that is nothing, or was redacted."""
    consistency: Consistency | None = None
