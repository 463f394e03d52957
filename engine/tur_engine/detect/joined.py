"""A memory that rests on another, or refines it, seldom contradicts it: who drew the edge read both.

It is evidence, and no more: a plain swap of values, a denial, a number that differs speak louder, and against what
people protect an edge says nothing.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Final

from ..ontology import EdgeType
from ..records import Evidence, Memory, Relation
from .features import plain
from .pair import Pair

_JOINING: Final = (EdgeType.DEPENDS_ON, EdgeType.REFINES)
WEIGHT: Final = -3.0
STRONG: Final = 1.2
"""Weight of evidence from which a clash is to be looked at whatever the edge says."""


def joined(pair: Pair, told: Pair, evidence: Sequence[Evidence]) -> Evidence | None:
    """Return what an edge between the two says against a clash; None where a strong sign speaks for one.

    `told` is the pair as the evidence was found on it.
    """
    if pair.incumbent.type.invariant_tier or pair.challenger.type.invariant_tier:
        return None
    if plain(told, evidence) or any(piece.weight >= STRONG for piece in evidence):
        return None
    sides = ((pair.challenger, pair.incumbent, "newer"), (pair.incumbent, pair.challenger, "older"))
    for speaker, other, who in sides:
        for relation in speaker.relations:
            if relation.type in _JOINING and relation.target in (other.digest, other.id):
                verb = "refines" if relation.type == EdgeType.REFINES else "rests on"
                return pair.evidence("additive", WEIGHT, f"The {who} one {verb} the other.", [], [])
    return None


def as_joined(challenger: Memory, others: Collection[str]) -> Memory:
    """Return the memory as one that is joined to these digests, for edges that stand outside of its record."""
    if not others:
        return challenger
    drawn = tuple(Relation(type=EdgeType.DEPENDS_ON, target=digest) for digest in others)
    return challenger.model_copy(update={"relations": (*challenger.relations, *drawn)})
