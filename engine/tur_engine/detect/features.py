"""What the verdict is computed from: one row of numbers a pair, the same whichever side came first.

Sentence length is left out on purpose: how long the lines of a corpus are says how it was written, not what clashes.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from ..patterns import later
from ..records import Evidence, MemoryType
from .evidence import KINDS
from .evidence.holding import surest
from .frames import frames, rival_frames
from .pair import Pair, Reading

_NEGATION = later(r"\b(?:not|no|never|none|nobody|nothing|neither|nor|cannot|without|nowhere)\b|n't\b")


def _any_of(*words: str) -> re.Pattern[str]:
    return later(rf"\b(?:{'|'.join(' '.join(words).split())})\b".replace("_", " "))


_FLAGS = {
    "change": _any_of(
        r"no_longer any_?more now since replaced? moved? switch(?:ed)? migrat\w+ dropped retired gave_up instead",
        r"stopped ended sold became from_now_on these_days removed gone taken_over took_over turned",
    ),
    "past": _any_of(
        r"used_to until formerly previously once back_in in_(?:19|20)\d\d before was were had originally earlier ago"
    ),
    "plan": _any_of(
        r"plans? planned planning might may consider\w* propos\w+ would could if idea wish\w* hop(?:e|es|ing) should",
        r"tomorrow next_(?:week|month|year|quarter) will want\w* think\w* perhaps maybe try trial",
    ),
    "exception": _any_of(
        r"except\w* unless apart_from other_than exempt\w* besides aside_from but_for only_one sole however excluding"
    ),
    "universal": _any_of(r"all every each always any entire\w* only solely exclusively whole everything everyone"),
    "permission": _any_of(
        r"must may allow\w* forbid\w* permit\w* required? mandatory banned? optional has_to have_to need\w*"
    ),
    "preference": _any_of(r"prefers? preferred likes? loves? hates? dislikes? wants? favou?rite enjoys? rather"),
}

JUDGE = ("judge_mean", "judge_low", "judge_high", "judge_apart", "same_mean", "same_high", "compatible_mean")
NEAR = ("cosine", "overlap", "jaccard", "names_shared", "names_apart", "matter")
"""How near the two are: what parts a store's many pairs from a pair that somebody put side by side."""
WORDS = (
    "swapped",
    "frame",
    "numbers_apart",
    "numbers_shared",
    "number_alone",
    "negation_odd",
    "negation_even",
    *(f"{flag}_any" for flag in _FLAGS),
    "event",
    "preference",
)
SYMBOLS = (*(f"evidence_{kind}" for kind in KINDS), "evidence_for", "evidence_against", "minimal", "minimal_for")

PLAIN = {"slot": 2.4, "number": 1.5, "version": 1.5, "port": 1.5, "date": 1.5, "time": 1.5, "antonym": 1.5}
"""Weights from which a kind is plain where nothing else differs."""
PLAIN_ANYWHERE = {"holding": 1.5}
"""Weights from which a kind is plain though more differs: it looks at the people and the circumstances itself."""

READING = (*JUDGE, *WORDS, *SYMBOLS)
"""What the two texts say, however near they are."""
READING_ALONE = (*WORDS, *SYMBOLS)
"""The same where no judge is at hand."""
STREAM = ("reading", *NEAR, "swapped", "frame")
"""What a store raises: the reading's score, and how near the two are."""


class Opinion(NamedTuple):
    """The judge's log-odds on a pair, both directions alike: one entry for each that was read."""

    contradicts: tuple[float, ...]
    same: tuple[float, ...]
    compatible: tuple[float, ...]

    @classmethod
    def of(cls, logits: Sequence[Sequence[float]]) -> Opinion:
        """Read one or two rows of logits (same, compatible, contradicts)."""
        rows = [tuple(float(x) for x in row) for row in logits]
        return cls(
            contradicts=tuple(_odds(row, 2) for row in rows),
            same=tuple(_odds(row, 0) for row in rows),
            compatible=tuple(_odds(row, 1) for row in rows),
        )


def _odds(row: Sequence[float], at: int) -> float:
    others = [x for i, x in enumerate(row) if i != at]
    top = max(others)
    return row[at] - top - math.log(sum(math.exp(x - top) for x in others))


def judge_features(opinion: Opinion) -> dict[str, float]:
    """Return the JUDGE features."""
    c, s, n = opinion.contradicts, opinion.same, opinion.compatible
    return {
        "judge_mean": sum(c) / len(c),
        "judge_low": min(c),
        "judge_high": max(c),
        "judge_apart": max(c) - min(c),
        "same_mean": sum(s) / len(s),
        "same_high": max(s),
        "compatible_mean": sum(n) / len(n),
    }


