"""The detector as the gate meets it: one verdict a candidate, the same from both sides, with reasons in words."""

from __future__ import annotations

import hashlib
from datetime import UTC, datetime, timedelta
from typing import Any

import numpy as np
import pytest

from tur_engine.detect.detector import CLOSEST, FAR, MOST_JUDGED, Detector, Worth
from tur_engine.detect.judge import Answer, Judge
from tur_engine.errors import BadInput
from tur_engine.probe.candidate import Candidate
from tur_engine.probe.embedder import Embedder
from tur_engine.records import (
    Author,
    AuthorKind,
    ConflictType,
    DetectedBy,
    Memory,
    MemoryType,
    Relation,
    Relationship,
    Scope,
    Verb,
    Verdict,
)

AT = datetime(2026, 3, 1, 12, tzinfo=UTC)
AGENT = Author(kind=AuthorKind.AGENT, name="scribe")


def memory(content: str, **given: Any) -> Memory:
    digest = hashlib.sha256(repr((content, sorted(given))).encode()).hexdigest()
    return Memory(
        **{
            "digest": digest, "content": content, "type": MemoryType.FACT, "scope": Scope(), "declared_scope": Scope(),
            "author": AGENT, "occurred_at": AT, "recorded_at": AT, "seq": 1, **given,
        }
    )  # fmt: skip


def candidate(incumbent: Memory, cosine: float = 0.7, words: float = 0.5, rank: int = 0) -> Candidate:
    return Candidate(memory=incumbent, cosine=cosine, rank=rank, words=words)


class Stub(Judge):
    """A judge with one opinion that counts what it is asked."""

    def __init__(self, contradicts: float = 0.0) -> None:
        super().__init__()
        self.asked: list[tuple[str, str]] = []
        self.contradicts = contradicts

    def read(self, existing: str, new: str) -> Answer:
        self.asked.append((existing, new))
        return 0.0, 0.0, self.contradicts


def weigh(older: Memory, newer: Memory, detector: Detector, cosine: float = 0.7) -> Verdict:
    (verdict,) = detector.weigh(newer, [candidate(older, cosine)])
    return verdict


def test_a_declared_contradiction_settles_without_reading() -> None:
    judge = Stub()
    older = memory("The roof is green.")
    newer = memory("Sparrows nest early.", relations=(Relation(type="contradicts", target=older.digest),))
    found = weigh(older, newer, Detector(judge=judge), cosine=0.0)
    assert found.relationship is Relationship.CLASH
    assert found.detected_by is DetectedBy.EXPLICIT
    assert found.probability == 0.99
    assert judge.asked == []


def test_two_field_values_settle_without_reading() -> None:
    judge = Stub()
    older = memory("Limits of the API.", topic="api", fields={"port": 80, "burst": 5, "tls": True, "note": None})
    newer = memory("API limits again.", topic="api", fields={"port": 81, "burst": 5.0, "tls": 1, "note": "x"})
    found = weigh(older, newer, Detector(judge=judge), cosine=0.0)
    assert found.relationship is Relationship.CLASH
    assert found.detected_by is DetectedBy.MECHANICAL
    assert found.conflicting_fields == ("port", "tls")
    assert judge.asked == []
    apart = weigh(older, memory("API limits.", topic="web", fields={"port": 81}), Detector(judge=judge))
    assert apart.detected_by is not DetectedBy.MECHANICAL


def test_a_repeated_text_is_a_duplicate_and_is_not_read() -> None:
    judge = Stub(contradicts=9.0)
    text = "Deploys happen on Tuesday."
    for newer in (text, f"As noted, {text}", text.upper()):
        found = weigh(memory(text), memory(newer), Detector(judge=judge))
        assert found.relationship is Relationship.DUPLICATE
    assert judge.asked == []


def test_verdicts_come_in_the_order_of_the_candidates() -> None:
    incumbents = [memory("The office is in Turin."), memory("Deploys happen on Tuesday."), memory("Plums are ripe.")]
    newer = memory("Deploys happen on Tuesday.")
    found = Detector(judge=None).weigh(newer, [candidate(incumbent) for incumbent in incumbents])
    assert [v.relationship is Relationship.DUPLICATE for v in found] == [False, True, False]
    assert Detector(judge=None).weigh(newer, []) == []


