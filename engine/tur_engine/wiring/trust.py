"""Which of the commands that a repository's files name are started without asking: plain calls of tur, nothing else."""

from __future__ import annotations

import re
import shlex
from pathlib import Path, PurePath

from .harnesses import Role
from .wired import Wire

_STEERS = re.compile(r"[;&|<>$`(){}*?~#!\\\n]")
"""What lets a shell line do more than start one program."""
_MODULES = ("tur_engine.cli", "tur_engine.mcp")


def is_plain(wire: Wire, root: Path) -> bool:
    """True where nothing but tur can be started: by name or from outside the repository, with variables of ours only.

    The user's own files are trusted as they stand.
    """
    if not wire.file.is_relative_to(root):
        return True
    if wire.role is Role.SERVER:
        words = [wire.command, *wire.args]
        if not all(name.startswith("TUR_") for name in wire.env):
            return False
    elif _STEERS.search(wire.command):
        return False
    else:
        words = shlex.split(wire.command)
    program = PurePath(words[0])
    if re.search(r"[/\\]", words[0]) and (not program.is_absolute() or Path(program).is_relative_to(root)):
        return False
    name = program.name.removesuffix(".exe")
    runs_module = re.fullmatch(r"python(?:3(?:\.\d+)?)?", name) and words[1:2] == ["-m"] and words[2:3] != []
    return name in ("tur", "tur-mcp") or bool(runs_module and words[2] in _MODULES)
