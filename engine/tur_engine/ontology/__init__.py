"""The vocabulary of the belief graph (EP-0126): node types, edge types, and which of them have force."""

from __future__ import annotations

import re
from enum import StrEnum

from ..errors import BadInput


class NodeType(StrEnum):
    """Canonical node types, exactly as EP-0126 names them."""

    CONCEPT = "Concept"
    DECISION = "Decision"
    CONSTRAINT = "Constraint"
    INSIGHT = "Insight"
    FACT = "Fact"
    DEPENDENCY = "Dependency"
    HYPOTHESIS = "Hypothesis"
    BOUNDARY_NODE = "BoundaryNode"
    OPEN_QUESTION = "OpenQuestion"


class EdgeType(StrEnum):
    """Canonical edge types, exactly as EP-0126 names them."""

    REFINES = "refines"
    PRECEDES = "precedes"
    DEPENDS_ON = "depends_on"
    CONTRADICTS = "contradicts"
    COMPETES_WITH = "competes_with"
    SUPERSEDED_BY = "superseded_by"
    REFUTED_BY = "refuted_by"
    ANALOGY_OF = "analogy_of"
    METAPHOR_FOR = "metaphor_for"

    @property
    def family(self) -> str:
        """The group that EP-0126 puts the type in."""
        return _FAMILIES[self]


_FAMILIES = {
    EdgeType.REFINES: "Hierarchy",
    EdgeType.PRECEDES: "Causality & Dependency",
    EdgeType.DEPENDS_ON: "Causality & Dependency",
    EdgeType.CONTRADICTS: "TMS & Dialectic",
    EdgeType.COMPETES_WITH: "TMS & Dialectic",
    EdgeType.SUPERSEDED_BY: "TMS & Dialectic",
    EdgeType.REFUTED_BY: "TMS & Dialectic",
    EdgeType.ANALOGY_OF: "Cognitive Mapping",
    EdgeType.METAPHOR_FOR: "Cognitive Mapping",
}

PASSES_SUSPICION = (EdgeType.DEPENDS_ON, EdgeType.REFINES)
"""Edge types along which a fall marks the dependants suspect (CONTRACTS 7)."""

RESERVED = (EdgeType.COMPETES_WITH, EdgeType.SUPERSEDED_BY, EdgeType.REFUTED_BY)
"""Edge types that only a resolution draws."""

_SNAKE = re.compile(r"[a-z][a-z0-9]*(?:_[a-z0-9]+)*")


def normalise_edge_type(name: str) -> str:
    """Return the edge type in lowercase snake_case (EP-0126, tier 2). Raises BadInput for what cannot be one."""
    snake = re.sub(r"[\s\-]+", "_", re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name.strip())).lower()
    if not _SNAKE.fullmatch(snake) or len(snake) > 64:
        raise BadInput(f"edge type {name!r} is not a name; use one of {', '.join(EdgeType)}, or a snake_case word")
    if snake in RESERVED:
        raise BadInput(f"edge type {snake} is drawn by a resolution only; settle the conflict instead")
    return snake
