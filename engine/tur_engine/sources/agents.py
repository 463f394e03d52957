"""Which agent reads which rule file, and in what order: one table, with sources.

| agent | reads | goes before |
|---|---|---|
| Claude Code | `CLAUDE.md`, `.claude/CLAUDE.md`, `CLAUDE.local.md` of each folder from the root to the one worked in, with what they import by `@path` (four hops); `.claude/rules/**/*.md`, those with `paths` for matching files only | what is read later: deeper folders, then the local file |
| Codex | of each folder from the root to the one worked in `AGENTS.override.md`, else `AGENTS.md`; 32 KiB in all | deeper folders |
| Cursor | `.cursor/rules/**/*.mdc`: always, by `globs`, or when its description fits; `AGENTS.md` of each folder; `.cursorrules` (old) | rules over `AGENTS.md` over `.cursorrules` |
| Copilot | `.github/copilot-instructions.md`, `.github/instructions/**/*.instructions.md` by `applyTo`; the nearest `AGENTS.md`, or `CLAUDE.md` and `GEMINI.md` at the root | all are given at once; none goes before |
| Gemini | `GEMINI.md` of each folder from the root to the one worked in, with what they import by `@path` | deeper folders |
| Windsurf | `.windsurf/rules/**/*.md`, `.windsurfrules` (old), `AGENTS.md` of each folder | none |

Sources: code.claude.com/docs/en/memory; developers.openai.com/codex/guides/agents-md; cursor.com/docs/context/rules;
docs.github.com/en/copilot/how-tos/configure-custom-instructions/add-repository-instructions;
geminicli.com/docs/cli/gemini-md; docs.windsurf.com/windsurf/cascade/memories.
"""  # noqa: E501 (one row of the table a line)

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from pathlib import PurePosixPath
from typing import NamedTuple

from ..errors import BadInput
from .scoping import matches
from .statements import folder_of


class Agent(NamedTuple):
    """One agent and the names it looks for, what goes before last."""

    key: str
    name: str
    patterns: tuple[str, ...]
    """Of rule files, as seen from any folder of the repository."""
    root_only: tuple[str, ...] = ()
    """Read at the root only."""
    imports: bool = False
    """Follows `@path` lines."""
    instead: tuple[tuple[str, str], ...] = ()
    """(name, other name): where the second stands in one folder, the first is not read there."""

    def reads(self, file: str, present: frozenset[str] = frozenset()) -> bool:
        """Tell whether the agent takes in a rule file; `present` are all rule files of the repository."""
        path = PurePosixPath(file)
        if not matches(file, [*self.patterns, *(f"**/{p}" for p in self.patterns)]) and file not in self.root_only:
            return False
        return not any(path.name == name and str(path.with_name(other)) in present for name, other in self.instead)


AGENTS: tuple[Agent, ...] = (
    Agent(
        "claude",
        "Claude Code",
        (".claude/rules/**/*.md", ".claude/CLAUDE.md", "CLAUDE.md", "CLAUDE.local.md"),
        imports=True,
    ),
    Agent("codex", "Codex", ("AGENTS.md", "AGENTS.override.md"), instead=(("AGENTS.md", "AGENTS.override.md"),)),
    Agent("cursor", "Cursor", (".cursorrules", "AGENTS.md", ".cursor/rules/**/*.mdc", ".cursor/rules/**/*.md")),
    Agent(
        "copilot",
        "Copilot",
        ("AGENTS.md", ".github/copilot-instructions.md", ".github/instructions/**/*.instructions.md"),
        root_only=("CLAUDE.md", "GEMINI.md"),
    ),
    Agent("gemini", "Gemini", ("GEMINI.md",), imports=True),
    Agent("windsurf", "Windsurf", (".windsurfrules", "AGENTS.md", ".windsurf/rules/**/*.md")),
)
OTHERS = (".clinerules", ".clinerules/**/*.md", ".roorules", ".rules", ".goosehints", "CONVENTIONS.md")
"""Rule files of further agents: scanned, though the table does not say who reads them."""
_LIKELY = re.compile(
    r"(?:^|/)(?:CLAUDE(?:\.local)?\.md|AGENTS(?:\.override)?\.md|GEMINI\.md|CONVENTIONS\.md|\.cursorrules|\.windsurfrules"
    r"|\.clinerules|\.roorules|\.rules|\.goosehints|copilot-instructions\.md|[^/]+\.instructions\.md|[^/]+\.mdc)$"
    r"|(?:^|/)(?:\.(?:claude|cursor|windsurf)/rules|\.clinerules)/"
)
"""A first look, before the patterns: a repository may hold a hundred thousand files."""


def agent_named(word: str) -> Agent:
    """Return the agent that a word names. Raises BadInput with the known ones."""
    folded = word.strip().lower().replace("_", "-")
    for agent in AGENTS:
        if folded in (agent.key, agent.name.lower(), agent.name.lower().replace(" ", "-")):
            return agent
    raise BadInput(f"unknown agent {word!r}; use one of {', '.join(agent.key for agent in AGENTS)}")


def is_rule_file(file: str) -> bool:
    """Tell whether a path of the repository is one that some agent reads as rules."""
    if not _LIKELY.search(file):
        return False
    everywhere = [pattern for agent in AGENTS for pattern in agent.patterns] + list(OTHERS)
    return matches(file, [*everywhere, *(f"**/{pattern}" for pattern in everywhere)])


class Reader(NamedTuple):
    """One file as an agent comes by it."""

    agent: Agent
    file: str
    through: str = ""
    """The file that imports it; "" where the agent finds it by name."""


def readers(files: Iterable[str], imports: dict[str, tuple[str, ...]], aliases: dict[str, str]) -> list[Reader]:
    """Return who reads which file. `imports`: file -> files that it imports; `aliases`: link -> file."""
    names = sorted({*files, *aliases})
    present = frozenset(names)
    found: dict[tuple[str, str], Reader] = {}
    for agent in AGENTS:
        for name in names:
            if not agent.reads(name, present):
                continue
            real = aliases.get(name, name)
            found.setdefault((agent.key, real), Reader(agent, real, "" if real == name else name))
            if agent.imports:
                for imported in _reach(real, imports):
                    found.setdefault((agent.key, imported), Reader(agent, imported, real))
    return list(found.values())


def _reach(start: str, imports: dict[str, tuple[str, ...]], hops: int = 4) -> list[str]:
    seen, edge = [start], [start]
    for _ in range(hops):
        edge = [name for each in edge for name in imports.get(each, ()) if name not in seen]
        seen += list(dict.fromkeys(edge))
    return seen[1:]


def in_order(agent: Agent, files: Sequence[str]) -> list[str]:
    """Return files in the order an agent takes them in: outer folders first, then by the table; the last wins."""

    def place(file: str) -> tuple[int, int, str]:
        rank = next((i for i, pattern in enumerate(agent.patterns) if matches(file, [pattern, f"**/{pattern}"])), -1)
        depth = len(PurePosixPath(folder_of(file) or "").parts)
        return (depth, rank, file)

    return sorted(files, key=place)
