"""The installed `tur-tui` in a real pseudo-terminal: keys in, and the ledger holds exactly what was decided."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import apsw
import pexpect
import pyte
import pytest

from tests.ui.stores import MARA, PAIRS, kinds, learn, store
from tur_engine.engine import Engine

SIZE = (24, 80)


class Terminal:
    """A terminal that a person looks at."""

    def __init__(self, process: pexpect.spawn) -> None:
        self._process = process
        self._screen = pyte.Screen(SIZE[1], SIZE[0])
        self._stream = pyte.ByteStream(self._screen)
        self._kept: list[bytes] = []

    @property
    def text(self) -> str:
        return "\n".join(self._screen.display)

    def read(self, seconds: float = 0.05) -> None:
        """Draw what has come."""
        try:
            came = self._process.read_nonblocking(65536, timeout=seconds)
            self._kept.append(came)
            self._stream.feed(came)
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

    def keep(self) -> list[bytes]:
        """What comes from now on, as it is sent."""
        self._kept = []
        return self._kept

    def kill(self, number: int) -> None:
        self._process.kill(number)

    def unplug(self, seconds: float = 20) -> None:
        """Close the terminal as a window manager does, and wait for the end."""
        self._process.ptyproc.fileobj.close()
        self._process.closed = self._process.ptyproc.closed = True
        end = time.monotonic() + seconds
        while self._process.isalive():
            assert time.monotonic() < end, "it went on without a terminal"
            time.sleep(0.02)

    def resize(self, rows: int, columns: int) -> None:
        """Another size of the window, as the mouse would give it."""
        self._screen.resize(rows, columns)
        self._process.setwinsize(rows, columns)

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


def test_ten_conflicts_three_undone_a_resize_and_a_batch_of_eight(tmp_path: Path) -> None:
    pairs = [(f"Machine {name} is blue", f"Machine {name} is grey") for name in "ABCDEFGHIJKLMNOPQR"]
    store(tmp_path, pairs).close()
    with workbench(cwd=tmp_path) as terminal:
        terminal.wait_for("1 of 18")
        terminal.press("srfxasrfxa")
        terminal.wait_for("1 of 8, 10 settled")
        terminal.press("u")
        terminal.wait_for("9 settled")
        terminal.resize(5, 20)  # nothing acts on what cannot be seen
        terminal.wait_for("verbs are off")
        terminal.press("s")
        time.sleep(0.3)
        terminal.resize(30, 100)
        terminal.wait_for("WHAT WOULD HAPPEN")
        terminal.press("uu")
        terminal.wait_for("of 11, 7 settled")
        terminal.press("        ")
        terminal.wait_for("8 marked")
        terminal.press("x")
        terminal.wait_for("for 8 conflicts?")
        terminal.resize(24, 80)
        terminal.press("y")
        terminal.wait_for("of 3, 15 settled")
        terminal.press("u")
        terminal.wait_for("14 settled")
        assert terminal.leave() == 0
    with Engine.open(tmp_path, actor=MARA) as engine:
        verbs = ["supersede", "refute", "force", "dismiss", "abort"]
        ten = [f"resolved {verb}" for verb in verbs * 2]
        assert kinds(engine) == [*ten, *["undone"] * 3, *["resolved dismiss"] * 8, "undone"]
        assert len(engine.conflicts()) == 4
        assert engine.verify().ok


@pytest.mark.slow
def test_a_merge_that_still_clashes_is_warned_about(tmp_path: Path) -> None:
    with Engine.init(tmp_path, actor=MARA) as engine:  # learned through the real gate: the text is weighed by it too
        for text in (*PAIRS[1], PAIRS[2][0]):
            learn(engine, text)
    with workbench(cwd=tmp_path) as terminal:
        terminal.wait_for("1 of 1")
        terminal.press("m")
        terminal.wait_for("Merged text")
        terminal.press("\x1b[F")
        terminal.press("\x15")  # End, ctrl+u; what is typed at once may overtake a key that is bound
        terminal.wait_for("content is empty")
        terminal.press("Nightly backups are kept for 30 days")
        terminal.wait_for("still contradicts", seconds=90)
        terminal.press("\x1b[12~")
        terminal.wait_for("Save again to store it all the same")
        terminal.press("\x1b")
        terminal.wait_for("1 of 1")
        assert terminal.leave() == 0
    with Engine.open(tmp_path, actor=MARA) as engine:
        assert kinds(engine) == []


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


@pytest.mark.parametrize(("sent", "code"), [(signal.SIGTERM, 143), (signal.SIGHUP, 129)])
def test_a_signal_leaves_the_terminal_as_it_was_and_keeps_the_session(
    tmp_path: Path, sent: signal.Signals, code: int
) -> None:
    store(tmp_path).close()
    with workbench(cwd=tmp_path) as terminal:
        terminal.wait_for("1 of 3")
        terminal.press("n")
        terminal.wait_for("2 of 3")
        seen = terminal.keep()
        terminal.kill(sent)
        assert terminal.ended() == code
        for mode in ("1049l", "?25h", "?1000l", "?1006l", "?2004l"):  # screen, cursor, mouse, pasting
            assert mode.encode() in b"".join(seen), mode
        assert "Traceback" not in terminal.text
    with workbench(cwd=tmp_path) as terminal:
        terminal.wait_for("2 of 3")
        assert terminal.leave() == 0


@pytest.mark.parametrize(("heeds", "sent", "code"), [("exit 9", signal.SIGTERM, 143), (":", signal.SIGHUP, 129)])
def test_a_signal_while_an_editor_is_open_reaches_it_and_ends_the_program(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, heeds: str, sent: signal.Signals, code: int
) -> None:
    """An editor that goes on regardless is left after a while."""
    editor = tmp_path / "editor"
    editor.write_text(
        "#!/bin/sh\n"
        f"trap 'echo told > {tmp_path}/told; {heeds}' TERM HUP\n"
        f"echo editing; while [ ! -e {tmp_path}/over ]; do sleep 0.05; done\n"
    )
    editor.chmod(0o755)
    monkeypatch.setenv("VISUAL", str(editor))
    root = tmp_path / "root"
    root.mkdir()
    (root / "tools.md").write_text(f"{PAIRS[0][0]}\n")
    subprocess.run(["git", "init", "-q"], cwd=root, check=True)
    subprocess.run(["git", "add", "tools.md"], cwd=root, check=True)
    store(root).close()
    with workbench(cwd=root) as terminal:
        terminal.wait_for("1 of 3")
        terminal.press("o")
        terminal.wait_for("editing")
        seen = terminal.keep()
        terminal.kill(sent)
        assert terminal.ended() == code
        (tmp_path / "over").touch()
        assert (tmp_path / "told").exists()
        for mode in ("1049l", "?25h", "?1000l", "?1006l", "?2004l"):
            assert mode.encode() in b"".join(seen), mode
        assert "Traceback" not in terminal.text


def test_a_terminal_that_is_gone_ends_the_workbench_and_keeps_the_session(tmp_path: Path) -> None:
    store(tmp_path).close()
    with workbench(cwd=tmp_path) as terminal:
        terminal.wait_for("1 of 3")
        terminal.press("n")
        terminal.wait_for("2 of 3")
        terminal.unplug()
    with workbench(cwd=tmp_path) as terminal:
        terminal.wait_for("2 of 3")
        assert terminal.leave() == 0


def test_a_store_that_was_replaced_is_opened_anew(tmp_path: Path) -> None:
    store(tmp_path).close()
    with workbench(cwd=tmp_path) as terminal:
        terminal.wait_for("1 of 3")
        (tmp_path / ".tur").rename(tmp_path / "former")
        store(tmp_path, PAIRS[:1]).close()
        terminal.wait_for("out of reach")
        terminal.press("\x12")
        terminal.wait_for("1 of 1")
        terminal.press("s")
        terminal.wait_for("1 settled")
        assert terminal.leave() == 0
    with Engine.open(tmp_path, actor=MARA) as engine:
        assert kinds(engine) == ["resolved supersede"]


def test_a_copy_of_the_store_put_back_in_its_place_goes_on_by_itself(tmp_path: Path) -> None:
    store(tmp_path).close()
    folder, kept = tmp_path / ".tur", tmp_path / "kept"
    shutil.copytree(folder, kept)
    with workbench(cwd=tmp_path) as terminal:
        terminal.wait_for("1 of 3")
        terminal.press("n")
        terminal.wait_for("2 of 3")
        folder.rename(tmp_path / "former")
        store(tmp_path, PAIRS[:1]).close()
        terminal.wait_for("out of reach")
        shutil.rmtree(folder)
        kept.rename(folder)
        terminal.wait_for("opened anew")
        terminal.wait_for("2 of 3")
        terminal.press("s")
        terminal.wait_for("1 settled")
        assert terminal.leave() == 0
    with Engine.open(tmp_path, actor=MARA) as engine:
        assert kinds(engine) == ["resolved supersede"]


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
