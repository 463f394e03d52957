"""`tur doctor`: what it tries, what it makes of the answers, and the sentence on each thing that is missing."""

from __future__ import annotations

import json
import shutil
import site
from pathlib import Path

import pytest

from tests.cli.conftest import Programs
from tur_engine.records import Author
from tur_engine.wiring import calls, doctor, trying
from tur_engine.wiring.earnest import in_earnest
from tur_engine.wiring.findings import Finding
from tur_engine.wiring.harnesses import HARNESSES, Harness, Role, harness_named
from tur_engine.wiring.stage import FACT, FORBIDDEN, RULE, Stage
from tur_engine.wiring.trust import is_plain
from tur_engine.wiring.trying import on_stage, redirected, spoken
from tur_engine.wiring.wired import Wire, wires_in

CLAUDE = harness_named("claude")


class World:
    """Answers in the place of processes, as hooks in order would; a test breaks one of them."""

    def __init__(self) -> None:
        self.ran: list[str] = []
        self.broken: dict[str, tuple[int, str, str]] = {}

    def run(self, command: str | list[str], stage: Stage, said: str) -> tuple[int, str, str]:
        line = command if isinstance(command, str) else " ".join(command)
        self.ran.append(line)
        for words, answer in self.broken.items():
            if words in line:
                return answer
        if "--version" in line:
            return 0, "tur 0.1 (tur-tui)", ""
        if "guard" in line:
            return (2, "", f"tur: Clashes with {RULE}") if FORBIDDEN in said else (0, "", "")
        if "session-start" in line:
            return 0, f"{RULE}\n{FACT}", ""
        if "after-edit" in line:
            told = "tur: it is held as conflict-1234"
            return 0, json.dumps({"hookSpecificOutput": {"additionalContext": told}}), ""
        return 3, "", ""


@pytest.fixture
def world(monkeypatch: pytest.MonkeyPatch, tur: Programs, workdir: Path) -> World:
    """A store, a wired Claude Code, and no processes."""
    world = World()
    monkeypatch.setattr(Stage, "set_up", lambda self: [(self.folder / n).mkdir() for n in ("home", "work")])
    monkeypatch.setattr(trying, "_run", world.run)
    monkeypatch.setattr(shutil, "which", lambda name: f"/bin/{name}")
    monkeypatch.setattr(doctor, "server", _served)
    (workdir / ".git").mkdir()
    tur("init")
    tur("setup", "claude", "-y")
    return world


def _served(harness: Harness, wire: Wire, stage: Stage, port: int) -> Finding:
    return Finding(harness.name, True, f"MCP: {wire.command}")


def test_all_that_is_wired_is_tried_and_proved(tur: Programs, world: World) -> None:
    ran = tur("doctor")
    assert (ran.code, ran.err) == (0, ""), ran
    assert [line.split(":")[0] for line in ran.out.splitlines() if line.startswith("ok")] == [
        *(f"ok      {shared}" for shared in ("models", "ledger", "command line")),
        *["ok      Claude Code"] * 4,
    ]
    assert "-       Cursor: not wired\n        wire it: tur setup cursor\n" in ran.out
    told = tur("doctor", "claude", "--json").json
    assert told["status"] == "proved"
    assert {check["ok"] for check in told["checks"]} == {True}


@pytest.mark.parametrize(
    ("event", "sentence"),
    [
        ("PreToolUse", "no hook before an edit or a command: .claude/settings.json has none under PreToolUse"),
        ("SessionStart", "no hook at the start of a session: .claude/settings.json has none under SessionStart"),
        ("PostToolUse", "no hook after the edit of a rule file: .claude/settings.json has none under PostToolUse"),
    ],
)
def test_a_hook_that_is_taken_out_is_missed(
    tur: Programs, world: World, workdir: Path, event: str, sentence: str
) -> None:
    path = workdir / ".claude" / "settings.json"
    data = json.loads(path.read_text())
    del data["hooks"][event]
    path.write_text(json.dumps(data))
    ran = tur("doctor")
    assert ran.code == 1
    assert f"missing Claude Code: {sentence}\n        mend it: tur setup claude\n" in ran.out
    assert ran.err == "tur: 1 of 10 checks failed; each has the command that mends it\n"


@pytest.mark.parametrize(
    ("words", "answer", "sentence"),
    [
        ("guard", (0, "", ""), "lets a command through that breaks an invariant (exit 0)"),
        ("guard", (2, "", f"{RULE}"), "stops a harmless command"),
        ("guard", (127, "", "sh: tur: not found"), "cannot be started: the shell finds no such program"),
        ("session-start", (0, "", "tur: passed over: no"), "does not give what holds at the start of a session"),
        ("after-edit", (0, "{}", ""), "does not hold a changed line that contradicts (exit 0)"),
        ("--version", (0, "tur 0.15.1", ""), "/bin/tur is another program of this name"),
        ("learn", (0, "", ""), "tur learn did not stop a test clash (exit 0)"),
    ],
)
def test_a_hook_that_fails_is_named_with_its_answer(
    tur: Programs, world: World, words: str, answer: tuple[int, str, str], sentence: str
) -> None:
    world.broken[words] = answer
    ran = tur("doctor", "claude")
    assert ran.code == 1
    assert sentence in ran.out


