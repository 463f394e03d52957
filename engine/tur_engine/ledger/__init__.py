"""The append-only event log with hash chain and Merkle root, its projections and searches. The only room with SQL."""

from __future__ import annotations

from .codec import Encoded
from .ledger import Appended, Ledger, NewEvent, Writing
from .reads import Reads

__all__ = ["Appended", "Encoded", "Ledger", "NewEvent", "Reads", "Writing"]
