"""Processes that work for another one: what they make comes in order, and none outlives it."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from tests.cli.conftest import Programs, store, tur
from tests.standins import install
from tur_engine.engine import Engine
from tur_engine.errors import StoreError, TurError
from tur_engine.introspect.hands import hands
from tur_engine.introspect.scan import WORTH_A_POOL
from tur_engine.records import Author, Draft

__all__ = ["store", "tur"]

pytestmark = pytest.mark.skipif(os.name != "posix", reason="sends signals")
HANGS = 120
"""Seconds after which a process is said to hang."""


def doubling(refused: int) -> Callable[[int], int]:
    def double(piece: int) -> int:
        if piece == refused:
            raise StoreError(f"{piece} is refused")
        if piece == -1:
            os.kill(os.getpid(), signal.SIGKILL)
        return piece * 2

    return double


def test_what_is_made_comes_in_order() -> None:
    with hands(2, partial(doubling, 99), range(20)) as made:
        assert list(made) == [piece * 2 for piece in range(20)]
    with hands(2, partial(doubling, 99), []) as made:
        assert list(made) == []


def test_an_error_is_the_callers() -> None:
    with pytest.raises(StoreError, match="3 is refused"), hands(2, partial(doubling, 3), range(20)) as made:
        list(made)


def test_one_that_is_gone_is_told() -> None:
    with pytest.raises(TurError, match="ended from outside"), hands(2, partial(doubling, 99), [1, -1, 2]) as made:
        list(made)


@pytest.mark.parametrize(
    ("numbers", "codes"),
    [
        ([signal.SIGINT], (130,)),
        ([signal.SIGINT, signal.SIGINT], (130, -signal.SIGINT)),
        ([signal.SIGTERM], (-signal.SIGTERM,)),
        ([signal.SIGKILL], (-signal.SIGKILL,)),
    ],
)
def test_none_outlives_whom_it_works_for(
    repo_root: Path, numbers: list[signal.Signals], codes: tuple[int, ...]
) -> None:
    with subprocess.Popen(
        [sys.executable, "-m", "tests.introspect.holding"],
        cwd=repo_root,
        env=os.environ | {"PYTHONPATH": str(repo_root / "engine")},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    ) as first:
        assert first.stdout is not None
        told = [first.stdout.readline() for _ in range(2)]
        assert len(set(told)) == 2
        for number in numbers:
            os.killpg(first.pid, number) if number == signal.SIGINT else first.send_signal(number)
        _, errors = first.communicate(timeout=HANGS)  # all who could write have ended
    assert first.returncode in codes
    assert "SpawnProcess" not in errors


@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="looks for children")
@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_the_pass_ends_with_its_processes(
    number: signal.Signals, code: int, store: Path, tur: Programs, repo_root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patch:
        install(patch)
        with Engine.open(store, actor=Author.parse("human:anna")) as engine:
            engine.learn_many(Draft(content=f"key{n}: {n}", author=engine.actor) for n in range(WORTH_A_POOL))
    with subprocess.Popen(
        [sys.executable, "-m", "tur_engine.cli", "introspect", "--workers", "2"],
        env=os.environ | {"PYTHONPATH": str(repo_root / "engine"), "TUR_NO_JUDGE": "1"},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    ) as first:
        listed = Path(f"/proc/{first.pid}/task/{first.pid}/children")
        while len(listed.read_text().split()) < 3:  # two, and the library's own
            assert first.poll() is None
        os.killpg(first.pid, number) if number == signal.SIGINT else first.send_signal(number)
        _, errors = first.communicate(timeout=HANGS)
    assert (first.returncode, "what was found is kept" in errors) == (code, True), errors
    assert "Traceback" not in errors
