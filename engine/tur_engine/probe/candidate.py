"""An incumbent worth weighing, and how the probe came by it."""

from __future__ import annotations

from typing import NamedTuple

from ..records import Memory


class Candidate(NamedTuple):
    """One incumbent found by the probe."""

    memory: Memory
    cosine: float
    """Similarity of the two embeddings, -1 to 1 (from int8 vectors)."""
    rank: int
    """Place after fusion, 0 is the closest."""
    words: float
    """Share of the newcomer's distinctive words that stand in the incumbent, 0 to 1."""
    exact: bool = False
    """Same topic, or a shared rare name."""
    met: bool = False
    """A net brought it in: it has another value of a slot of the newcomer, or has what that lacks."""
