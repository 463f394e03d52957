"""`tur setup`: what it writes, what it leaves, and that --remove restores every byte."""

from __future__ import annotations

import json
import os
import re
import tomllib
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.cli.conftest import Programs
from tests.wiring.conftest import snapshot
from tests.wiring.test_json_edit import values
from tur_engine.errors import BadInput
from tur_engine.wiring.harnesses import HARNESSES, Harness, Reach
from tur_engine.wiring.plan import to_unwire, to_wire
from tur_engine.wiring.wired import data_of, wires

CLAUDE = """\
{
  // the team's own
  "permissions": { "allow": ["Bash(make:*)"], },
  "unknown": {"a": [1, 2.50, null]},
  "hooks": {
    "PreToolUse": [
      {"matcher": "Bash", "hooks": [{"type": "command", "command": "./lint.sh"}]}, // first
    ],
    "Stop": []
  }
}
"""
FILES = {
    ".mcp.json": [
        "{}",
        "{}\n",
        '{"mcpServers": {}}',
        '{\n\t"mcpServers": {\n\t\t"db": {"url": "http://x"}\n\t}\n}',
        "\ufeff{ }",
    ],
    ".claude/settings.json": [
        CLAUDE,
        CLAUDE.replace("\n", "\r\n"),
        '{"hooks":{"PreToolUse":[]}}',
        '{"hooks": {\n}}',
        "// x\n{}\n",
    ],
    ".cursor/mcp.json": ['{"mcpServers":{"a":{"command":"a","args":[]}}}'],
    ".cursor/hooks.json": [
        '{"version": 1}',
        '{\n  "version": 1,\n  "hooks": {"stop": [{"command": "./x"}]}\n}\n',
        '{"hooks": {}, "version": 1}',
        '{\n  "hooks": {\n    "stop": [ ]\n  }\n}\n',
        '{\n  "$schema": "s"\n}',
    ],
    ".codex/config.toml": [
        "",
        "\n",
        "model = 'x'",
        "model = 'x'\r\n\r\n[a]\r\nb = 1\r\n",
        "[hooks]\n# none\n",
        "# e\n\n\n",
    ],
    ".gemini/settings.json": ['{\n    "theme": "x", /* dark */\n    "mcpServers": {}\n}\n', "{\n}\n"],
}


def write(work: Path, name: str, text: str) -> Path:
    path = work / name
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(text.encode())
    return path


@pytest.fixture
def project(workdir: Path) -> Path:
    (workdir / ".git").mkdir()
    return workdir


@pytest.mark.parametrize(("name", "text"), [(name, text) for name, texts in FILES.items() for text in texts])
def test_remove_restores_every_byte_and_setup_twice_is_setup_once(
    tur: Programs, project: Path, name: str, text: str
) -> None:
    path = write(project, name, text)
    before, keys = snapshot(project), [harness.key for harness in HARNESSES]
    was = data_of(path, text) if text.strip() else {}
    assert tur("setup", *keys, "--yes").code == 0
    wired = snapshot(project)
    assert wired != before
    now = data_of(path, path.read_text("utf-8"))
    assert {key: value for key, value in was.items() if key not in ("hooks", "mcpServers")}.items() <= now.items()
    again = tur("setup", *keys, "--yes", "--json").json
    assert (again["status"], snapshot(project)) == ("unchanged", wired)
    assert tur("setup", *keys, "--remove", "--yes", "--json").json["status"] == "removed"
    assert snapshot(project) == before


def test_what_the_other_pages_show_by_hand_is_left_alone(tur: Programs, project: Path, repo_root: Path) -> None:
    pages = "".join((repo_root / "docs" / name).read_text("utf-8") for name in ("guard.md", "mcp.md"))
    shown = re.findall(
        r"`~?/?(\.(?:mcp|claude|cursor|codex|gemini)[\w./]*)`[^`]*\n\n```(?:json|toml)\n(.*?)```", pages, re.DOTALL
    )
    assert len(shown) >= 6
    by_file: dict[str, list[str]] = {}
    for name, text in shown:
        by_file.setdefault(name, []).append(text)
    for at in (0, -1):
        for name, texts in by_file.items():
            write(project, name, texts[at])
        before = snapshot(project)
        for flags in ([], ["--remove"]):
            ran = tur("setup", *(harness.key for harness in HARNESSES), "-y", *flags)
            assert ran.code == 0
        assert "setup did not write" in ran.err
        assert snapshot(project) == before


