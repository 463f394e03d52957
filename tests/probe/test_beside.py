"""The embedder in a process of its own: the same vector, one answer, gone with the command, silent where it fails."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import pytest

from tur_engine.probe import beside
from tur_engine.probe.embedder import DIMENSIONS, Embedder, quantise

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="forked on Linux only")

TEXT = "The gateway drops idle connections after 30 seconds. \u8d85\u65f6 \U0001f600"
ASKS = f"""
import json, os, sys
from tur_engine.probe import beside, embedder
os.sched_getaffinity = lambda _: {{0, 1}}
embedder.PACKED = False
BEFORE
begun = beside.begin()
pid = beside._begun[0]._child if begun else 0
answers = [beside.body({TEXT!r}).hex(), beside.body("again").hex()]
heavy = sorted({{"numpy", "onnxruntime", "tokenizers"}} & set(sys.modules))
AFTER
print(json.dumps({{"begun": begun, "pid": pid, "answers": answers, "heavy": heavy}}))
"""


def ask(repo_root: Path, before: str = "", after: str = "", **options: Any) -> subprocess.CompletedProcess[str]:
    code = ASKS.replace("BEFORE", before).replace("AFTER", after)
    return subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, cwd=repo_root / "engine", timeout=300, **options
    )


@pytest.mark.slow
def test_its_vector_is_the_one_of_an_embedder_here_and_it_answers_once(repo_root: Path) -> None:
    done = ask(repo_root)
    assert done.stderr == ""
    answer = json.loads(done.stdout)
    assert answer["begun"] is True
    assert answer["heavy"] == []
    assert answer["answers"] == [quantise(Embedder.load().embed([TEXT]))[0].hex(), ""]
    with pytest.raises(ProcessLookupError):
        os.kill(answer["pid"], 0)


def test_it_ends_with_the_command_though_nobody_asks(repo_root: Path) -> None:
    done = ask(repo_root, after="", before="beside.body = lambda text: b''")
    assert (done.returncode, done.stderr) == (0, "")
    with pytest.raises(ProcessLookupError):
        os.kill(json.loads(done.stdout)["pid"], 0)


def test_what_goes_wrong_in_it_is_silent_and_gives_no_answer(repo_root: Path) -> None:
    missing = "def missing(): raise OSError('no such file')\nembedder.Embedder.load = missing"
    done = ask(repo_root, before=missing)
    assert (done.returncode, done.stderr) == (0, "")
    assert json.loads(done.stdout)["answers"] == ["", ""]


@pytest.mark.parametrize(
    "before",
    [
        "os.sched_getaffinity = lambda _: {0}",
        "import threading; threading.Thread(target=threading.Event().wait, daemon=True).start()",
        "def full(): raise BlockingIOError('Resource temporarily unavailable')\nos.fork = full",
        "os.close(0)",
        "sys.platform = 'darwin'",
    ],
    ids=["one processor", "another thread", "no more processes", "standard input is closed", "not Linux"],
)
def test_where_it_would_not_do_nothing_is_begun_and_nothing_is_left_open(repo_root: Path, before: str) -> None:
    opened = "opened = len(os.listdir('/proc/self/fd'))\n"
    done = ask(repo_root, before=f"{before}\n{opened}", after="assert len(os.listdir('/proc/self/fd')) == opened")
    assert (done.returncode, done.stderr) == (0, "")
    assert json.loads(done.stdout) == {"begun": False, "pid": 0, "answers": ["", ""], "heavy": []}


def test_an_answer_that_breaks_off_is_none() -> None:
    ready, told = os.pipe()
    asked, ask = os.pipe()
    os.write(told, bytes(DIMENSIONS - 1))
    os.close(told)
    child = beside.Beside(0, ask, ready)
    assert child.body("a text") == b""
    assert os.read(asked, 64) == b"\0\0\0\x06a text"
    for descriptor in (ready, asked, ask):
        os.close(descriptor)


def test_a_long_text_passes_though_it_is_more_than_a_pipe_holds() -> None:
    text = "\U0001f600" * 60_000
    asked, ask = os.pipe()
    ready, told = os.pipe()
    read: list[bytes] = []
    reader = threading.Thread(target=lambda: read.append(beside._read(asked, 4 + 4 * len(text))))
    reader.start()
    os.write(told, bytes(DIMENSIONS))
    assert beside.Beside(0, ask, ready).body(text) == bytes(DIMENSIONS)
    reader.join(60)
    assert read[0][4:].decode() == text
    for descriptor in (asked, ask, ready, told):
        os.close(descriptor)
