"""One line for prompts, the watch, completion, quick starts; and what pipes and Ctrl-C may do to them."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from typer import Typer

from tests import standins
from tests.cli.conftest import Programs
from tests.cli.test_program import environment
from tur_engine.cli import __main__ as program
from tur_engine.cli import quick
from tur_engine.cli.app import app
from tur_engine.cli.output import Output

TUR = [sys.executable, "-m", "tur_engine.cli"]


@pytest.fixture(autouse=True)
def minds(monkeypatch: pytest.MonkeyPatch) -> None:
    standins.install(monkeypatch)


def test_one_line_for_a_prompt(tur: Programs, store: Path) -> None:
    assert tur("status", "--short").out == "0 open · 0 waits · 0\n"
    for text in ("port: 1", "port: 2", "host: x"):
        tur("learn", text, "--on-conflict", "hold")
    tur("learn", "rule: always", "--type", "axiom")
    tur("learn", "host: y", "--allow-conflict")
    assert tur("status", "--short").out == "2 open · 2 waits · 3\n"
    whole = tur("status", "--json").json
    short = tur("status", "--short", "--json", "--store", str(store)).json
    assert short == {"open": whole["open_conflicts"], "waits": 2, "live": whole["memories"]["active"]}
    assert tur("--store", str(store), "status", "--short").out == "2 open · 2 waits · 3\n"
    assert tur("status", "--short", f"--store={store}").code == 0
    missing = tur("status", "--short", "--store", "/nowhere")
    assert (missing.code, missing.out) == (1, "")
    assert "no store" in missing.err


def test_the_line_is_there_before_anything_heavy(store: Path, repo_root: Path) -> None:
    check = (
        "import sys; from tur_engine.cli.__main__ import main; code = main(['status', '--short']); "
        "heavy = {'typer', 'pydantic', 'numpy', 'onnxruntime', 'tur_engine.engine'} & set(sys.modules); "
        "sys.exit(code or len(heavy))"
    )
    done = subprocess.run([sys.executable, "-c", check], capture_output=True, text=True, env=environment(repo_root))
    assert (done.returncode, done.stdout) == (0, "0 open · 0 waits · 0\n"), done.stderr


def names(program: Typer) -> list[str | None]:
    """What can be called: commands, and groups of them."""
    return [each.name for each in program.registered_commands] + [each.name for each in program.registered_groups]


def test_a_quick_start_leaves_no_command_behind(tur: Programs, store: Path) -> None:
    every = set(names(app))
    for name in quick.FAMILIES:
        assert name in every
        assert name in names(quick.program_for([name]))
        assert tur(name, "--help").out.startswith(f"Usage: tur {name}")
    assert quick.program_for(["--store", "x", "learn"]) is app
    assert quick.program_for([]) is app


def test_reading_and_learning_load_no_more_than_they_need(store: Path, repo_root: Path) -> None:
    check = (
        "import sys; from tur_engine.cli.__main__ import main; code = main(['list']); "
        "heavy = {'numpy', 'onnxruntime', 'tokenizers', 'networkx', 'requests', 'pydantic_settings', 'asyncio', "
        "'yaml', 'cryptography', 'rich', 'textual'} & set(sys.modules); print(sorted(heavy)); "
        "sys.exit(code or len(heavy))"
    )
    done = subprocess.run([sys.executable, "-c", check], capture_output=True, text=True, env=environment(repo_root))
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion(shell: str, tur: Programs) -> None:
    assert "_TUR_COMPLETE" in tur("completion", shell).out
    assert "_TUR_COMPLETE" in tur("completion", shell.upper(), "--json").json["script"]


@pytest.mark.skipif(shutil.which("zsh") is None, reason="needs zsh")
@pytest.mark.parametrize("before", ["", "autoload -Uz compinit; compinit\n"])
def test_a_plain_zsh_takes_its_script(before: str, tur: Programs, home: Path) -> None:
    (home / ".zshrc").write_text(before + tur("completion", "zsh").out)
    started = subprocess.run(
        ["zsh", "-i", "-c", "print -r -- $_comps[tur]"], capture_output=True, text=True, stdin=subprocess.DEVNULL
    )
    assert (started.stdout.split(), started.stderr) == (["_tur_completion"], "")


def test_the_script_of_zsh_begins_completion_where_there_is_none(tur: Programs) -> None:
    script = tur("completion", "zsh").out
    assert script.startswith("#compdef tur\n")
    assert script.index("compinit -i") < script.index("\ncompdef _tur_completion tur")


def test_completion_answers_a_shell(tur: Programs, repo_root: Path) -> None:
    assert tur("completion", "tcsh").code == 2
    asked = environment(repo_root, _TUR_COMPLETE="complete_bash", COMP_WORDS="tur dif", COMP_CWORD="1")
    done = subprocess.run(TUR, capture_output=True, text=True, env=asked)
    assert (done.returncode, done.stdout.split(), done.stderr) == (0, ["diff"], "")


@pytest.mark.slow
def test_the_watch_shows_what_comes_and_ends_with_ctrl_c(tur: Programs, store: Path, repo_root: Path) -> None:
    tur("learn", "port: 1")
    watching = subprocess.Popen(
        [*TUR, "conflicts", "--watch", "--bell", "--json"],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=environment(repo_root),
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
    )
    try:
        assert watching.stdout is not None
        assert watching.stderr is not None
        assert "0 open; waiting" in watching.stderr.readline()
        tur("learn", "port: 2", "--on-conflict", "hold")
        shown = json.loads(watching.stdout.readline())
        assert shown["challenger"]["content"] == "port: 2"
        watching.send_signal(signal.SIGINT)
        out, err = watching.communicate(timeout=60)
    finally:
        watching.kill()
        watching.wait()
    assert (watching.returncode, out, err.strip()) == (130, "", "")


@pytest.mark.slow
@pytest.mark.parametrize("fate", ["moved", "removed", "replaced"])
def test_the_watch_ends_where_its_store_is_lost(tur: Programs, store: Path, repo_root: Path, fate: str) -> None:
    tur("learn", "port: 1")
    copy = store.with_name("copy.db")
    assert tur.adm("backup", str(copy)).code == 0
    with subprocess.Popen(
        [*TUR, "conflicts", "--watch"],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=environment(repo_root),
    ) as watching:
        try:
            assert watching.stderr is not None
            assert "0 open; waiting" in watching.stderr.readline()
            match fate:
                case "moved":
                    store.parent.rename(store.parent.with_name("away"))
                case "removed":
                    shutil.rmtree(store.parent)
                case _:
                    copy.replace(store)
            out, err = watching.communicate(timeout=60)
        finally:
            watching.kill()
    assert (watching.returncode, out) == (1, "")
    assert err == (f"tur: the store {store} is gone, or another one is in its place; start again once it is there\n")


def test_ctrl_c_before_anything_is_begun_is_quiet(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(arguments: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(quick, "program_for", interrupted)
    assert program.main(["list"]) == 130


@pytest.mark.slow
def test_a_reader_that_leaves_early_ends_nothing_badly(tur: Programs, store: Path, repo_root: Path) -> None:
    lines = b"".join(json.dumps({"content": f"key{n}: {n}"}).encode() + b"\n" for n in range(60))
    assert tur("learn", "--from", "-", stdin=lines).code == 0
    for command in ("list", "history", "export", "diff 0"):
        line = f'"$0" -m tur_engine.cli {command} | head -1; exit "${{PIPESTATUS[0]}}"'
        done = subprocess.run(
            ["bash", "-c", line, sys.executable],
            capture_output=True,
            text=True,
            env=environment(repo_root),
            timeout=120,
        )
        assert done.returncode == 0, (command, done.stderr)
        assert len(done.stdout.splitlines()) == 1
        assert "Traceback" not in done.stderr
        assert "Broken" not in done.stderr


def test_nobody_left_to_read_is_known(monkeypatch: pytest.MonkeyPatch) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    out = Output("tur")
    with os.fdopen(writing, "w") as stream:
        monkeypatch.setattr(sys, "stdout", stream)
        assert not out.unread
        out.data("text")
        assert out.unread