@pytest.mark.parametrize("harness", HARNESSES, ids=lambda harness: harness.key)
@pytest.mark.parametrize("flag", ["--project", "--user"])
def test_files_that_setup_made_are_removed_with_their_folders(
    tur: Programs, project: Path, home: Path, harness: Harness, flag: str
) -> None:
    before = snapshot(project, home)
    shown = tur("setup", harness.key, flag, "--dry-run")
    assert "+++" in shown.out
    assert "--yes writes it" in shown.err
    assert snapshot(project, home) == before
    done = tur("setup", harness.key, flag, "--yes")
    reach = Reach.USER if flag == "--user" else Reach.PROJECT
    for path in harness.files(reach, project):
        assert path.is_relative_to(home if flag == "--user" else project)
        assert (
            f"made: {'~/' if flag == '--user' else ''}{path.relative_to(home if flag == '--user' else project)}"
            in done.out
        )
    found, faults = wires(harness, project)
    assert {wire.role.value for wire in found} == {"server", "session-start", "guard", "after-edit"}
    assert not faults
    assert tur("setup", harness.key, flag, "--remove", "-y").code == 0
    assert snapshot(project, home) == before


def test_what_is_written_is_what_the_documentation_of_each_harness_asks_for(tur: Programs, project: Path) -> None:
    assert tur("setup", "claude", "cursor", "codex", "gemini", "-y").code == 0
    claude = json.loads((project / ".claude/settings.json").read_text())
    assert claude["hooks"]["PreToolUse"][0]["hooks"][0]["command"] == "tur guard --hook --as claude-code"
    assert claude["hooks"]["SessionStart"][0] == {
        "hooks": [{"type": "command", "command": "tur hook session-start --as claude-code", "timeout": 30}]
    }
    assert json.loads((project / ".mcp.json").read_text())["mcpServers"]["tur"] == {
        "command": "tur-mcp",
        "args": ["--as", "claude-code"],
        "env": {"TUR_ON_CONFLICT": "hold"},
    }
    cursor = json.loads((project / ".cursor/hooks.json").read_text())
    assert cursor["version"] == 1
    assert set(cursor["hooks"]) == {"sessionStart", "beforeShellExecution", "preToolUse", "afterFileEdit"}
    codex = tomllib.loads((project / ".codex/config.toml").read_text())
    assert codex["mcp_servers"]["tur"]["command"] == "tur-mcp"
    assert codex["hooks"]["PostToolUse"][0]["hooks"][0]["command"] == "tur hook after-edit --as codex"
    gemini = json.loads((project / ".gemini/settings.json").read_text())
    assert gemini["hooks"]["BeforeTool"][0]["hooks"][0]["timeout"] == 30_000


def test_what_somebody_wired_by_hand_stays_in_both_directions(tur: Programs, project: Path) -> None:
    command = '{"type": "command", "command": "/opt/bin/tur --store x guard --hook"}'
    hand = f'{{"hooks": {{"PreToolUse": [{{"hooks": [{command}]}}]}}}}'
    path = write(project, ".claude/settings.json", hand)
    done = tur("setup", "claude", "-y")
    assert f"{path} has a PreToolUse hook of its own already" in done.err
    assert len(json.loads(path.read_text())["hooks"]["PreToolUse"]) == 1
    removed = tur("setup", "claude", "--remove", "-y")
    assert "keeps a PreToolUse hook that setup did not write: /opt/bin/tur --store x guard --hook" in removed.err
    assert path.read_text() == hand


def test_codex_hooks_go_where_codex_has_its_hooks(tur: Programs, project: Path) -> None:
    before = '{"hooks": {"Stop": []}}'
    path = write(project, ".codex/hooks.json", before)
    assert tur("setup", "codex", "-y").code == 0
    assert "hooks" not in tomllib.loads((project / ".codex/config.toml").read_text())
    assert set(json.loads(path.read_text())["hooks"]) == {"Stop", "SessionStart", "PreToolUse", "PostToolUse"}
    assert tur("setup", "codex", "--remove", "-y").code == 0
    assert (path.read_text(), (project / ".codex/config.toml").exists()) == (before, False)


@pytest.mark.parametrize(
    ("harness", "name", "text", "words"),
    [
        ("claude", ".mcp.json", "{'a': 1}", "is not valid JSON (line 1: a name in quotes is missing)"),
        ("claude", ".claude/settings.json", "", "is not valid JSON (line 1: nothing stands in it)"),
        ("claude", ".claude/settings.json", '{"hooks": []}', "hooks is no object in braces"),
        ("claude", ".mcp.json", "[]", "holds no object in braces"),
        ("cursor", ".cursor/hooks.json", '{"hooks": {"preToolUse": "x"}}', "hooks.preToolUse is no array"),
        ("codex", ".codex/config.toml", "a = ", "is not valid TOML"),
        ("codex", ".codex/config.toml", "mcp_servers = {}", "in a form that nothing can be added to"),
        ("gemini", ".gemini/settings.json", "{} x", "something follows the end"),
    ],
)
@pytest.mark.parametrize("remove", [False, True])
def test_a_file_that_cannot_be_edited_is_one_sentence_and_nothing_is_written(
    tur: Programs, project: Path, harness: str, name: str, text: str, words: str, remove: bool
) -> None:
    write(project, name, text)
    before = snapshot(project)
    ran = tur("setup", harness, "-y", *(["--remove"] if remove else []))
    assert snapshot(project) == before
    if remove and words.startswith(("hooks", "in a form")):
        assert ran.code == 0  # nothing of setup's is in there
    else:
        assert (ran.code, ran.out, ran.err.count("\n")) == (2, "", 1)
        assert words in ran.err
        assert name.rpartition("/")[2] in ran.err


