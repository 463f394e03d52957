"""Rules on their way through the gate are weighed as a scan weighs them (docs/files.md)."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime

from tur_engine.detect.verdict import Profile
from tur_engine.probe.candidate import Candidate
from tur_engine.records import Author, Evidence, Memory, MemoryType, Relationship, Scope, Verdict
from tur_engine.sources.gated import weighed

MOMENT = datetime(2026, 3, 1, tzinfo=UTC)
SIGN = Evidence(kind="number", weight=2.0, sentence="Another number.")
CLASH = Verdict(relationship=Relationship.CLASH, probability=0.9, evidence=(SIGN,))
NOTHING = Verdict(relationship=Relationship.COMPATIBLE, probability=0.02)


def memory(text: str, topic: str = "", *, at: str = "AGENTS.md:3", type: MemoryType = MemoryType.FACT) -> Memory:
    return Memory(
        digest=f"{abs(hash((text, topic, at))):064x}"[:64],
        content=text,
        topic=topic or None,
        type=type,
        scope=Scope(),
        declared_scope=Scope(),
        author=Author.parse("human:mara"),
        occurred_at=MOMENT,
        recorded_at=MOMENT,
        seq=1,
        provenance={"imported_from": at} if at else {},
    )


class Detector:
    """Gives one verdict always; `asked` keeps the topics that it was shown."""

    def __init__(self, verdict: Verdict) -> None:
        self.verdict = verdict
        self.asked: list[tuple[str | None, str | None]] = []

    def weigh(self, challenger: Memory, candidates: Sequence[Candidate]) -> list[Verdict]:
        self.asked += [(each.memory.topic, challenger.topic) for each in candidates]
        return [self.verdict for _ in candidates]


def relations(detector: Detector, challenger: Memory, *others: Memory) -> list[str]:
    candidates = [Candidate(memory=other, cosine=0.5, rank=at, words=0.5) for at, other in enumerate(others)]
    return [str(each.relationship) for each in weighed(Profile.BALANCED, detector.weigh, challenger, candidates)]


def test_headings_keep_two_rules_apart_and_are_not_read_as_what_they_say() -> None:
    detector = Detector(CLASH)
    rule = memory("Lines have at most 120 characters.", "Style > Go")
    python = memory("Lines have at most 88 characters.", "Style > Python", at="CLAUDE.md:9")
    other = memory("Lines have at most 88 characters.", "Style", at="CLAUDE.md:3")
    assert relations(detector, rule, python, other) == ["compatible", "clash"]
    assert detector.asked == [(None, None)] * 2


def test_two_choices_of_one_matter_are_found_though_the_detector_sees_nothing() -> None:
    rule, other = memory("Indentation: tabs."), memory("Indent with two spaces.", at="CLAUDE.md:4")
    assert relations(Detector(NOTHING), rule, other) == ["clash"]


def test_what_is_no_pair_of_rules_is_weighed_as_it_is() -> None:
    rule = memory("Lines have at most 120 characters.", "Go")
    learned = memory("Lines have at most 88 characters.", "Python", at="")
    invariant = memory("Lines have at most 88 characters.", "Python", at="CLAUDE.md:9", type=MemoryType.CORE)
    for challenger, other in ((rule, learned), (learned, rule), (rule, invariant)):
        detector = Detector(CLASH)
        assert relations(detector, challenger, other) == ["clash"]
        assert detector.asked == [(other.topic, challenger.topic)]


def test_the_order_of_the_candidates_stays() -> None:
    rule = memory("Lines have at most 120 characters.", "Go")
    python = memory("Lines have at most 88 characters.", "Python", at="CLAUDE.md:9")
    learned = memory("Lines have at most 88 characters.", at="")
    assert relations(Detector(CLASH), rule, python, learned, python) == ["compatible", "clash", "compatible"]
