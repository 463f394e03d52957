"""Stands in for the models where a test is about what lies around them: fast, and the verdict can be foretold.

A text is `subject: value`. Two values of one subject clash, two equal texts are one, everything else goes together.
"""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha256, shake_256

import pytest

from tur_engine.minds import Minds
from tur_engine.probe.candidate import Candidate
from tur_engine.records import Evidence, Memory, Relationship, Verdict
from tur_engine.text import fold, tokens

MODEL = sha256(b"stand-in").digest()


class PlainDetector:
    """Weighs by the words before and after the colon."""

    suspicion = 0.2

    def weigh(self, challenger: Memory, candidates: Sequence[Candidate]) -> list[Verdict]:
        return [plain_verdict(each.memory.content, challenger.content) for each in candidates]


def plain_verdict(incumbent: str, challenger: str) -> Verdict:
    """The verdict on two texts."""
    (subject, _, value), (other, _, claimed) = fold(incumbent).partition(":"), fold(challenger).partition(":")
    if subject != other:
        return Verdict(relationship=Relationship.COMPATIBLE, probability=0.01)
    if value == claimed:
        return Verdict(relationship=Relationship.DUPLICATE, probability=0.01)
    piece = Evidence(
        kind="competing",
        weight=3.0,
        sentence=f'"{subject}" has one value: "{value.strip()}" or "{claimed.strip()}"',
        incumbent_words=value.strip(),
        challenger_words=claimed.strip(),
    )
    return Verdict(relationship=Relationship.CLASH, probability=0.9, evidence=(piece,))


def plain_vector(text: str) -> bytes:
    """The body of a vector: texts that share words lie near each other."""
    words = tokens(text) or [text]
    sums = [0] * 384
    for word in words:
        for i, byte in enumerate(shake_256(word.encode()).digest(384)):
            sums[i] += byte - 128
    largest = max(1, *map(abs, sums))
    return MODEL + bytes((value * 127 // largest) & 0xFF for value in sums)


def install(monkeypatch: pytest.MonkeyPatch) -> None:
    """Give every engine made from now on these minds."""
    monkeypatch.setattr(Minds, "detector", property(lambda self: PlainDetector()))
    monkeypatch.setattr(Minds, "_embed", lambda self, text: plain_vector(text))
