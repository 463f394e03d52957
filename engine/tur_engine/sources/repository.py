"""Rules that the repository itself disproves: a path, a command, a version or a tool that its files contradict.

Every doubt is a no: what a rule forbids, plans, or gives as an example is not held against it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path, PurePosixPath

from .agents import is_rule_file
from .manifests import FAMILIES, Manifests, read_manifests
from .report import Disproof, Side
from .statements import Statement

_CODE = re.compile(r"`([^`]+)`")
_PATH = re.compile(r"^(?:\./)?[\w@.\-]+(?:/[\w@.\-()\[\]]+)*/?$")
_RUN = re.compile(r"\b(?P<tool>npm|pnpm|yarn|bun) (?:run(?:-script)? )(?P<name>[\w:.\-]+)")
_MAKE = re.compile(r"(?:^|[\s;&|(])(?P<tool>make|just) (?P<name>[a-zA-Z][\w.\-]*)")
_INSTALL = re.compile(
    r"(?:^|[\s;&|(`])(?P<tool>npm|pnpm|yarn|bun|poetry|uv|pipenv|pdm) (?:install|add|sync|ci|i|lock)\b"
)
_ASKED = re.compile(
    r"^(?:(?:always|please|only|we|you|must|should) )*(?:use|install (?:\w+ )?(?:with|using|through|by)) "
    r"(?P<tool>npm|pnpm|yarn|bun|poetry|uv|pipenv|pdm)"
    r"(?: (?:for|to|as)(?!.*\b(?:publish|releas|run|script|audit))[\w ,/-]*"
    r" (?:install|add|packag|depend|manag)[\w ,/-]*)?"
    r"[.!]?$",
    re.IGNORECASE,
)
"""A sentence that says which package manager is the one to use."""
_VERSION = r"(?:\s+(?:version\s+|is\s+)?|\s*version:\s*|\s*[:@]\s*)v?(\d+(?:\.\d+){0,2})(?:\.x)?(?![\w%]|\.\d)"
_RUNTIMES = {
    "node": r"node(?:\.?js)?",
    "python": "python",
    "go": "go(?:lang)?",
    "ruby": "ruby",
    "rust": "rust",
    "java": "java",
}
_ASIDE = re.compile(
    r"\b(?:never|not|no longer|don't|avoid|instead of|e\.g\.|for example|such as|like|create[sd]?|creating|"
    r"generate[sd]?|new|old|legacy|deprecated|removed?|delete[sd]?|planned|todo|if|optional|example|output|"
    r"written to|writes?|lands?|"
    r"nicht|nie|niemals|kein|keine|statt|wenn|falls|erzeugt|angelegt)\b",
    re.IGNORECASE,
)
_MADE = frozenset(
    """node_modules dist build out target bin obj coverage .venv venv env .env .env.local .next tmp temp logs vendor
    __pycache__ .git .cache""".split()
)


def disproofs(
    root: Path, files: Sequence[str], statements: Sequence[Statement], problems: list[str] | None = None
) -> list[Disproof]:
    """Return what the files of a repository contradict; nothing where there are rule files only.

    A sentence on each manifest that cannot be read is added to `problems`.
    """
    if not any(not is_rule_file(file) and not file.endswith((".md", ".txt")) for file in files):
        return []
    manifests = read_manifests(root, files)
    if problems is not None:
        problems += [f"{file} cannot be read, so nothing is checked against it" for file in manifests.broken]
    known = set(files)
    folders = {parent.as_posix() for file in files for parent in PurePosixPath(file).parents}
    names = {PurePosixPath(file).name for file in files}
    found: list[Disproof] = []
    for statement in statements:
        told = [
            *_paths(statement, known, folders, names),
            *_commands(statement, manifests),
            *_tools(statement, manifests),
            *_versions(statement, manifests),
        ]
        found += [Disproof(Side.of(statement), kind, named, reason) for kind, named, reason in told]
    return found


Told = tuple[str, str, str]


def _paths(statement: Statement, known: set[str], folders: set[str], names: set[str]) -> Iterator[Told]:
    if _ASIDE.search(_CODE.sub(" ", statement.text)):
        return
    beside = PurePosixPath(statement.file).parent
    base = statement.scope.path or ""
    for code in _CODE.findall(statement.text):
        path = code.strip()
        if not _PATH.match(path) or "/" not in path.rstrip("/"):
            continue
        plain = path.removeprefix("./").rstrip("/")
        pure = PurePosixPath(plain)
        if not (pure.suffix[1:].isalpha() or path.endswith("/")) or ".." in pure.parts or pure.parts[0].startswith("@"):
            continue
        if _MADE & set(pure.parts) or any(part.lower() in ("path", "to", "your", "foo", "bar") for part in pure.parts):
            continue
        places = (plain, str(beside / plain), f"{base}/{plain}" if base else plain)
        if any(place in known or place in folders for place in places) or any(
            one.endswith(f"/{plain}") for one in (*known, *folders)
        ):
            continue
        # A first folder that the repository has not, either, is about some other place more often than about a slip.
        if pure.parts[0] in folders or f"{base}/{pure.parts[0]}".lstrip("/") in folders:
            hint = " (a file of that name lies elsewhere)" if pure.name in names else ""
            yield "path", path, f"the repository has no {path}{hint}"


def _commands(statement: Statement, manifests: Manifests) -> Iterator[Told]:
    if _ASIDE.search(_CODE.sub(" ", statement.text)):
        return
    for code in _CODE.findall(statement.text):
        for pattern, runner_of, where in (
            (_RUN, lambda tool: "npm", "no package.json has a script of that name"),
            (_MAKE, lambda tool: tool, "no such target is declared"),
        ):
            for match in pattern.finditer(code):
                declared = manifests.scripts.get(runner_of(match["tool"]))
                if declared and "*" not in declared and match["name"] not in declared:
                    yield "command", match.group().strip(), f"`{match.group().strip()}` cannot run: {where}"


def _tools(statement: Statement, manifests: Manifests) -> Iterator[Told]:
    if _ASIDE.search(_CODE.sub(" ", statement.text)):
        return
    found = [_INSTALL.search(code) for code in _CODE.findall(statement.text)]
    found.append(_ASKED.match(" ".join(statement.text.replace("`", "").split())))
    for tool in dict.fromkeys(match["tool"].lower() for match in found if match is not None):
        family = next(family for family in FAMILIES if tool in family)
        used = family & manifests.managers.keys()
        if used and tool not in used:
            other = sorted(used)[0]
            yield "tool", tool, f"the repository uses {other}: it has {manifests.managers[other]}"


def _versions(statement: Statement, manifests: Manifests) -> Iterator[Told]:
    text = statement.text
    if _ASIDE.search(text):
        return
    for name, version in manifests.versions.items():
        if len(name) < 2 or name.split("/")[-1] not in text.lower():
            continue
        pattern = _RUNTIMES.get(name) or re.escape(name)
        for match in re.finditer(rf"(?<![\w/@.-]){pattern}{_VERSION}", text, re.IGNORECASE):
            said = tuple(int(part) for part in match[1].split("."))
            required = version.numbers
            shared = min(len(said), len(required)) if name in ("python", "go") else 1
            if not required or said[:shared] == required[:shared]:
                continue
            if version.least and said[:shared] > required[:shared]:
                continue
            yield "version", match.group(), f"{version.file} asks for {name} {version.written}"
