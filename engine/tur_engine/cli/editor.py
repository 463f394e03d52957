"""Merging by hand: both texts in the person's own editor."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from ..errors import BadInput
from ..text import visible

if TYPE_CHECKING:
    from ..records import Conflict
    from .output import Output

CUT = "# ------------------------ >8 ------------------------"
_FALLBACKS = ("nano", "vim", "vi")


def command() -> list[str]:
    """The editor as `$VISUAL` or `$EDITOR` names it, else one that is installed. Raises BadInput."""
    for variable in ("VISUAL", "EDITOR"):
        if named := os.environ.get(variable, "").strip():
            try:
                return shlex.split(named)
            except ValueError as error:
                raise BadInput(f"${variable} {named!r} cannot be read: {error}") from None
    for name in _FALLBACKS:
        if found := shutil.which(name):
            return [found]
    raise BadInput("no editor found; set $EDITOR, or use: tur resolve ID merge --text TEXT")


def merge(conflict: Conflict, out: Output) -> str | None:
    """Open both texts, return what was saved; None (said on stderr) where nothing usable was saved."""
    both = f"{conflict.incumbent.memory.content}\n{conflict.challenger.memory.content}\n"
    page = (
        f"{both}{CUT}\n"
        "# Write above the line what holds; both memories will be superseded by it.\n"
        "# Leave it as it is, or empty, to merge nothing.\n"
        f"# EXISTING {conflict.incumbent.id}\n"
        f"# NEW      {conflict.challenger.id}\n"
        f"# {visible(conflict.reason, newlines=False)}\n"
    )
    saved = _edit(page)
    if saved is None:
        out.say("the editor ended with an error; nothing is merged")
        return None
    text = saved.partition(CUT)[0].strip()
    if not text:
        out.say("the text is empty; nothing is merged")
        return None
    if text == both.strip():
        out.say("the text was left as it was; nothing is merged")
        return None
    return text


def _edit(page: str) -> str | None:
    words = command()
    with tempfile.TemporaryDirectory(prefix="tur-merge-") as folder:
        file = Path(folder, "MERGE.md")
        file.write_text(page, encoding="utf-8")
        try:
            done = subprocess.run([*words, str(file)], check=False)
        except OSError as error:
            raise BadInput(f"the editor {words[0]!r} does not start: {error.strerror}; set $EDITOR") from None
        return file.read_text(encoding="utf-8") if done.returncode == 0 else None
