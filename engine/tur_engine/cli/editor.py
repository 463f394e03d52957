"""Merging by hand: both texts in the person's own editor."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..errors import BadInput
from ..text import visible
from .output import is_terminal

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
            with _screen() as streams:
                done = subprocess.run([*words, str(file)], check=False, **streams)
        except OSError as error:
            raise BadInput(f"the editor {words[0]!r} does not start: {error.strerror}; set $EDITOR") from None
        return file.read_text(encoding="utf-8") if done.returncode == 0 else None


@contextmanager
def _screen() -> Iterator[dict[str, Any]]:
    """Give the editor the terminal where our answer goes into a file or a pipe. Raises BadInput where there is none."""
    if is_terminal(sys.stdout) and is_terminal(sys.stdin):
        yield {}
        return
    try:
        terminal = open("/dev/tty", "r+b", buffering=0)  # noqa: SIM115 - closed below
    except OSError:
        raise BadInput(
            "the editor needs a terminal, and standard output is none; use: tur resolve ID merge --text TEXT"
        ) from None
    with terminal:
        yield {"stdin": terminal, "stdout": terminal}
