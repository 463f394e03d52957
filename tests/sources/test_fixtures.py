"""The labelled repositories that `benchmarks/scan.py` measures: right labels, and the real models find them."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

FIXTURES = Path(__file__).with_name("fixtures")
ROOTS = sorted(path.parent for path in FIXTURES.glob("*/planted.json"))


def test_every_label_names_two_statements_of_its_repository() -> None:
    from benchmarks.scan import labelled
    from tur_engine.sources.discovery import discover

    assert len(ROOTS) >= 10
    for root in ROOTS:
        places = {(s.file, s.line) for rules in discover(root).rules.values() for s in rules.statements}
        for kind in ("clashes", "also_true", "near_misses"):
            for pair in labelled(root, kind):
                assert len(pair) == 2, (root.name, kind, pair)
                assert pair <= places, (root.name, kind, sorted(pair - places))


@pytest.mark.slow
def test_the_real_models_find_what_is_planted_in_one_of_them() -> None:
    from benchmarks.scan import Figures, measure

    figures = Figures()
    measure(FIXTURES / "import-loop", figures)
    assert figures.planted == 5
    assert figures.found >= 4, figures.missed
    assert figures.false == 0, figures.wrong


@pytest.mark.slow
def test_the_hook_stops_a_commit_in_a_real_repository(tmp_path: Path, repo_root: Path) -> None:
    """Runs the hook's entry as git runs it: symbols alone, the numbers speak."""
    import yaml

    (hook,) = yaml.safe_load((repo_root / ".pre-commit-hooks.yaml").read_text("utf-8"))
    assert hook["pass_filenames"] is False
    git = ["git", "-C", str(tmp_path), "-c", "user.name=a", "-c", "user.email=a@b.c"]
    subprocess.run(["git", "init", "-q", str(tmp_path)], check=True)
    tool = hook["entry"].removeprefix("tur ")
    script = tmp_path / ".git" / "hooks" / "pre-commit"
    script.write_text(f"#!/bin/sh\nTUR_NO_JUDGE=1 exec {sys.executable} -m tur_engine.cli {tool}\n")
    script.chmod(0o755)
    (tmp_path / "AGENTS.md").write_text("- Retries stop after 3 attempts.\n- Errors are logged as JSON.\n")
    subprocess.run([*git, "add", "."], check=True)
    clean = subprocess.run([*git, "commit", "-qm", "one"], capture_output=True, text=True, timeout=120)
    assert clean.returncode == 0, clean.stderr
    (tmp_path / "CLAUDE.md").write_text("- Retries stop after 5 attempts.\n")
    subprocess.run([*git, "add", "."], check=True)
    stopped = subprocess.run([*git, "commit", "-qm", "two"], capture_output=True, text=True, timeout=120)
    assert stopped.returncode == 1
    assert "CLAUDE.md:1" in stopped.stdout + stopped.stderr
    log = subprocess.run([*git, "log", "--format=%s"], capture_output=True, text=True, check=True)
    assert log.stdout.split() == ["one"]


def test_the_hook_runs_for_the_files_that_are_scanned(repo_root: Path) -> None:
    import re

    import yaml

    from tur_engine.sources.agents import is_rule_file

    (hook,) = yaml.safe_load((repo_root / ".pre-commit-hooks.yaml").read_text("utf-8"))
    names = (
        "CLAUDE.md a/CLAUDE.local.md AGENTS.md b/AGENTS.override.md GEMINI.md .cursorrules .windsurfrules"
        " .github/copilot-instructions.md .github/instructions/a/b.instructions.md .cursor/rules/x/y.mdc"
        " .claude/rules/a.md .windsurf/rules/a.md"
    ).split()
    for name in names:
        assert re.search(hook["files"], name), name
        assert is_rule_file(name), name
    for name in ("README.md", "src/claude.py", "docs/AGENTS.md.txt", "CLAUDE.md/x.py"):
        assert not re.search(hook["files"], name), name
        assert not is_rule_file(name), name


def test_labels_are_written_as_a_person_can_read_them() -> None:
    for root in ROOTS:
        data = json.loads((root / "planted.json").read_text("utf-8"))
        assert data["clashes"], root.name
