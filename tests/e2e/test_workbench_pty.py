"""The installed `tur-tui` in a real pseudo-terminal: keys in, and the ledger holds exactly what was decided."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import apsw
import pexpect
import pyte
import pytest

from tests.ui.stores import MARA, PAIRS, kinds, store
from tur_engine.engine import Engine

SIZE = (24, 80)


class Terminal:
    """A terminal that a person looks at."""

    def __init__(self, process: pexpect.spawn) -> None:
        self._process = process
        self._screen = pyte.Screen(SIZE[1], SIZE[0])
        self._stream = pyte.ByteStream(self._screen)

    @property
    def text(self) -> str:
        return "\n".join(self._screen.display)

    def read(self, seconds: float = 0.05) -> None:
        """Draw what has come."""
        try:
            self._stream.feed(self._process.read_nonblocking(65536, timeout=seconds))
        except (pexpect.TIMEOUT, pexpect.EOF):
            time.sleep(0.01)

    def wait_for(self, words: str, seconds: float = 20) -> None:
        """Wait until the words stand on the screen."""
        end = time.monotonic() + seconds
        while words not in self.text:
            if time.monotonic() > end:
                pytest.fail(f"waited in vain for {words!r}; the screen shows\n{self.text}")
            self.read()

    def press(self, keys: str) -> None:
        self._process.send(keys)

    def leave(self, seconds: float = 20) -> int:
        """Press q and wait for the end; the exit code."""
        self.press("q")
        return self.ended(seconds)

    def ended(self, seconds: float = 20) -> int:
        """Wait for the end; the exit code."""
        end = time.monotonic() + seconds
        while self._process.isalive() and time.monotonic() < end:
            self.read()
        self._process.close(force=True)
        assert self._process.exitstatus is not None
        return int(self._process.exitstatus)


@contextmanager
def workbench(*arguments: str, cwd: Path) -> Iterator[Terminal]:
    """The console script beside this Python, on a terminal of 80 by 24."""
    program = Path(sys.executable).with_name("tur-tui")
    if not program.exists():
        pytest.skip("tur-tui is not installed beside this Python")
    process = pexpect.spawn(
        str(program),
        list(arguments),
        dimensions=SIZE,
        cwd=str(cwd),
        env={**os.environ, "TERM": "xterm-256color", "COLORTERM": "truecolor"},
    )
    try:
        yield Terminal(process)
    finally:
        process.close(force=True)


def test_three_conflicts_s_r_u_f_q(tmp_path: Path) -> None:
    store(tmp_path).close()
    with workbench(cwd=tmp_path) as terminal:
        terminal.wait_for("1 of 3")
        terminal.wait_for("Alembic")
        terminal.press("s")
        terminal.wait_for("1 of 2, 1 settled")
        terminal.press("r")
        terminal.wait_for("1 of 1, 2 settled")
        terminal.press("u")
        terminal.wait_for("1 of 2, 1 settled")
        terminal.press("f")
        terminal.wait_for("1 of 1, 2 settled")
        assert terminal.leave() == 0
    with Engine.open(tmp_path, actor=MARA) as engine:
        assert kinds(engine) == ["resolved supersede", "resolved refute", "undone", "resolved force"]
        resolved, refuted, undone, forced = engine.history()[-4:]
        assert forced.conflict_id == undone.conflict_id != refuted.conflict_id
        assert {entry.actor.kind for entry in (resolved, refuted, undone, forced)} == {"human"}
        (left,) = engine.conflicts()
        assert left.incumbent.memory.content == PAIRS[2][0]
        assert engine.verify().ok


def test_the_same_keys_in_one_breath(tmp_path: Path) -> None:
    store(tmp_path).close()
    with workbench("--store", str(tmp_path), cwd=tmp_path) as terminal:
        terminal.wait_for("1 of 3")
        terminal.press("sruf")
        assert terminal.leave() == 0
    with Engine.open(tmp_path, actor=MARA) as engine:
        assert kinds(engine) == ["resolved supersede", "resolved refute", "undone", "resolved force"]


@pytest.mark.slow
def test_the_demo_shows_a_clash_as_it_happens_and_leaves_nothing_behind(tmp_path: Path) -> None:
    with workbench("demo", "--keep", str(tmp_path / "sample"), cwd=tmp_path) as terminal:
        terminal.wait_for("Feed", seconds=90)
        terminal.wait_for("1 of 1", seconds=5)
        terminal.wait_for("Prisma")
        terminal.press("s")
        terminal.wait_for("1 settled")
        assert terminal.leave() == 0
    with Engine.open(tmp_path / "sample", actor=MARA) as engine:
        assert kinds(engine) == ["resolved supersede"]
        assert engine.verify().ok
        head = engine.head()
        time.sleep(1)
        assert engine.head() == head


def test_a_damaged_store_is_a_sentence_and_exit_5(tmp_path: Path) -> None:
    with store(tmp_path) as engine, apsw.Connection(str(engine.path)) as db:
        db.execute("DROP TABLE conflicts")
    with workbench(cwd=tmp_path) as terminal:
        terminal.wait_for("tur-tui: ")
        terminal.wait_for("is damaged")
        assert terminal.ended() == 5
        assert "Traceback" not in terminal.text


def test_ctrl_c_twice_leaves(tmp_path: Path) -> None:
    store(tmp_path).close()
    with workbench(cwd=tmp_path) as terminal:
        terminal.wait_for("1 of 3")
        terminal.press("\x03")
        terminal.wait_for("q leaves")
        terminal.press("\x03")
        assert terminal.ended() == 0


def test_a_missing_store_and_a_read_only_one(tmp_path: Path) -> None:
    store(tmp_path).close()
    with workbench("--store", str(tmp_path / "none"), cwd=tmp_path) as terminal:
        terminal.wait_for("there is no store")
        assert "Traceback" not in terminal.text
    with workbench("--read-only", cwd=tmp_path) as terminal:
        terminal.wait_for("1 of 3")
        terminal.press("s")
        terminal.wait_for("for reading only")
        assert terminal.leave() == 0
    with Engine.open(tmp_path, actor=MARA) as engine:
        assert kinds(engine) == []
