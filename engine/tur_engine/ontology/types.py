"""Node types and edge types, exactly as EP-0126 names them, with what each one means."""

from __future__ import annotations

from enum import StrEnum
from typing import Final


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

    @property
    def meaning(self) -> str:
        """One line for prompt and documentation."""
        return _NODE_MEANINGS[self]


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

    @property
    def meaning(self) -> str:
        """One line for prompt and documentation, with the seed's own example where it gives one."""
        return _EDGE_MEANINGS[self]

    @property
    def symmetric(self) -> bool:
        """True where the edge says the same read from either end."""
        return self in (EdgeType.ANALOGY_OF, EdgeType.CONTRADICTS, EdgeType.COMPETES_WITH)


_FAMILIES: Final = {
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

_EDGE_MEANINGS: Final = {
    EdgeType.REFINES: "source says the same as target more exactly; both ends have one node type",
    EdgeType.PRECEDES: "source comes before target; both ends are a Decision or a Fact, and there is no cycle",
    EdgeType.DEPENDS_ON: "source rests on target: if target falls, source is doubtful; there is no cycle",
    EdgeType.CONTRADICTS: "source and target cannot both hold; opens a conflict, removes nothing",
    EdgeType.COMPETES_WITH: "source and target answer one question in two ways; opens a conflict",
    EdgeType.SUPERSEDED_BY: "target replaced source as things moved on; opens a conflict for a decision",
    EdgeType.REFUTED_BY: "target shows that source was wrong; opens a conflict for a decision",
    EdgeType.ANALOGY_OF: (
        "structural isomorphism (A:B as C:D): two systems share identical operational logic across domains, "
        "read from either end (e.g. merkle-dag -> git-commit-history)"
    ),
    EdgeType.METAPHOR_FOR: (
        "figurative framing (vehicle -> tenor): a narrative or philosophical metaphor and the technical mechanism "
        "beneath it (e.g. traveler -> persistent-persona-identity)"
    ),
}

_NODE_MEANINGS: Final = {
    NodeType.CONCEPT: "a notion that other nodes are about",
    NodeType.DECISION: "a choice that was made, or a stated preference",
    NodeType.CONSTRAINT: "what must or must never be",
    NodeType.INSIGHT: "a lesson drawn from what happened",
    NodeType.FACT: "what is, or was, the case",
    NodeType.DEPENDENCY: "something that another thing needs in order to work",
    NodeType.HYPOTHESIS: "a supposition that is not shown yet",
    NodeType.BOUNDARY_NODE: "where a subject, a system or a responsibility ends",
    NodeType.OPEN_QUESTION: "what nobody has answered yet",
}

LEGACY: Final = "legacy"
"""Node type of an imported node whose own type is neither canonical nor declared (CONTRACTS 7)."""

PASSES_SUSPICION: Final = (EdgeType.DEPENDS_ON, EdgeType.REFINES)
"""Edge types along which a fall marks the dependants suspect (CONTRACTS 7)."""

RESERVED: Final = (EdgeType.COMPETES_WITH, EdgeType.SUPERSEDED_BY, EdgeType.REFUTED_BY)
"""Edge types that only a resolution draws."""

DIALECTIC: Final = (EdgeType.CONTRADICTS, *RESERVED)
"""Edge types that are a claim about a clash: in a committed graph each one opens a conflict."""

_OF_MEMORY: Final = {
    "fact": NodeType.FACT,
    "event": NodeType.FACT,
    "insight": NodeType.INSIGHT,
    "preference": NodeType.DECISION,
    "axiom": NodeType.CONSTRAINT,
    "core": NodeType.CONSTRAINT,
    "concept": NodeType.CONCEPT,
}


def node_type_of(memory_type: str, named: str | None = None) -> str:
    """Return the node type of a memory: the one it was given, else the one its type stands for (CONTRACTS 7)."""
    return named or _OF_MEMORY[str(memory_type)]
