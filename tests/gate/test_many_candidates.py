"""Dozens of held candidates of one incumbent: what a learn reads and weighs does not grow with their square."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from tests import standins
from tests.govern.signing import put_in_force
from tests.standins import PlainDetector, plain_verdict
from tur_engine.engine import Engine
from tur_engine.ledger.reads.conflicts import ConflictReads
from tur_engine.maintain import plan, previewing
from tur_engine.probe.candidate import Candidate
from tur_engine.records import Author, Draft, LearnResult, Memory, MemoryType, OnConflict, Relationship, Verb, Verdict

OTTER = Author.parse("agent:otter")
MANY = 16


@pytest.fixture
def engine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Engine]:
    standins.install(monkeypatch)
    with Engine.init(tmp_path, actor=OTTER) as made:
        yield made


def offered(engine: Engine, content: str) -> LearnResult:
    return engine.learn(Draft(content=content, author=OTTER), on_conflict=OnConflict.HOLD)


def test_each_conflict_is_read_a_few_times_and_each_case_is_planned_once(
    engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    offered(engine, "port: 0")
    for number in range(1, MANY):
        offered(engine, f"port: {number}")
    read: Counter[str] = Counter()
    planned: Counter[Verb] = Counter()
    sides, whole = ConflictReads.sides, plan.plan

    def counting(self: ConflictReads, cid: str) -> tuple[int, int]:
        read[cid] += 1
        return sides(self, cid)

    def plans(view: object, cid: str, decision: object, **how: object) -> object:
        if how.get("whole_case"):
            planned[decision.verb] += 1  # type: ignore[attr-defined]
        return whole(view, cid, decision, **how)  # type: ignore[arg-type]

    monkeypatch.setattr(ConflictReads, "sides", counting)
    monkeypatch.setattr(previewing, "plan", plans)
    result = offered(engine, f"port: {MANY}")
    assert len(result.conflicts) == MANY
    assert len(read) >= MANY * (MANY - 1) // 2  # all of them hang together
    assert max(read.values()) <= 4
    assert set(planned.values()) == {1}


class Apart(PlainDetector):
    """Candidates clash with the incumbent, never with each other; every pair that is weighed is noted."""

    def __init__(self) -> None:
        self.weighed: Counter[tuple[str, str]] = Counter()

    def weigh(self, challenger: Memory, candidates: Sequence[Candidate]) -> list[Verdict]:
        self.weighed.update((each.memory.content, challenger.content) for each in candidates)
        harmless = Verdict(relationship=Relationship.COMPATIBLE, probability=0.01)
        return [
            plain_verdict(each.memory.content, challenger.content) if each.memory.content.endswith(" 0") else harmless
            for each in candidates
        ]


def test_a_candidate_that_a_verb_would_let_in_is_weighed_against_the_invariants_once(
    engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Both supersede and merge would let all the others in."""
    rule = engine.learn(Draft(content="port lamp: rule", type=MemoryType.CORE, author=OTTER))
    put_in_force(engine, rule.proposal_id or "")
    offered(engine, "port: 0")
    detector = Apart()
    monkeypatch.setattr("tur_engine.minds.Minds.detector", property(lambda self: detector))
    for number in range(1, MANY):
        offered(engine, f"port: {number}")
    detector.weighed.clear()
    result = offered(engine, f"port: {MANY}")
    assert len(result.conflicts) == 1
    told = [effect.sentence for effect in result.conflicts[0].previews[Verb.SUPERSEDE].effects]
    assert sum("is admitted" in sentence for sentence in told) == MANY
    others = [detector.weighed["port lamp: rule", f"port: {number}"] for number in range(1, MANY)]
    assert others == [1] * (MANY - 1)


def test_previews_tell_of_each_conflict_its_own_side(engine: Engine) -> None:
    """What is worked out once for the whole case is told apart again."""
    for number in range(3):
        result = offered(engine, f"port: {number}")
    assert len(result.conflicts) == 2
    for report in result.conflicts:
        told = " ".join(effect.sentence for effect in report.previews[Verb.SUPERSEDE].later)
        (other,) = (each.conflict.incumbent for each in result.conflicts if each is not report)
        assert report.conflict.incumbent.memory.short_id in told
        assert other.memory.short_id not in told
