"""The models behind one engine: what loads when."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from typing import Any

import pytest

from tests.engine.scripted import Script, Store
from tur_engine.minds import Minds
from tur_engine.probe.embedder import Embedder

PATIENCE = 10


class SlowJudge:
    """A judge whose weights load until a text was embedded."""

    def __init__(self) -> None:
        self.embedded = threading.Event()
        self.warmed = threading.Event()
        self.loads: list[bool] = []
        """One a load: whether a text was embedded while it went on."""

    def warm(self) -> None:
        self.loads.append(self.embedded.wait(PATIENCE))
        self.warmed.set()


class Eyes:
    """An embedder that says when it has embedded."""

    model_sha256 = "00" * 32

    def __init__(self, judge: SlowJudge) -> None:
        self._judge = judge

    def embed(self, texts: Sequence[str]) -> list[list[float]]:
        self._judge.embedded.set()
        return [[1.0] + [0.0] * 383 for _ in texts]


@pytest.fixture
def judge(monkeypatch: pytest.MonkeyPatch) -> SlowJudge:
    slow = SlowJudge()
    monkeypatch.setattr(Embedder, "load", lambda: Eyes(slow))
    return slow


def minds_of(judge: SlowJudge | None) -> Minds:
    script: Any = Script()
    script.judge = judge
    minds = Minds("balanced")
    minds._detector = script
    return minds


def test_an_eager_judge_loads_while_the_embedder_works(judge: SlowJudge) -> None:
    minds = minds_of(judge)
    minds.eager = True
    minds.embed("Deployments go out on Tuesdays")
    assert judge.warmed.wait(PATIENCE)
    assert judge.loads == [True], "it was waited for"
    minds.embed("Deployments go out on Fridays")
    assert judge.loads == [True], "it loads once"


def test_a_judge_that_may_not_be_asked_is_not_loaded(judge: SlowJudge) -> None:
    minds_of(judge).embed("Deployments go out on Tuesdays")
    assert not [each for each in threading.enumerate() if each.name == "judge"]
    assert judge.loads == []


def test_where_no_judge_is_installed_there_is_nothing_to_hurry(judge: SlowJudge) -> None:
    minds = minds_of(None)
    minds.eager = True
    assert minds.embed("Deployments go out on Tuesdays") is not None


def test_the_guard_hurries_the_judge_and_a_learn_does_not(judge: SlowJudge, store: Store) -> None:
    store.approve("We never force-push to main")
    minds = minds_of(judge)
    store.engine._minds = minds
    store.engine._gate._embed = minds.embed
    store.known("The office cat is called Biscuit")
    assert judge.loads == [], "symbols may settle it"
    minds._embedder = None
    minds.embed.cache_clear()
    store.engine.guard("git push --force origin main")
    assert judge.warmed.wait(PATIENCE)
    assert judge.loads == [True]
