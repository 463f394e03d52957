"""A rule in force, and a detector that knows what clashes with it."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from tests.standins import plain_vector
from tur_engine.minds import Minds
from tur_engine.probe.candidate import Candidate
from tur_engine.records import Evidence, Memory, Relationship, Verdict

RULE, CONSTRAINT = "Never force-push to main.", "Commits are small."
CLASHES = {
    (RULE, "We force-push to main."): 0.95,
    (CONSTRAINT, "We make one large commit."): 0.6,
    (RULE, "We rewrite main."): 0.2,
}


class Known:
    """Knows a few pairs that clash."""

    suspicion = 0.02

    def weigh(self, challenger: Memory, candidates: Sequence[Candidate]) -> list[Verdict]:
        return [self._verdict(each.memory.content, challenger.content) for each in candidates]

    def _verdict(self, rule: str, action: str) -> Verdict:
        probability = CLASHES.get((rule, action), 0.01)
        found = Evidence(kind="negation", weight=2, sentence="\u202eone says no", incumbent_words="Never")
        kind = Relationship.CLASH if probability > 0.5 else Relationship.COMPATIBLE
        return Verdict(relationship=kind, probability=probability, evidence=(found,))


def weigh_by_what_is_known(monkeypatch: pytest.MonkeyPatch) -> None:
    """No model is loaded."""
    monkeypatch.setattr(Minds, "detector", property(lambda self: Known()))
    monkeypatch.setattr(Minds, "_embed", lambda self, text: plain_vector(text))
