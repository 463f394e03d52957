"""The harnesses that can be wired: their files, and what is written into them. One table, with sources.

| harness | project | user | sources |
|---|---|---|---|
| Claude Code | `.mcp.json`, `.claude/settings.json` | `~/.claude.json`, `~/.claude/settings.json` | code.claude.com/docs/en/hooks, code.claude.com/docs/en/mcp, code.claude.com/docs/en/settings |
| Cursor | `.cursor/mcp.json`, `.cursor/hooks.json` | the same in `~/.cursor` | cursor.com/docs/hooks, cursor.com/docs/context/mcp |
| Codex | `.codex/config.toml` (hooks in `.codex/hooks.json` where there is one), read in trusted projects | the same in `$CODEX_HOME` or `~/.codex` | developers.openai.com/codex/hooks, developers.openai.com/codex/mcp |
| Gemini CLI | `.gemini/settings.json` | `~/.gemini/settings.json` | geminicli.com/docs/hooks/reference, geminicli.com/docs/tools/mcp-server |

Read in November 2026. docs/setup.md has the same table for people; a test compares the two.
"""  # noqa: E501 (one row of the table a line)

from __future__ import annotations

import os
from collections.abc import Iterator
from enum import StrEnum
from pathlib import Path
from typing import Any, NamedTuple

from ..errors import BadInput, NoHome
from ..home import at_home

HOLD = {"TUR_ON_CONFLICT": "hold"}


class Role(StrEnum):
    """What a piece of wiring is for."""

    SERVER = "server"
    START = "session-start"
    GUARD = "guard"
    EDITED = "after-edit"


class Reach(StrEnum):
    """Whom a file is read for."""

    PROJECT = "project"
    USER = "user"


def read_here() -> tuple[Reach, ...]:
    """Return whose files there can be: an account without a home has none of its own."""
    try:
        at_home(Path.home)
    except NoHome:
        return (Reach.PROJECT,)
    return tuple(Reach)


class Piece(NamedTuple):
    """One thing that setup writes."""

    role: Role
    path: tuple[str, ...]
    """The names that lead to it: of a server to itself, of a hook to its list."""
    value: Any
    words: str
    """When it speaks, for sentences."""

    @property
    def is_item(self) -> bool:
        """True where it is one of a list."""
        return self.role is not Role.SERVER


class Harness(NamedTuple):
    """One harness."""

    key: str
    name: str
    agent: str
    """Who speaks in the history."""
    folder: str
    servers: str
    """The name under which its files have MCP servers."""
    start: str
    before: tuple[tuple[str, str, str], ...]
    """Events before something is done: event, matcher, words."""
    after: tuple[str, str]
    seconds: int = 1
    """What one second is in its timeouts; 0: it takes none here."""
    grouped: bool = True
    """Hooks stand in groups with one matcher."""

    def files(self, reach: Reach, root: Path) -> tuple[Path, Path]:
        """Return the files of its servers and of its hooks. Raises NoHome for the user's where there is no home."""
        base = root if reach is Reach.PROJECT else at_home(Path.home)
        house = base / self.folder
        match self.key, reach:
            case "claude", Reach.PROJECT:
                return base / ".mcp.json", house / "settings.json"
            case "claude", _:
                return base / ".claude.json", house / "settings.json"
            case "cursor", _:
                return house / "mcp.json", house / "hooks.json"
            case "codex", _:
                if reach is Reach.USER and (moved := os.environ.get("CODEX_HOME")):
                    house = at_home(Path(moved).expanduser).absolute()
                hooks = house / "hooks.json"
                return house / "config.toml", hooks if hooks.is_file() else house / "config.toml"
        return house / "settings.json", house / "settings.json"

    def read_too(self, root: Path) -> tuple[Path, ...]:
        """Return files that it reads besides those that setup writes."""
        return (root / self.folder / "settings.local.json",) if self.key == "claude" else ()

    def pieces(self, reach: Reach) -> dict[bool, tuple[Piece, ...]]:
        """Return what belongs into its files: under False the server, under True the hooks."""
        return {False: (self._server(reach),), True: tuple(self._hooks())}

    def _server(self, reach: Reach) -> Piece:
        args = ["--as", self.agent]
        if self.key == "cursor" and reach is Reach.PROJECT:  # it starts its servers in another folder
            args += ["--store", "${workspaceFolder}"]
        value = {"command": "tur-mcp", "args": args, "env": HOLD}
        return Piece(Role.SERVER, (self.servers, "tur"), value, "the MCP server")

    def _hooks(self) -> Iterator[Piece]:
        start = self._hook(f"tur hook session-start --as {self.agent}", "", 30)
        yield Piece(Role.START, ("hooks", self.start), start, "the start of a session")
        for event, matcher, words in self.before:
            yield Piece(
                Role.GUARD, ("hooks", event), self._hook(f"tur guard --hook --as {self.agent}", matcher, 30), words
            )
        event, matcher = self.after
        edited = self._hook(f"tur hook after-edit --as {self.agent}", matcher, 60)
        yield Piece(Role.EDITED, ("hooks", event), edited, "the edit of a rule file")

    def _hook(self, command: str, matcher: str, seconds: int) -> dict[str, Any]:
        hook: dict[str, Any] = {"command": command}
        if self.grouped:
            hook = {"type": "command", **hook}
        if self.seconds:
            hook["timeout"] = seconds * self.seconds
        matched = {"matcher": matcher} if matcher else {}
        return {**matched, "hooks": [hook]} if self.grouped else {**hook, **matched}


_EITHER = "an edit or a command"
HARNESSES: tuple[Harness, ...] = (
    Harness(
        *("claude", "Claude Code", "claude-code", ".claude", "mcpServers", "SessionStart"),
        before=(("PreToolUse", "Bash|Write|Edit|MultiEdit|NotebookEdit", _EITHER),),
        after=("PostToolUse", "Write|Edit|MultiEdit"),
    ),
    Harness(
        *("cursor", "Cursor", "cursor", ".cursor", "mcpServers", "sessionStart"),
        before=(("beforeShellExecution", "", "a command"), ("preToolUse", "Write", "an edit")),
        after=("afterFileEdit", ""),
        grouped=False,
    ),
    Harness(
        *("codex", "Codex", "codex", ".codex", "mcp_servers", "SessionStart"),
        before=(("PreToolUse", "Bash|apply_patch", _EITHER),),
        after=("PostToolUse", "apply_patch"),
    ),
    Harness(
        *("gemini", "Gemini CLI", "gemini-cli", ".gemini", "mcpServers", "SessionStart"),
        before=(("BeforeTool", "run_shell_command|write_file|replace", _EITHER),),
        after=("AfterTool", "write_file|replace"),
        seconds=1000,
    ),
)


def harness_named(word: str) -> Harness:
    """Return the harness that a word names. Raises BadInput with the known ones."""
    folded = word.strip().lower().replace("_", "-").replace(" ", "-")
    for harness in HARNESSES:
        if folded in (harness.key, harness.agent, harness.name.lower().replace(" ", "-")):
            return harness
    raise BadInput(f"unknown harness {word!r}; use one of {', '.join(harness.key for harness in HARNESSES)}")
