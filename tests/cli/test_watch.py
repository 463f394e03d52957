"""`tur watch`: drift between rule files and the ledger, a line an event."""

from __future__ import annotations

import json
import shutil
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests import standins
from tests.cli.conftest import Programs
from tests.cli.test_program import environment
from tur_engine.rulebook import Drift, DriftKind, Rulebook, Side


@pytest.fixture(autouse=True)
def minds(monkeypatch: pytest.MonkeyPatch) -> None:
    standins.install(monkeypatch)


Follow = Callable[[Rulebook, threading.Event], Iterator[list[Drift]]]


def played(*steps: Callable[[Path], object]) -> Follow:
    """Follow as the system would tell of it: a look after each step."""
    from tur_engine.sources.drift import Drifting

    def follow(book: Rulebook, stop: threading.Event) -> Iterator[list[Drift]]:
        assert book.engine is not None
        drifting = Drifting(book.root, book.engine)
        yield []
        for step in steps:
            step(book.root)
            yield drifting.look()

    return follow


def write(name: str, text: str) -> Callable[[Path], object]:
    return lambda root: (root / name).write_text(text, "utf-8")


def test_a_line_an_event(tur: Programs, store: Path, workdir: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tur("learn", "port: 1")
    steps = write("AGENTS.md", "- port: 2\n- colour: \u202ered [/b]\n"), write("AGENTS.md", "\0")
    monkeypatch.setattr(Rulebook, "follow", played(*steps))
    ran = tur("watch")
    assert ran.code == 0
    drift, new, unread = ran.out.splitlines()
    assert drift.startswith("AGENTS.md:1: drift: contradicts fact-")
    assert '"port: 2" against "port: 1"' in drift
    assert new.startswith("AGENTS.md:2: new line: the ledger does not know it")
    assert "\u202e" not in new
    assert unread.startswith("unread: AGENTS.md is not text")
    assert "changes are told here, Ctrl-C ends it" in ran.err
    (workdir / "AGENTS.md").unlink()
    ran = tur("watch", str(workdir), "--json")
    events: list[dict[str, Any]] = [json.loads(line) for line in ran.out.splitlines()]
    assert [(e["event"], e["file"], e["line"]) for e in events] == [
        ("drift", "AGENTS.md", 1),
        ("new_line", "AGENTS.md", 2),
        ("unread", "AGENTS.md", None),
    ]
    assert events[0]["clash"]["a"]["memory"] == events[0]["memory"]
    assert tur("history", "--json").json["events"][-1]["kind"] == "learned"


def test_what_cannot_be_watched_is_one_sentence(tur: Programs, workdir: Path) -> None:
    ran = tur("watch")
    assert (ran.code, ran.out) == (1, "")
    assert "no store holds in" in ran.err
    assert "tur init" in ran.err
    ran = tur("watch", "nowhere")
    assert ran.code == 2
    assert "there is no nowhere" in ran.err
    assert tur("watch", "--store", "nowhere").code == 1


def test_a_store_that_is_gone_ends_it(
    tur: Programs, store: Path, workdir: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def beats(*_: object) -> Iterator[bool]:
        yield False
        shutil.rmtree(store.parent)
        yield False
        pytest.fail("it went on without its store")

    monkeypatch.setattr("tur_engine.sources.watching.beats", beats)
    ran = tur("watch")
    assert (ran.code, ran.out) == (1, "")
    assert ran.err.splitlines()[-1].startswith(f"tur: the store {store} is gone, or another one is in its place")


@pytest.mark.parametrize("kind", DriftKind)
def test_every_kind_has_its_word(tur: Programs, store: Path, monkeypatch: pytest.MonkeyPatch, kind: DriftKind) -> None:
    def follow(book: Rulebook, stop: threading.Event) -> Iterator[list[Drift]]:
        yield [Drift(kind, "so it is", Side("a/AGENTS.md", 7, "text"))]

    monkeypatch.setattr(Rulebook, "follow", follow)
    assert tur("watch").out == f"a/AGENTS.md:7: {kind.value}: so it is\n"


@pytest.mark.slow
def test_it_hears_of_a_change_and_ends_with_ctrl_c(tur: Programs, store: Path, workdir: Path, repo_root: Path) -> None:
    tur("learn", "port: 1")
    watching = subprocess.Popen(
        [sys.executable, "-m", "tur_engine.cli", "watch", "--json"],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=environment(repo_root, TUR_NO_JUDGE="1"),
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
    )
    try:
        assert watching.stdout is not None
        assert watching.stderr is not None
        assert "changes are told here" in watching.stderr.readline()
        (workdir / "AGENTS.md").write_bytes(b"\0")
        assert json.loads(watching.stdout.readline())["event"] == "unread"
        watching.send_signal(signal.SIGINT)
        out, err = watching.communicate(timeout=60)
    finally:
        watching.kill()
        watching.wait()
    assert (watching.returncode, out, err.strip()) == (130, "", "")
