"""The files of a repository, and the rule files among them, with what they import."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath

from ..errors import BadInput
from ..text import excerpt
from ..working_folder import tidied
from .agents import is_rule_file
from .git import ask
from .layout import without_fences
from .statements import RuleText, read_rules

_PASSED_OVER = frozenset(
    """.git .hg .svn .tur node_modules bower_components vendor .venv venv env .tox .nox __pycache__ .mypy_cache
    .ruff_cache .pytest_cache dist build target out .next .nuxt .turbo .gradle .idea coverage .terraform Pods""".split()
)
MOST_FILES = 200_000
_IMPORT = re.compile(r"(?:^|(?<=[\s(]))@(?P<path>(?:\.{0,2}/|~/)?[\w.\-]+(?:/[\w.\-]+)*)", re.MULTILINE)
_CODE = re.compile(r"`[^`\n]*`")
_TEXTS = (".md", ".mdc", ".txt", ".markdown", ".rst")


@dataclass
class Found:
    """The rule files of one repository."""

    root: Path
    files: tuple[str, ...] = ()
    """All files of the repository, relative, POSIX."""
    rules: dict[str, RuleText] = field(default_factory=dict)
    imports: dict[str, tuple[str, ...]] = field(default_factory=dict)
    aliases: dict[str, str] = field(default_factory=dict)
    """Links to rule files: the link and the file."""
    problems: list[str] = field(default_factory=list)
    """One sentence on each thing that was left out."""


def repository_of(path: Path) -> Path:
    """Return the top of the git work tree that a path lies in, else the path's own folder."""
    folder = path if path.is_dir() else path.parent
    folder = tidied(folder)
    for each in (folder, *folder.parents):
        if (each / ".git").exists():
            return each
    return folder


def listing(root: Path) -> tuple[str, ...]:
    """Return the files of a repository: those that git tracks or would, else all below the folder."""
    names = _asked_of_git(root)
    if names is None:
        names = _walked(root)
    return tuple(sorted(names))


def _asked_of_git(root: Path) -> list[str] | None:
    """Ask git; None where it is no repository."""
    if not (root / ".git").exists():
        return None
    answer = ask(root, "ls-files", "-z", "-co", "--exclude-standard")
    if answer is None:
        return None
    names = answer.decode("utf-8", "surrogateescape").split("\0")
    kept = [name for name in names if name and os.path.lexists(root / name)]
    # Personal rule files are often ignored by git and read all the same.
    kept += [name for name in ("CLAUDE.local.md", "AGENTS.override.md") if (root / name).is_file()]
    return list(dict.fromkeys(kept))[:MOST_FILES]


def _walked(root: Path) -> list[str]:
    names: list[str] = []
    for folder, below, files in os.walk(root):
        below[:] = sorted(name for name in below if name not in _PASSED_OVER)
        inner = Path(folder).relative_to(root).as_posix()
        links = [name for name in below if os.path.islink(os.path.join(folder, name))]
        names += [name if inner == "." else f"{inner}/{name}" for name in sorted([*files, *links])]
        if len(names) > MOST_FILES:
            break
    return names


def discover(root: Path, named: Sequence[Path] = ()) -> Found:
    """Find and read the rule files below `root`; with `named` only those files, and those below those folders."""
    found = Found(Path(os.path.abspath(root)))
    found.files = listing(found.root)
    wanted: list[str] = []
    for path in named:
        name = os.path.relpath(os.path.abspath(path), found.root).replace(os.sep, "/")
        if name == "." or not named:
            wanted += [file for file in found.files if is_rule_file(file)]
        elif name.startswith("../"):
            found.problems.append(f"{path} lies outside {found.root}; it was left out")
        elif path.is_dir():
            wanted += [file for file in found.files if file.startswith(f"{name}/") and is_rule_file(file)]
        else:
            wanted.append(name)
    if not named:
        wanted = [file for file in found.files if is_rule_file(file)]
    for name in dict.fromkeys(wanted):
        _take(found, name)
    return found


def _take(found: Found, name: str) -> None:
    """Read one rule file and what it imports; what cannot be read becomes a sentence."""
    waiting = [(name, "")]
    while waiting:
        name, importer = waiting.pop(0)
        shown = excerpt(name, 120)
        path = found.root / name
        try:
            real = path.resolve(strict=True)
            inside = real.relative_to(found.root.resolve()).as_posix()
        except (OSError, RuntimeError) as error:
            missing = getattr(error, "strerror", None) or "it leads in a circle"
            reason = "is a link that leads nowhere" if os.path.islink(path) else f"cannot be read ({missing})"
            if not importer:
                found.problems.append(f"{shown} {reason}; it was left out")
            continue
        except ValueError:
            found.problems.append(f"{shown} leads out of the repository; it was left out")
            continue
        if inside != PurePosixPath(os.path.normpath(name)).as_posix():
            found.aliases[name] = inside
            found.problems.append(f"{shown} is a link to {excerpt(inside, 120)}, which is read once")
            name = inside
        if name in found.rules:
            continue
        try:
            rules = read_rules(real, found.root.resolve(), name)
        except BadInput as fault:
            found.problems.append(str(fault))
            continue
        found.rules[name] = rules
        found.problems += [*rules.refused, *([f"{shown}: {rules.front.fault}"] if rules.front.fault else [])]
        imported = _imported(found, name, rules.text)
        found.imports[name] = tuple(imported)
        waiting += [(each, name) for each in imported]


def _imported(found: Found, name: str, text: str) -> list[str]:
    """Return the files of the repository that `@path` lines name; a sentence on those outside it."""
    if not name.lower().endswith((".md", ".mdc")):
        return []
    names: list[str] = []
    for match in _IMPORT.finditer(_CODE.sub("", without_fences(text))):
        written = match["path"].rstrip(".")
        if written.startswith(("~", "/")):
            found.problems.append(f"{name} imports @{excerpt(written, 80)}, outside the repository; it was left out")
            continue
        target = os.path.normpath(os.path.join(PurePosixPath(name).parent, written)).replace(os.sep, "/")
        if target.startswith(".."):
            found.problems.append(f"{name} imports @{excerpt(written, 80)}, outside the repository; it was left out")
        elif (found.root / target).is_file() and (target.lower().endswith(_TEXTS) or is_rule_file(target)):
            names.append(target)
        elif target.lower().endswith(_TEXTS) and not os.path.lexists(found.root / target):
            where = excerpt(written, 80)
            found.problems.append(f"{name} imports @{where}, which is not there; nothing was imported")
    return list(dict.fromkeys(names))
