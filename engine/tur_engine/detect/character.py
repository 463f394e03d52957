"""What sort of clash it is, which evidence carried it, and which verb to suggest."""

from __future__ import annotations

from collections.abc import Sequence

from ..patterns import later
from ..records import AuthorKind, ConflictType, DetectedBy, Evidence, MemoryType, Verb
from .explain import JUDGE, WORDING
from .pair import Pair

_PRIORITY = later(
    r"\b(?:priorit\w+|top of the list|comes? first|goes? first|before anything|most important|more important"
    r"|less important|outranks?|takes? precedence|p[0-3])\b"
)
_STRATEGIC = later(
    r"\b(?:must|shall|should|may not|plans?|planned|policy|policies|decided?|decision|strategy|goal|rules?|roadmap"
    r"|going to|will|allowed|forbidden|required?|always use|never use|do not|we use)\b"
)
_AUTHORITY = {AuthorKind.AGENT: 0, AuthorKind.SYSTEM: 0, AuthorKind.HUMAN: 1}
_REFINES = ("additive", "exception")
STRONG = 0.7
"""Log-odds from which a guard has a say in what to do, if it also weighs half of what speaks for the clash."""


def conflict_type(pair: Pair) -> ConflictType:
    """Return Akashik's type of the pair.

    Priority where both order things; interpretive where either is a preference or an insight (a view of someone's, no
    measurement settles it); strategic where both speak of rules, plans or decisions; factual otherwise.
    """
    texts = (pair.a.folded, pair.b.folded)
    types = {pair.incumbent.type, pair.challenger.type}
    if all(_PRIORITY.search(text) for text in texts):
        return ConflictType.PRIORITY
    if types & {MemoryType.PREFERENCE, MemoryType.INSIGHT}:
        return ConflictType.INTERPRETIVE
    if all(_STRATEGIC.search(text) for text in texts):
        return ConflictType.STRATEGIC
    return ConflictType.FACTUAL


def detected_by(evidence: Sequence[Evidence]) -> DetectedBy:
    """Return what carried the verdict: a declaration, two field values, order in time, assumptions, or the meaning."""
    kinds = {piece.kind for piece in evidence}
    if "explicit" in kinds:
        return DetectedBy.EXPLICIT
    if "mechanical" in kinds:
        return DetectedBy.MECHANICAL
    symbols = [piece for piece in evidence if not piece.guard and piece.kind not in (JUDGE, WORDING)]
    strongest = max(symbols, key=lambda piece: piece.weight, default=None)
    if strongest is not None and strongest.kind == "logical":
        return DetectedBy.LOGICAL
    if strongest is not None and strongest.kind == "temporal":
        return DetectedBy.TEMPORAL
    return DetectedBy.SEMANTIC


def suggested(pair: Pair, evidence: Sequence[Evidence]) -> Verb:
    """Return the verb to offer first; people decide.

    Abort against the invariant tier; refute what happened earlier or speaks with less authority; branch where the two
    name different places; merge where one refines the other; supersede the older otherwise.
    """
    if pair.incumbent.type.invariant_tier:
        return Verb.ABORT
    if pair.challenger.occurred_at < pair.incumbent.occurred_at:
        return Verb.REFUTE
    if _AUTHORITY[pair.challenger.author.kind] < _AUTHORITY[pair.incumbent.author.kind]:
        return Verb.REFUTE
    strongest = max((piece.weight for piece in evidence), default=0.0)
    guards = {piece.kind for piece in evidence if -piece.weight >= max(STRONG, strongest / 2)}
    if "different" in guards:
        return Verb.BRANCH
    if guards & set(_REFINES):
        return Verb.MERGE
    return Verb.SUPERSEDE
