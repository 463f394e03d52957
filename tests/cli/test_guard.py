"""`tur guard`, its hook, the MCP tool: what they answer, and what a harness may rely on."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import Programs, approve
from tests.cli.ruled import CONSTRAINT, RULE, Known
from tests.cli.test_rules_import import git
from tests.mcp.test_server import harness
from tur_engine.cli import hook as hooked
from tur_engine.cli.output import Output, Unanswered
from tur_engine.engine import Engine
from tur_engine.facade import guarding
from tur_engine.gate.guardrail import commands, read, weighing
from tur_engine.gate.guardrail.weighing import CONSTRAINT as CONSTRAINT_TOPIC
from tur_engine.minds import Minds
from tur_engine.probe.candidate import Candidate
from tur_engine.records import Author, Draft, Memory, OnConflict, Verdict

FORCE = "git push -f origin main"
pytestmark = pytest.mark.usefixtures("known")


@pytest.fixture
def no_models(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever loads a model fails."""

    def fail(*_: Any) -> None:
        raise AssertionError("a model was loaded")

    monkeypatch.setattr(Minds, "detector", property(fail))
    monkeypatch.setattr(Minds, "_embed", fail)


def hook(tur: Programs, call: Any, *options: str) -> Any:
    """Ask as a harness does."""
    raw = call if isinstance(call, bytes) else json.dumps(call).encode()
    return tur("guard", "--hook", *options, stdin=raw)


def bash(command: str, **more: Any) -> dict[str, Any]:
    return {"hook_event_name": "PreToolUse", "tool_name": "Bash", "tool_input": {"command": command}} | more


def test_a_clash_with_an_invariant_ends_with_4_and_says_what_and_why(tur: Programs, rule: str, store: Path) -> None:
    before = store.read_bytes()
    ran = tur("guard", FORCE)
    assert ran.code == 4
    for words in (rule[:14], RULE, FORCE, "We force-push to main.", "‹RLO›one says no", "tur propose --supersedes"):
        assert words in ran.out
    told = tur("guard", FORCE, "--json")
    assert (told.code, told.json["status"], told.json["weighed"]) == (4, "invariant_violation", 1)
    (clash,) = told.json["clashes"]
    assert (clash["memory_id"], clash["binding"], clash["probability"]) == (rule, True, 0.95)
    assert (clash["action"], clash["read_as"], clash["invariant_words"]) == (FORCE, "We force-push to main.", "Never")
    assert store.read_bytes() == before


def test_what_is_likely_is_warned_of_though_it_would_not_stop_a_memory(tur: Programs, rule: str) -> None:
    assert tur("guard", "Rewrite main.").code == 4


def test_a_plan_is_weighed_action_by_action_and_may_come_from_stdin(tur: Programs, rule: str) -> None:
    plan = f"1. Build it.\n2. {FORCE}\n3. Tell Ben."
    told = tur("guard", "-", "--json", stdin=plan.encode()).json
    assert told["actions"] == ["We build it.", "We force-push to main.", "We tell Ben."]
    assert [clash["action"] for clash in told["clashes"]] == [FORCE]
    clear = tur("guard", "Build it.")
    assert (clear.code, clear.out) == (0, "Clear: nothing in force speaks against it (1 weighed)\n")
    assert "nothing in it acts" in tur("guard", "ls").out


def test_padding_does_not_push_a_command_out(tur: Programs, rule: str) -> None:
    padded = "; ".join([*(f"frob{i} --now" for i in range(45)), FORCE])
    ran = tur("guard", padded)
    assert ran.code == 4
    assert "6 more actions were not weighed" in ran.err
    assert hook(tur, bash(padded)).code == 2


def test_a_marked_constraint_warns_and_stops_nothing(tur: Programs, store: Path) -> None:
    tur("learn", CONSTRAINT, "--topic", "constraint")
    told = tur("guard", "Make one large commit.", "--json")
    assert (told.code, told.json["status"]) == (0, "warned")
    assert told.json["clashes"][0]["binding"] is False
    assert hook(tur, bash("x"), "--json").code == 0


def test_without_anything_in_force_no_model_is_loaded(tur: Programs, store: Path, no_models: None) -> None:
    assert tur("guard", FORCE).out == "Clear: no invariant or constraint is in force here\n"
    assert hook(tur, bash(FORCE)).code == 0


def test_a_command_that_only_looks_loads_no_model(tur: Programs, rule: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Minds, "_embed", lambda self, text: pytest.fail("a model was loaded"))
    assert hook(tur, bash("git status && ls -la")).code == 0


