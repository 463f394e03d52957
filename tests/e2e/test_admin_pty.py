"""The installed `tur-tui` in a real pseudo-terminal, with real keys: unlock, inspect, approve, reject, auto-lock."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.e2e.test_workbench_pty import Terminal, workbench
from tests.ui.stores import AGENT, MARA, learn
from tur_engine.engine import Engine
from tur_engine.governor import Governor
from tur_engine.records import EventKind, ProposalState
from tur_tui.settings import settings_path

PASSPHRASE = "seven brass lanterns"
TLS = "All service traffic uses TLS 1.3"
FRIDAY = "Nothing is ever deployed on a Friday"


@pytest.fixture
def proposed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A store with two proposals of an agent, and a reviewer's key outside of it."""
    monkeypatch.setenv("TUR_KEYS", str(tmp_path / "keys"))
    root = tmp_path / "project"
    root.mkdir()
    with Engine.init(root, actor=MARA) as engine:
        Governor(engine).init_key("mara", PASSPHRASE)
        for text in (TLS, FRIDAY):
            assert learn(engine, text, AGENT, type="core").outcome == "proposed"
    return root


def unlock(terminal: Terminal, key: str) -> None:
    terminal.press(key)
    terminal.wait_for("Passphrase of mara")
    terminal.press(PASSPHRASE)
    terminal.wait_for("•" * len(PASSPHRASE))
    assert PASSPHRASE not in terminal.text
    terminal.press("\r")


def test_unlock_inspect_approve_one_reject_one(proposed: Path) -> None:
    with workbench(cwd=proposed) as terminal:
        terminal.wait_for("no open conflict")
        terminal.press("2")
        terminal.wait_for("Waiting 2")
        terminal.wait_for("No active memory contradicts it")
        assert terminal.text.startswith(" LOCKED")
        unlock(terminal, "A")
        terminal.wait_for("Sign and approve proposal-")
        terminal.wait_for(TLS)
        terminal.press("\r")  # Enter alone signs nothing
        terminal.press("\x1b[F")  # End
        terminal.wait_for("y signs and approves")
        terminal.press("y")
        terminal.wait_for("is in force, by 1 signature")
        terminal.wait_for("Waiting 1")
        terminal.press("R")
        terminal.wait_for("Reject proposal-")
        terminal.wait_for(FRIDAY)
        terminal.press("\r")
        terminal.wait_for("say why")
        terminal.press("the on-call week ends on Friday\r")
        terminal.wait_for("is rejected")
        terminal.wait_for("Decided 2")
        terminal.press("g")
        terminal.wait_for("✓ holds   reject")
        terminal.wait_for("✓ holds   approve")
        terminal.press("L")
        terminal.wait_for("The key is locked.")
        assert terminal.leave() == 0
    with Engine.open(proposed, actor=MARA) as engine:
        decided = {each.memory.memory.content: each for each in Governor(engine).proposals(all=True)}
        assert decided[TLS].state is ProposalState.APPROVED
        assert decided[FRIDAY].state is ProposalState.REJECTED
        assert decided[FRIDAY].decided_because == "the on-call week ends on Friday"
        assert engine.memory(decided[TLS].memory.id).approved
        written = [each.kind for each in engine.history()][-2:]
        assert written == [EventKind.APPROVED, EventKind.DECLINED]
        assert engine.verify().ok


def test_a_wrong_passphrase_signs_nothing_and_an_idle_key_locks_itself(proposed: Path) -> None:
    settings_path().parent.mkdir(parents=True)
    settings_path().write_text("auto_lock_minutes = 0.05\n")
    with Engine.open(proposed, actor=MARA) as engine:
        before = engine.head()
    with workbench(cwd=proposed) as terminal:
        terminal.wait_for("no open conflict")
        terminal.press("2")
        terminal.wait_for("Waiting 2")
        terminal.press("U")
        terminal.wait_for("Passphrase of mara")
        terminal.press("not the one\r")
        terminal.wait_for("Nothing was signed; try again")
        unlock(terminal, "")
        terminal.wait_for("The key locked itself")
        assert terminal.text.startswith(" LOCKED")
        assert terminal.leave() == 0
    with Engine.open(proposed, actor=MARA) as engine:
        assert engine.head() == before
