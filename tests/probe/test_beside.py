"""The models in a process of their own: the same answers, gone with the command, silent where it fails."""

from __future__ import annotations

import json
import os
import struct
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import pytest

from tur_engine.detect.judge import Judge
from tur_engine.probe import beside
from tur_engine.probe.embedder import DIMENSIONS, Embedder, quantise

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="forked on Linux only")

TEXT = "The gateway drops idle connections after 30 seconds. \u8d85\u65f6 \U0001f600"
PAIR = ("The web repo uses pnpm.", "In the web repo, packages are installed with Yarn.")
ASKS = f"""
import json, os, sys
from tur_engine.cli.ahead import _serving
from tur_engine.probe import beside, embedder
os.sched_getaffinity = lambda _: {{0, 1}}
embedder.PACKED = False
BEFORE
begun = beside.begin(lambda: _serving(warm=True))
pid = beside._begun[0]._child if begun else 0
asked = [("embedder", {TEXT!r}), ("embedder", "again"), ("skimmer", *{PAIR!r}), ("judge", *{PAIR!r})]
answers = [beside.answer(*each).hex() for each in asked]
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
def test_its_answers_are_those_of_models_here(repo_root: Path) -> None:
    done = ask(repo_root)
    assert done.stderr == ""
    answer = json.loads(done.stdout)
    assert answer["begun"] is True
    assert answer["heavy"] == []
    judge = Judge.load()
    assert judge is not None
    assert judge.skimmer is not None
    vectors = [quantise(Embedder.load().embed([text]))[0] for text in (TEXT, "again")]
    read = [struct.pack("<3f", *reader.read(*PAIR)) for reader in (judge.skimmer, judge)]
    assert answer["answers"] == [each.hex() for each in (*vectors, *read)]
    with pytest.raises(ProcessLookupError):
        os.kill(answer["pid"], 0)


def test_it_ends_with_the_command_though_nobody_asks(repo_root: Path) -> None:
    done = ask(repo_root, before="beside.answer = lambda *asked: b''")
    assert (done.returncode, done.stderr) == (0, "")
    with pytest.raises(ProcessLookupError):
        os.kill(json.loads(done.stdout)["pid"], 0)


def test_it_loads_when_it_is_woken_and_not_before(repo_root: Path) -> None:
    code = """
import os, time
from tur_engine.probe import beside
os.sched_getaffinity = lambda _: {0, 1}
read, write = os.pipe()
def load():
    os.write(write, b"loaded")
    return {"twice": lambda text: (text * 2).encode()}
assert beside.begin(load)
os.set_blocking(read, False)
time.sleep(0.2)
try:
    os.read(read, 1)
except BlockingIOError:
    print("not yet")
os.set_blocking(read, True)
beside.wake()
print(os.read(read, 9), beside.answer("twice", "ab"), beside.answer("twice", ""), beside.serves())
print(beside.answer("twice", "ab"), beside.answer("thrice", "ab"), beside.answer("twice", "ab"))
beside.wake()
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=repo_root / "engine")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.splitlines() == ["not yet", "b'loaded' b'abab' b'' False", "b'' b'' b''"]


@pytest.mark.parametrize(
    "fault",
    [
        "def missing(): raise OSError('no such file')\nembedder.Embedder.load = missing",
        "embedder.Embedder.embed = lambda *_: 1 / 0",
    ],
    ids=["it cannot load", "it cannot answer"],
)
def test_what_goes_wrong_in_it_is_silent_and_gives_no_answer_from_then_on(repo_root: Path, fault: str) -> None:
    done = ask(repo_root, before=fault)
    assert (done.returncode, done.stderr) == (0, "")
    assert json.loads(done.stdout)["answers"] == ["", "", "", ""]


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
    assert json.loads(done.stdout) == {"begun": False, "pid": 0, "answers": ["", "", "", ""], "heavy": []}


def test_an_answer_that_breaks_off_is_none_and_nothing_is_asked_any_more() -> None:
    ready, told = os.pipe()
    asked, ask = os.pipe()
    os.write(told, DIMENSIONS.to_bytes(4, "big") + bytes(DIMENSIONS - 1))
    os.close(told)
    child = beside.Beside(0, ask, ready)
    assert child.answer("embedder", "a text") == b""
    sent = b"\1\0\0\0\x08embedder\0\0\0\x06a text"
    assert os.read(asked, 64) == sent
    assert child.answer("embedder", "a text") == b""
    os.close(ask)
    assert os.read(asked, 64) == b""
    for descriptor in (ready, asked):
        os.close(descriptor)


def test_a_long_text_passes_though_it_is_more_than_a_pipe_holds() -> None:
    text = "\U0001f600" * 60_000
    asked, ask = os.pipe()
    ready, told = os.pipe()
    read: list[bytes] = []
    sent = beside._framed(b"embedder") + beside._framed(text.encode())
    reader = threading.Thread(target=lambda: read.append(beside._read(asked, 1 + len(sent))))
    reader.start()
    os.write(told, beside._framed(bytes(DIMENSIONS)))
    assert beside.Beside(0, ask, ready).answer("embedder", text) == bytes(DIMENSIONS)
    reader.join(60)
    assert read == [b"\1" + sent]
    for descriptor in (asked, ask, ready, told):
        os.close(descriptor)
