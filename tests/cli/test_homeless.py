"""An account without a home: each program says so once where it needs one, and goes on where it does not."""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cli.conftest import Programs, Ran
from tur_engine.mcp.__main__ import main as tur_mcp
from tur_tui.__main__ import main as tur_tui

SENTENCE = (
    "this account has no home, where your own store, your keys and this machine's notes would be; "
    "set HOME to a folder of yours\n"
)


@pytest.fixture
def homeless(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody knows a home: no variable, and no entry in the list of users."""
    pwd = pytest.importorskip("pwd")

    def unknown(uid: int) -> None:
        raise KeyError(uid)

    monkeypatch.delenv("HOME")
    monkeypatch.setattr(pwd, "getpwuid", unknown)
    monkeypatch.setattr("tur_engine.whereabouts.account_home", lambda: None)
    monkeypatch.setenv("LOGNAME", "ann")  # whom getpass would look up


@pytest.fixture
def alone(tur: Programs, capsys: pytest.CaptureFixture[str]) -> Callable[..., Ran]:
    """Runs any of the four programs."""

    def run(program: str, *words: str) -> Ran:
        if program == "tur":
            return tur(*words)
        if program == "tur-adm":
            return tur.adm(*words)
        capsys.readouterr()
        try:
            code = tur_mcp(words) if program == "tur-mcp" else tur_tui([*words])
        except SystemExit as end:
            code = int(end.code or 0)
        told = capsys.readouterr()
        return Ran(code, told.out, told.err)

    return run


@pytest.mark.parametrize("named", [None, "", "relative"])
@pytest.mark.parametrize(
    "line",
    [
        *("tur learn hello", "tur status", "tur status --short", "tur guard hello", "tur setup claude --user"),
        *("tur --store ~/x list", "tur-adm key list", "tur-adm rebuild"),
        *("tur-mcp --http", "tur-tui list", "tur-tui show fact-0000", "tur-tui keys", "tur-tui settings"),
    ],
)
@pytest.mark.usefixtures("homeless")
def test_what_needs_a_home_says_so_in_one_sentence(
    alone: Callable[..., Ran], line: str, named: str | None, workdir: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if named is not None:
        monkeypatch.setenv("HOME", named)
    program, *words = line.split()
    ran = alone(program, *words)
    assert (ran.code, ran.out, ran.err) == (2, "", f"{program}: {SENTENCE}")
    assert list(workdir.iterdir()) == []


def test_a_key_has_no_place_without_one(tur: Programs, store: Path, request: pytest.FixtureRequest) -> None:
    request.getfixturevalue("homeless")
    assert "no key on this machine" not in tur.adm("key", "list").err
    assert tur.adm("key", "export-public", "--json").code != 70


@pytest.mark.parametrize(
    "line",
    [
        *("tur learn hello", "tur list", "tur status", "tur verify", "tur guard hello", "tur why fact"),
        *("tur scan .", "tur setup claude --dry-run", "tur-adm key list", "tur-adm policy quorum", "tur-tui list"),
        "tur init below --nested",
    ],
)
def test_a_store_of_the_project_needs_none(
    alone: Callable[..., Ran], store: Path, request: pytest.FixtureRequest, line: str
) -> None:
    alone("tur", "learn", "The gate is blue.")
    request.getfixturevalue("homeless")
    program, *words = line.replace(" fact", f" {alone('tur', 'list', '--json').json['memories'][0]['id']}").split()
    ran = alone(program, *words)
    assert ran.code == 0, ran.err
    assert SENTENCE not in ran.err.replace(f"was not written: {SENTENCE}", "")


@pytest.mark.usefixtures("homeless")
def test_a_scan_needs_neither_home_nor_store(tur: Programs, workdir: Path) -> None:
    (workdir / "CLAUDE.md").write_text("- Use tabs for indentation.\n")
    ran = tur("scan", ".")
    assert (ran.code, "1 file" in ran.err + ran.out) == (0, True)


def test_no_witness_is_kept_and_it_is_said_once(
    tur: Programs, store: Path, workdir: Path, request: pytest.FixtureRequest
) -> None:
    request.getfixturevalue("homeless")
    (workdir / "lines.jsonl").write_text('{"content": "The gate is blue."}\n{"content": "The hall has a lamp."}\n')
    ran = tur("learn", "--from", "lines.jsonl")
    told = [line for line in ran.err.splitlines() if "witness" in line]
    assert len(told) == 1
    assert told[0].startswith("tur: warning: the witness of store ")
    assert tur("verify", "--json").json["witness"] == "no witness on this machine"


@pytest.mark.parametrize("module", ["tur_engine.cli", "tur_engine.cli.adm", "tur_tui"])
def test_what_is_logged_is_told_in_the_programs_name(tur: Programs, store: Path, home: Path, module: str) -> None:
    """In a process of its own: a test's own has handlers that a user's has not."""
    shutil.rmtree(home / ".local")
    (home / ".local").write_text("no folder")
    program, words = {
        "tur_engine.cli": ("tur", ["note", "hello"]),
        "tur_engine.cli.adm": ("tur-adm", ["proposal", "submit", "All traffic uses TLS", "--reason", "policy"]),
        "tur_tui": ("tur-tui", ["list"]),
    }[module]
    if program == "tur-tui":  # it writes on a screen only; the wiring is what counts
        code = "import sys, logging; from tur_tui.__main__ import main\ntry: main(['list'])\nexcept SystemExit: pass\n"
        ran = subprocess.run(
            [sys.executable, "-c", f"{code}logging.getLogger('x').warning('the witness of store y')"],
            capture_output=True,
            text=True,
            check=False,
        )
    else:
        ran = subprocess.run([sys.executable, "-m", module, *words], capture_output=True, text=True, check=False)
    told = [line for line in ran.stderr.splitlines() if "the witness of store" in line]
    assert len(told) == 1
    assert told[0].startswith(f"{program}: warning: the witness of store ")
