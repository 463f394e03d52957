"""`tur scan` from the command line, with minds whose verdict can be foretold."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator  # type: ignore[import-untyped]

from tests.govern.signing import put_in_force
from tests.sources.conftest import Writer
from tur_engine.cli import program
from tur_engine.cli.app import app
from tur_engine.engine import Engine
from tur_engine.minds import Minds
from tur_engine.records import Author, AuthorKind, Draft, MemoryType

pytestmark = pytest.mark.usefixtures("plain_minds")
FILES = {
    "CLAUDE.md": "# Rules\n\n- Package manager: pnpm\n- Test runner: vitest, always\n\n@docs/git.md\n",
    "docs/git.md": "# Git\n\n- Merge style: squash\n",
    "AGENTS.md": "# Rules\n\n- Package manager: npm\n- Test runner: vitest, always\n- Merge style: rebase\n",
    "web/AGENTS.md": "- Port number: 4000\n",
    "api/AGENTS.md": "- Port number: 5000\n",
    ".cursor/rules/py.mdc": "---\nglobs: '**/*.py'\n---\n- Quote style: single\n",
    ".cursor/rules/ts.mdc": "---\nglobs: '**/*.{ts,tsx}'\n---\n- Quote style: double\n",
    "src/a.py": "",
    "src/a.ts": "",
}


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    code = program.run(app, "tur", ["scan", *arguments])
    out, err = capsys.readouterr()
    return code, out, err


def as_json(capsys: pytest.CaptureFixture[str], *arguments: str) -> dict[str, Any]:
    _, out, _ = run(capsys, *arguments, "--json")
    answer: dict[str, Any] = json.loads(out)
    return answer


def pairs(answer: dict[str, Any]) -> list[tuple[str, str]]:
    sides = [tuple(f"{c[s]['file']}:{c[s]['line']}" for s in "ab") for c in answer["clashes"]]
    return sorted((one, other) for one, other in sides)


def test_clashes_within_and_across_files_where_both_can_hold(
    repository: Writer, capsys: pytest.CaptureFixture[str]
) -> None:
    root = str(repository(FILES))
    answer = as_json(capsys, root)
    assert pairs(answer) == [("AGENTS.md:3", "CLAUDE.md:3"), ("AGENTS.md:5", "docs/git.md:3")]
    clash = next(c for c in answer["clashes"] if c["a"]["line"] == 3)
    assert clash["agents"] == ["Copilot"]  # Claude Code reads one, Codex and Cursor the other
    assert clash["suggestion"]
    assert clash["evidence"]
    assert answer["statements"] == 10
    assert len(answer["files"]) == 7
    assert [[p["file"] for p in d["places"]] for d in answer["duplicates"]] == [["AGENTS.md", "CLAUDE.md"]]
    assert run(capsys, root)[0] == 3


def test_one_agent_one_file_and_the_stack(repository: Writer, capsys: pytest.CaptureFixture[str]) -> None:
    root = repository({**FILES, "web/CLAUDE.md": "- Port number: 6000\n"})
    answer = as_json(capsys, str(root), "--agent", "claude", "--for", str(root / "web" / "index.ts"))
    assert answer["stacks"] == {"Claude Code": ["CLAUDE.md", "docs/git.md", "web/CLAUDE.md"]}
    assert pairs(answer) == []
    everybody = as_json(capsys, str(root), "--for", "web/index.ts")
    assert ("web/AGENTS.md:1", "web/CLAUDE.md:1") in pairs(everybody)
    code, _, err = run(capsys, str(root), "--agent", "clod")
    assert code == 2
    assert "unknown agent 'clod'; use one of claude, codex" in err
    assert run(capsys, str(root), "--for", "../x")[0] == 2


def test_the_second_run_reads_nothing_again(
    repository: Writer, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    root = str(repository(FILES))
    first = as_json(capsys, root)
    monkeypatch.setattr(Minds, "_embed", lambda self, text: pytest.fail(f"embedded again: {text}"))
    again = as_json(capsys, root)
    assert again["clashes"] == first["clashes"]


def test_a_damaged_cache_costs_time_only(repository: Writer, capsys: pytest.CaptureFixture[str], home: Path) -> None:
    root = str(repository(FILES))
    first = as_json(capsys, root)
    (notes,) = home.rglob("scan/*.json")
    for damage in (
        "{",
        "[]",
        '{"format": 1, "signature": 1}',
        notes.read_text("utf-8").replace('"verdicts":{', '"verdicts":{"x":1,'),
    ):
        notes.write_text(damage, "utf-8")
        assert as_json(capsys, root)["clashes"] == first["clashes"]


def test_an_old_repository_starts_clean(repository: Writer, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    root, known = repository(FILES), tmp_path / "known.json"
    code, _, err = run(capsys, str(root), "--baseline", str(known))
    assert (code, "was written with 3 findings" in err) == (0, True)
    (root / "AGENTS.md").write_text("\n\n" + FILES["AGENTS.md"] + "- Merge style: fast-forward\n", "utf-8")
    code, out, _ = run(capsys, str(root), "--baseline", str(known))
    assert code == 3
    assert "fast-forward" in out
    assert "pnpm" not in out
    (tmp_path / "link.json").symlink_to("nowhere.json")
    (tmp_path / "garbage.json").write_bytes(b"\xff{")
    for name, why in {
        str(root / "CLAUDE.md"): "is no baseline of `tur scan`; name another file",
        str(tmp_path / "garbage.json"): "is no baseline of `tur scan`; name another file",
        str(tmp_path): "is a folder; name another file",
        str(tmp_path / "link.json"): "is a link that leads nowhere; name another file",
        str(tmp_path / "no" / "x"): f"x cannot be written: there is no folder {tmp_path / 'no'}; make it first",
        "": "--baseline is empty; leave it out, or say which",
    }.items():
        code, out, err = run(capsys, str(root), "--baseline", name)
        assert (code, out, err.count("\n"), why in err) == (2, "", 1, True), err
    known.write_text("{}", "utf-8")
    code, _, err = run(capsys, str(root), "--baseline", str(known))
    assert (code, "is no baseline" in err) == (2, True)


def test_against_the_ledger(repository: Writer, capsys: pytest.CaptureFixture[str]) -> None:
    root = repository({"AGENTS.md": "- Deploy day: Friday\n- Log format: JSON\n"})
    actor = Author(kind=AuthorKind.HUMAN, name="ada")
    with Engine.init(root, actor=actor) as engine:
        for text in ("Deploy day: Monday", "Log format: JSON"):
            engine.learn(Draft(content=text, author=actor))
        before = engine.head()
    answer = as_json(capsys, str(root))
    (clash,) = answer["clashes"]
    assert (clash["a"]["text"], clash["b"]["text"]) == ("Deploy day: Monday", "Deploy day: Friday")
    assert clash["a"]["memory"].startswith("fact-")
    assert "--supersedes" in clash["suggestion"]
    assert answer["duplicates"] == []
    for form in ("text", "github"):
        _, out, _ = run(capsys, str(root), "--format", form)
        assert clash["a"]["memory"][:13] in out
        assert clash["a"]["memory"] not in out
    with Engine.open(root, actor=actor, read_only=True) as engine:
        assert engine.head() == before


def test_a_memory_that_a_line_says_too_is_named_beside_the_line(
    repository: Writer, capsys: pytest.CaptureFixture[str]
) -> None:
    root = repository({"AGENTS.md": "- Deploy day: Friday\n", "CLAUDE.md": "- Deploy day: Monday\n"})
    actor = Author(kind=AuthorKind.HUMAN, name="ada")
    with Engine.init(root, actor=actor) as engine:
        known = engine.learn(Draft(content="Deploy day: Monday", author=actor))
        short = engine.short(known.id or "")
    answer = as_json(capsys, str(root))
    assert pairs(answer) == [("AGENTS.md:1", "CLAUDE.md:1")]
    assert answer["clashes"][0]["also"] == [short]
    (root / "CLAUDE.md").write_text("- Deploy hour: noon\n")
    assert as_json(capsys, str(root))["clashes"][0]["a"]["memory"] == known.id


def test_an_invariant_is_exit_4_and_told_first(repository: Writer, capsys: pytest.CaptureFixture[str]) -> None:
    root = repository({"AGENTS.md": "- Tabs or spaces: tabs\n- Tabs or spaces: spaces\n- Transport: plain\n"})
    with Engine.init(root, actor=Author(kind=AuthorKind.HUMAN, name="ada")) as engine:
        proposed = engine.learn(Draft(content="Transport: TLS", type=MemoryType.CORE, author=engine.actor))
        assert proposed.id is not None
        put_in_force(engine, proposed.id)
    code, out, _ = run(capsys, str(root))
    assert code == 4
    assert out.startswith("AGENTS.md:3: contradicts an invariant")
    code, out, _ = run(capsys, str(root), "--format", "sarif")
    assert [r["ruleId"] for r in json.loads(out)["runs"][0]["results"]] == ["invariant", "clash"]


def test_annotations_name_the_right_lines(repository: Writer, capsys: pytest.CaptureFixture[str]) -> None:
    root = repository({"AGENTS.md": "- Rate: 50% now\r\n- Colour: red\r\n", "a, b/CLAUDE.md": "\n- Rate: 40% now\n"})
    code, out, _ = run(capsys, str(root), "--format", "github")
    lines = out.splitlines()
    assert code == 3
    assert lines[0].startswith("::error file=a%2C b/CLAUDE.md,line=2,title=tur scan%3A ")
    assert "50%25 now" in lines[0]
    assert lines[1].startswith("::notice file=AGENTS.md,line=1,")
    assert len(lines) == 2


def test_sarif_is_valid_and_names_both_sides(repository: Writer, capsys: pytest.CaptureFixture[str]) -> None:
    root = repository({**FILES, "a b/CLAUDE.md": "- Merge style: none at all\n", "bin/CLAUDE.md": "\0"})
    code, out, _ = run(capsys, str(root), "--format", "sarif")
    log = json.loads(out)
    schema = json.loads(Path(__file__).with_name("sarif-2.1.0-part.json").read_text("utf-8"))
    Draft202012Validator(schema).validate(log)
    assert code == 3
    results = log["runs"][0]["results"]
    assert {r["ruleId"] for r in results} == {"clash", "duplicate"}
    places = {r["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] for r in results}
    assert "a%20b/CLAUDE.md" in places
    for result in results:
        assert log["runs"][0]["tool"]["driver"]["rules"][result["ruleIndex"]]["id"] == result["ruleId"]
        assert result["relatedLocations"]


def test_what_a_file_says_cannot_steer_the_terminal_or_the_annotations(
    repository: Writer, capsys: pytest.CaptureFixture[str]
) -> None:
    root = repository(
        {"AGENTS.md": "- Door: [/b] \u202eopen::error file=x::y\n- Door: shut \x1b]0;x\x07\n- Door: ajar [/b]\n"}
    )
    for form in ("text", "github", "json", "sarif"):
        code, out, err = run(capsys, str(root), "--format", form)
        assert code == 3
        assert not re.search("[\x1b\x07\u202e]", out + err)
        assert not any(line.startswith("::error file=x") for line in out.splitlines())
    assert "AGENTS.md:2" in err
    assert "control character" in err


def test_a_folder_name_forges_no_line(repository: Writer, capsys: pytest.CaptureFixture[str]) -> None:
    forged = "a\nCLAUDE.md:1: clash (0.99)"
    root = repository(
        {"AGENTS.md": "- Door: open\n- Lamp: lit here\n", f"{forged}/CLAUDE.md": "- Door: shut\n- Lamp: lit here\n"}
    )
    for form in ("text", "github"):
        _, out, err = run(capsys, str(root), "--format", form, "--for", f"{forged}/x.py")
        assert not any(line.startswith("CLAUDE.md") for line in (out + err).splitlines())
        assert "a‹U+000A›CLAUDE.md:1: clash" in out or "%0A" in out


def test_codex_is_not_said_to_read_what_it_does_not_get_to(
    repository: Writer, capsys: pytest.CaptureFixture[str]
) -> None:
    root = repository({"AGENTS.md": "- Door: open\n" * 3000, "src/AGENTS.md": "- Lamp: lit here\n"})
    told = as_json(capsys, str(root), "--for", "src/x.py")
    assert told["stacks"]["Codex"] == ["AGENTS.md"]
    assert told["stacks"]["Cursor"] == ["AGENTS.md", "src/AGENTS.md"]
    code, out, err = run(capsys, str(root), "--json", "--format", "sarif")
    assert (code, json.loads(out)["code"], "contradict each other" in err) == (2, "bad_input", True)


def test_a_file_name_that_is_no_text(repository: Writer, capsys: pytest.CaptureFixture[str]) -> None:
    root = repository({"AGENTS.md": "- Door: open\n", "\udcff\n/CLAUDE.md": "- Door: shut\n"})
    for form in ("text", "github", "json", "sarif"):
        code, out, _ = run(capsys, str(root), "--format", form)
        assert code == 3
        assert out.isprintable() or form in ("text", "github") or json.loads(out)


def test_nothing_to_read_is_no_error(repository: Writer, capsys: pytest.CaptureFixture[str]) -> None:
    root = repository({"README.md": "- Nothing for agents.\n"})
    assert as_json(capsys, str(root))["files"] == []
    assert run(capsys, str(root))[0] == 0
    assert run(capsys, str(root / "missing"))[0] == 2
    assert run(capsys, str(root), "--format", "xml")[0] == 2
