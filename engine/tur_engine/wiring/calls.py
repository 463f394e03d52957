"""What each harness sends to a hook, by its public documentation: the doctor's test calls."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from .harnesses import Harness

RULE_FILES = {"claude": "CLAUDE.md", "cursor": "AGENTS.md", "codex": "AGENTS.md", "gemini": "GEMINI.md"}


def start(harness: Harness, work: Path) -> str:
    """A session begins."""
    return _call(harness, harness.start, work, {} if harness.key == "cursor" else {"source": "startup"})


def command(harness: Harness, event: str, work: Path, line: str) -> str:
    """A command is about to run, or is written to a script where the event is about files."""
    if harness.key == "cursor":
        if event == "beforeShellExecution":
            return _call(harness, event, work, {"command": line, "cwd": str(work), "sandbox": False})
        written = {"file_path": str(work / "release.sh"), "content": f"#!/bin/sh\n{line}\n"}
        return _call(harness, event, work, {"tool_name": "Write", "tool_input": written, "cwd": str(work)})
    tool = "run_shell_command" if harness.key == "gemini" else "Bash"
    return _call(harness, event, work, {"tool_name": tool, "tool_input": {"command": line}})


def edited(harness: Harness, event: str, work: Path, file: Path, before: str, after: str) -> str:
    """A line of a file has been changed."""
    change = {"old_string": before, "new_string": after}
    match harness.key:
        case "cursor":
            return _call(harness, event, work, {"file_path": str(file), "edits": [change]})
        case "codex":
            patch = f"*** Begin Patch\n*** Update File: {file.name}\n@@\n-{before}\n+{after}\n*** End Patch\n"
            return _call(harness, event, work, {"tool_name": "apply_patch", "tool_input": {"command": patch}})
        case "gemini":
            return _call(
                harness, event, work, {"tool_name": "replace", "tool_input": {"file_path": str(file), **change}}
            )
    return _call(harness, event, work, {"tool_name": "Edit", "tool_input": {"file_path": str(file), **change}})


def _call(harness: Harness, event: str, work: Path, own: dict[str, Any]) -> str:
    shared: dict[str, Any] = {"hook_event_name": event, "transcript_path": None}
    if harness.key == "cursor":
        shared |= {"conversation_id": "tur-doctor", "generation_id": "1", "workspace_roots": [str(work)]}
    else:
        shared |= {"session_id": "tur-doctor", "cwd": str(work)}
    return json.dumps(shared | own)
