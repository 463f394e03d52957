"""A long text against an invariant, sentence by sentence: what is buried in it is not let in unseen.

Read as a whole, one sentence among thirty says next to nothing; and a topic, a tag or a field can say as much as a
sentence. What such a part contradicts is doubted, not rejected: out of its context it may be a quotation. People look.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from ..patterns import later
from ..probe.candidate import Candidate
from ..probe.words import distinctive
from ..records import DetectedBy, Evidence, Memory, Relationship, Verb, Verdict
from ..text import excerpt, fold, tokens

if TYPE_CHECKING:
    from .weigher import Weigher

Weighed = list[tuple[Candidate, Verdict]]

SHARED = 0.3
"""Share of a part's words that an invariant must have for the two to be weighed."""
MOST = 60
"""Parts of one text that are weighed; with more that speak of invariants, people read it."""
WORDS = 40
"""A sentence of more words is cut in pieces of so many, each beginning in the middle of the one before."""
SAYING = 3
"""A topic, a tag or a field of fewer words says nothing."""
_END = later(r"(?<=[.!?;:])[\"')\]*]*\s+|(?<=[。！？；])|\n+")
_WORD = later(r"\S+")


class Passage(NamedTuple):
    """A part of a memory; `start` is its place in the content, None where it stands elsewhere."""

    text: str
    start: int | None = None


def passages(memory: Memory) -> list[Passage]:
    """Return what a memory says in parts; nothing where it is one sentence."""
    content = memory.content
    found = list(_pieces(content))
    if len(found) == 1:
        found = []
    beside = [memory.topic or "", *memory.tags, *(v for v in memory.fields.values() if isinstance(v, str))]
    found += [Passage(text) for text in beside if len(tokens(text)) >= SAYING]
    return list({fold(each.text): each for each in reversed(found)}.values())[::-1]


def with_parts(detector: Weigher, memory: Memory, invariants: Sequence[Memory], weighed: Weighed) -> Weighed:
    """Return the verdicts with those on the parts: what a part contradicts and the whole does not is doubted."""
    sure = {c.memory.digest for c, verdict in weighed if verdict.relationship is Relationship.CLASH}
    doubted: dict[str, tuple[Candidate, Verdict]] = {}
    near = [(part, found) for part in passages(memory) if (found := _near(part, invariants, sure))]
    near.sort(key=lambda each: -max(candidate.words for candidate in each[1]))
    for part, found in near[:MOST]:
        bare = memory.model_copy(update={"content": part.text, "topic": None, "fields": {}, "relations": ()})
        for candidate, verdict in zip(found, detector.weigh(bare, found), strict=True):
            known = doubted.get(candidate.memory.digest)
            if verdict.relationship is Relationship.CLASH and not (
                known and known[1].probability >= verdict.probability
            ):
                doubted[candidate.memory.digest] = candidate, _doubt(part, verdict)
    for _, found in near[MOST:]:
        doubted.setdefault(found[0].memory.digest, (found[0], _UNREAD))
    return [each for each in weighed if each[0].memory.digest not in doubted] + list(doubted.values())


def _near(part: Passage, invariants: Sequence[Memory], sure: set[str]) -> list[Candidate]:
    mine = set(distinctive(part.text))
    found: list[Candidate] = []
    for each in invariants if mine else ():
        words = len(mine & {*tokens(each.content), *tokens(each.topic or "")}) / len(mine)
        if words >= SHARED and each.digest not in sure:
            # no vector is made for a part: the words that they share stand in for how near they are
            found.append(Candidate(memory=each, cosine=words, rank=len(found), words=words))
    return found


def _doubt(part: Passage, verdict: Verdict) -> Verdict:
    said = excerpt(part.text, 120).rstrip(".")
    read = Evidence(kind="passage", weight=0.0, sentence=f'A part of it was read by itself: "{said}".')
    evidence = tuple(_moved(piece, part.start) for piece in verdict.evidence)
    return verdict.model_copy(
        update={"relationship": Relationship.COMPATIBLE, "suspicious": True, "evidence": (*evidence, read)}
    )


_UNREAD = Verdict(
    relationship=Relationship.COMPATIBLE,
    probability=0.5,
    detected_by=DetectedBy.SEMANTIC,
    evidence=(
        Evidence(
            kind="passage", weight=0.0, sentence=f"More than {MOST} parts of it speak of invariants; not all were read."
        ),
    ),
    suggested=Verb.ABORT,
    suspicious=True,
)


def _moved(piece: Evidence, start: int | None) -> Evidence:
    """Return the evidence with its places in the whole text; with none where the part stands elsewhere."""
    spans = () if start is None else tuple((a + start, b + start) for a, b in piece.challenger_spans)
    return piece.model_copy(update={"challenger_spans": spans})


def _pieces(text: str) -> Iterator[Passage]:
    start = 0
    for end in [*_END.finditer(text), None]:
        sentence = text[start : end.start() if end else len(text)]
        words = list(_WORD.finditer(sentence))
        for at in range(0, max(len(words) - WORDS // 2, 1), WORDS // 2) if words else ():
            first, last = words[at], words[min(at + WORDS, len(words)) - 1]
            yield Passage(sentence[first.start() : last.end()], start + first.start())
        start = end.end() if end else len(text)
