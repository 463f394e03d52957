"""A working folder that was removed: what needs one says so, what is told its place goes on."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cli.conftest import Programs, Ran
from tests.cli.test_homeless import alone
from tur_engine import here
from tur_engine.errors import TurError

__all__ = ["alone"]

SENTENCE = "the folder you are in is gone; cd to one that is there, and try again\n"


@pytest.fixture
def gone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "gone"
    folder.mkdir()
    monkeypatch.chdir(folder)
    folder.rmdir()


@pytest.mark.parametrize(
    "line",
    [
        *("tur learn hello", "tur list", "tur status", "tur status --short", "tur guard hello", "tur init"),
        *("tur --store ./there list", "tur scan", "tur watch", "tur setup claude --dry-run", "tur doctor"),
        *("tur render CLAUDE.md", "tur widen", "tur-adm key list", "tur-adm rebuild", "tur-tui list", "tur-tui serve"),
        *("tur import .", "tur --store {repository} import ."),
    ],
)
@pytest.mark.usefixtures("store", "gone")
def test_it_is_said_in_one_sentence(alone: Callable[..., Ran], line: str, workdir: Path) -> None:
    program, *words = line.replace("{repository}", str(workdir)).split()
    ran = alone(program, *words)
    assert (ran.code, ran.out, ran.err) == (1, "", f"{program}: {SENTENCE}")


def test_what_is_told_its_place_needs_none(
    tur: Programs, store: Path, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    request.getfixturevalue("gone")
    assert tur("--store", str(store), "learn", "hello").code == 0
    assert tur("--store", str(store), "list").code == 0
    assert tur("init", str(tmp_path / "other")).code == 0


def test_a_folder_that_is_there_is_given(workdir: Path, request: pytest.FixtureRequest) -> None:
    assert here() == workdir
    request.getfixturevalue("gone")
    with pytest.raises(TurError):
        here()