def word_features(pair: Pair, cosine: float) -> dict[str, float]:
    """Return the WORDS features: how near the two are, and which small words stand on either side."""
    a, b = pair.a, pair.b
    values = {
        "cosine": cosine,
        "overlap": pair.overlap,
        "jaccard": pair.jaccard,
        "matter": _matter(pair),
        **_names(a, b),
        **_frame(pair),
        **_numbers(a, b),
    }
    negations = [len(_NEGATION.findall(side.folded)) % 2 for side in (a, b)]
    values["negation_odd"] = float(negations[0] != negations[1])
    values["negation_even"] = float(negations[0] == negations[1] == 1)
    ours, theirs = _flags(a.folded), _flags(b.folded)
    for flag, mine, other in zip(_FLAGS, ours, theirs, strict=True):
        values[f"{flag}_any"] = (mine + other) / 2
    types = (pair.incumbent.type, pair.challenger.type)
    values["event"] = types.count(MemoryType.EVENT) / 2
    values["preference"] = types.count(MemoryType.PREFERENCE) / 2
    return values


def symbol_features(pair: Pair, evidence: Sequence[Evidence]) -> dict[str, float]:
    """Return the SYMBOLS features: the strongest weight of each kind, the sums for and against."""
    values = dict.fromkeys(SYMBOLS, 0.0)
    for piece in evidence:
        name = f"evidence_{piece.kind}"
        if abs(piece.weight) > abs(values[name]):
            values[name] = piece.weight
        values["evidence_against" if piece.guard else "evidence_for"] += piece.weight
    if minimal(pair):
        values["minimal"], values["minimal_for"] = 1.0, values["evidence_for"]
    return values


def minimal(pair: Pair) -> bool:
    """Tell whether one text is the other with one short stretch of words put in another's place."""
    swapped = [swap for swap in pair.swaps if swap.incumbent and swap.challenger]
    others = [swap for swap in pair.swaps if not (swap.incumbent and swap.challenger)]
    return (
        len(swapped) == 1
        and max(len(swapped[0].incumbent), len(swapped[0].challenger)) <= 3
        and not any(token.content for swap in others for token in (*swap.incumbent, *swap.challenger))
    )


def plain(pair: Pair, evidence: Sequence[Evidence]) -> bool:
    """Tell whether symbols alone may decide: nothing differs but one value, and no guard speaks.

    Of hand-written pairs like that 25 in 28 with a single-valued slot and 141 in 147 with a number, version, port, date
    or antonym clash; the judge overlooks such swaps where it does not know the names. Of those where one side has what
    the other lacks 13 in 15.
    """
    if not evidence or any(piece.guard for piece in evidence):
        return False
    if any(piece.weight >= PLAIN_ANYWHERE.get(piece.kind, math.inf) for piece in evidence):
        return True
    if not minimal(pair):
        return False
    strongest = max(evidence, key=lambda piece: piece.weight)
    return strongest.weight >= PLAIN.get(strongest.kind, math.inf)


@lru_cache(maxsize=4096)
def _flags(folded: str) -> tuple[bool, ...]:
    return tuple(bool(pattern.search(folded)) for pattern in _FLAGS.values())


def _matter(pair: Pair) -> float:
    """How sure both speak of one matter though no word shows it: another value of one slot, or a lack of what is
    there."""
    slots = (agreement for _, _, agreement in rival_frames(frames(pair.a), frames(pair.b)))
    return max(surest(pair.a, pair.b), *slots, 0.0)


def _names(a: Reading, b: Reading) -> dict[str, float]:
    mine, theirs = ({t.stem for t in side.words if t.name} for side in (a, b))
    shared = len(mine & theirs)
    return {"names_shared": min(shared, 3) / 3, "names_apart": float(bool(mine) and bool(theirs) and not shared)}


def _frame(pair: Pair) -> dict[str, float]:
    """How much of the two texts is one frame with something swapped in it."""
    swapped = [s for s in pair.swaps if s.incumbent and s.challenger]
    held = [s for s in swapped if s.before + s.after >= 3 and len(s.incumbent) <= 4 and len(s.challenger) <= 4]
    longest = max((max(s.before, s.after) for s in pair.swaps), default=0)
    return {"swapped": float(bool(held)), "frame": min(longest, 6) / 6}


def _numbers(a: Reading, b: Reading) -> dict[str, float]:
    mine, theirs = ({t.text for t in side.tokens if t.kind == "number"} for side in (a, b))
    return {
        "numbers_apart": float(bool(mine) and bool(theirs) and not mine & theirs),
        "numbers_shared": float(bool(mine & theirs)),
        "number_alone": float(bool(mine) != bool(theirs)),
    }
