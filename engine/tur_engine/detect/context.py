"""How alike the surroundings of two differing words are: that tells a changed value from another subject."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from .clause import subject
from .pair import Pair
from .reading import Reading, Token
from .vicinity import around
from .words import LIGHT, root


class Context(NamedTuple):
    """What two differing places have around them."""

    near: float
    """Share of the words around the one that are around the other too, 0 to 1."""
    rest_incumbent: int
    """Distinct words of meaning in the sentence that the other side has nowhere, the differing ones left out."""
    rest_challenger: int
    jaccard: float
    """Shared stems over all stems, 0 to 1."""
    strength: float = 0.0
    """What the kind itself measured, 0 to 1."""
    clause_incumbent: int = 0
    """Distinct words of meaning in the differing words' clause that the other side has nowhere."""
    clause_challenger: int = 0
    subject: float = 0.0
    """1 where the two sentences speak of one subject, -1 where each has its own, 0 in between or unknown."""

    @property
    def akin(self) -> bool:
        """False where the words around have so little in common that the two places have nothing to do with each
        other."""
        return self.near >= 0.25 or (self.rest_incumbent == 0 and self.rest_challenger == 0)

    @property
    def features(self) -> tuple[float, ...]:
        """What a Scale weighs, in its order."""
        low, high = sorted((self.rest_incumbent, self.rest_challenger))
        return (
            1.0,
            self.near,
            float(low == 0),
            float(high == 0),
            self.strength,
            self.near * (self.clause_incumbent == 0 and self.clause_challenger == 0),
            float(self.clause_incumbent > 0 and self.clause_challenger > 0),
            self.subject,
        )


class Scale(NamedTuple):
    """Log-odds of a clash given the context, fitted on labelled pairs and streams (benchmarks/evidence.py --fit)."""

    bias: float
    near: float = 0.0
    alone: float = 0.0
    """One side has no words of meaning that the other lacks."""
    bare: float = 0.0
    """Neither side has."""
    strength: float = 0.0
    tight: float = 0.0
    """Times `near`, where neither clause has such words."""
    apart: float = 0.0
    """Both clauses have such words: two subjects, or a paraphrase."""
    subject: float = 0.0
    akin_only: bool = True
    """A clash needs like surroundings, a guard does not."""
    ceiling: float = 4.0

    def weight(self, context: Context) -> float:
        """Return the weight, two decimals, within the ceiling; for a clash 0 where the places are not akin."""
        if self.akin_only and not context.akin:
            return 0.0
        factors = (
            self.bias, self.near, self.alone, self.bare, self.strength, self.tight, self.apart, self.subject,
        )  # fmt: skip
        total = sum(f * x for f, x in zip(factors, context.features, strict=True))
        return round(max(-self.ceiling, min(self.ceiling, total)), 2)


def context(pair: Pair, mine: Sequence[Token], theirs: Sequence[Token], strength: float = 0.0) -> Context:
    """Return how alike the surroundings of `mine` (incumbent) and `theirs` (challenger) are."""
    a_near, b_near = around(pair.a, mine), around(pair.b, theirs)
    smaller = min(len(a_near), len(b_near))
    near = len(a_near & b_near) / smaller if smaller else (1.0 if not a_near and not b_near else 0.5)
    a_rest, b_rest = pair.rests
    a_sentence, a_clause = _lone(pair.a, mine, a_rest)
    b_sentence, b_clause = _lone(pair.b, theirs, b_rest)
    related = subjects(pair, mine[0].sentence, theirs[0].sentence) if mine and theirs else 0.0
    return Context(near, a_sentence, b_sentence, pair.jaccard, strength, a_clause, b_clause, related)


def subjects(pair: Pair, mine: int, theirs: int) -> float:
    """Compare the subjects of two sentences: 1 equal or one within the other, -1 each with words the other side
    lacks."""
    a, b = (
        {root(t.stem) for t in subject(side, s) if t.stem not in LIGHT}
        for side, s in ((pair.a, mine), (pair.b, theirs))
    )
    if not a or not b:
        return 0.0
    if a == b:
        return 1.0
    lone_a = not a <= pair.b.roots
    lone_b = not b <= pair.a.roots
    if lone_a and lone_b:
        return -1.0
    return 0.0 if lone_a or lone_b else 0.8


def _lone(reading: Reading, tokens: Sequence[Token], rest: frozenset[str]) -> tuple[int, int]:
    """Count the words of meaning that the other side lacks, in the sentences and in the clauses of some tokens."""
    if not tokens:
        return len(rest), len(rest)
    own = {t.stem for t in tokens}
    sentences = {t.sentence for t in tokens}
    clauses = {t.clause for t in tokens}
    lone = [t for t in reading.words if t.stem in rest and t.stem not in own and t.sentence in sentences]
    return len({t.stem for t in lone}), len({t.stem for t in lone if t.clause in clauses})