def test_without_a_judge_it_says_so() -> None:
    older, newer = memory("The port is 8080."), memory("The port is 9090.")
    alone = weigh(older, newer, Detector(judge=None))
    assert not alone.judged
    assert alone.relationship is Relationship.CLASH
    assert weigh(older, newer, Detector(judge=Stub())).judged


def test_switched_off_by_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TUR_NO_JUDGE", "1")
    detector = Detector()
    assert detector.judge is None
    assert not weigh(memory("The port is 8080."), memory("The port is 9090."), detector).judged


def test_the_judge_reads_the_few_best_pairs_only() -> None:
    judge = Stub()
    incumbents = [memory(f"The port of the relay is 80{n}0.") for n in range(10, 40)]
    newer = memory("The port of the relay is 9090.")
    verdicts = Detector(judge=judge).weigh(newer, [candidate(m, 0.9 - n / 100) for n, m in enumerate(incumbents)])
    assert len(verdicts) == len(incumbents)
    assert len({frozenset(pair) for pair in judge.asked}) == sum(v.judged for v in verdicts) == MOST_JUDGED
    assert [v.probability for v in verdicts].count(FAR) >= len(incumbents) - CLOSEST - 3


def test_candidates_far_down_the_list_are_still_settled() -> None:
    newer = memory("The roof is green.", topic="roof", fields={"colour": "green"})
    far = memory("Roof notes.", topic="roof", fields={"colour": "red"})
    copy = memory("As noted, the roof is green.")
    crowd = [candidate(memory(f"Roof tile {n} is loose."), 0.8, 0.9) for n in range(20)]
    found = Detector(judge=None).weigh(newer, [*crowd, candidate(far, 0.0, 0.0)])
    assert found[-1].detected_by is DetectedBy.MECHANICAL
    again = Detector(judge=None).weigh(memory("The roof is green."), [*crowd, candidate(copy, 0.0, 0.0)])
    assert again[-1].relationship is Relationship.DUPLICATE


def test_the_second_direction_is_read_only_in_doubt() -> None:
    older, newer = memory("The port is 8080."), memory("The port is 9090.")
    sure, doubtful = Stub(contradicts=-9.0), Stub(contradicts=1.0)
    weigh(older, newer, Detector(judge=sure))
    weigh(older, newer, Detector(judge=doubtful))
    assert len(sure.asked) == 1
    assert len(doubtful.asked) == 2
    assert doubtful.asked[0] == doubtful.asked[1][::-1]


def test_what_the_judge_says_moves_the_probability() -> None:
    older, newer = memory("The release lead is Alma."), memory("Alma enjoys leading releases.")
    against, for_ = Stub(contradicts=-6.0), Stub(contradicts=6.0)
    low = weigh(older, newer, Detector(judge=against))
    high = weigh(older, newer, Detector(judge=for_))
    assert low.probability < 0.05 < 0.3 < high.probability
    assert any(piece.kind == "judge" and piece.weight > 0 for piece in high.evidence)
    assert any(piece.kind == "judge" and piece.guard for piece in low.evidence)


def test_profiles_go_from_quiet_to_strict() -> None:
    thresholds = [Detector(name, judge=None).threshold for name in ("quiet", "balanced", "strict")]
    assert thresholds == sorted(thresholds, reverse=True)
    assert all(Detector(name, judge=None).suspicion < thresholds[-1] for name in ("quiet", "strict"))
    with pytest.raises(BadInput, match="unknown detection profile 'loud'; use one of quiet, balanced, strict"):
        Detector("loud")


def test_suspicion_lies_between() -> None:
    older, newer = memory("The release lead is Alma."), memory("Bruno leads releases in spring.")
    for strength in np.arange(-6, 8, 0.5):
        detector = Detector("quiet", judge=Stub(contradicts=float(strength)))
        found = weigh(older, newer, detector)
        between = detector.suspicion <= found.probability < detector.threshold
        assert found.suspicious is between or found.probability == pytest.approx(detector.threshold, abs=1e-3)
        assert (found.relationship is Relationship.CLASH) is (found.probability >= detector.threshold)


