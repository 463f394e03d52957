"""The file that a person names for what is written down: written whole, behind a link too, or left as it was."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable
from pathlib import Path

from ..errors import BadInput, TurError
from ..replacing import replaced, usual_mode
from ..unwritten import reason
from ..working_folder import absolute

STANDARD_OUTPUT = ("/dev/stdout", "/dev/fd/1", "/proc/self/fd/1")


def write(named: str, lines: Iterable[str], *, force: bool) -> int:
    """Write the lines, over a file that is there only by `force`; returns how many. Raises BadInput, TurError."""
    if os.path.normpath(named) in STANDARD_OUTPUT:
        raise BadInput(f"{named} is standard output; name it -")
    target = absolute(Path(named))
    real = Path(os.path.realpath(target))
    try:
        return _put(real, lines, mode=_mode(named, target, force=force))
    except OSError as error:
        raise TurError(f"{named} cannot be written: {reason(error, real.parent)}") from error


def _mode(named: str, target: Path, *, force: bool) -> int:
    """Return the mode that the file has, or will have. Raises BadInput where it is not to be written."""
    if target.is_dir():
        raise BadInput(f"{named} is a folder; name a file")
    try:
        found = target.stat()
    except FileNotFoundError:
        found = None
    if found is not None and not stat.S_ISREG(found.st_mode):
        raise BadInput(f"{named} is no plain file; name one, or write to - and send that there")
    if os.path.lexists(target) and not force:
        what = "is a link that leads nowhere" if found is None else "exists already"
        raise BadInput(f"{named} {what}; name a new file, or write over it with --force")
    return usual_mode() if found is None else stat.S_IMODE(found.st_mode)


def _put(real: Path, lines: Iterable[str], *, mode: int) -> int:
    count = 0
    with replaced(real, mode) as file:
        for line in lines:
            file.write(f"{line}\n".encode())
            count += 1
    return count
