"""Which ends an edge may have (EP-0126; Russell's rule): no categorical confusion, no circle in order or support.

An edge type is acyclic by itself: that a decision precedes another, which depends on it, is no circle.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from .types import EdgeType, NodeType

ACYCLIC: Final = (EdgeType.PRECEDES, EdgeType.DEPENDS_ON)
"""Edge types of which a closing edge is refused with the cycle (CONTRACTS 7)."""
ORDERED: Final = (NodeType.DECISION, NodeType.FACT)
"""Node types that stand in an order of time."""


def misfit(edge: str, source: str, target: str) -> str:
    """Return in a sentence why an edge cannot run between two node types; nothing where it can."""
    if edge == EdgeType.PRECEDES and not {source, target} <= set(ORDERED):
        return f"precedes joins a Decision or a Fact to a Decision or a Fact, not {source} to {target}"
    if edge == EdgeType.REFINES and source != target:
        return f"refines joins two nodes of one type, not {source} to {target}"
    return ""


def told_cycle(edge: str, names: Sequence[str], most: int = 12) -> str:
    """Return the sentence that refuses a cycle and shows it; a long one is cut in the middle."""
    shown = [*names[: most - 2], "…", names[-1]] if len(names) > most else list(names)
    return f"{edge} must not run in a circle: {' -> '.join(shown)}"
