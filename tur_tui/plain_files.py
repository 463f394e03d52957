"""The person's own files: a pipe or a device in their place neither hangs nor floods, and none is written by half."""

from __future__ import annotations

import errno
import os
import stat
import tempfile
from pathlib import Path
from typing import Final

LARGEST: Final = 1024 * 1024
"""Bytes; what is longer was not written by hand."""


def read_file(path: Path, largest: int = LARGEST) -> bytes:
    """The bytes of an ordinary file. Raises OSError: it is none, too large, missing, not to be read."""
    handle = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
    if not stat.S_ISREG(os.fstat(handle).st_mode):
        os.close(handle)
        raise OSError(errno.EINVAL, "it is not a file")
    with os.fdopen(handle, "rb") as file:
        found = file.read(largest + 1)
    if len(found) > largest:
        raise OSError(errno.EFBIG, f"it is larger than {largest // 1024} KiB")
    return found


def replace_file(path: Path, text: str) -> None:
    """Write a file whole, behind a link too; one that is there keeps its mode. Raises OSError; the old one then
    stands."""
    real = Path(os.path.realpath(path))
    handle, made = tempfile.mkstemp(dir=real.parent, prefix=".new-", suffix=real.suffix)
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(text)
        if real.exists():
            os.chmod(made, stat.S_IMODE(real.stat().st_mode))
        os.replace(made, real)
    except BaseException:
        Path(made).unlink(missing_ok=True)
        raise
