"""What a harness says before and after it runs a tool, as one shape: commands, and files that are written.

Read are the hooks of Claude Code and Codex (PreToolUse, PostToolUse), Gemini CLI (BeforeTool, AfterTool), Cursor
(preToolUse, beforeShellExecution, afterFileEdit) and whoever sends the same keys: a tool's name, and an object with
`command`, or with a path and the text that goes there.
"""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Sequence
from typing import Any, NamedTuple

INPUTS = ("tool_input", "toolInput", "tool_args", "toolArgs", "arguments", "args", "tool_info", "input")
COMMANDS = ("command", "cmd", "command_line", "script")
PATHS = ("file_path", "filePath", "path", "absolute_path", "notebook_path", "target_file", "filename")
TEXTS = ("content", "new_string", "newString", "new_str", "file_text", "new_source", "text", "contents", "code_edit")
BEFORE = ("old_string", "oldString", "old_str")
_STEERING = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff]")
_PATCH = re.compile(r"^\*\*\* (?:Add|Update|Delete) File: (.+)$", re.MULTILINE)
_WRITES = re.compile(r"writ|edit|replac|creat|updat|patch|insert", re.IGNORECASE)
_EDITOR = frozenset(("view", "create", "str_replace", "insert", "undo_edit"))
"""What a text editor's `command` may be: no shell line."""
_LOOKS = re.compile(r"(?:^|_)(?:read|view|glob|grep|ls|list|search|fetch|find|open|todo|think|task)", re.IGNORECASE)


class Proposed(NamedTuple):
    """One command, or one file and the lines that are to be in it."""

    text: str
    path: str | None = None
    is_command: bool | None = None


class Asked(NamedTuple):
    """Everything one tool call proposes, and the folder it works in."""

    calls: Sequence[Proposed] = ()
    cwd: str = ""
    unread: str = ""
    """Why nothing was found, where that is worth saying."""
    wants_json: bool = False
    """True for a harness that reads a decision on stdout (Cursor)."""
    event: str = ""
    """The hook's name as the harness gives it."""
    session: str = ""
    """The session as the harness names it."""

    @property
    def is_cursor(self) -> bool:
        """True where the event is named as Cursor names them, with a small letter first."""
        return self.event[:1].islower()


def proposed(raw: bytes) -> Asked:
    """Read a tool call. Raises nothing: what is no tool call has no calls and says why."""
    try:
        told = json.loads(raw.decode(json.detect_encoding(raw), "replace").removeprefix("\ufeff"))
    except (ValueError, RecursionError):
        return Asked(unread="standard input is not JSON")
    if not isinstance(told, dict):
        return Asked(unread="standard input is JSON, but no object")
    tool = _text(told, ("tool_name", "toolName", "tool")) or _text(told, ("hook_event_name",)) or "the tool call"
    given = next((value for name in INPUTS if (value := _object(told.get(name))) is not None), told)
    name = re.sub(r"(?<=[a-z])(?=[A-Z])", "_", tool)
    event = _text(told, ("hook_event_name",))
    asked = Asked(
        cwd=_folder(told, given),
        event=event,
        wants_json=given is told or event[:1].islower(),
        session=_text(told, ("session_id", "sessionId", "conversation_id")),
    )
    if command := _plain(_command(given)):
        if "*** Begin Patch" in command:
            return asked._replace(calls=_patched(command))
        return asked._replace(calls=[Proposed(command, is_command=True)])
    if _LOOKS.search(name) and not _WRITES.search(name):
        return asked
    if calls := _written(given):
        return asked._replace(calls=calls)
    return asked._replace(unread=f"{tool!r} gives no command and no file to write")


def _folder(told: dict[str, Any], given: dict[str, Any]) -> str:
    """Return the folder that the harness works in; Cursor names the workspace's where a call has none of its own."""
    roots = told.get("workspace_roots")
    first = roots[0] if isinstance(roots, list) and roots and isinstance(roots[0], str) else ""
    own = _text(told, ("cwd", "working_directory")) or _text(given, ("cwd", "workdir", "working_directory"))
    return own or first


def _plain(command: str) -> str:
    """A command as it can be weighed: what steers a terminal is a blank."""
    return _STEERING.sub(" ", command)


def _command(given: dict[str, Any]) -> str:
    for name in COMMANDS:
        value = given.get(name)
        if isinstance(value, str) and value.strip() and not (value in _EDITOR and _text(given, PATHS)):
            return value
        if isinstance(value, list) and value and all(isinstance(word, str) for word in value):
            return shlex.join(value)
    return ""


def _written(given: dict[str, Any]) -> list[Proposed]:
    path = _text(given, PATHS)
    if not path:
        return []
    edits = given.get("edits")
    parts = [given, *(edit for edit in edits if isinstance(edit, dict))] if isinstance(edits, list) else [given]
    added = [_added(_text(part, BEFORE), _text(part, TEXTS)) for part in parts if _text(part, TEXTS)]
    return [Proposed("\n".join(added), path=path)] if added else []


def _added(before: str, after: str) -> str:
    """Return the lines that an edit adds."""
    old = set(before.splitlines())
    return "\n".join(line for line in after.splitlines() if line not in old)


def _patched(patch: str) -> list[Proposed]:
    """Read a patch as files and the lines added to each."""
    pieces = _PATCH.split(patch)
    return [
        Proposed("\n".join(line[1:] for line in body.splitlines() if line.startswith("+")), path=path.strip())
        for path, body in zip(pieces[1::2], pieces[2::2], strict=False)
    ]


def _object(value: object) -> dict[str, Any] | None:
    """An object, also one that is written as JSON in a text."""
    if isinstance(value, str) and value.lstrip().startswith("{"):
        try:
            value = json.loads(value)
        except (ValueError, RecursionError):
            return None
    return value if isinstance(value, dict) else None


def _text(given: dict[str, Any], names: tuple[str, ...]) -> str:
    return next((value for name in names if isinstance(value := given.get(name), str) and value), "")
