"""The pair judge: what it says, that it says it alone, that it can be absent."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest

from tur_engine.detect.judge import Judge, _shared

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


def test_three_answers(judge: Judge) -> None:
    logits = judge.logits(PAIRS)
    assert logits.shape == (3, 3)
    assert logits.argmax(axis=1).tolist() == [SAME, COMPATIBLE, CONTRADICTS]


def test_company_and_order_do_not_change_an_answer() -> None:
    alone = np.concatenate([Judge().logits([pair]) for pair in PAIRS[:2]])
    assert np.array_equal(Judge().logits([PAIRS[2], PAIRS[1], PAIRS[0]])[:0:-1], alone)


def test_an_answer_is_remembered(monkeypatch: pytest.MonkeyPatch) -> None:
    judge = Judge()
    first = judge.logits(PAIRS[:1])

    class Deaf:
        def run(self, *_: object) -> object:
            raise AssertionError("asked again")

    monkeypatch.setattr(judge, "_session", Deaf())
    assert np.array_equal(judge.logits(PAIRS[:1]), first)
    with pytest.raises(AssertionError, match="asked again"):
        judge.logits([PAIRS[0][::-1]])


def test_nothing_asked_nothing_loaded() -> None:
    judge = Judge()
    assert judge.logits([]).shape == (0, 3)
    assert judge._session is None


def test_long_texts_are_cut(judge: Judge) -> None:
    assert np.isfinite(judge.logits([("word " * 3000, "other " * 3000)])).all()


def test_hidden_characters_change_nothing(judge: Judge) -> None:
    plain = judge.logits([("The port is open.", "The port is not open.")])
    assert np.array_equal(
        judge.logits([("The port is open.", "The p\u043ert is n\u200bot open.")]).argmax(1), plain.argmax(1)
    )


def test_the_skimmer_reads_pairs_too(judge: Judge) -> None:
    assert judge.skimmer is not None
    pairs = [*PAIRS[:2], ("Deploys happen on Tuesday.", "Deploys never happen on Tuesday.")]
    assert judge.skimmer.logits(pairs).argmax(axis=1).tolist() == [SAME, COMPATIBLE, CONTRADICTS]


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
