"""Reads named for what they mean, as of any moment of the ledger: the past is a WHERE clause, not a replay."""

from __future__ import annotations

from .census import CensusReads


class Reads(CensusReads):
    """Everything that can be read: events, memories, edges, conflicts, proposals, counts."""


__all__ = ["Reads"]
