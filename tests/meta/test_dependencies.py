"""Each dependency is named with its reason, pinned for the checks, and used; nothing undeclared is used."""

from __future__ import annotations

import ast
import re
import sys
import tomllib
from importlib.metadata import packages_distributions
from pathlib import Path
from typing import Any

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

EXTRAS = {"serve": "serve", "check": "dev", "measure": "measure"}


@pytest.fixture(scope="module")
def project(repo_root: Path) -> dict[str, Any]:
    project: dict[str, Any] = tomllib.loads((repo_root / "pyproject.toml").read_text("utf-8"))["project"]
    return project


def requirements(project: dict[str, Any], kind: str) -> dict[str, Requirement]:
    lines = project["dependencies"] if kind == "run" else project["optional-dependencies"][EXTRAS[kind]]
    return {canonicalize_name(Requirement(line).name): Requirement(line) for line in lines}


def table(text: str, heading: str) -> dict[str, list[str]]:
    """The rows under a heading that begins so: first cell without its backticks -> the other cells."""
    section = text.partition(f"\n## {heading}")[2].partition("\n## ")[0]
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in section.splitlines() if line[:1] == "|"]
    return {cells[0].strip("`"): cells[1:] for cells in rows[2:]}


def imported(folders: list[Path]) -> set[str]:
    """Distributions whose modules the files import, wherever in the file."""
    names: set[str] = set()
    for path in (path for folder in folders for path in folder.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Import):
                names |= {alias.name.partition(".")[0] for alias in node.names}
            elif isinstance(node, ast.ImportFrom) and node.level == 0 and node.module:
                names.add(node.module.partition(".")[0])
            elif isinstance(node, ast.Call) and ast.unparse(node.func) == "find_spec":  # an extension, loaded by path
                names |= {str(each.value) for each in node.args if isinstance(each, ast.Constant)}
    foreign = names - sys.stdlib_module_names - {"tur_engine", "tur_tui", "tests", "benchmarks", "tools"}
    of = packages_distributions()
    return {canonicalize_name(of.get(name, [name])[0]) for name in foreign}


@pytest.mark.parametrize(("kind", "heading"), [(kind, f"To {kind}") for kind in ("run", *EXTRAS)])
def test_every_dependency_has_its_line(project: dict[str, Any], repo_root: Path, kind: str, heading: str) -> None:
    rows = table((repo_root / "docs" / "dependencies.md").read_text("utf-8"), heading)
    assert sorted(rows) == sorted(requirements(project, kind))
    assert [name for name, (why, licence) in rows.items() if len(why) < 6 or not licence] == []


def test_every_model_has_its_line_and_its_card(repo_root: Path) -> None:
    models = repo_root / "engine" / "tur_engine" / "models"
    rows = table((repo_root / "docs" / "dependencies.md").read_text("utf-8"), "The models")
    folders = sorted(path.parent.relative_to(repo_root).as_posix() for path in models.glob("*/model.onnx"))
    assert sorted(rows) == folders
    for folder, (_, licence, _) in rows.items():
        assert "Apache-2.0" in licence
        assert "Apache-2.0" in (repo_root / folder / "CARD.md").read_text("utf-8")


def test_every_dependency_is_pinned_within_its_range(project: dict[str, Any], repo_root: Path) -> None:
    lines = (repo_root / "constraints.txt").read_text("utf-8").splitlines()
    pins = dict(line.split("==") for line in lines if not line.startswith("#"))
    assert [line for line in lines if not re.fullmatch(r"#.*|[a-z0-9-]+==[a-z0-9.+]+", line)] == []
    kinds = ("run", *EXTRAS)
    for name, requirement in [pair for kind in kinds for pair in requirements(project, kind).items()]:
        assert requirement.specifier.contains(pins[name]), name


def test_what_is_shipped_uses_what_is_declared_and_no_more(project: dict[str, Any], repo_root: Path) -> None:
    used = imported([repo_root / "tur_tui", repo_root / "engine" / "tur_engine"])
    assert sorted(used) == sorted(requirements(project, "run") | requirements(project, "serve"))


def test_the_tests_use_what_is_declared(project: dict[str, Any], repo_root: Path) -> None:
    declared = requirements(project, "run") | requirements(project, "serve") | requirements(project, "check")
    through_pytest = {"packaging", "syrupy"}
    assert sorted(imported([repo_root / "tests"]) - declared.keys() - through_pytest) == []
