"""Stepping aside for the person's editor."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ..hosting import Host

NO_EDITOR = "No editor is named: set VISUAL or EDITOR, for example to vim."


def open_in_editor(host: Host, path: Path, line: int, folder: Path) -> None:
    """Step aside for the editor at a line, and come back when it is closed; where that cannot be, say why."""
    if not host.editor:
        host.say(NO_EDITOR, severity="warning")
        return
    import shutil  # rare

    from textual.app import SuspendNotSupported

    from ..desk.repository import editor_command
    from ..ending import edit

    try:
        command = editor_command(host.editor, path, line)
    except ValueError:
        command = []
    if not command or shutil.which(command[0]) is None:
        host.say(f"There is no program {host.editor!r}; set VISUAL or EDITOR.", severity="warning")
        return
    try:
        with host.suspend():
            code, ended_by = edit(command, folder)
    except (SuspendNotSupported, OSError):
        host.say(f"An editor cannot be opened here; the line is {path}:{line}.", timeout=10)
        return
    if ended_by:
        host.ended_by(ended_by)
    elif code:
        host.say(f"The editor ended with exit code {code}.", severity="warning")
