"""The pair judge: what it says, that it says it alone, that it can be absent."""

from __future__ import annotations

import math
import subprocess
import sys
from collections.abc import Sequence

import pytest

from tur_engine.detect.judge import Judge, _shared, packed
from tur_engine.probe import beside

pytestmark = pytest.mark.slow

SAME, COMPATIBLE, CONTRADICTS = 0, 1, 2
PAIRS = [
    ("The web repo uses pnpm as its package manager.", "In the web repo, package management is done by pnpm."),
    ("The web repo uses pnpm as its package manager.", "The web repo deploys from the main branch."),
    ("The web repo uses pnpm as its package manager.", "Dependencies in the web repo are installed with Yarn."),
]


@pytest.fixture(scope="module")
def judge() -> Judge:
    found = Judge.load()
    assert found is not None
    return found


def verdicts(judge: Judge, pairs: Sequence[tuple[str, str]]) -> list[int]:
    """Which of the three each pair is found to be."""
    answers = [judge.read(*pair) for pair in pairs]
    return [answer.index(max(answer)) for answer in answers]


def test_three_answers(judge: Judge) -> None:
    assert verdicts(judge, PAIRS) == [SAME, COMPATIBLE, CONTRADICTS]


def test_company_and_order_do_not_change_an_answer() -> None:
    one, other = Judge(), Judge()
    assert [one.read(*pair) for pair in PAIRS] == [other.read(*pair) for pair in PAIRS[::-1]][::-1]


def test_an_answer_is_remembered(monkeypatch: pytest.MonkeyPatch) -> None:
    judge = Judge()
    first = judge.read(*PAIRS[0])

    class Deaf:
        def run(self, *_: object) -> object:
            raise AssertionError("asked again")

    monkeypatch.setattr(judge, "_session", Deaf())
    assert judge.read(*PAIRS[0]) == first
    with pytest.raises(AssertionError, match="asked again"):
        judge.read(*PAIRS[0][::-1])


def test_who_reads_beside_answers_for_it_and_nothing_is_loaded(judge: Judge, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []

    def answer(room: str, *pair: str) -> bytes:
        asked.append((room, *pair))
        return packed(room, *pair)

    monkeypatch.setattr(beside, "answer", answer)
    fresh = Judge()
    assert [fresh.read(*PAIRS[2]) for _ in range(2)] == [judge.read(*PAIRS[2])] * 2
    assert asked == [("judge", *PAIRS[2])]
    assert fresh._session is None
    monkeypatch.setattr(beside, "answer", lambda *_: b"")  # it has ended
    assert fresh.read(*PAIRS[1]) == judge.read(*PAIRS[1])


def test_long_texts_are_cut(judge: Judge) -> None:
    assert all(map(math.isfinite, judge.read("word " * 3000, "other " * 3000)))


def test_hidden_characters_change_nothing(judge: Judge) -> None:
    open_port = "The port is open."
    plain, hidden = "The port is not open.", "The p\u043ert is n\u200bot open."
    assert verdicts(judge, [(open_port, plain)]) == verdicts(judge, [(open_port, hidden)])


def test_the_skimmer_reads_pairs_too(judge: Judge) -> None:
    assert judge.skimmer is not None
    pairs = [*PAIRS[:2], ("Deploys happen on Tuesday.", "Deploys never happen on Tuesday.")]
    assert verdicts(judge.skimmer, pairs) == [SAME, COMPATIBLE, CONTRADICTS]


def test_without_its_weights_the_judge_reads_all(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tur_engine.detect.judge.present", lambda room: room != "skimmer")
    found = _shared.__wrapped__()
    assert found.skimmer is None


@pytest.mark.parametrize(("value", "there"), [("1", False), ("yes", False), ("0", True), ("", True)])
def test_it_can_be_switched_off(monkeypatch: pytest.MonkeyPatch, value: str, there: bool) -> None:
    monkeypatch.setenv("TUR_NO_JUDGE", value)
    assert (Judge.load() is not None) is there


def test_absent_weights_mean_no_judge(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("TUR_NO_JUDGE", raising=False)
    monkeypatch.setattr("tur_engine.detect.judge.present", lambda room: False)
    assert Judge.load() is None


def test_importing_the_detector_loads_no_model_library() -> None:
    code = (
        "import sys; from tur_engine.detect.detector import Detector; Detector(); "
        "print(sorted({'numpy', 'onnxruntime', 'tokenizers'} & sys.modules.keys()))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