def test_what_is_no_text_or_too_large_or_elsewhere_is_refused(
    tur: Programs, project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = write(project, ".mcp.json", "{}")
    path.write_bytes(b"\xff\xfe{}")
    assert "is not UTF-8 text" in tur("setup", "claude", "-y").err
    monkeypatch.setattr("tur_engine.wiring.wired.LARGEST", 2)
    assert "no configuration" in tur("setup", "claude", "-y").err
    monkeypatch.undo()
    os.chdir(project)
    path.unlink()
    os.mkfifo(path)
    assert "is no file; move it away" in tur("setup", "claude", "-y").err
    path.unlink()
    path.symlink_to(tmp_path / "gone")
    assert "a link that leads nowhere" in tur("setup", "claude", "-y").err
    (tmp_path / "gone").write_text("{}")
    assert "leads out of" in tur("setup", "claude", "-y").err
    assert (tmp_path / "gone").read_text() == "{}"


def test_where_one_file_cannot_be_written_none_is(
    tur: Programs, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(project, ".claude/settings.json", "{}")
    before, replace = snapshot(project), os.replace

    def fail(source: str, target: Path) -> None:
        if Path(target).name == "settings.json":
            raise OSError(28, "No space left on device", str(target))
        replace(source, target)

    monkeypatch.setattr(os, "replace", fail)
    ran = tur("setup", "claude", "-y")
    assert (ran.code, "every file is as it was" in ran.err) == (1, True)
    assert snapshot(project) == before


def test_mode_and_links_are_kept(tur: Programs, project: Path, home: Path) -> None:
    real = write(project, "shared.json", "{}")
    real.chmod(0o640)
    (project / ".mcp.json").symlink_to(real)
    assert tur("setup", "claude", "-y").code == 0
    assert (project / ".mcp.json").is_symlink()
    assert "tur-mcp" in real.read_text()
    assert real.stat().st_mode & 0o777 == 0o640


def test_it_asks_on_a_terminal_and_a_pipe_needs_yes(tur: Programs, project: Path) -> None:
    before = snapshot(project)
    assert "--yes writes it" in tur.at_terminal("setup", "claude", keys="\n").err
    assert tur("setup", "claude").code == 0
    assert snapshot(project) == before
    asked = tur.at_terminal("setup", "claude", keys="y\n")
    assert "Write this? [y/N]" in asked.err
    assert "tur doctor claude" in asked.err
    assert (project / ".mcp.json").exists()
    assert tur("setup", "vim").code == 2
    assert tur("setup", "claude", "--yes", "--dry-run").code == 2
    assert "review" in tur("setup", "codex", "-y").err
    assert "once it was closed" in tur("setup", "claude", "--user", "-y").err


def test_json_tells_each_file_and_its_diff(tur: Programs, project: Path) -> None:
    told = tur("setup", "claude", "--json").json
    assert (told["status"], told["reach"]) == ("shown", "project")
    (claude,) = told["harnesses"]
    assert [Path(file["path"]).name for file in claude["files"]] == [".mcp.json", "settings.json"]
    assert '+    "tur": {' in claude["files"][0]["diff"]
    assert tur("setup", "claude", "--json", "--yes").json["status"] == "wired"


def test_hidden_characters_in_a_diff_are_shown(tur: Programs, project: Path) -> None:
    write(project, ".mcp.json", '{\n  "\u202e[/b]": "\x7f"\n}')
    assert "‹RLO›[/b]" in tur("setup", "claude", "--dry-run").out


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.sampled_from(HARNESSES),
    st.sampled_from([0, 1]),
    values(),
    st.sampled_from(["", "\n", "model = 'x'\r\n", "[hooks]\n", "a = 1", "# c\n\n", "[hooks.x]\ny = [\n 1, # c\n]\n"]),
)
def test_any_file_is_restored(project: Path, harness: Harness, which: int, body: str, toml: str) -> None:
    path = harness.files(Reach.PROJECT, project)[which]
    text = toml if path.suffix == ".toml" else body
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(text.encode())
    try:
        plan = to_wire(harness, Reach.PROJECT, project)
    except BadInput:
        return
    finally:
        path.unlink()
    for change in plan.changes:
        change.path.write_bytes((change.after or "").encode())
    back = to_unwire(harness, Reach.PROJECT, project)
    for change in plan.changes:
        change.path.unlink()
    assert {change.path: change.after for change in back.files} == {change.path: change.before for change in plan.files}
