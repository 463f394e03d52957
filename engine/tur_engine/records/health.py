"""How a store fares: what is in it, what waits, how sure and how quick the gate is, where the ledger ends."""

from __future__ import annotations

from datetime import datetime

from .author import Author
from .base import Record
from .head import Merkle
from .memory import MemoryType, Status


class Band(Record):
    """Conflicts whose verdict lay between two probabilities, as people decided on them."""

    low: float
    high: float
    said: float
    """What the verdicts said, on average."""
    decided: int
    clashes: int
    """Settled by another verb than dismiss: it was right to ask."""


class Calibration(Record):
    """People's decisions beside what the verdicts said (`tur calibrate feedback`)."""

    threshold: float
    dismissed: int
    settled: int
    needed: int
    """Decisions below which nothing can be said."""
    bands: tuple[Band, ...] = ()
    """Those that hold a decision, the lowest first."""
    advice: str = ""


class AgentRate(Record):
    """What one author brought in, and how much of it contradicted something."""

    author: Author
    memories: int
    clashing: int


class Pace(Record):
    """Milliseconds that the gate's last answers took on this machine."""

    answers: int
    p50: float = 0.0
    p95: float = 0.0
    p99: float = 0.0
    worst: float = 0.0


class Disk(Record):
    """Bytes: the store, its log, and what is free beside it."""

    store: int
    log: int
    free: int


class Health(Record):
    """The facts of one store at one moment."""

    counts: dict[Status, dict[MemoryType, int]]
    open_since: tuple[datetime, ...] = ()
    """When each open conflict was found, the oldest first."""
    agents: tuple[AgentRate, ...] = ()
    """The one with the most memories first."""
    calibration: Calibration
    weighed: Pace
    """Probe and verdict."""
    learned: Pace
    """The whole answer, from the text to the disk."""
    head: Merkle
    at: datetime
    """When the last event was recorded."""
    checkpoints: int = 0
    """Signed events: each signs the ledger as it stood."""
    checkpoint: int | None = None
    """The last of them."""
    witness: str
    disk: Disk
