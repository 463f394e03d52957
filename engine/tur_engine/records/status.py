"""How a store stands: its counts, and whether its ledger holds."""

from __future__ import annotations

from .base import Record
from .head import Merkle
from .memory import Status


class StoreStatus(Record):
    """Counts of one store (CONTRACTS 4, `status`)."""

    path: str
    store_id: str
    memories: dict[Status, int]
    open_conflicts: int
    invariants: int
    proposals_pending: int
    head: Merkle
    judge: bool
    """False where the neural judge is not installed: symbols alone decide."""
    read_only: bool = False
    persona: str = ""
    """How the persona file stands, in words; empty where it asks for no force and none was approved."""
    former: str = ""
    """That this machine knows another store at this place, and what to do; empty where it does not."""


class VerifyReport(Record):
    """Result of checking a ledger (CONTRACTS 4, `verify`)."""

    ok: bool
    events: int
    head: Merkle
    checkpoints: int = 0
    witness: str = "no witness on this machine"
    first_bad: int | None = None
    """Sequence number of the first bad event."""
    problem: str = ""
    persona: str = ""
    """As of StoreStatus."""
    former: str = ""
    """As of StoreStatus."""
