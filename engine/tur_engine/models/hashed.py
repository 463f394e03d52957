"""What this machine has hashed before: a file in the state directory, so that a cold start need not read it all again.

A file counts as the same while its place, size, inode and both of its times stand: whatever writes it, copies over it
or sets its times back moves one of them. What a disk loses by itself does not: `tur doctor` hashes anew.
"""

from __future__ import annotations

import json
import os
from contextlib import suppress
from pathlib import Path

from platformdirs import user_state_path


def place() -> Path:
    """Return where it is noted."""
    return user_state_path("tur-tui", appauthor=False) / "models.json"


def known(path: Path, stat: os.stat_result) -> str | None:
    """Return the SHA-256 that was noted of a file as it stands; None where there is none."""
    kept = _read().get(str(path))
    if isinstance(kept, list) and kept[:-1] == _stands(stat) and isinstance(kept[-1], str):
        return kept[-1]
    return None


def note(path: Path, stat: os.stat_result, digest: str) -> None:
    """Note the SHA-256 of a file as it stood; a folder that cannot be written troubles nobody."""
    try:
        file = place()
    except RuntimeError:  # an account without a home
        return
    from ..replacing import replace

    with suppress(OSError):
        file.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        replace(file, json.dumps(_read() | {str(path): [*_stands(stat), digest]}).encode())


def _stands(stat: os.stat_result) -> list[int]:
    return [stat.st_dev, stat.st_ino, stat.st_size, stat.st_mtime_ns, stat.st_ctime_ns]


def _read() -> dict[str, object]:
    try:
        file = place()
        if not file.is_file():  # what is none might be waited for
            return {}
        found = json.loads(file.read_bytes())
    except (OSError, ValueError, RuntimeError):  # without a home there is no place, and depth is no list of files
        return {}
    return found if isinstance(found, dict) else {}
