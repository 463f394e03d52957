"""The pair judge: what it says, that it says it alone, that it can be absent."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Sequence

import numpy as np
import pytest

from tur_engine.detect.judge import GLANCE, STUDENT, Cascade, Judge

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


class Scripted(Judge):
    """A student of few words: how probable a clash is, and no more."""

    def __init__(self, clash: float) -> None:
        super().__init__()
        self._clash = clash

    def logits(self, pairs: Sequence[tuple[str, str]], *, careful: bool = False) -> np.ndarray:
        return np.log(np.array([[0.0001, 0.9999 - self._clash, self._clash]] * len(pairs), dtype=np.float32))


def test_the_student_answers_where_it_sees_no_clash_by_far() -> None:
    cascade = Cascade(Scripted(GLANCE * 0.9))
    assert np.allclose(cascade.logits(PAIRS), Scripted(GLANCE * 0.9).logits(PAIRS))
    assert cascade._session is None


def test_the_judge_answers_where_the_student_is_not_sure() -> None:
    assert np.array_equal(Cascade(Scripted(GLANCE * 1.1)).logits(PAIRS), Judge().logits(PAIRS))


def test_where_care_is_asked_for_the_student_is_not() -> None:
    assert np.array_equal(Cascade(Scripted(0.0)).logits(PAIRS, careful=True), Judge().logits(PAIRS))


def test_the_student_reads_as_the_judge_does() -> None:
    student = Judge(STUDENT)
    logits = student.logits(PAIRS)
    assert logits.argmax(axis=1).tolist() == [SAME, COMPATIBLE, CONTRADICTS]
    assert not np.array_equal(logits, Judge().logits(PAIRS))


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