@pytest.mark.parametrize(
    ("older", "newer", "given", "verb"),
    [
        ({}, {}, {}, Verb.SUPERSEDE),
        ({}, {"occurred_at": AT + timedelta(days=1)}, {}, Verb.SUPERSEDE),
        ({}, {"occurred_at": AT - timedelta(days=1)}, {}, Verb.REFUTE),
        ({"author": Author(kind=AuthorKind.HUMAN, name="ada")}, {}, {}, Verb.REFUTE),
        ({}, {"author": Author(kind=AuthorKind.HUMAN, name="ada")}, {}, Verb.SUPERSEDE),
        ({"type": MemoryType.CORE}, {}, {}, Verb.ABORT),
        ({"type": MemoryType.AXIOM}, {"occurred_at": AT - timedelta(days=1)}, {}, Verb.ABORT),
    ],
)
def test_the_suggested_verb(older: dict[str, Any], newer: dict[str, Any], given: dict[str, Any], verb: Verb) -> None:
    found = weigh(memory("The port is 8080.", **older), memory("The port is 9090.", **newer), Detector(judge=None))
    assert found.suggested is verb


@pytest.mark.parametrize(
    ("older", "newer", "kind", "expected"),
    [
        ("The port is 8080.", "The port is 9090.", MemoryType.FACT, ConflictType.FACTUAL),
        ("Likes long reviews.", "Likes short reviews.", MemoryType.PREFERENCE, ConflictType.INTERPRETIVE),
        ("Commits must be signed.", "Commits must not be signed.", MemoryType.FACT, ConflictType.STRATEGIC),
        ("Search is our top priority.", "Billing is our top priority.", MemoryType.FACT, ConflictType.PRIORITY),
    ],
)
def test_the_type_of_a_clash(older: str, newer: str, kind: MemoryType, expected: ConflictType) -> None:
    found = weigh(memory(older, type=kind), memory(newer, type=kind), Detector(judge=None))
    assert found.conflict_type is expected


def test_evidence_points_into_the_stored_texts() -> None:
    older, newer = (
        memory("The API listens on  port 8080."),
        memory("Port 9090 is where the API listens, n\u200bot 8080."),
    )
    found = weigh(older, newer, Detector(judge=Stub(contradicts=5.0)))
    assert found.evidence
    for piece in found.evidence:
        for text, spans in ((older.content, piece.incumbent_spans), (newer.content, piece.challenger_spans)):
            assert all(0 <= start < end <= len(text) for start, end in spans)


# -- with the shipped judge ------------------------------------------------------------------------------------------

PAIRS = [
    ("My favourite cyclist is Dana.", "My favourite cyclist is now Ilya."),
    ("The release lead is Alma.", "The release lead is Bruno."),
    ("We use pnpm in the web repository.", "The web repository was migrated from pnpm to Yarn."),
    ("Lena owns a blue canoe.", "Lena sold the blue canoe last week."),
    ("Ravi is drinking oat milk.", "Ravi is not drinking oat milk any more."),
    ("Noor works at Brightfield as an auditor.", "Noor administers Brightfield's Git hosting."),
    ("The cache no longer evicts early.", "The queue no longer drops retries."),
    ("The gateway times out after 30 s.", "The gateway times out after 30000 ms."),
]
CLASHING = 5


@pytest.fixture(scope="module")
def shipped() -> Detector:
    detector = Detector()
    assert detector.judge is not None
    return detector


def cosine(one: str, other: str) -> float:
    vectors = Embedder.load().embed([one, other])
    return float(vectors[0] @ vectors[1])


@pytest.mark.slow
@pytest.mark.parametrize("pair", PAIRS, ids=[newer for _, newer in PAIRS])
def test_who_came_first_changes_roles_not_the_verdict(shipped: Detector, pair: tuple[str, str]) -> None:
    near = cosine(*pair)
    for detector in (shipped, Detector(judge=None)):
        one = weigh(memory(pair[0]), memory(pair[1]), detector, near)
        other = weigh(memory(pair[1]), memory(pair[0]), detector, near)
        assert one.probability == other.probability
        assert one.relationship is other.relationship
        assert one.conflict_type is other.conflict_type


