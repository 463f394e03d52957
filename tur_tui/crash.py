"""What is left of a fault in the program: a private report file and one line, never a traceback on the screen.

A traceback with locals would carry other people's memories into bug reports, so locals are left out.
"""

from __future__ import annotations

import os
import platform
import traceback
from datetime import UTC, datetime
from pathlib import Path

from platformdirs import user_state_path

from tur_engine import __version__

EXIT_CODE = 70
"""EX_SOFTWARE of sysexits.h."""


def crash_dir() -> Path:
    """Where reports are written; it need not exist yet."""
    return user_state_path("tur-tui", appauthor=False) / "crashes"


def write_report(error: BaseException, folder: Path | None = None) -> Path | None:
    """Write the traceback, without locals, to a new file only its owner may read; None where that fails too."""
    folder = folder or crash_dir()
    cause = getattr(error, "error", error)  # a failed worker wraps the real one
    now = datetime.now(UTC)
    lines = [
        f"tur-tui {__version__}, Python {platform.python_version()}, {platform.platform()}\n",
        f"{now.isoformat(timespec='seconds')}\n\n",
        *traceback.format_exception(cause if isinstance(cause, BaseException) else error),
    ]
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        path = folder / f"crash-{now:%Y%m%d-%H%M%S-%f}.txt"
        handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(handle, "w", encoding="utf-8", errors="backslashreplace") as file:
            file.writelines(lines)
    except OSError:
        return None
    return path


def last_words(error: BaseException, report: Path | None) -> str:
    """The one line a person sees; it names the kind of fault, never its text, which may quote a memory."""
    name = type(getattr(error, "error", error)).__name__
    where = f"the report is in {report}" if report else "no report could be written"
    return f"tur-tui stopped on a fault of its own ({name}); the ledger is not harmed, {where}."
