"""A file is replaced whole: it holds the old bytes or the new ones, never a part of them."""

from __future__ import annotations

import os
import stat
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO


def replace(path: Path, data: bytes) -> None:
    """Put these bytes in the place of a file, its mode kept, or make it. Raises OSError; the file is as it was then."""
    try:
        mode = stat.S_IMODE(path.stat().st_mode)
    except FileNotFoundError:
        mode = usual_mode()
    else:
        if not os.access(path, os.W_OK):
            raise PermissionError(13, "it is read-only", str(path))
    with replaced(path, mode) as file:
        file.write(data)


@contextmanager
def replaced(path: Path, mode: int) -> Iterator[BinaryIO]:
    """Give a file to write to that takes the place of `path`, with this mode, unless an error ends it."""
    handle, name = tempfile.mkstemp(dir=path.absolute().parent, prefix=".tur-new-")
    try:
        with os.fdopen(handle, "wb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        os.chmod(name, mode)
        os.replace(name, path)
    except BaseException:
        with suppress(OSError):
            Path(name).unlink(missing_ok=True)
        raise


def usual_mode() -> int:
    """Return the mode that a new file has here."""
    mask = os.umask(0o077)
    os.umask(mask)
    return 0o666 & ~mask