@pytest.mark.slow
def test_clashes_are_found_and_neighbours_are_left_alone(shipped: Detector) -> None:
    found = [weigh(memory(a), memory(b), shipped, cosine(a, b)).relationship for a, b in PAIRS]
    assert [r is Relationship.CLASH for r in found] == [n < CLASHING for n in range(len(PAIRS))]


@pytest.mark.slow
def test_the_reason_names_words_of_both_sides(shipped: Detector) -> None:
    for older, newer in PAIRS[:CLASHING]:
        found = weigh(memory(older), memory(newer), shipped, cosine(older, newer))
        best = max(found.evidence, key=lambda piece: piece.weight)
        assert found.reason == best.sentence
        assert best.incumbent_words
        assert best.challenger_words
        assert all(words in older for words in best.incumbent_words.split(" … "))
        assert all(words in newer for words in best.challenger_words.split(" … "))
        assert best.sentence.endswith(".")


@pytest.mark.slow
def test_the_same_question_gets_the_same_answer(shipped: Detector) -> None:
    newer = memory("The release lead is Bruno.")
    shelf = [candidate(memory(a), cosine(a, newer.content)) for a, _ in PAIRS]
    assert shipped.weigh(newer, shelf) == shipped.weigh(newer, shelf)
    assert shipped.weigh(newer, shelf[::-1])[::-1] == shipped.weigh(newer, shelf)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("older", "newer"),
    [
        ("The user is allergic to nuts.", "The user is n\u200bot allergic to nuts."),
        ("The gate is open.", "The gate is cl\u043esed."),
        ("The tests are fast.", "The tests aren't fast."),
        ("CI runs on Go 1.22.", "CI runs on Go 1.24."),
    ],
)
def test_disguise_does_not_hide_a_clash(shipped: Detector, older: str, newer: str) -> None:
    near = cosine(older, newer)
    assert weigh(memory(older), memory(newer), shipped, near).relationship is Relationship.CLASH


def test_a_setting_never_weighs_an_invariant_more_lightly() -> None:
    """What an agent can write into a file or a variable is no way around a core memory."""
    core = memory("The cache is enabled", type="core")
    lax = Detector("quiet", judge=None, threshold=0.9999)
    assert weigh(memory("The cache is enabled"), memory("The cache is disabled"), lax).relationship == "compatible"
    assert weigh(core, memory("The cache is disabled"), lax).relationship == "clash"


LINT = {"topic": "lint", "fields": {"tool": "ruff"}}
AGAIN = ("Lint runs with ruff", "lint runs with ruff.")


@pytest.mark.parametrize(
    ("new", "texts"),
    [
        ({}, (*AGAIN, "Lint runs with ruff in every folder")),
        ({"topic": "lint", "fields": {"line": 120}}, (*AGAIN, "Lint runs with ruff in every folder")),
        ({"topic": "checks"}, AGAIN),
    ],
)
def test_a_sentence_does_not_contradict_itself_for_a_field_that_one_side_lacks(
    new: dict[str, Any], texts: tuple[str, ...]
) -> None:
    judge = Stub(contradicts=9.0)
    for text in texts:
        for mine, theirs in ((LINT, new), (new, LINT)):
            incumbent = candidate(memory("Lint runs with ruff", **mine), cosine=1.0, words=1.0)
            [verdict] = Detector(judge=judge).weigh(memory(text, seq=2, **theirs), [incumbent])
            assert (verdict.relationship, verdict.probability) == (Relationship.COMPATIBLE, FAR)
    assert judge.asked == []


def test_a_sentence_with_another_value_of_its_field_is_a_clash_all_the_same() -> None:
    one, other = ({"topic": "lint", "fields": {"tool": tool}} for tool in ("ruff", "flake8"))
    incumbent = candidate(memory("The linter is set", **one))
    [verdict] = Detector(judge=Stub()).weigh(memory("The linter is set", seq=2, **other), [incumbent])
    assert (verdict.relationship, verdict.detected_by) == (Relationship.CLASH, DetectedBy.MECHANICAL)


