"""A process that runs one command: its end is quick, and loses nothing."""

from __future__ import annotations

import signal
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from tests.cli.test_program import environment
from tur_engine.cli import ahead
from tur_engine.probe import beside, embedder

ENDS = """
import atexit, sys, threading, time
from tur_engine.cli.alone import alone

def main() -> int:
    threading.Thread(target=time.sleep, args=(3600,)).start()
    atexit.register(print, "called at the end", end="")
    sys.stdout.write("the answer\\n")
    return 3

alone(main)
"""


def test_it_ends_with_the_exit_code_and_all_that_was_written_though_a_model_still_loads(repo_root: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", ENDS], capture_output=True, text=True, env=environment(repo_root), timeout=120
    )
    assert (done.returncode, done.stdout, done.stderr) == (3, "the answer\ncalled at the end", "")


@pytest.mark.parametrize("program", ["tur_engine.cli.__main__", "tur_engine.cli.adm"])
def test_the_installed_programs_end_so(program: str, repo_root: Path) -> None:
    code = f"import sys; sys.argv[1:] = ['status', '--store', '/nowhere']; from {program} import script; script()"
    done = subprocess.run(
        [sys.executable, "-c", code + "\nprint('still here')"],
        capture_output=True,
        text=True,
        env=environment(repo_root),
    )
    assert done.returncode != 0
    assert done.stdout == ""
    assert done.stderr.startswith(("tur: ", "tur-adm: "))


@pytest.mark.parametrize(
    ("line", "begun"),
    [
        ("learn x", True),
        ("note x --session s", True),
        ("recall x --json", True),
        ("learn", False),
        ("learn --help", False),
        ("list x", False),
        ("guard x", False),
        ("", False),
    ],
)
def test_the_embedder_loads_ahead_of_what_is_sure_to_embed(
    line: str, begun: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    loading = threading.Event()
    monkeypatch.setattr(beside, "begin", lambda load: False)
    monkeypatch.setattr(ahead, "_embedder", loading.set)
    monkeypatch.setattr(embedder, "PACKED", True)
    ahead.begin(line.split())
    assert loading.wait(60 if begun else 0) is begun


@pytest.mark.parametrize(
    ("line", "forked"),
    [
        ("learn x", True),
        ("recall x", True),
        ("learn --from lines.jsonl", False),
        ("learn", False),
        ("guard x", True),
        ("guard --hook", True),
        ("guard -", False),
        ("guard --log", False),
    ],
)
def test_few_texts_are_asked_about_in_a_process_of_its_own(
    line: str, forked: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun: list[bool] = []

    def begin(load: object) -> bool:
        begun.append(embedder.PACKED)
        return True

    monkeypatch.setattr(beside, "begin", begin)
    monkeypatch.setattr(ahead, "_embedder", lambda: None)
    monkeypatch.setattr(embedder, "PACKED", True)
    ahead.begin(line.split())
    assert begun == ([False] if forked else [])


def test_ctrl_c_while_a_library_is_imported_waits_for_its_end_and_is_not_lost(monkeypatch: pytest.MonkeyPatch) -> None:
    """A compiled library makes an ImportError of an interrupt, and cannot be imported again."""
    imported: list[str] = []

    def library() -> None:
        try:
            signal.raise_signal(signal.SIGINT)
        except KeyboardInterrupt:
            raise ImportError("half of it is registered already") from None
        imported.append("all of it")

    monkeypatch.setattr(beside, "begin", lambda load: False)
    monkeypatch.setattr(embedder, "import_runtime", library)
    monkeypatch.setattr(embedder, "PACKED", True)
    before = signal.getsignal(signal.SIGINT)
    with pytest.raises(KeyboardInterrupt):
        ahead.begin(["learn", "x"])
    assert imported == ["all of it"]
    assert signal.getsignal(signal.SIGINT) is before


def test_what_goes_wrong_ahead_is_not_told_twice(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []

    def missing() -> object:
        asked.append("embedder")
        raise OSError("no such file")

    monkeypatch.setattr("tur_engine.probe.embedder.Embedder.load", missing)
    ahead._embedder()
    assert asked == ["embedder"]


@pytest.mark.parametrize(
    ("line", "packed"),
    [("learn x", False), ("learn --from lines.jsonl", True), ("learn --from=lines.jsonl", True), ("note x", False)],
)
def test_weights_are_laid_out_anew_for_many_texts_only(
    line: str, packed: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[bool] = []

    class Spy(threading.Thread):
        def start(self) -> None:
            self.run()

    class Loaded:
        def warm(self) -> None:
            seen.append(embedder.PACKED)

    monkeypatch.setattr(beside, "begin", lambda load: False)
    monkeypatch.setattr(embedder, "PACKED", not packed)
    monkeypatch.setattr(embedder.Embedder, "load", Loaded)
    monkeypatch.setattr(threading, "Thread", Spy)
    ahead.begin(line.split())
    assert seen == [packed]