def test_the_server_a_matcher_and_a_switch_are_missed_too(tur: Programs, world: World, workdir: Path) -> None:
    (workdir / ".mcp.json").unlink()
    path = workdir / ".claude" / "settings.json"
    data = json.loads(path.read_text())
    data["disableAllHooks"] = True
    data["hooks"]["PreToolUse"][0]["matcher"] = "Read|Bas"
    path.write_text(json.dumps(data))
    out = tur("doctor").out
    assert "no MCP server: .mcp.json names no tur-mcp" in out
    assert "turns all hooks off (disableAllHooks)" in out
    assert "PreToolUse: the matcher 'Read|Bas'" in out
    assert "leaves out Bash" in out


def test_a_server_that_claude_code_added_for_this_project_alone_counts(
    tur: Programs, world: World, workdir: Path, home: Path
) -> None:
    (workdir / ".mcp.json").unlink()
    own = {"mcpServers": {"memory": {"type": "stdio", "command": "tur-mcp", "args": ["--as", "claude-code"]}}}
    (home / ".claude.json").write_text(json.dumps({"projects": {"/elsewhere": own}}))
    assert tur("doctor").code == 1
    (home / ".claude.json").write_text(json.dumps({"projects": {str(workdir): own}}))
    assert tur("doctor").code == 0


def test_a_file_that_cannot_be_read_and_a_harness_that_was_named_are_missed(
    tur: Programs, world: World, workdir: Path
) -> None:
    (workdir / ".cursor").mkdir()
    (workdir / ".cursor" / "hooks.json").write_text("{")
    ran = tur("doctor")
    assert ran.code == 1
    assert "missing Cursor: " in ran.out
    assert "is not valid JSON" in ran.out
    named = tur("doctor", "gemini")
    assert named.code == 1
    assert named.out.count("mend it: tur setup gemini") == 4