def test_the_same_texts_give_the_same_pairs_whoever_said_them_and_when() -> None:
    """Where many are as near, what the judge reads goes by the texts: a digest holds time and author."""
    names = [f"The {name} service listens on port {port}." for port in (80, 443) for name in _SERVICES]
    read = []
    for hours in range(4):
        judge = Stub()
        digests = [hashlib.sha256(f"{text} at {hours}".encode()).hexdigest() for text in names]
        said = [memory(text, digest=digest) for text, digest in zip(names, digests, strict=True)]
        Detector(judge=judge).weigh(memory("The mail service listens on port 8080."), [candidate(one) for one in said])
        read.append(set(judge.asked))
    assert read[0]
    assert read == [read[0]] * 4


_SERVICES = ("mail", "search", "cart", "login", "stock", "price", "queue")


def test_pairs_of_an_invariant_reach_the_judge_sooner_than_others() -> None:
    challenger = memory("The report is printed in colour.", seq=2)

    def asked(kind: MemoryType, cosine: float) -> bool:
        judge = Stub(contradicts=-9.0)
        incumbent = memory("The report is kept in the archive room.", type=kind)
        Detector(judge=judge).weigh(challenger, [candidate(incumbent, cosine=cosine, words=0.2)])
        return bool(judge.asked)

    steps = [step / 50 for step in range(51)]
    for kind in (MemoryType.AXIOM, MemoryType.CORE):
        sooner = [cosine for cosine in steps if asked(kind, cosine)]
        others = [cosine for cosine in steps if asked(MemoryType.FACT, cosine)]
        assert set(others) < set(sooner)


class Skimmed(Stub):
    """A judge before whom another reads, each with one opinion."""

    skimmer: Stub

    def __init__(self, skimmer: float, judge: float) -> None:
        super().__init__(judge)
        self.skimmer = Stub(skimmer)


def test_where_skimming_leaves_no_doubt_the_judge_is_spared() -> None:
    judge = Skimmed(-9.0, 9.0)
    found = weigh(memory("The port is 8080."), memory("The port of it is 9090 now, they say."), Detector(judge=judge))
    assert judge.skimmer.asked
    assert not judge.asked
    assert found.relationship is Relationship.COMPATIBLE
    assert not found.judged


def test_where_skimming_leaves_a_doubt_the_judge_decides() -> None:
    older, newer = memory("The port is 8080."), memory("The port of it is 9090 now, they say.")
    judge = Skimmed(9.0, -9.0)
    found = weigh(older, newer, Detector(judge=judge))
    assert judge.skimmer.asked
    assert judge.asked
    assert found.judged
    assert found.probability == weigh(older, newer, Detector(judge=Stub(-9.0))).probability


@pytest.mark.parametrize("tier", [MemoryType.AXIOM, MemoryType.CORE])
def test_what_people_protect_is_never_skimmed(tier: MemoryType) -> None:
    judge = Skimmed(-9.0, 9.0)
    weigh(
        memory("The port is 8080.", type=tier), memory("The port of it is 9090 now, they say."), Detector(judge=judge)
    )
    assert judge.asked
    assert not judge.skimmer.asked


def test_pairs_put_side_by_side_are_never_skimmed() -> None:
    judge = Skimmed(-9.0, 9.0)
    newer = memory("The port of it is 9090 now, they say.")
    Detector(judge=judge).weigh(newer, [candidate(memory("The port is 8080."))], paired=True)
    assert judge.asked
    assert not judge.skimmer.asked


def test_from_where_the_judge_is_asked_can_be_set() -> None:
    older, newer = memory("The port is 8080."), memory("The port of it is 9090 now, they say.")
    judge = Skimmed(0.0, 9.0)
    weigh(older, newer, Detector(judge=judge, worth=Worth(reading=0.0, judging=1.0)))
    assert judge.skimmer.asked
    assert not judge.asked
    weigh(older, newer, Detector(judge=judge, worth=Worth(reading=0.0, judging=0.0)))
    assert judge.asked
    before = len(judge.skimmer.asked)
    weigh(older, newer, Detector(judge=judge, worth=Worth(reading=1.0)))
    assert len(judge.skimmer.asked) == before