def test_a_scope_elsewhere_is_not_asked(tur: Programs, store: Path) -> None:
    proposed = tur("learn", RULE, "--type", "axiom", "--scope", "incarnation:web", "--json").json
    approve(store, proposed["id"])
    assert tur("guard", FORCE, "--path", "api").code == 0
    assert tur("guard", FORCE, "--path", "web/src").code == 4
    assert tur("guard", FORCE).code == 4


def test_an_invariant_of_the_store_above_holds_here(
    tur: Programs, rule: str, workdir: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (workdir / "inner").mkdir()
    monkeypatch.chdir(workdir / "inner")
    assert tur("init", "--nested").code == 0
    told = tur("guard", FORCE, "--json")
    assert told.code == 4
    assert told.json["clashes"][0]["store"] == str(workdir / ".tur" / "ledger.db")


@pytest.mark.parametrize("arguments", [(), (" ",), ("x", "--hook"), ("\x1b]0;x\x07",), ("x", "--path", "../up")])
def test_what_cannot_be_asked_is_a_usage_error(tur: Programs, rule: str, arguments: tuple[str, ...]) -> None:
    ran = tur("guard", *arguments)
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.startswith("tur: ")


@pytest.mark.parametrize(
    "call",
    [
        bash(FORCE),
        {"tool_name": "run_shell_command", "tool_input": {"command": FORCE}, "hook_event_name": "BeforeTool"},
        {"hook_event_name": "beforeShellExecution", "command": FORCE, "cwd": ""},
        {"tool_name": "shell", "tool_input": {"command": ["bash", "-lc", FORCE]}},
        {"toolName": "bash", "toolArgs": json.dumps({"command": FORCE})},
        {"tool_name": "Write", "tool_input": {"file_path": "go.sh", "content": f"#!/bin/sh\n{FORCE}\n"}},
        {"tool_name": "Edit", "tool_input": {"file_path": "go.sh", "old_string": "ls", "new_string": f"ls\n{FORCE}"}},
        {"tool_name": "editor", "tool_input": {"command": "create", "path": "go.sh", "file_text": FORCE}},
        {"tool_name": "MultiEdit", "tool_input": {"file_path": "go.sh", "edits": [{"new_string": FORCE}]}},
        {
            "tool_name": "apply_patch",
            "tool_input": {"command": f"*** Begin Patch\n*** Update File: go.sh\n@@\n-ls\n+{FORCE}\n*** End Patch"},
        },
    ],
)
def test_the_hook_stops_a_clash_in_every_shape(tur: Programs, rule: str, call: dict[str, Any]) -> None:
    ran = hook(tur, call)
    assert ran.code == 2
    assert (ran.json["permission"] if "command" in call else ran.out or "deny") == "deny"
    assert RULE in ran.err
    assert "Do not do this." in ran.err


def test_an_answer_that_cannot_be_written_stops_it_all_the_same(
    tur: Programs, rule: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(out: Output, payload: object) -> None:
        raise Unanswered("full", out.done)

    monkeypatch.setattr(Output, "json", full)
    ran = hook(tur, {"hook_event_name": "beforeShellExecution", "command": FORCE, "cwd": ""})
    assert (ran.code, RULE in ran.err) == (2, True)


@pytest.mark.parametrize(
    "call",
    [
        b"",
        b"{",
        b"[]",
        b"\xff\xfe",
        b"[" * 100_000,
        {"tool_name": "WebThing", "tool_input": {"a": 1}},
        bash("\x1b\x1b"),
        bash(""),
        {"tool_name": "Write", "tool_input": {"file_path": "go.sh"}},
    ],
)
def test_the_hook_lets_go_what_it_cannot_read_and_says_so(tur: Programs, rule: str, call: Any) -> None:
    ran = hook(tur, call)
    assert (ran.code, ran.out) == (0, "")
    assert ran.err.startswith("tur: not guarded: ")


def test_what_holds_in_a_folder_holds_in_a_worktree_of_it(
    tur: Programs, store: Path, workdir: Path, tmp_path: Path
) -> None:
    proposed = tur("learn", RULE, "--type", "axiom", "--scope", "incarnation:api", "--json").json
    approve(store, proposed["id"])
    git(workdir, "init", "-q")
    git(workdir, "commit", "-q", "--allow-empty", "-m", "one")
    side = tmp_path / "side"
    git(workdir, "worktree", "add", "-q", "-b", "side", str(side))
    for folder, code in (("api", 2), ("web", 0)):
        (side / folder).mkdir()
        assert hook(tur, bash(FORCE, cwd=str(side / folder))).code == code, folder


def test_the_hook_is_silent_on_tools_that_only_look(tur: Programs, rule: str) -> None:
    looking = [{"tool_name": tool, "tool_input": {"file_path": "x"}} for tool in ("Read", "Grep", "mcp__x__list_all")]
    looking.append({"hook_event_name": "beforeReadFile", "file_path": "go.sh", "content": FORCE})
    for call in looking:
        ran = hook(tur, call)
        assert (ran.code, ran.err) == (0, "")


def test_the_hook_lets_go_where_there_is_no_store_and_where_the_program_fails(
    tur: Programs, monkeypatch: pytest.MonkeyPatch
) -> None:
    nowhere = hook(tur, bash(FORCE))
    assert nowhere.code == 0
    assert "not guarded" in nowhere.err
    monkeypatch.setattr(Engine, "open", lambda *_, **__: 1 // 0)
    broken = hook(tur, bash(FORCE))
    assert broken.code == 0
    assert "ZeroDivisionError" in broken.err


@pytest.mark.parametrize("line", ["threshold = 7", "profil = 'quiet'", "= ="])
def test_a_setting_that_cannot_be_used_takes_the_guard_off_nobody(
    tur: Programs, rule: str, store: Path, line: str
) -> None:
    (store.parent / "config.toml").write_text(line, "utf-8")
    ran = hook(tur, bash(FORCE))
    assert (ran.code, RULE in ran.err) == (2, True)
    assert "guarded by the settings that come with tur: " in ran.err


def test_the_hook_finds_the_store_of_the_folder_the_harness_works_in(
    tur: Programs, rule: str, workdir: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert hook(tur, bash(FORCE, cwd=str(workdir))).code == 2


@pytest.mark.parametrize(
    "long",
    [
        f"echo {'a' * 9_000}; {FORCE}",
        "# nothing to see\n" * 3_000 + FORCE,
        f"{FORCE} # {'x' * 20_000}",
        "; ".join([*(f"git add f{at}" for at in range(60)), FORCE]),
        "; ".join([*(f"git push -f origin f{at}" for at in range(60)), FORCE]),
    ],
    ids=["word", "comments", "comment", "padding", "of its kind"],
)
def test_length_hides_nothing(long: str, tur: Programs, rule: str) -> None:
    assert hook(tur, bash(long)).code == 2
    assert tur("guard", "--command", long).code == 4
    assert tur("guard", long).code == 4


def test_what_is_too_long_to_be_read_is_said(tur: Programs, rule: str) -> None:
    told = hook(tur, bash("x" * (1 << 20)))
    assert (told.code, told.err) == (0, "tur: not guarded: the tool call is longer than 1 MB, and was not read\n")
    assert tur("guard", "-", stdin=b"x" * ((1 << 20) + 1)).code == 2
    long_file = {"tool_name": "Write", "tool_input": {"file_path": "go.sh", "content": "# x\n" * 60_000}}
    assert "what follows the first 200,000 characters was not weighed" in hook(tur, long_file).err


async def test_the_mcp_tool_gives_the_same_answer_and_warns_as_a_log_message(tur: Programs, rule: str) -> None:
    async with harness() as call:
        told = await call.refused("check_action", text=FORCE)
        assert told["status"] == "invariant_violation"
        assert told["clashes"][0]["memory_id"] == rule
        assert told["warnings"]
        assert (await call("check_action", text="Build it."))["status"] == "clear"
        assert (await call.refused("check_action", text=" "))["code"] == "bad_input"


def test_the_engine_refuses_a_view_of_the_past(store: Path) -> None:
    from tur_engine.errors import NotAllowed

    with (
        Engine.open(store, actor=Author.parse("agent:otter")) as engine,
        pytest.raises(NotAllowed, match="about the present"),
    ):
        engine.at(1).guard(FORCE)


def test_warnings_are_kept_beside_the_store_and_listed(tur: Programs, rule: str, store: Path) -> None:
    assert "no warning" in tur("guard", "--log").err
    before = store.read_bytes()
    tur("--as", "otter", "guard", FORCE, "--session", "s-1")
    tur("guard", "git status")  # nothing speaks against it
    hook(tur, bash(FORCE, session_id="h-7"), "--as", "heron")
    assert store.read_bytes() == before
    told = tur("guard", "--log", "--json").json["warnings"]
    assert [(each["actor"], each["session"], each["action"]) for each in told] == [
        ("agent:heron", "h-7", FORCE),
        ("agent:otter", "s-1", FORCE),
    ]
    assert (told[0]["memory_id"], told[0]["content"], told[0]["probability"]) == (rule, RULE, 0.95)
    listed = tur("guard", "--log").out
    for words in ("agent:heron h-7  95%", f"action     {FORCE}", f'invariant  {rule[:14]}: "{RULE}"'):
        assert words in listed
    kept = store.with_name("ledger-guarded.db")
    assert RULE.encode() not in kept.read_bytes()
    kept.unlink()
    assert tur("guard", "--log", "--json").json == {"warnings": []}
    assert tur("guard", "--log", "x").code == 2


def test_a_secret_in_an_action_is_not_kept(tur: Programs, rule: str, store: Path) -> None:
    token = "ghp_" + "aB3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1xY3zA5"
    tur("guard", f"git push -f https://x:{token}@github.com/a/b main")
    (kept,) = tur("guard", "--log", "--json").json["warnings"]
    assert "not kept" in kept["action"]
    assert token.encode() not in store.with_name("ledger-guarded.db").read_bytes()


async def test_what_is_asked_over_mcp_is_kept_too(tur: Programs, rule: str, store: Path) -> None:
    async with harness() as call:
        await call.raw("check_action", text=FORCE)
    (kept,) = tur("guard", "--log", "--json").json["warnings"]
    assert (kept["action"], kept["session"][:4]) == (FORCE, "mcp-")


def lay_down(store: Path, texts: Sequence[str], topic: str) -> None:
    """Learn many at once."""
    with Engine.open(store, actor=Author.parse("human:anna")) as engine:
        drafts = [Draft(content=text, topic=topic, author=engine.actor) for text in texts]
        engine.learn_many(drafts, on_conflict=OnConflict.ALLOW)


def test_of_thousands_of_rules_the_nearest_are_weighed_and_the_rest_is_said(
    tur: Programs, rule: str, store: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An invariant goes before all constraints, and a constraint that shares words with the action before others."""
    lay_down(store, [f"Clause {number} stays as it is." for number in range(30)] + [CONSTRAINT], CONSTRAINT_TOPIC)
    monkeypatch.setattr(weighing, "PAIRS", 10)
    asked: list[str] = []

    def weigh(self: Known, challenger: Memory, candidates: Sequence[Candidate]) -> list[Verdict]:
        asked.extend(each.memory.content for each in candidates)
        return [self._verdict(each.memory.content, challenger.content) for each in candidates]

    monkeypatch.setattr(Known, "weigh", weigh)
    ran = tur("guard", "Make one large commits.", "--json")
    assert len(asked) == 10
    assert {RULE, CONSTRAINT} <= set(asked)
    assert (ran.json["weighed"], ran.json["rules_left_out"]) == (10, 22)
    assert "weighed against the 10 rules nearest to it; 22 more were not" in ran.err
    assert not tur("guard", "Paint it blue.").out.startswith("Clear")
    for forced in (tur("guard", FORCE), hook(tur, bash(FORCE))):
        assert forced.code in (4, 2)
    assert "22 more were not" in hook(tur, bash("frobnicate it")).err


def test_tens_of_thousands_of_commands_are_read_and_hide_nothing(
    tur: Programs, rule: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is done for each of them is done once: their operands are looked at where a sentence speaks of them."""
    padding = [f"git push origin feature-{at}" for at in range(20_000)]
    looked: list[str] = []
    monkeypatch.setattr(commands, "thing", lambda path: looked.append(path))
    for joint in ("; ", "\n"):
        ran = hook(tur, bash(joint.join([*padding, FORCE])))
        assert ran.code == 2
        assert "more actions were not weighed" in ran.err
    assert looked == []


def test_rules_are_compared_with_words_once_for_actions_that_share_the_same() -> None:
    common = weighing._Common([f"Never push {word} to main" for word in ("tags", "branches", "notes")])
    assert [common.most(f"We push feature {at} to main.") for at in range(50)] == [2] * 50
    assert common.most("We push tags to main.") == 3
    assert common.most("We paint.") == 0
    assert len(common._known) == 3


def test_when_the_time_of_the_hook_is_over_what_was_not_weighed_is_said(
    tur: Programs, rule: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    ticks = iter(range(10_000))
    monkeypatch.setattr(guarding, "monotonic", lambda: next(ticks))
    monkeypatch.setattr(hooked, "monotonic", lambda: 0)
    monkeypatch.setattr(hooked, "PATIENCE", 3)
    lines = "; ".join([FORCE, *(f"frobnicate f{at}" for at in range(9))])
    ran = hook(tur, bash(lines))
    assert (ran.code, "7 more actions were not weighed" in ran.err) == (2, True)
    monkeypatch.setattr(hooked, "PATIENCE", 0)
    assert "not weighed, for the time was over: 1 more part of the tool call" in hook(tur, bash(lines)).err


def test_what_is_looked_for_by_very_many_commands_is_rather_warned_of() -> None:
    """It would take the line's length for each of them to leave their words out."""
    few = "; ".join(f"grep -rn 'verify=False' src/{at}" for at in range(3))
    many = "; ".join(f"grep -rn 'verify=False' src/{at}" for at in range(1_000))
    assert read(few, is_command=True) == []
    assert read(many, is_command=True)
