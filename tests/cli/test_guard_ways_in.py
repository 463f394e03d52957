"""The guardrail by every way in: lines that go on, the branch checked out, notebooks, odd streams and settings."""

from __future__ import annotations

import io
import json
import sys
from pathlib import Path

import pytest

from tests.cli.conftest import Programs
from tests.cli.ruled import RULE
from tests.cli.test_guard import FORCE, bash, hook
from tests.cli.test_program import closed
from tests.cli.test_rules_import import git
from tests.mcp.test_server import harness
from tur_engine.cli.__main__ import main

CONTINUED = "git push \\\n  --force \\\n  origin main"
pytestmark = pytest.mark.usefixtures("known")


def checked_out(workdir: Path, branch: str) -> None:
    git(workdir, "init", "-q", "-b", branch)
    git(workdir, "commit", "-q", "--allow-empty", "-m", "one")


async def test_a_line_that_goes_on_is_one_command_by_every_way_in(tur: Programs, rule: str) -> None:
    assert tur("guard", CONTINUED).code == 4
    assert tur("guard", "--command", CONTINUED).code == 4
    assert tur("guard", "-", stdin=CONTINUED.encode()).code == 4
    assert tur("guard", "-", stdin=CONTINUED.replace("\n", "\r\n").encode("utf-8-sig")).code == 4
    assert hook(tur, bash(CONTINUED)).code == 2
    async with harness() as call:
        assert (await call.refused("check_action", text=CONTINUED))["status"] == "invariant_violation"


@pytest.mark.parametrize("line", ["git push -f", "git push -f origin HEAD", "git push --force origin"])
async def test_a_push_without_a_branch_is_one_of_the_branch_checked_out(
    line: str, tur: Programs, rule: str, workdir: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert tur("guard", line).code == 0
    assert tur("guard", line, "--branch", "main").code == 4
    checked_out(workdir, "main")
    assert tur("guard", line).code == 4
    assert tur("guard", line, "--branch", "dev").code == 0
    async with harness() as call:
        assert (await call.refused("check_action", text=line))["status"] == "invariant_violation"
    monkeypatch.chdir(tmp_path)
    assert hook(tur, bash(line, cwd=str(workdir))).code == 2
    git(workdir, "checkout", "-q", "-b", "dev")
    assert hook(tur, bash(line, cwd=str(workdir))).code == 0
    assert hook(tur, bash(f"git checkout main && {line}", cwd=str(workdir))).code == 2


def test_a_rule_of_another_branch_is_weighed_all_the_same(tur: Programs, rule: str, workdir: Path) -> None:
    """What is checked out says what is pushed, not which rules hold."""
    checked_out(workdir, "dev")
    assert tur("guard", FORCE, "--json").json["weighed"] == 1


def test_a_push_of_all_branches_is_one_of_those_that_rules_name(tur: Programs, rule: str) -> None:
    for line in ("git push --force --all", "git push --mirror"):
        assert tur("guard", line).code == 4
        assert hook(tur, bash(line)).code == 2


@pytest.mark.parametrize("cell", [f"!{FORCE}", f"%%bash\n{FORCE}"])
def test_a_cell_of_a_notebook_is_read_by_the_hook(cell: str, tur: Programs, rule: str) -> None:
    written = {"notebook_path": "/work/a.ipynb", "new_source": cell, "edit_mode": "insert"}
    call = {"hook_event_name": "PreToolUse", "tool_name": "NotebookEdit", "tool_input": written}
    assert hook(tur, call).code == 2
    assert hook(tur, call | {"tool_input": written | {"new_source": "x = 1"}}).code == 0


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "utf-16-le", "utf-32"])
def test_a_call_with_a_bom_or_in_utf_16_is_read(encoding: str, tur: Programs, rule: str) -> None:
    ran = hook(tur, json.dumps(bash(FORCE)).encode(encoding))
    assert (ran.code, RULE in ran.err) == (2, True)


@pytest.mark.parametrize("line", ["threshold = 7", "profil = 'quiet'", "= ="])
def test_a_setting_that_cannot_be_used_stops_no_question(tur: Programs, rule: str, store: Path, line: str) -> None:
    """The guard answers as its hook does, which exits 2 for a clash alone."""
    (store.parent / "config.toml").write_text(line, "utf-8")
    ran = tur("guard", FORCE, "--json")
    assert (ran.code, ran.json["status"]) == (4, "invariant_violation")
    assert "guarded by the settings that come with tur: " in ran.err
    assert tur("guard", "git status").code == 0


@pytest.mark.parametrize("more", [{}, {"hook_event_name": "beforeShellExecution"}])
@pytest.mark.parametrize("words", [["guard", "--hook"], ["--as", "otter", "guard", "--hook"]])
def test_a_closed_standard_output_stops_a_clash_all_the_same(
    words: list[str],
    more: dict[str, str],
    rule: str,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
) -> None:
    for command, code in ((FORCE, 2), ("git status", 0)):
        call = json.dumps(bash(command) | more).encode()
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(call), "utf-8"))
        monkeypatch.setattr(sys, "stdout", None)
        assert main(words) == code
        assert (RULE in capfd.readouterr().err) is (code == 2)


@pytest.mark.slow
def test_a_harmless_command_goes_on_though_standard_output_is_closed(store: Path, repo_root: Path) -> None:
    call = store.with_name("call.json")
    call.write_text(json.dumps(bash("git status", cwd=str(store.parent.parent))), "utf-8")
    done = closed(repo_root, f">&- <'{call}'", "guard", "--hook")
    assert (done.returncode, done.stderr) == (0, b"")


@pytest.mark.slow
def test_a_session_begins_though_standard_output_is_closed(store: Path, repo_root: Path) -> None:
    done = closed(repo_root, ">&- </dev/null", "hook", "session-start")
    assert done.returncode == 0


def test_only_what_harnesses_run_answers_without_a_standard_output(
    tur: Programs, store: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "stdout", None)
    for words in (["learn", "hook"], ["guard", "ls"], ["--as", "hook", "list"]):
        assert main(words) == 1