def test_where_nothing_is_wired_and_nothing_is_remembered(
    tur: Programs, world: World, workdir: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    ran = tur("doctor")
    assert ran.code == 1
    assert "mend it: tur init" in ran.out
    assert "no harness is wired, so nothing asks tur\n        mend it: tur setup claude|cursor|codex|gemini" in ran.out
    (workdir / ".tur" / "ledger.db").write_bytes(b"nonsense")
    monkeypatch.chdir(workdir)
    assert "missing ledger" in tur("doctor").out


@pytest.mark.parametrize(
    ("command", "plain"),
    [
        ("tur guard --hook", True),
        ("/usr/bin/tur --as otter guard --hook", True),
        ("python3 -m tur_engine.cli guard --hook", True),
        ("./tur guard --hook", False),
        ("{root}/bin/tur guard --hook", False),
        ("tur guard --hook; curl x", False),
        ("FOO=1 tur guard --hook", False),
        ("sh -c 'x' tur guard --hook", False),
        ("python -c x tur guard --hook", False),
        ("tur guard --hook $(x)", False),
    ],
)
def test_of_a_repository_only_plain_calls_of_tur_are_started(
    tur: Programs, world: World, workdir: Path, command: str, plain: bool
) -> None:
    path = workdir / ".claude" / "settings.json"
    told = command.replace("{root}", str(workdir))
    path.write_text(path.read_text().replace("tur guard --hook --as claude-code", told))
    ran = tur("doctor")
    assert (ran.code == 0) == plain
    assert (told in world.ran) == plain
    assert ("is more than a call of tur, so it was not started\n" in ran.out) != plain
    assert tur("doctor", "--trust").code == 0
    assert told in world.ran


def test_a_server_with_variables_of_others_is_not_started(tur: Programs, world: World, workdir: Path) -> None:
    path = workdir / ".mcp.json"
    path.write_text(path.read_text().replace("TUR_ON_CONFLICT", "LD_PRELOAD"))
    assert "MCP: `tur-mcp` in" in tur("doctor").out
    assert is_plain(Wire(Role.SERVER, path, command="tur-mcp", args=("--store", "${workspaceFolder}")), workdir)
    assert is_plain(Wire(Role.SERVER, Path("/home/a"), command="npx", args=("x",)), workdir)
    assert not is_plain(Wire(Role.SERVER, path, command="npx", args=("tur-mcp",)), workdir)


def test_a_store_that_the_files_name_is_never_written_to(tur: Programs, world: World, workdir: Path) -> None:
    path = workdir / ".claude" / "settings.json"
    path.write_text(path.read_text().replace("after-edit", f"after-edit --store {workdir}"))
    assert tur("doctor", "claude").code == 0
    assert [line for line in world.ran if "after-edit --store" in line]
    assert not [line for line in world.ran if str(workdir) in line]
    work = Path("/stage/work")
    assert redirected("tur --store=/real hook after-edit", work) == "tur --store=/stage/work hook after-edit"
    assert redirected("cd x && tur hook after-edit", work) == "cd x && tur hook after-edit"
    assert on_stage(["--as", "a", "--store", "/real"], work) == ["--as", "a", "--store", "/stage/work"]


@pytest.mark.parametrize("store", ["/nowhere/at/all", "notes.txt", "$CLAUDE_PROJECT_DIR/elsewhere", "./elsewhere"])
def test_a_store_that_a_hook_or_server_names_must_open(tur: Programs, world: World, workdir: Path, store: str) -> None:
    (workdir / "notes.txt").write_text("no store")
    settings, servers = workdir / ".claude" / "settings.json", workdir / ".mcp.json"
    settings.write_text(settings.read_text().replace("guard --hook", f"guard --hook --store {store}"))
    servers.write_text(servers.read_text().replace('"--as"', f'"--store={store}", "--as"'))
    ran = tur("doctor", "claude", "--trust")
    assert ran.code == 1
    for start in ("MCP: `tur-mcp", "PreToolUse: `tur guard"):
        (line,) = [line for line in ran.out.splitlines() if start in line]
        assert line.startswith("missing ")
        assert f"names a store that does not open: {(workdir / store.rpartition('DIR/')[2])}" in line
    assert not [line for line in world.ran if "guard" in line]
    assert not (workdir / "elsewhere").exists()


@pytest.mark.parametrize(("harness", "time"), [("claude", 0.01), ("gemini", 30), ("codex", 1), ("cursor", 1.5)])
def test_a_time_that_is_too_short_is_said(harness: str, time: float, workdir: Path) -> None:
    known = harness_named(harness)
    hook = {"command": "tur guard --hook", "timeout": time}
    data = {"hooks": {"PreToolUse": [{"hooks": [hook]}]}, known.servers: {"tur": {"command": "tur-mcp"}}}
    found, server = sorted(wires_in(known, workdir / "x.json", data), key=lambda wire: wire.role is Role.SERVER)
    fault = in_earnest(found, workdir, Author.parse("human:anna"))
    assert fault is not None
    assert "so it is ended before it answers" in fault[0]
    assert in_earnest(server, workdir, Author.parse("human:anna")) is None
    hook["timeout"] = 30 * (known.seconds or 1)
    (found, _) = sorted(wires_in(known, workdir / "x.json", data), key=lambda wire: wire.role is Role.SERVER)
    assert in_earnest(found, workdir, Author.parse("human:anna")) is None


def test_the_stage_has_a_home_of_its_own(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for name in ("TUR_HOME", "TUR_ON_CONFLICT", "XDG_STATE_HOME", "CODEX_HOME", "CLAUDE_ENV_FILE"):
        monkeypatch.setenv(name, "/real")
    there = Stage(tmp_path).environment({"TUR_ON_CONFLICT": "hold", "TUR_HOME": "/real", "HOME": "/real"})
    assert "/real" not in there.values()
    assert (there["HOME"], there["TUR_ON_CONFLICT"]) == (str(tmp_path / "home"), "hold")
    assert there["PYTHONUSERBASE"] == site.getuserbase()


@pytest.mark.slow
def test_the_stage_is_laid_down_below_a_store(tur: Programs, workdir: Path) -> None:
    """The temporary folder may lie in a project."""
    tur("init")
    stage = Stage(workdir / "tmp")
    stage.set_up()
    assert (stage.work / ".tur" / "ledger.db").is_file()


@pytest.mark.parametrize("harness", HARNESSES, ids=lambda harness: harness.key)
def test_test_calls_have_the_keys_of_the_documented_ones(harness: Harness, tmp_path: Path) -> None:
    from tests.wiring.conftest import FIXTURES

    made = {
        harness.start: calls.start(harness, tmp_path),
        harness.after[0]: calls.edited(harness, harness.after[0], tmp_path, tmp_path / "CLAUDE.md", "a", "b"),
    } | {event: calls.command(harness, event, tmp_path, "ls") for event, _, _ in harness.before}
    for event, call in made.items():
        documented = json.loads((FIXTURES / harness.key / f"{event}.json").read_text())
        sent = json.loads(call)
        assert sent.keys() <= documented.keys()
        assert sent["hook_event_name"] == event
        assert sent.get("tool_name") == documented.get("tool_name")
        assert sent.get("tool_input", {}).keys() <= documented.get("tool_input", {}).keys()


def test_what_an_agent_is_given_is_read_from_any_shape() -> None:
    assert spoken('{"additional_context": "a"}') == "a"
    assert spoken('{"hookSpecificOutput": {"additionalContext": "b"}}') == "b"
    assert (spoken("plain"), spoken("[]"), spoken('{"x": 1}')) == ("plain", "", "")
