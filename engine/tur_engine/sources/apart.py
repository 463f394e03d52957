"""Headings that keep two rules apart: `Python` and `Go`, `staging` and `production`, `packages/ui` and `packages/api`.

A rule without its subject reads as if it held everywhere: "Use tabs" under Go and "Use 4 spaces" under Python clash
only on paper.
"""

from __future__ import annotations

import re
from functools import lru_cache

from ..text import fold

_KINDS = tuple(
    {word: group.split()[0] for group in family.split(",") for word in group.split()}
    for family in (
        "python py, typescript ts tsx, javascript js jsx, go golang, rust, java, kotlin kt, swift, ruby rb, php, scala,"
        " csharp c#, c++ cpp, css scss sass tailwind styling, html, sql, shell bash scripts, terraform hcl, yaml, dart,"
        " elixir, proto protobuf, markdown docs documentation dokumentation",
        "production prod produktion, staging, development dev local locally entwicklung, ci, testumgebung",
        "windows, linux ubuntu debian, macos mac darwin",
        "ios, android, web browser, desktop, mobile",
        "frontend client ui, backend server, worker workers, database db datenbank, infra infrastructure, cli",
        "unit, integration, e2e end-to-end playwright cypress, performance load",
        "commits commit, branches branch branching, pulls, releases release releasing versioning",
        "react, vue, svelte, angular, django, flask, fastapi, rails, express, nestjs",
        "imports, naming names benennung, comments, errors error, logging logs, types typing, async",
    )
)
_WORD = re.compile(r"[a-z0-9#+/._-]*[a-z0-9#+]")
_MEMBER = re.compile(r"\b([a-z]{3,}) ([a-z]|\d{1,3})\b")
_FOLDER = re.compile(r"[\w@.-]+(?:/[\w@.-]+)+")


@lru_cache(maxsize=4096)
def _named(subject: str) -> tuple[dict[int, frozenset[str]], frozenset[str]]:
    folded = fold(subject)
    words = _WORD.findall(folded)
    found: dict[int, set[str]] = {}
    for word in words:
        for number, kind in enumerate(_KINDS):
            if word in kind:
                found.setdefault(number, set()).add(kind[word])
    folders = frozenset(match.group().strip("/.") for match in _FOLDER.finditer(folded))
    for thing, member in _MEMBER.findall(folded):  # Service A, Step 2
        found.setdefault(-sum(map(ord, thing)), set()).add(f"{thing} {member}")
    return {number: frozenset(kinds) for number, kinds in found.items()}, folders


def apart(subject: str, other: str) -> bool:
    """Tell whether two subjects (headings) name different things of one kind, so that their rules never meet."""
    if subject == other:
        return False
    mine, my_folders = _named(subject)
    theirs, their_folders = _named(other)
    if any(mine[kind].isdisjoint(theirs[kind]) for kind in mine.keys() & theirs.keys()):
        return True
    if my_folders and their_folders:
        return not any(
            a == b or a.startswith(b + "/") or b.startswith(a + "/") for a in my_folders for b in their_folders
        )
    return False
