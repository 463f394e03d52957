"""Stepping aside for the person's editor."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ..shell import Shell

NO_EDITOR = "No editor is named: set VISUAL or EDITOR, for example to vim."


def open_in_editor(app: Shell, path: Path, line: int, folder: Path) -> None:
    """Step aside for the editor at a line, and come back when it is closed; where that cannot be, say why."""
    if not app.editor:
        app.say(NO_EDITOR, severity="warning")
        return
    import shutil  # rare

    from textual.app import SuspendNotSupported

    from ..desk.repository import editor_command
    from ..ending import edit

    try:
        command = editor_command(app.editor, path, line)
    except ValueError:
        command = []
    if not command or shutil.which(command[0]) is None:
        app.say(f"There is no program {app.editor!r}; set VISUAL or EDITOR.", severity="warning")
        return
    try:
        with app.suspend():
            code, ended_by = edit(command, folder)
    except (SuspendNotSupported, OSError):
        app.say(f"An editor cannot be opened here; the line is {path}:{line}.", timeout=10)
        return
    if ended_by:
        app.ended_by(ended_by)
    elif code:
        app.say(f"The editor ended with exit code {code}.", severity="warning")
