"""The programs as processes: how fast the version answers, pipes that close, streams that cannot be written."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.cli.conftest import Programs
from tur_engine.version import __version__


def environment(repo_root: Path, **more: str) -> dict[str, str]:
    return dict(os.environ) | {"PYTHONPATH": str(repo_root / "engine")} | more


@pytest.mark.parametrize(("module", "program"), [("tur_engine.cli", "tur"), ("tur_engine.cli.adm", "tur-adm")])
def test_the_version_answers_before_anything_is_imported(module: str, program: str, repo_root: Path) -> None:
    check = (
        f"import sys; from {module}{'.__main__' if module.endswith('cli') else ''} import main; "
        "code = main(['--version']); "
        "heavy = {'typer', 'pydantic', 'numpy', 'onnxruntime', 'apsw'} & set(sys.modules); "
        "sys.exit(code or len(heavy))"
    )
    done = subprocess.run(
        [sys.executable, "-c", check], capture_output=True, text=True, check=False, env=environment(repo_root)
    )
    assert (done.returncode, done.stdout) == (0, f"{program} {__version__} (tur-tui)\n"), done.stderr


def test_the_version_takes_no_longer_than_python_and_a_blink(repo_root: Path) -> None:
    """The budget is 80 ms in all; what Python itself takes is this machine's business, so it is taken off."""

    def fastest(*arguments: str) -> float:
        seconds = []
        for _ in range(5):
            started = time.perf_counter()
            subprocess.run([sys.executable, *arguments], check=True, capture_output=True, env=environment(repo_root))
            seconds.append(time.perf_counter() - started)
        return min(seconds)

    assert fastest("-m", "tur_engine.cli", "--version") - fastest("-c", "pass") < 0.06


def test_help_and_no_command(tur: Programs) -> None:
    ran = tur("--help")
    assert ran.code == 0
    for command in (
        "init", "learn", "note", "recall", "list", "show", "status", "conflicts", "resolve", "undo", "history",
        "verify", "calibrate",
    ):  # fmt: skip
        assert f"  {command}" in ran.out
        assert tur(command, "--help").code == 0
    bare = tur()
    assert (bare.code, bare.out) == (2, "")
    assert "Usage: tur" in bare.err


@pytest.mark.parametrize("columns", ["20", "80", "400"])
def test_json_does_not_depend_on_the_terminal(
    columns: str, tur: Programs, store: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", columns)
    tur("learn", "The lobby has a green sofa " * 20)
    for arguments in (("list",), ("recall", "sofa"), ("history",), ("status",), ("conflicts",), ("verify",)):
        ran = tur.at_terminal(*arguments, "--json")
        assert ran.json
        assert "\x1b" not in ran.out


@pytest.mark.slow
def test_a_reader_that_leaves_early_changes_nothing(store: Path, repo_root: Path) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    try:
        done = subprocess.run(
            [sys.executable, "-m", "tur_engine.cli", "learn", "The logo is blue"],
            stdin=subprocess.DEVNULL,
            stdout=writing,
            stderr=subprocess.PIPE,
            check=False,
            env=environment(repo_root),
        )
    finally:
        os.close(writing)
    assert (done.returncode, done.stderr) == (0, b"")


@pytest.mark.slow
@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is always full")
def test_an_answer_that_cannot_be_written_is_an_error(store: Path, repo_root: Path) -> None:
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(
            [sys.executable, "-m", "tur_engine.cli", "status"],
            stdin=subprocess.DEVNULL,
            stdout=full,
            stderr=subprocess.PIPE,
            check=False,
            env=environment(repo_root),
        )
    assert done.returncode == 1
    assert b"Traceback" not in done.stderr
    assert done.stderr.startswith(b"tur: ")


@pytest.mark.slow
def test_bytes_that_are_no_text_on_the_command_line(store: Path, repo_root: Path) -> None:
    done = subprocess.run(
        [os.fsencode(sys.executable), b"-m", b"tur_engine.cli", b"learn", b"caf\xe9", b"--json"],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        check=False,
        env=environment(repo_root, PYTHONUTF8="1"),
    )
    assert done.returncode == 2
    assert b"Traceback" not in done.stderr
    assert b"surrogate" in done.stderr
    assert b'"status": "error"' in done.stdout


@pytest.mark.slow
def test_an_ascii_world_still_works(store: Path, repo_root: Path) -> None:
    run = [sys.executable, "-m", "tur_engine.cli"]
    ascii_only = environment(repo_root, PYTHONIOENCODING="ascii")
    kept = {"stdin": subprocess.DEVNULL, "capture_output": True, "check": False, "env": ascii_only}
    assert subprocess.run([*run, "learn", "Zoë likes 語"], **kept).returncode == 0  # type: ignore[call-overload]
    listed = subprocess.run([*run, "list"], **kept)  # type: ignore[call-overload]
    assert b"Zo\\xeb likes \\u8a9e" in listed.stdout
    assert listed.stderr == b""
