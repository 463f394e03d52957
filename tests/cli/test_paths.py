"""A path that is empty is refused by every command that takes one; none takes it for the folder one stands in."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from typer.main import get_command

from tests.cli.conftest import Programs
from tests.ledger.makings import content
from tur_engine.cli.adm_app import app as adm_app
from tur_engine.cli.app import app
from tur_engine.mcp.__main__ import main as serve
from tur_tui.__main__ import main as workbench

PATHS = ("FILE", "FOLDER", "PATH", "BACKUP")


def empties(command: Any, words: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    """Yield one line for each path of each command, with that one empty."""
    for name, each in getattr(command, "commands", {}).items():
        yield from empties(each, (*words, name))
    needed = [p for p in command.params if p.param_type_name == "argument" and p.required]
    for one in command.params:
        if one.name == "store" or not any(word in (one.metavar or "") for word in PATHS):
            continue
        others = tuple("x" for p in needed if p is not one)
        yield (*words, *others, *((one.opts[0], "") if one.param_type_name == "option" else ("",)))


LINES = [*empties(get_command(app), ("tur",)), *empties(get_command(adm_app), ("tur-adm",))]


def test_the_lines_are_those_of_the_help() -> None:
    assert len(LINES) >= 17
    assert ("tur", "import", "") in LINES
    assert ("tur", "learn", "--from", "") in LINES
    assert ("tur-adm", "restore", "") in LINES


@pytest.mark.parametrize("line", LINES, ids=" ".join)
def test_an_empty_path_is_refused(line: tuple[str, ...], tur: Programs, store: Path, workdir: Path) -> None:
    before = content(store)
    ran = (tur if line[0] == "tur" else tur.adm)(*line[1:])
    assert (ran.code, ran.out, ran.err.count("\n")) == (2, "", 1), ran.err
    shown = line[-2] if line[-2].startswith("--") else next(word for word in PATHS if f": {word} is" in ran.err)
    assert f": {shown} is empty; " in ran.err
    assert ran.err.endswith("say which\n")
    assert content(store) == before
    assert [each.name for each in workdir.iterdir()] == [".tur"]


@pytest.mark.parametrize("words", [("import", "", "x.md"), ("import", "x.md", ""), ("scan", ".", "")])
def test_one_empty_among_others_is_refused_too(words: tuple[str, ...], tur: Programs, store: Path) -> None:
    ran = tur(*words)
    assert (ran.code, ran.out) == (2, "")
    assert " is empty; " in ran.err


def test_no_folder_is_founded_by_an_empty_name(tur: Programs, workdir: Path) -> None:
    ran = tur("init", "")
    assert (ran.code, ran.err) == (2, "tur: FOLDER is empty; leave it out, or say which\n")
    assert not (workdir / ".tur").exists()


@pytest.mark.parametrize("words", [("--store", ""), ("scan", ""), ("demo", "--keep", ""), ("list", "--store=")])
def test_the_workbench_refuses_it(words: tuple[str, ...], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as end:
        workbench(list(words))
    told = capsys.readouterr().err
    assert (end.value.code, told.count("\n")) == (2, 1)
    assert told.startswith("tur-tui: argument ")
    assert "it is empty; leave it out, or say which; tur-tui" in told


@pytest.mark.parametrize("words", [("--store", ""), ("--store=",)])
def test_the_server_refuses_it(words: tuple[str, ...], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as end:
        serve(list(words))
    assert end.value.code == 2
    assert "--store is empty; name a ledger.db" in capsys.readouterr().err
