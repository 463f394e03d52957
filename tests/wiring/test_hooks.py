"""What harnesses send, by their documentation, and what the hooks answer."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.conftest import Programs, approve
from tests.standins import install
from tests.wiring.conftest import sent
from tur_engine.cli import edited, hooks
from tur_engine.engine import Engine
from tur_engine.minds import Minds
from tur_engine.records import Author
from tur_engine.sources.agents import AGENTS, OTHERS, is_rule_file

STARTS = ["claude/SessionStart", "codex/SessionStart", "gemini/SessionStart", "cursor/sessionStart"]
BEFORE = [
    "claude/PreToolUse",
    "codex/PreToolUse",
    "gemini/BeforeTool",
    "cursor/beforeShellExecution",
    "cursor/preToolUse",
]
AFTER = {
    "claude/PostToolUse": "CLAUDE.md",
    "codex/PostToolUse": "AGENTS.md",
    "gemini/AfterTool": "GEMINI.md",
    "cursor/afterFileEdit": "AGENTS.md",
}


@pytest.fixture
def store(tur: Programs, workdir: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """A store with one fact; the harness starts its hooks somewhere else."""
    install(monkeypatch)
    assert tur("init").code == 0
    tur("learn", "port: 80")
    monkeypatch.chdir(tmp_path)
    return workdir / ".tur" / "ledger.db"


def context(out: str, call: bytes) -> str:
    """What the agent is given, out of the one shape that its harness reads."""
    event, answer = json.loads(call)["hook_event_name"], json.loads(out)
    if event[0].islower():
        assert list(answer) == ["additional_context"]
        return str(answer["additional_context"])
    assert list(answer) == ["hookSpecificOutput"]
    assert answer["hookSpecificOutput"]["hookEventName"] == event
    return str(answer["hookSpecificOutput"]["additionalContext"])


@pytest.mark.parametrize("name", STARTS)
def test_a_session_begins_with_what_holds(
    tur: Programs, store: Path, workdir: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.setattr(Minds, "_embed", lambda self, text: pytest.fail("a model was loaded"))
    call = sent(name, workdir)
    ran = tur("hook", "session-start", stdin=call)
    assert (ran.code, ran.err) == (0, "")
    assert context(ran.out, call).startswith("Believed:\n- port: 80 [fact-")


def test_folder_budget_and_what_waits_are_told(
    tur: Programs, store: Path, workdir: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(workdir)
    tur("learn", "api: REST", "--scope", "incarnation:api")
    tur("learn", "port: 81", "--on-conflict", "hold")
    (workdir / "web").mkdir()
    call = sent("claude/SessionStart", workdir / "web")
    told = context(tur("hook", "session-start", stdin=call).out, call)
    assert "api: REST" not in told
    assert told.endswith("1 contradiction waits for a decision: list_conflicts, or tur conflicts.")
    tur("learn", f"logo: {'blue ' * 15}")
    plain = tur("hook", "session-start", "--budget", "50", stdin=b"")
    assert plain.out.startswith("Believed:\n- logo: blue")
    assert "api: REST" not in plain.out


def test_claude_code_holds_in_its_shell(
    tur: Programs, store: Path, workdir: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "env"
    file.write_text("export A=1\n")
    monkeypatch.setenv("CLAUDE_ENV_FILE", str(file))
    tur("hook", "session-start", stdin=sent("claude/SessionStart", workdir))
    assert file.read_text() == "export A=1\nexport TUR_ON_CONFLICT=hold\n"
    monkeypatch.setenv("TUR_ON_CONFLICT", "allow")
    tur("hook", "session-start", stdin=sent("claude/SessionStart", workdir))
    assert file.read_text().count("TUR_ON_CONFLICT") == 1


def test_to_hold_is_said_once_and_what_the_file_says_stands(
    tur: Programs, store: Path, workdir: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "env"
    monkeypatch.setenv("CLAUDE_ENV_FILE", str(file))
    for before, after in (
        (None, "export TUR_ON_CONFLICT=hold\n"),
        ("A=1", "A=1\nexport TUR_ON_CONFLICT=hold\n"),
        ("export TUR_ON_CONFLICT=allow\n", "export TUR_ON_CONFLICT=allow\n"),
    ):
        if before is not None:
            file.write_text(before)
        for _ in range(2):
            assert tur("hook", "session-start", stdin=sent("claude/SessionStart", workdir)).err == ""
            assert file.read_text() == after


def test_a_file_that_cannot_be_written_takes_the_context_from_nobody(
    tur: Programs, store: Path, workdir: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    call = sent("claude/SessionStart", workdir)
    for file in (tmp_path, tmp_path / "gone" / "env"):
        monkeypatch.setenv("CLAUDE_ENV_FILE", str(file))
        ran = tur("hook", "session-start", stdin=call)
        assert (ran.code, "port: 80" in context(ran.out, call)) == (0, True)
        assert ran.err.startswith(f"tur: warning: $CLAUDE_ENV_FILE ({file}) cannot be written: ")


@pytest.mark.parametrize("name", BEFORE)
def test_what_breaks_an_invariant_is_stopped_with_the_reason(
    tur: Programs, store: Path, workdir: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    from tests.cli.ruled import RULE, Known

    proposed = tur("--store", str(store), "learn", RULE, "--type", "axiom", "--json").json
    approve(store, proposed["id"])
    monkeypatch.setattr(Minds, "detector", property(lambda self: Known()))
    ran = tur("guard", "--hook", stdin=sent(name, workdir))
    assert ran.code == 2
    assert RULE in ran.err
    if name.startswith("cursor"):
        assert ran.json["permission"] == "deny"
    else:
        assert ran.out == ""
    harmless = sent(name, workdir).replace(b"git push -f origin main", b"git status")
    assert tur("guard", "--hook", stdin=harmless).code == 0


@pytest.mark.parametrize("name", AFTER)
def test_a_changed_line_of_a_rule_file_passes_the_gate(tur: Programs, store: Path, workdir: Path, name: str) -> None:
    file = workdir / AFTER[name]
    file.write_text("# Rules\n\n- port: 81\n- port: 99\n", "utf-8")
    call = sent(name, workdir)
    ran = tur("hook", "after-edit", "--as", "otter", stdin=call)
    assert ran.code == 0
    sentence = context(ran.out, call)
    assert sentence.startswith(f'tur: {file.name}:3 ("port: 81") contradicts fact-')
    assert " and is held as conflict-" in sentence
    assert ran.err == f"{sentence}\n"
    with Engine.open(store, actor=Author.parse("human:anna"), read_only=True) as engine:
        (conflict,) = engine.conflicts()
        memory = conflict.challenger.memory
        assert (memory.content, str(memory.author)) == ("port: 81", "agent:otter")
        assert (memory.provenance["file"], memory.provenance["line"]) == (file.name, "3")
        assert len(engine.memories()) == 1


def test_what_does_not_contradict_is_learnt_without_a_word(tur: Programs, store: Path, workdir: Path) -> None:
    (workdir / "api").mkdir()
    (workdir / "api" / "CLAUDE.md").write_text("- logo: blue,\n  and round\n- port: 80\n", "utf-8")
    written = {"file_path": str(workdir / "api" / "CLAUDE.md"), "content": (workdir / "api" / "CLAUDE.md").read_text()}
    call = {"hook_event_name": "PostToolUse", "cwd": str(workdir), "tool_name": "Write", "tool_input": written}
    for _ in range(2):
        ran = tur("hook", "after-edit", stdin=json.dumps(call).encode())
        assert (ran.code, ran.out, ran.err) == (0, "", "")
    with Engine.open(store, actor=Author.parse("human:anna"), read_only=True) as engine:
        held = {memory.memory.content: memory.memory.scope.path for memory in engine.memories()}
        assert engine.head() == 4, "what is known already writes nothing"
    assert held["logo: blue, and round"] == "api"


@pytest.mark.parametrize("text", ["# Rules\n", "", "\n", "- a b\n", f"- {'x' * 30_000}\n", "```\ncode\n```\n"])
def test_a_file_that_says_nothing_is_passed_over(tur: Programs, store: Path, workdir: Path, text: str) -> None:
    (workdir / "CLAUDE.md").write_text(text, "utf-8")
    written = {"file_path": str(workdir / "CLAUDE.md"), "content": text}
    call = {"hook_event_name": "PostToolUse", "cwd": str(workdir), "tool_name": "Write", "tool_input": written}
    ran = tur("hook", "after-edit", stdin=json.dumps(call).encode())
    assert (ran.code, ran.out) == (0, "")
    assert "fault" not in ran.err


def test_a_rule_file_in_another_encoding_is_named(tur: Programs, store: Path, workdir: Path) -> None:
    (workdir / "GEMINI.md").write_text("- port: 81\n", "utf-16")
    written = {"file_path": str(workdir / "GEMINI.md"), "content": "- port: 81\n"}
    call = {"hook_event_name": "PostToolUse", "cwd": str(workdir), "tool_name": "Write", "tool_input": written}
    ran = tur("hook", "after-edit", stdin=json.dumps(call).encode())
    assert (ran.code, ran.err) == (0, "tur: GEMINI.md is UTF-16; save it as UTF-8; it was left out\n")


def test_an_invariant_is_named_and_a_flood_is_counted(
    tur: Programs, store: Path, workdir: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    proposed = tur("--store", str(store), "learn", "traffic: TLS", "--type", "core", "--json").json
    approve(store, proposed["id"])
    lines = ["- traffic: plain", *(f"- port: {n}" for n in range(100, 110))]
    monkeypatch.setattr(edited, "MOST", 8)
    (workdir / "CLAUDE.md").write_text("\n".join(lines), "utf-8")
    written = {"file_path": "CLAUDE.md", "content": "\n".join(lines)}
    call = {"hook_event_name": "PostToolUse", "cwd": str(workdir), "tool_name": "Write", "tool_input": written}
    told = tur("hook", "after-edit", stdin=json.dumps(call).encode()).err.splitlines()
    assert f'contradicts the invariant {proposed["id"][:13]} ("traffic: TLS"), which people signed' in told[0]
    assert len(told) == 6
    assert told[-1] == "tur: 4 more of this kind; tur conflicts lists what waits"


@pytest.mark.parametrize("command", ["session-start", "after-edit"])
@pytest.mark.parametrize(
    "said", [b"{", b"[]", b"\xff", b"", b'{"hook_event_name": "PostToolUse", "tool_name": "Bash"}']
)
def test_nothing_that_is_sent_breaks_a_harness(
    tur: Programs, store: Path, command: str, said: bytes, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    assert tur("hook", command, stdin=said).code == 0
    monkeypatch.setattr(Engine, "open", lambda *_, **__: 1 // 0)
    assert tur("hook", command, stdin=said).code == 0


def test_without_a_store_nothing_is_founded(tur: Programs, workdir: Path, home: Path) -> None:
    (workdir / "CLAUDE.md").write_text("- port: 81\n")
    for command, name in (("session-start", "claude/SessionStart"), ("after-edit", "claude/PostToolUse")):
        ran = tur("hook", command, stdin=sent(name, workdir))
        assert (ran.code, ran.out) == (0, "")
        assert ran.err.startswith("tur: passed over: there is no store")
    assert not (home / ".tur").exists()


def test_the_first_look_at_a_name_passes_over_no_rule_file() -> None:
    for pattern in [pattern for agent in AGENTS for pattern in (*agent.patterns, *agent.root_only)] + list(OTHERS):
        name = pattern.replace("**/", "a/").replace("*", "b")
        assert is_rule_file(name), name
        assert hooks._may_hold_rules(f"/work/{name}")
    assert not hooks._may_hold_rules("/work/.claude/app.py")


def test_other_files_and_files_elsewhere_are_passed_over(
    tur: Programs, store: Path, workdir: Path, tmp_path: Path
) -> None:
    (tmp_path / "CLAUDE.md").write_text("- port: 81\n")
    for path in (tmp_path / "CLAUDE.md", workdir / "notes.md", workdir / "gone" / "CLAUDE.md"):
        call = {"tool_name": "Edit", "tool_input": {"file_path": str(path), "new_string": "- port: 81"}}
        ran = tur("hook", "after-edit", "--store", str(store), stdin=json.dumps(call).encode())
        assert (ran.code, ran.out.count("contradicts")) == (0, 0)
        assert (path.parent.name == "gone") == ("cannot be read" in ran.err)
