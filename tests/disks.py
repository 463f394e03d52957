"""A file system of its own, to be filled."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest


@contextmanager
def megabyte(place: Path) -> Iterator[Path]:
    """Mount a file system of one megabyte; skips where none can be mounted."""
    place.mkdir()
    try:
        subprocess.run(["mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", place], check=True, capture_output=True)
    except (OSError, subprocess.CalledProcessError):
        pytest.skip("nothing may be mounted here")
    yield place
    subprocess.run(["umount", "--lazy", place], check=True)


def filled(place: Path) -> Path:
    """Take every free byte."""
    filling = place / "filling"
    with suppress(OSError), filling.open("wb", buffering=0) as file:
        while True:
            file.write(b"x" * 1024)
    return filling
