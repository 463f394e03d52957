"""Weighs a newcomer against the incumbents that the probe found: one calibrated verdict a pair.

Explicit, mechanical and duplicate settle at once. Symbols score the rest; the few best pairs left open are skimmed, and
the judge reads those where a doubt remains.
Swapping which of two memories of one date came first swaps the roles and leaves the probability: a pair is read by
date, then by text, and which direction the judge reads first depends on the texts alone.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from types import EllipsisType
from typing import NamedTuple

from ..errors import BadInput
from ..probe.candidate import Candidate
from ..records import Evidence, Memory, Relationship, Verdict
from ..records.fields import conflicting_fields
from .caused import caused
from .character import conflict_type, detected_by, suggested
from .equivalence import duplicate, retold
from .evidence import explicit, gather, mechanical
from .explain import judge_evidence, wording_evidence
from .features import Opinion, judge_features, plain, symbol_features, word_features
from .handling import handled
from .joined import joined
from .judge import Judge
from .numbered import two_things
from .pair import Pair
from .refinement import refines
from .verdict import Profile, Scales, log_odds, scales

CERTAIN = 0.99
"""Probability of a clash that was declared or is a matter of two field values."""
CLOSEST, WORDIEST = 8, 3
"""How many candidates are read for evidence: the closest by cosine, and those that share most words. The verdict was
fitted on such a list; further down a store of thousands offers chance likeness only."""
MOST_JUDGED = 4
"""How many pairs of one newcomer the judge reads, and as many more of axiom and core: on left-out streams one planted
pair of 113 comes fifth or later."""
WORTH_READING = 0.01
"""Below this probability by symbols alone nobody reads a pair: half of the readings, and one planted memory of 132
lost on the left-out streams (`tools/fit_verdict/thrift.py`)."""
WORTH_GUARDING = 0.003
"""The same where the incumbent is an axiom or core memory."""
WORTH_JUDGING = 0.02
"""Below this probability by symbols and skimmer the judge is not asked: three readings in five, and none of 96 planted
memories lost on the streams left out (`tools/fit_verdict/skimming.py`)."""
SECOND_LOOK = -3.0
"""Log-odds of the first reading below which the other direction is not read: 3 of 125 for four readings in five."""
OPEN = 0.05, 0.75
"""Probabilities after one direction between which a pair of a store is open, and the other is read too: whatever the
profile, what lies outside is settled. Half of the second readings, and three clashes in 284."""
FAR = 0.0005
"""Probability given to candidates that were not worth reading."""


class Worth(NamedTuple):
    """From which probability on a pair is read at all (by symbols alone), and by the judge (by symbols and skimmer)."""

    reading: float = WORTH_READING
    judging: float = WORTH_JUDGING


WORTH = Worth()
"""At the gate."""


@dataclass(slots=True)
class _Weighing:
    """One pair on the scales."""

    pair: Pair
    told: Pair
    """The pair as it is read: by date, then by text, whichever side is the newcomer."""
    candidate: Candidate
    evidence: tuple[Evidence, ...] = ()
    features: dict[str, float] = field(default_factory=dict)
    alone: float = 0.0
    verdict: Verdict | None = None


def declared(pair: Pair) -> tuple[Evidence, ...]:
    """Return the evidence that needs no reading: a relation that says so, two field values."""
    return (*explicit.find(pair), *mechanical.find(pair))


def directions(pair: Pair) -> tuple[tuple[str, str], tuple[str, str]]:
    """Return the two ways to read a pair; which comes first depends on the texts alone."""
    first, second = sorted((pair.a.text, pair.b.text))
    return (first, second), (second, first)


def _on_the_scales(candidate: Candidate, challenger: Memory) -> _Weighing:
    pair = Pair.of(candidate.memory, challenger)
    sides = [(side.occurred_at, side.content) for side in (candidate.memory, challenger)]
    told = pair if sides[0] <= sides[1] else Pair(challenger, candidate.memory, pair.b, pair.a)
    return _Weighing(pair, told, candidate)


def _by_text(candidate: Candidate) -> tuple[str, str]:
    """Where two are as good: a digest holds time and author, and the same texts are to give the same pairs."""
    return candidate.memory.content, candidate.memory.digest


def shortlist(candidates: Sequence[Candidate]) -> set[int]:
    """Return the places of the candidates worth reading; ties go by text, so the order given does not matter.

    Axiom and core are always read: what people protect is not left to its place in a list.
    """
    places = range(len(candidates))
    close = sorted(places, key=lambda i: (-candidates[i].cosine, _by_text(candidates[i])))[:CLOSEST]
    wordy = sorted(places, key=lambda i: (-candidates[i].words, _by_text(candidates[i])))[:WORDIEST]
    told = (i for i in places if candidates[i].exact or candidates[i].met or candidates[i].memory.type.invariant_tier)
    return {*close, *wordy, *told}


def _read(
    reader: Judge, one: _Weighing, by: Scales, doubtful: tuple[float, float] | None, *, paired: bool = False
) -> float:
    """Return the probability of a clash by symbols and a reader.

    He reads the other direction where the first leaves a probability between the `doubtful` ones; where none are given,
    unless he himself says that there is no clash by far.
    """
    first, second = directions(one.pair)
    logits = [reader.read(*first)]
    opinion = Opinion.of(logits)
    probability = by.probability(one.features | judge_features(opinion), paired=paired)
    if opinion.contradicts[0] >= SECOND_LOOK if doubtful is None else doubtful[0] <= probability < doubtful[1]:
        opinion = Opinion.of([*logits, reader.read(*second)])
        probability = by.probability(one.features | judge_features(opinion), paired=paired)
    return probability


class Detector:
    """Gives verdicts at one profile. Cheap to make: weights and coefficients load at the first `weigh`."""

    def __init__(
        self,
        profile: str = "balanced",
        judge: Judge | EllipsisType | None = ...,
        *,
        threshold: float | None = None,
        worth: Worth = WORTH,
    ) -> None:
        """`judge=None` goes by words and symbols alone; left out, the installed judge is used where there is one.

        `threshold` stands in place of the profile's for what a store raises; `worth` says which pairs are read at all.
        Raises BadInput for an unknown profile.
        """
        if profile not in set(Profile):
            raise BadInput(f"unknown detection profile {profile!r}; use one of {', '.join(Profile)}")
        self.profile = Profile(profile)
        self._judge = judge
        self._local = threshold
        self._worth = worth

    @property
    def judge(self) -> Judge | None:
        """The judge, or None where symbols alone decide."""
        if isinstance(self._judge, EllipsisType):
            self._judge = Judge.load()
        return self._judge

    def with_judge(self, judge: Judge | None, worth: Worth = WORTH) -> Detector:
        """Return a detector at the same profile and threshold that asks another judge, or asks it less often."""
        return Detector(self.profile, judge, threshold=self._local, worth=worth)

    @property
    def threshold(self) -> float:
        """Probability from which a pair is a clash at this profile."""
        return self._threshold(self._scales.thresholds())

    @property
    def suspicion(self) -> float:
        """Lower probability from which a pair may not pass unseen against an invariant."""
        return min(self.threshold, self._scales.thresholds()["suspicion"])

    def _threshold(self, fitted: Mapping[str, float], *, paired: bool = False, guarded: bool = False) -> float:
        """`guarded`: the incumbent is an axiom or core. What a setting says may make these stricter, never laxer."""
        own = fitted[self.profile] if self._local is None or paired else self._local
        return min(own, fitted[Profile.BALANCED]) if guarded else own

    @property
    def _scales(self) -> Scales:
        return scales()["full" if self.judge is not None else "alone"]

    def weigh(self, challenger: Memory, candidates: Sequence[Candidate], *, paired: bool = False) -> list[Verdict]:
        """Return one verdict for each candidate, in the order given.

        `paired` is for pairs that somebody put side by side (labelled pairs): that they are about one matter is given,
        so how near they are says nothing, and a clash is as likely as not beforehand. In a store about one candidate in
        a hundred clashes, and nearness is what parts it from the others: one prior cannot serve both. Evidence, judge
        and features are the same.
        """
        weighings = [_on_the_scales(candidate, challenger) for candidate in candidates]
        listed = shortlist(candidates)
        for at, one in enumerate(weighings):
            self._settle(one, read=at in listed)
        left = [one for one in weighings if one.verdict is None]
        for one in left:
            one.features = word_features(one.told, one.candidate.cosine) | symbol_features(one.told, one.evidence)
            # Where nothing differs but one value the two are about one matter, however near the vectors say they lie.
            side_by_side = paired or plain(one.told, one.evidence)
            one.alone = scales()["alone"].probability(one.features, paired=side_by_side)
        for one in self._worth_reading(left, paired=paired):
            self._ask(one, paired=paired)
        for one in left:
            if one.verdict is None:
                one.verdict = self._verdict(one, one.alone, paired=paired)
        return [one.verdict for one in weighings if one.verdict is not None]

    def _settle(self, one: _Weighing, *, read: bool) -> None:
        pair = one.pair
        one.evidence = declared(pair)
        if any(piece.kind in ("explicit", "mechanical") for piece in one.evidence):
            one.verdict = Verdict(
                relationship=Relationship.CLASH,
                probability=CERTAIN,
                conflict_type=conflict_type(pair),
                detected_by=detected_by(one.evidence),
                evidence=one.evidence,
                suggested=suggested(pair, one.evidence),
                conflicting_fields=conflicting_fields(pair.incumbent, pair.challenger),
            )
        elif duplicate(pair):
            one.verdict = Verdict(
                relationship=Relationship.DUPLICATE, probability=round(1 - CERTAIN, 2), evidence=one.evidence
            )
        elif apart := two_things(pair) or retold(pair) or refines(pair) or handled(pair) or caused(pair):
            one.verdict = Verdict(relationship=Relationship.COMPATIBLE, probability=FAR, evidence=(apart,))
        elif not read:
            one.verdict = Verdict(relationship=Relationship.COMPATIBLE, probability=FAR)
        else:
            one.evidence = gather(one.told)

    def _worth_reading(self, left: Sequence[_Weighing], *, paired: bool) -> list[_Weighing]:
        if self.judge is None:
            return []
        still_open = [one for one in left if paired or one.alone >= self._bound(one)]
        ranked = sorted(still_open, key=lambda one: (-one.alone, _by_text(one.candidate)))
        best, rest = ranked[:MOST_JUDGED], ranked[MOST_JUDGED:]
        return best + [one for one in rest if one.candidate.memory.type.invariant_tier][:MOST_JUDGED]

    def _bound(self, one: _Weighing) -> float:
        """Return the probability by symbols alone from which a pair is read."""
        guarded = one.candidate.memory.type.invariant_tier
        return min(self._worth.reading, WORTH_GUARDING) if guarded else self._worth.reading

    def _ask(self, one: _Weighing, *, paired: bool) -> None:
        assert self.judge is not None
        close = paired or one.candidate.memory.type.invariant_tier
        probability, judged = 0.0, close or self.judge.skimmer is None
        if not judged:
            assert self.judge.skimmer is not None
            bound = self._worth.judging
            probability = _read(self.judge.skimmer, one, scales()["skimmed"], (bound / 4, bound))
            judged = probability >= bound
        if judged:
            probability = _read(self.judge, one, scales()["full"], None if close else OPEN, paired=paired)
        if plain(one.told, one.evidence):
            probability = max(probability, one.alone)
        one.verdict = self._verdict(one, probability, paired=paired, read=True, judged=judged)

    def _verdict(
        self, one: _Weighing, probability: float, *, paired: bool, read: bool = False, judged: bool = False
    ) -> Verdict:
        thresholds = scales()["full" if read else "alone"].thresholds(paired=paired)
        guarded = one.candidate.memory.type.invariant_tier
        threshold = self._threshold(thresholds, paired=paired, guarded=guarded)
        if (edge := joined(one.pair, one.told, one.evidence)) is not None:
            probability = 1 / (1 + math.exp(-(log_odds(probability) + edge.weight)))
        clash = probability >= threshold
        evidence = one.evidence if one.told is one.pair else gather(one.pair)
        if read:
            shift = log_odds(probability) - log_odds(one.alone)
            evidence = tuple(sorted((*evidence, judge_evidence(one.pair, shift, evidence)), key=lambda e: -e.weight))
        if edge is not None:
            evidence = (*evidence, edge)
        if clash and not any(piece.weight > 0 for piece in evidence):
            margin = log_odds(probability) - log_odds(threshold)
            evidence = (wording_evidence(one.pair, margin), *evidence)
        return Verdict(
            relationship=Relationship.CLASH if clash else Relationship.COMPATIBLE,
            probability=round(probability, 4),
            conflict_type=conflict_type(one.pair),
            detected_by=detected_by(evidence),
            evidence=evidence,
            suggested=suggested(one.pair, evidence),
            suspicious=not clash and probability >= thresholds["suspicion"],
            judged=judged,
        )
