"""How a name becomes a type: canonical first, then by synonym, then declared; else emergent (EP-0126, tiers 1 to 3)."""

from __future__ import annotations

import re
from collections.abc import Collection
from enum import StrEnum
from typing import Final, NamedTuple

from ..errors import BadInput
from .types import RESERVED, EdgeType, NodeType

SYNONYMS: Final = {
    # upstream's twelve
    "is_analogous_to": EdgeType.ANALOGY_OF,
    "analogous_to": EdgeType.ANALOGY_OF,
    "analogous_with": EdgeType.ANALOGY_OF,
    "analogy": EdgeType.ANALOGY_OF,
    "is_metaphor_for": EdgeType.METAPHOR_FOR,
    "metaphor": EdgeType.METAPHOR_FOR,
    "is_superseded_by": EdgeType.SUPERSEDED_BY,
    "is_refuted_by": EdgeType.REFUTED_BY,
    "is_dependent_on": EdgeType.DEPENDS_ON,
    "is_refinement_of": EdgeType.REFINES,
    "contradict": EdgeType.CONTRADICTS,
    "competes": EdgeType.COMPETES_WITH,
    # the same words in another form
    "is_analogy_of": EdgeType.ANALOGY_OF,
    "analogy_to": EdgeType.ANALOGY_OF,
    "analogous": EdgeType.ANALOGY_OF,
    "is_a_metaphor_for": EdgeType.METAPHOR_FOR,
    "metaphor_of": EdgeType.METAPHOR_FOR,
    "replaced_by": EdgeType.SUPERSEDED_BY,
    "is_replaced_by": EdgeType.SUPERSEDED_BY,
    "disproved_by": EdgeType.REFUTED_BY,
    "falsified_by": EdgeType.REFUTED_BY,
    "depend_on": EdgeType.DEPENDS_ON,
    "depends": EdgeType.DEPENDS_ON,
    "depends_upon": EdgeType.DEPENDS_ON,
    "dependent_on": EdgeType.DEPENDS_ON,
    "refine": EdgeType.REFINES,
    "refinement_of": EdgeType.REFINES,
    "is_contradicted_by": EdgeType.CONTRADICTS,
    "contradicted_by": EdgeType.CONTRADICTS,
    "contradicting": EdgeType.CONTRADICTS,
    "conflicts_with": EdgeType.CONTRADICTS,
    "compete_with": EdgeType.COMPETES_WITH,
    "is_competing_with": EdgeType.COMPETES_WITH,
    "competing_with": EdgeType.COMPETES_WITH,
    "precede": EdgeType.PRECEDES,
    "comes_before": EdgeType.PRECEDES,
    "happens_before": EdgeType.PRECEDES,
}
"""Other names of canonical edge types, read in the same direction."""

REVERSED: Final = {
    "supersedes": EdgeType.SUPERSEDED_BY,
    "replaces": EdgeType.SUPERSEDED_BY,
    "refutes": EdgeType.REFUTED_BY,
    "disproves": EdgeType.REFUTED_BY,
    "refined_by": EdgeType.REFINES,
    "is_refined_by": EdgeType.REFINES,
    "preceded_by": EdgeType.PRECEDES,
    "is_preceded_by": EdgeType.PRECEDES,
}
"""Names that say a canonical type from its other end: source and target change places."""

LONGEST: Final = 64
_SNAKE = re.compile(r"[a-z][a-z0-9]*(?:_[a-z0-9]+)*")
_NODE_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_]*")
_SLIPS = 2
"""Letters that a misspelt name may differ by, in ten; a name that is farther means something else."""


class Tier(StrEnum):
    """Where an edge type comes from."""

    CANONICAL = "canonical"
    DECLARED = "declared"
    EMERGENT = "emergent"


class EdgeName(NamedTuple):
    """An edge type as it is kept. `turned`: the given name reads from the other end."""

    name: str
    tier: Tier
    turned: bool = False


def snake(name: str) -> str:
    """Return a name in lowercase snake_case; empty where it cannot be one."""
    parted = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name.strip())
    found = re.sub(r"[\s\-_]+", "_", parted).strip("_").lower()
    return found if _SNAKE.fullmatch(found) and len(found) <= LONGEST else ""


def edge_name(name: str, declared: Collection[str] = ()) -> EdgeName:
    """Return the edge type that a name means. A declared name goes before a synonym. Raises BadInput."""
    found = snake(name)
    if not found:
        raise BadInput(
            f"edge type {name[:LONGEST]!r} is not a name; use one of {', '.join(EdgeType)}, or a snake_case word"
        )
    if found in set(EdgeType):
        return EdgeName(found, Tier.CANONICAL)
    if found in declared:
        return EdgeName(found, Tier.DECLARED)
    if found in SYNONYMS:
        return EdgeName(str(SYNONYMS[found]), Tier.CANONICAL)
    if found in REVERSED:
        return EdgeName(str(REVERSED[found]), Tier.CANONICAL, turned=True)
    return EdgeName(found, Tier.EMERGENT)


def normalise_edge_type(name: str, declared: Collection[str] = ()) -> str:
    """Return the type of an edge that a memory brings with it. Raises BadInput for what only a resolution draws."""
    found = edge_name(name, declared)
    kept = snake(name) if found.turned else found.name  # a memory's edges start at it; they cannot be turned round
    if kept in RESERVED:
        raise BadInput(f"edge type {kept} is drawn by a resolution only; settle the conflict instead")
    return kept


def nearest_edge_type(name: str) -> str | None:
    """Return the canonical edge type that an emergent one may be misspelt for; None where none is near."""
    from rapidfuzz.distance import OSA

    known = {**{str(edge): str(edge) for edge in EdgeType}, **{k: str(v) for k, v in (SYNONYMS | REVERSED).items()}}
    given = snake(name) or name
    slips, near = min((OSA.distance(given, each), each) for each in known)
    return known[near] if slips <= min(_SLIPS, max(1, len(given) * _SLIPS // 10)) else None


def node_name(name: str, declared: Collection[str] = ()) -> str:
    """Return the node type that a name means, in any case or spacing. Raises BadInput with the allowed list."""
    bare = re.sub(r"[\s\-_]+", "", name).lower()
    allowed = [*NodeType, *declared]
    for known in allowed:
        if bare == re.sub(r"_+", "", known).lower():
            return str(known)
    raise BadInput(f"unknown node type {name[:LONGEST]!r}; use one of {', '.join(allowed)}")


def is_node_name(name: str) -> bool:
    """True for what may be declared as a node type: letters, digits and underscores, a letter first."""
    return bool(_NODE_NAME.fullmatch(name)) and len(name) <= LONGEST
