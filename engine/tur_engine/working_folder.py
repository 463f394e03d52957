"""The folder that a program stands in. It can be gone: another program may remove it meanwhile."""

from __future__ import annotations

import os
from pathlib import Path

from .errors import TurError


def here() -> Path:
    """Return the folder. Raises TurError where it is gone."""
    try:
        return Path.cwd()
    except FileNotFoundError as error:
        raise TurError("the folder you are in is gone; cd to one that is there, and try again") from error


def absolute(path: Path) -> Path:
    """Return a path as it is from the root on, its links and dots kept. Raises TurError where it starts here."""
    return path if path.is_absolute() else here() / path


def tidied(path: Path) -> Path:
    """Return it without dots, its links kept. Raises TurError where it starts here."""
    return Path(os.path.normpath(absolute(path)))
