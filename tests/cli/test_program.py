"""The programs as processes: how fast the version answers, pipes that close, streams that cannot be written."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

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


def test_a_family_without_a_command_says_which_there_are(tur: Programs) -> None:
    for ran, told in (
        (tur("hook"), "tur: tur hook needs a command behind it: session-start or after-edit. See tur hook --help\n"),
        (
            tur("calibrate"),
            "tur: tur calibrate needs a command behind it: pairs, stream or feedback. See tur calibrate --help\n",
        ),
    ):
        assert (ran.code, ran.out, ran.err) == (2, "", told)
    key = tur.adm("key")
    assert (key.code, "needs a command behind it: init, list, " in key.err) == (2, True)


def closed(repo_root: Path, redirections: str, *arguments: str, **kept: Any) -> subprocess.CompletedProcess[bytes]:
    """Run `tur` with streams as a shell gives them."""
    line = f'exec "$0" -m tur_engine.cli "$@" {redirections}'
    return subprocess.run(
        ["sh", "-c", line, sys.executable, *arguments],
        check=False, capture_output=True, env=environment(repo_root), timeout=60, **kept,
    )  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("command", [("list",), ("list", "--json"), ("learn", "The logo is blue"), ("--help",), ()])
def test_closed_streams_end_in_a_sentence_or_in_silence(
    command: tuple[str, ...], tur: Programs, store: Path, repo_root: Path
) -> None:
    done = closed(repo_root, ">&-", *command)
    assert (done.returncode, done.stdout) == (1, b"")
    assert done.stderr.splitlines() == [
        b"tur: standard output is closed, so there is nowhere to answer; nothing was done"
    ]
    silent = closed(repo_root, ">&- 2>&-", *command)
    assert (silent.returncode, silent.stdout, silent.stderr) == (1, b"", b"")
    assert tur("status", "--json").json["head"]["size"] == 1


@pytest.mark.slow
def test_without_stderr_and_stdin_the_answer_still_comes(tur: Programs, store: Path, repo_root: Path) -> None:
    done = closed(repo_root, "<&- 2>&-", "learn", "The logo is blue")
    assert done.returncode == 0
    assert done.stdout.startswith(b"Learned fact-")
    lines = closed(repo_root, "<&-", "learn", "--from", "-")
    assert lines.returncode == 2
    assert b"standard input is closed" in lines.stderr


@pytest.mark.slow
@pytest.mark.parametrize(
    ("command", "code", "says"),
    [
        (("guard", "-"), 2, "standard input is closed; give the command, the action or the plan as an argument"),
        (("guard", "--hook"), 0, "not guarded: standard input is closed"),
        (("detect",), 2, "standard input is closed; send one JSON object, the envelope"),
    ],
)
def test_what_reads_standard_input_says_that_it_is_closed(
    command: tuple[str, ...], code: int, says: str, store: Path, repo_root: Path
) -> None:
    done = closed(repo_root, "<&-", *command)
    assert (done.returncode, done.stdout, done.stderr.decode()) == (code, b"", f"tur: {says}\n")


@pytest.mark.slow
@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is always full")
@pytest.mark.parametrize(
    ("command", "says", "size"),
    [
        (("learn", "The logo is red"), "is kept all the same", 3),
        (("learn", "The logo is red", "--json"), "is kept all the same", 3),
        (("learn", "The logo is red", "--dry-run"), "nothing was changed", 2),
        (("note", "The logo is red"), "what was asked for is done and kept", 3),
        (("list",), "nothing was changed", 2),
        (("show", "zz", "--json"), "is not an id", 2),
    ],
)
def test_on_a_full_device_it_says_what_stands(
    command: tuple[str, ...], says: str, size: int, tur: Programs, store: Path, repo_root: Path
) -> None:
    tur("learn", "The lobby has a green sofa")
    done = closed(repo_root, ">/dev/full", *command)
    assert done.returncode == (2 if "zz" in command else 1)
    [line] = done.stderr.decode().splitlines()
    assert says in line
    assert "zz" in command or line.startswith("tur: the answer could not be written: No space left on device; ")
    assert tur("status", "--json").json["head"]["size"] == size


@pytest.mark.parametrize(
    "words", [("--store", "", "list"), ("list", "--store", ""), ("list", "--store="), ("list", "--as", "")]
)
def test_an_empty_option_names_nothing_and_is_refused(words: tuple[str, ...], tur: Programs, store: Path) -> None:
    ran = tur(*words)
    assert (ran.code, ran.out) == (2, "")
    assert "is empty; leave it out, or say which" in ran.err
    assert tur("status", "--short", "--store", "").code == 2


def test_where_there_is_no_store_it_is_said_which_one_init_makes(tur: Programs, workdir: Path, home: Path) -> None:
    ran = tur("list")
    assert ran.code == 1
    own = home / ".tur" / "ledger.db"
    assert f"no store here or above, and none of your own at {own}; `tur init` makes one in the folder" in ran.err
    assert tur("init").code == 0
    assert not own.exists()
    assert tur("list").code == 0
