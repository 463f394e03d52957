"""`tur learn` in a real pseudo-terminal: the prompt, each letter, end of input, Ctrl-C."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterator
from pathlib import Path

import pexpect
import pytest

from tur_engine.engine import Engine
from tur_engine.records import Author, AuthorKind, ConflictState, Draft, Status

pytestmark = pytest.mark.slow

OLD = "The billing service listens on port 8443"
NEW = "The billing service listens on port 9000"
MERGED = "Billing listens on port 9000, and on 8443 until May"
ANNA = Author(kind=AuthorKind.HUMAN, name="anna")
SECONDS = 30


@pytest.fixture
def store(workdir: Path) -> Path:
    with Engine.init(workdir, actor=ANNA) as engine:
        engine.learn(Draft(content=OLD, author=ANNA))
    return workdir / ".tur" / "ledger.db"


class Session:
    """One `tur learn NEW` in a terminal."""

    def __init__(self, repo_root: Path, *flags: str, **variables: str) -> None:
        kept = {name: value for name, value in os.environ.items() if name not in ("NO_COLOR", "PYTHONIOENCODING")}
        environment = kept | {
            "PYTHONPATH": str(repo_root / "engine"),
            "TERM": "xterm",
            "TUR_NO_JUDGE": "1",
            **variables,
        }
        self.child = pexpect.spawn(
            sys.executable,
            ["-m", "tur_engine.cli", "learn", NEW, *flags],
            env=environment,
            encoding="utf-8",
            timeout=SECONDS,
            dimensions=(24, int(variables.get("COLUMNS", "80"))),
        )

    def prompt(self) -> str:
        """Wait for the question; what was shown before it."""
        self.child.expect("tur> ")
        assert isinstance(self.child.before, str)
        return self.child.before

    def type(self, line: str) -> None:
        self.child.sendline(line)

    def end(self) -> tuple[int, str]:
        """Wait for the end; exit code and the last of what was shown."""
        self.child.expect(pexpect.EOF)
        rest = self.child.before
        self.child.close()
        assert isinstance(rest, str)
        return self.child.exitstatus, rest

    def kill(self) -> None:
        self.child.close(force=True)


@pytest.fixture
def session(store: Path, repo_root: Path) -> Iterator[Session]:
    session = Session(repo_root)
    yield session
    session.kill()


def statuses(store: Path) -> dict[str, Status]:
    with Engine.open(store, actor=ANNA) as engine:
        assert engine.verify().ok
        return {belief.memory.content: belief.status for belief in engine.memories(status=set(Status))}


def states(store: Path) -> list[ConflictState]:
    with Engine.open(store, actor=ANNA) as engine:
        return [conflict.state for conflict in engine.conflicts(all=True)]


def test_the_first_lines_are_the_seeds_byte_for_byte(store: Path, session: Session) -> None:
    with Engine.open(store, actor=ANNA) as engine:
        [incumbent] = engine.memories()
        short = engine.short(incumbent.id)
    lines = [
        "⚠️ TMS Contradiction Detected: New assertion conflicts with existing memory "
        f'{short} ("{OLD}"). Action required:',
        "[s] Supersede older memory, [r] Refute newer memory, [m] Merge contexts, [f] Force dual existence",
        "[b] Branch scope, [x] Not a conflict, [a] Abort",
    ]
    # A terminal turns the newline into carriage return and newline; the text itself is untouched, at any width.
    assert [line.encode() for line in session.prompt().split("\r\n")[:3]] == [line.encode() for line in lines]


@pytest.mark.parametrize(
    ("letter", "old", "new"),
    [
        ("s", Status.SUPERSEDED, Status.ACTIVE),
        ("r", Status.ACTIVE, Status.REFUTED),
        ("f", Status.ACTIVE, Status.ACTIVE),
        ("x", Status.ACTIVE, Status.ACTIVE),
        ("a", Status.ACTIVE, Status.RETRACTED),
    ],
)
def test_a_letter_does_what_it_says(letter: str, old: Status, new: Status, store: Path, session: Session) -> None:
    session.prompt()
    session.type(letter)
    code, _ = session.end()
    assert code == 0
    assert statuses(store) == {OLD: old, NEW: new}
    assert states(store) == [ConflictState.RESOLVED]


def test_b_narrows_to_what_is_typed(store: Path, session: Session) -> None:
    session.prompt()
    session.type("b")
    session.child.expect(re.escape("Narrow the [n]ew memory or the [o]lder one? "))
    session.type("n")
    session.child.expect("It holds in: ")
    session.type("incarnation:staging")
    code, rest = session.end()
    assert code == 0, rest
    with Engine.open(store, actor=ANNA) as engine:
        assert {str(belief.memory.scope) for belief in engine.memories()} == {"incarnation", "incarnation:staging"}


def test_m_opens_the_editor_with_both_texts(store: Path, repo_root: Path, tmp_path: Path) -> None:
    script = tmp_path / "editor.py"
    script.write_text(
        "import sys, pathlib\n"
        "page = pathlib.Path(sys.argv[1])\n"
        f"assert sys.stdin.isatty() and {OLD!r} in page.read_text() and {NEW!r} in page.read_text()\n"
        f"page.write_text({MERGED!r})\n"
    )
    session = Session(repo_root, EDITOR=f"{sys.executable} {script}")
    session.prompt()
    session.type("m one text for both")
    while session.child.expect([re.escape("Merge all the same? [y/n] "), pexpect.EOF]) == 0:
        session.type("y")
    session.child.close()
    assert session.child.exitstatus == 0
    assert statuses(store) == {OLD: Status.SUPERSEDED, NEW: Status.SUPERSEDED, MERGED: Status.ACTIVE}


def test_enter_is_no_answer(store: Path, session: Session) -> None:
    session.prompt()
    session.type("")
    assert "Type one of s, r, m, f, b, x, a" in session.prompt()
    assert states(store) == [ConflictState.DETECTED]
    session.type("r not yet")
    assert session.end()[0] == 0


def test_at_the_end_of_input_it_is_held(store: Path, session: Session) -> None:
    session.prompt()
    session.child.sendeof()
    code, rest = session.end()
    assert code == 3
    assert "held, waiting in conflict-" in rest
    assert statuses(store) == {OLD: Status.ACTIVE, NEW: Status.HELD}


def test_at_ctrl_c_it_is_held(store: Path, session: Session) -> None:
    session.prompt()
    session.child.sendintr()
    code, rest = session.end()
    assert code == 130
    assert "Traceback" not in rest
    assert statuses(store) == {OLD: Status.ACTIVE, NEW: Status.HELD}


def test_an_encoding_without_the_sign_gets_its_twin(store: Path, repo_root: Path) -> None:
    session = Session(repo_root, PYTHONIOENCODING="ascii")
    assert session.prompt().startswith("[!] TMS Contradiction Detected: New assertion conflicts with")
    session.type("a")
    assert session.end()[0] == 0


def test_colour_only_where_it_is_wanted(store: Path, repo_root: Path) -> None:
    for variables, coloured in (({}, True), ({"NO_COLOR": "1"}, False)):
        session = Session(repo_root, "--on-conflict", "allow", "--scope", f"user:{coloured}", **variables)
        code, shown = session.end()
        assert code == 0
        assert ("\x1b[" in shown) is coloured


def test_an_end_of_input_that_came_before_the_question_ends_it(repo_root: Path, store: Path) -> None:
    """As `script` sends it whose own input has ended."""
    child = pexpect.spawn(
        sys.executable,
        ["-c", "import sys; from tur_engine.cli.adm import main; sys.exit(main(['key', 'init', '--name', 'anna']))"],
        env=os.environ | {"PYTHONPATH": str(repo_root / "engine"), "TERM": "xterm"},
        encoding="utf-8",
        timeout=SECONDS,
    )
    child.sendeof()
    child.expect("the terminal's input has ended, so no passphrase can be given; nothing was changed")
    child.expect(pexpect.EOF)
    child.close()
    assert child.exitstatus == 1
