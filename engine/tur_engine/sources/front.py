"""Front matter of a rule file: which files its rules hold for, and whether they always hold."""

from __future__ import annotations

import re
from typing import Any, NamedTuple

LONGEST = 20_000
"""Characters above which it is not read."""
_FENCE = re.compile(r"---[ \t]*\n(?P<yaml>.*?)(?:^|\n)(?:---|\.\.\.)[ \t]*(?:\n|\Z)", re.DOTALL)
_PATTERNS = ("globs", "applyTo", "paths", "glob", "fileMatchPattern")
_EVERYTHING = frozenset({"*", "**", "**/*", "/**", "./**"})
_MAGIC = re.compile(r"[*?\[{]")
_QUOTED = re.compile(r"^(\s*(?:globs|applyTo|paths|glob)\s*:\s*)([^\s\"'\[{|>#-].*|\*.*)$", re.MULTILINE)


class Front(NamedTuple):
    """What stands above the text."""

    globs: tuple[str, ...] = ()
    always: bool | None = None
    """`alwaysApply` or `trigger: always_on`; None where nothing is said."""
    description: str = ""
    fault: str = ""
    """Why the front matter was not understood."""

    @property
    def folder(self) -> str:
        """The folder that all globs lie in; "" where they share none."""
        heads = [_head(glob) for glob in self.globs]
        if not heads:
            return ""
        shared: list[str] = []
        for parts in zip(*heads, strict=False):
            if len(set(parts)) > 1:
                break
            shared.append(parts[0])
        return "/".join(shared)


def front_of(text: str) -> tuple[Front, int, str]:
    """Return the front matter, how many lines it takes, and the text below it."""
    found = _FENCE.match(text)
    if found is None:
        return Front(), 0, text
    below = text[found.end() :]
    return _read(found["yaml"]), text.count("\n", 0, found.end()), below


def _read(source: str) -> Front:
    if len(source) > LONGEST:
        return Front(fault="its front matter is too long to be read, so its rules are taken to hold everywhere")
    import yaml

    # Cursor writes `globs: *.ts,*.tsx` without quotes, which YAML takes for an alias.
    source = _QUOTED.sub(lambda m: m[1] + "'" + m[2].strip().replace("'", "''") + "'", source)
    try:
        values: Any = yaml.safe_load(source)
    except (yaml.YAMLError, ValueError, RecursionError):
        return Front(fault="its front matter is not readable YAML, so its rules are taken to hold everywhere")
    if not isinstance(values, dict):
        return Front()
    globs: list[str] = []
    for key in _PATTERNS:
        globs += _listed(values.get(key))
    always = values.get("alwaysApply")
    if values.get("trigger") == "always_on":
        always = True
    narrow = tuple(dict.fromkeys(glob for glob in globs if glob not in _EVERYTHING))
    whole = always is True or len(narrow) < len(set(globs))
    description = values.get("description")
    return Front(
        globs=() if whole else narrow,
        always=always if isinstance(always, bool) else None,
        description=description if isinstance(description, str) else "",
    )


def _listed(value: object) -> list[str]:
    if isinstance(value, str):
        parts = _split(value)
    elif isinstance(value, list):
        parts = [part for each in value if isinstance(each, str) for part in _split(each)]
    else:
        parts = []
    return [part.strip().removeprefix("./").lstrip("/") or "**" for part in parts if part.strip()]


def _split(text: str) -> list[str]:
    """Split at commas that stand outside braces."""
    parts, depth, start = [], 0, 0
    for at, char in enumerate(text):
        if char == "{":
            depth += 1
        elif char == "}":
            depth = max(0, depth - 1)
        elif char == "," and depth == 0:
            parts.append(text[start:at])
            start = at + 1
    return [*parts, text[start:]]


def _head(glob: str) -> list[str]:
    parts = glob.split("/")
    fixed = []
    for part in parts[:-1]:
        if _MAGIC.search(part) or part in ("", ".", ".."):
            break
        fixed.append(part)
    return fixed
