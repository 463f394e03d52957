"""Two memories side by side, read once each: what all evidence is found on."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from ..records import Evidence, Memory, Span
from .alignment import stretches
from .measures import Comparison, compare, tokens_of
from .reading import Reading, Token, read
from .words import LIGHT, root

__all__ = ["Pair", "Reading", "Swap", "Token", "read"]


class Swap(NamedTuple):
    """A stretch of words on one side that stands in the place of another on the other side."""

    incumbent: tuple[Token, ...]
    challenger: tuple[Token, ...]
    before: int
    """Equal words right before the swap."""
    after: int
    """Equal words right after it."""


@dataclass(frozen=True)
class Pair:
    """The incumbent (older) and the challenger (newer), with their readings `a` and `b`."""

    incumbent: Memory
    challenger: Memory
    a: Reading
    b: Reading

    @classmethod
    def of(cls, incumbent: Memory, challenger: Memory) -> Pair:
        return cls(incumbent, challenger, read(incumbent.content), read(challenger.content))

    @cached_property
    def shared(self) -> frozenset[str]:
        """Stems of meaning that stand on both sides."""
        return self.a.stems & self.b.stems

    @cached_property
    def overlap(self) -> float:
        """Share of the shorter side's distinct content stems found on the other, 0 to 1."""
        shorter = min(len(self.a.stems), len(self.b.stems))
        return len(self.shared) / shorter if shorter else 0.0

    @cached_property
    def jaccard(self) -> float:
        """Shared stems over all stems, 0 to 1."""
        union = len(self.a.stems | self.b.stems)
        return len(self.shared) / union if union else 0.0

    @cached_property
    def closest(self) -> tuple[int, int] | None:
        """The two sentences that share most words of meaning (incumbent's, challenger's); None where none share any."""
        best: tuple[int, int, int] | None = None
        mine, theirs = self.a.by_sentence, self.b.by_sentence
        for i, a in mine.items():
            for j, b in theirs.items():
                shared = len(a & b)
                if shared and (best is None or shared > best[0]):
                    best = shared, i, j
        return best[1:] if best else None

    @cached_property
    def swaps(self) -> tuple[Swap, ...]:
        """Where the aligned texts differ, in order; a pure insertion has one side empty."""
        left = [t for t in self.a.tokens if t.kind != "sign"]
        right = [t for t in self.b.tokens if t.kind != "sign"]
        found: list[Swap] = []
        at_a = at_b = before = 0
        for start_a, start_b, length in (
            *stretches([t.stem for t in left], [t.stem for t in right]),
            (len(left), len(right), 0),
        ):
            if start_a > at_a or start_b > at_b:
                found.append(Swap(tuple(left[at_a:start_a]), tuple(right[at_b:start_b]), before, length))
            at_a, at_b, before = start_a + length, start_b + length, length
        return tuple(found)

    @cached_property
    def measures(self) -> Comparison:
        """Numbers and moments of both sides set against each other."""
        return compare(self.a, self.b)

    @cached_property
    def rests(self) -> tuple[frozenset[str], frozenset[str]]:
        """Stems of meaning found on one side only: incumbent's, challenger's. Measures that were compared are left
        out."""
        found = self.measures
        mine = [*(d.incumbent for d in found.differing), *(one for one, _ in found.agreed)]
        theirs = [*(d.challenger for d in found.differing), *(other for _, other in found.agreed)]
        a_settled = frozenset(t.stem for m in mine for t in tokens_of(self.a, m))
        b_settled = frozenset(t.stem for m in theirs for t in tokens_of(self.b, m))
        return _rest(self.a, self.b, a_settled), _rest(self.b, self.a, b_settled)

    def evidence(
        self,
        kind: str,
        weight: float,
        sentence: str,
        incumbent: Iterable[Token | Span] = (),
        challenger: Iterable[Token | Span] = (),
    ) -> Evidence:
        """Return the evidence with words and merged spans of both sides filled in."""
        a_spans = merge_spans(incumbent, self.a.text)
        b_spans = merge_spans(challenger, self.b.text)
        return Evidence(
            kind=kind,
            weight=weight,
            sentence=sentence,
            incumbent_words=words_of(self.a.text, a_spans),
            challenger_words=words_of(self.b.text, b_spans),
            incumbent_spans=a_spans,
            challenger_spans=b_spans,
        )


def merge_spans(parts: Iterable[Token | Span], text: str) -> tuple[Span, ...]:
    """Return sorted spans, those parted by blanks only joined into one."""
    spans = sorted((p.start, p.end) if isinstance(p, Token) else p for p in parts)
    merged: list[Span] = []
    for start, end in spans:
        if merged and (start <= merged[-1][1] or not text[merged[-1][1] : start].strip(" -")):
            merged[-1] = (merged[-1][0], max(end, merged[-1][1]))
        else:
            merged.append((start, end))
    return tuple(merged)


def words_of(text: str, spans: Sequence[Span]) -> str:
    """Return the stored words under the spans, gaps shown as an ellipsis."""
    return " … ".join(text[start:end] for start, end in spans)


def _rest(mine: Reading, theirs: Reading, settled: frozenset[str]) -> frozenset[str]:
    """Return the stems of meaning of one side that the other lacks, in any form; settled measures are left out."""
    return frozenset(s for s in mine.stems if s not in settled and s not in LIGHT and root(s) not in theirs.roots)
