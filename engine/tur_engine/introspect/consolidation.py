"""Does one of two memories say all that the other says, and more? Where that is sure, it refines the other.

A `refines` edge passes the suspect mark, so every doubt is a no: the specific one is the general one and an addition,
as the detector finds it, whose phrase neither restricts nor ties it to a case. The judge's `same` is no measure here:
it is trained on texts that say one thing, and on labelled pairs it takes an exchange of roles for one.
"""

from __future__ import annotations

from ..detect.pair import Pair
from ..detect.refinement import addition
from ..ontology.types import node_type_of
from ..records import Memory, MemoryType, Relationship, Verdict

NEAR = 0.6
"""Cosine from which two memories are about one matter."""
LEAST = 2
"""Words of meaning that the general one needs, beside its verb: with fewer, nearly everything would refine it."""
UNLIKELY = 0.1
"""A pair that clashes with a higher probability refines nothing."""
_OTHERWISE = frozenset(("exception", "past", "plan", "reported", "contrast", "different"))
"""Evidence that the two are told of different times, cases or things."""
_ADDS = frozenset("with in at by for across using via on to from through and which because since as".split())
"""Words that a phrase begins with which adds to what stands before it."""
_RESTRICTS = frozenset(
    """exception when whenever if once while save besides apart other than though although however before after maybe
    perhaps""".split()
)
"""Words that tie it to a case or a time, beside those that turn it round."""


def of_one_type(one: Memory, other: Memory) -> bool:
    """True where both are nodes of one type (CONTRACTS 7); committed concepts are left to who drew them."""
    if MemoryType.CONCEPT in (one.type, other.type) or one.type.invariant_tier or other.type.invariant_tier:
        return False
    return node_type_of(one.type, one.node_type) == node_type_of(other.type, other.node_type)


def refining(one: Memory, other: Memory, verdict: Verdict, cosine: float) -> tuple[Memory, Memory] | None:
    """Return (specific, general) where one refines the other for sure; else None."""
    if verdict.relationship is not Relationship.COMPATIBLE or verdict.probability > UNLIKELY or cosine < NEAR:
        return None
    if not of_one_type(one, other) or one.scope != other.scope or one.fields or other.fields:
        return None
    if one.topic and other.topic and one.topic != other.topic:
        return None
    if any(piece.weight > 0 or piece.kind in _OTHERWISE for piece in verdict.evidence):
        return None
    pair = Pair.of(one, other)
    told = addition(pair)
    if told is None or told.tokens[0].text not in _ADDS or any(token.text in _RESTRICTS for token in told.tokens):
        return None
    general = pair.a if told.longer else pair.b
    if len(general.words) <= LEAST or not any(token.content for token in told.tokens):
        return None
    return (other, one) if told.longer else (one, other)
