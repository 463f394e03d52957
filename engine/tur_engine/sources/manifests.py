"""What package manifests, lock files and version files of a repository say: scripts, tools, versions."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

_LARGEST = 4 * 1024 * 1024
_LOCKS = {
    "package-lock.json": "npm", "npm-shrinkwrap.json": "npm", "pnpm-lock.yaml": "pnpm", "yarn.lock": "yarn",
    "bun.lockb": "bun", "bun.lock": "bun", "poetry.lock": "poetry", "uv.lock": "uv", "Pipfile.lock": "pipenv",
    "pdm.lock": "pdm",
}  # fmt: skip
FAMILIES = (frozenset({"npm", "pnpm", "yarn", "bun"}), frozenset({"poetry", "uv", "pipenv", "pdm"}))
_TARGET = re.compile(r"^(?P<names>[\w.\-/%]+(?:[ \t]+[\w.\-/%]+)*)[ \t]*::?(?!=)", re.MULTILINE)
_RECIPE = re.compile(r"^(?:@)?(?P<name>[\w-]+)(?:[ \t]+[^:=\n]*)?:(?!=)", re.MULTILINE)


class Version(NamedTuple):
    """A version that a file names, as it is written there."""

    written: str
    file: str

    @property
    def numbers(self) -> tuple[int, ...]:
        """The first run of numbers in it."""
        found = re.search(r"\d+(?:\.\d+)*", self.written)
        return tuple(int(part) for part in found.group().split(".")) if found else ()

    @property
    def least(self) -> bool:
        """True where newer ones are fine too."""
        return ">" in self.written


@dataclass
class Manifests:
    """All that was read."""

    scripts: dict[str, set[str]] = field(default_factory=dict)
    """Runner (`npm`, `make`, `just`) -> the names that some manifest declares."""
    managers: dict[str, str] = field(default_factory=dict)
    """Package manager -> the file that shows it is used."""
    broken: list[str] = field(default_factory=list)
    """Manifests that cannot be read."""
    versions: dict[str, Version] = field(default_factory=dict)
    """Runtime or package, lower case -> the version required at the root."""


def read_manifests(root: Path, files: Sequence[str]) -> Manifests:
    """Read what there is; a file that cannot be understood says nothing and is named."""
    found = Manifests()
    for file in sorted(files, key=lambda name: (name.count("/"), name)):
        name = file.rpartition("/")[2]
        at_root = "/" not in file
        if name in _LOCKS and at_root:
            found.managers.setdefault(_LOCKS[name], file)
        elif name == "package.json":
            _package_json(found, root, file, at_root)
        elif name == "pyproject.toml" and at_root:
            _pyproject(found, root, file)
        elif name == "Cargo.toml" and at_root:
            _cargo(found, root, file)
        elif name in ("Makefile", "makefile", "GNUmakefile") or name.endswith(".mk"):
            text = re.sub(r"\\\n", " ", _text(root, file))
            found.scripts.setdefault("make", set()).update(
                part for match in _TARGET.finditer(text) for part in match["names"].split()
            )
            if re.search(r"^-?include\s", text, re.MULTILINE) or "%" in "".join(found.scripts["make"]):
                found.scripts["make"].add("*")
        elif name.lower() in ("justfile", ".justfile"):
            found.scripts.setdefault("just", set()).update(m["name"] for m in _RECIPE.finditer(_text(root, file)))
        elif at_root:
            _version_file(found, root, file)
    return found


def _text(root: Path, file: str) -> str:
    path = root / file
    try:
        if path.is_symlink() or path.stat().st_size > _LARGEST:
            return ""
        return path.read_text("utf-8", "replace")
    except OSError:
        return ""


def _note(found: Manifests, name: str, written: object, file: str) -> None:
    if isinstance(written, str) and re.search(r"\d", written) and "||" not in written:
        found.versions.setdefault(name.lower(), Version(written.strip(), file))


def _package_json(found: Manifests, root: Path, file: str, at_root: bool) -> None:
    try:
        data = json.loads(_text(root, file) or "{}")
    except (ValueError, RecursionError):
        data = None
    if not isinstance(data, dict):
        found.broken.append(file)
        return
    scripts = data.get("scripts")
    found.scripts.setdefault("npm", set()).update(scripts if isinstance(scripts, dict) else ())
    if not at_root:
        return
    manager = data.get("packageManager")
    if isinstance(manager, str):
        found.managers.setdefault(manager.partition("@")[0], file)
    engines = data.get("engines")
    if isinstance(engines, dict):
        _note(found, "node", engines.get("node"), file)
    for part in ("dependencies", "devDependencies"):
        packages = data.get(part)
        for name, version in packages.items() if isinstance(packages, dict) else ():
            _note(found, name, version, file)


def _pyproject(found: Manifests, root: Path, file: str) -> None:
    try:
        data: dict[str, Any] = tomllib.loads(_text(root, file))
    except (tomllib.TOMLDecodeError, RecursionError):
        found.broken.append(file)
        return
    project = data.get("project")
    if isinstance(project, dict):
        _note(found, "python", project.get("requires-python"), file)
        lines = project.get("dependencies")
        for line in lines if isinstance(lines, list) else ():
            if isinstance(line, str) and (match := re.match(r"([\w.-]+)(?:\[[^\]]*\])?\s*(.*)", line)):
                _note(found, match[1], match[2].partition(";")[0], file)
    poetry = data.get("tool", {}).get("poetry") if isinstance(data.get("tool"), dict) else None
    if isinstance(poetry, dict) and isinstance(poetry.get("dependencies"), dict):
        for name, version in poetry["dependencies"].items():
            _note(found, name, version, file)


def _cargo(found: Manifests, root: Path, file: str) -> None:
    try:
        data = tomllib.loads(_text(root, file))
    except (tomllib.TOMLDecodeError, RecursionError):
        found.broken.append(file)
        return
    package, packages = data.get("package"), data.get("dependencies")
    if isinstance(package, dict):
        _note(found, "rust", package.get("rust-version"), file)
    for name, told in packages.items() if isinstance(packages, dict) else ():
        _note(found, name, told.get("version") if isinstance(told, dict) else told, file)


def _version_file(found: Manifests, root: Path, file: str) -> None:
    runtime = {
        ".nvmrc": "node", ".node-version": "node", ".python-version": "python", ".ruby-version": "ruby",
        ".java-version": "java", ".go-version": "go",
    }.get(file)  # fmt: skip
    if runtime:
        _note(found, runtime, _text(root, file).split("\n")[0], file)
    elif file == "go.mod" and (match := re.search(r"^go (\d+\.\d+)", _text(root, file), re.MULTILINE)):
        _note(found, "go", ">=" + match[1], file)
    elif file == ".tool-versions":
        for line in _text(root, file).splitlines():
            name, _, version = line.partition(" ")
            _note(found, {"nodejs": "node", "golang": "go"}.get(name, name), version, file)
