"""What is left of a fault in the program: a private report file and one line, never a traceback on the screen.

Locals and the words of an exception quote memories (a key that is missing, an input that was refused), so a report has
neither: where in the program it was, and which kind of fault.
"""

from __future__ import annotations

import os
import platform
import traceback
from datetime import UTC, datetime
from pathlib import Path

from platformdirs import user_state_path

from tur_engine import __version__, at_home
from tur_engine.errors import NoHome

EXIT_CODE = 70
"""EX_SOFTWARE of sysexits.h."""


def crash_dir() -> Path:
    """Where reports are written; it need not exist yet. Raises NoHome."""
    return at_home(lambda: user_state_path("tur-tui", appauthor=False)) / "crashes"


def write_report(error: BaseException, folder: Path | None = None) -> Path | None:
    """Write where it was, and no text, to a new file only its owner may read; None where that fails too."""
    now = datetime.now(UTC)
    lines = [
        f"tur-tui {__version__}, Python {platform.python_version()}, {platform.platform()}\n",
        f"{now.isoformat(timespec='seconds')}\n\n",
        *_told(_cause(error)),
    ]
    try:
        folder = folder or crash_dir()
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        path = folder / f"crash-{now:%Y%m%d-%H%M%S-%f}.txt"
        handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(handle, "w", encoding="utf-8", errors="backslashreplace") as file:
            file.writelines(lines)
    except (OSError, NoHome):
        return None
    return path


def _cause(error: BaseException) -> BaseException:
    """What a failed worker wraps."""
    cause = getattr(error, "error", error)
    return cause if isinstance(cause, BaseException) else error


def _told(error: BaseException) -> list[str]:
    """The traceback of an error and of those before it, the first one first, with kinds in place of their words."""
    chain: list[BaseException] = []
    each: BaseException | None = error
    while each is not None and each not in chain:
        chain.append(each)
        each = each.__cause__ or (None if each.__suppress_context__ else each.__context__)
    lines: list[str] = []
    for each in reversed(chain):
        lines += ["\nThen:\n" if lines else "", *traceback.format_tb(each.__traceback__), f"{_kind(each)}\n"]
        if isinstance(each, BaseExceptionGroup):
            lines += [line for part in each.exceptions for line in ("\nOf it:\n", *_told(part))]
    return lines


def _kind(error: BaseException) -> str:
    """`builtins.KeyError`; of an error of the system its number too."""
    kind = type(error)
    number = f" [errno {error.errno}]" if isinstance(error, OSError) and isinstance(error.errno, int) else ""
    return f"{kind.__module__}.{kind.__qualname__}{number}"


def last_words(error: BaseException, report: Path | None) -> str:
    """The one line a person sees; it names the kind of fault, never its text, which may quote a memory."""
    name = type(_cause(error)).__name__
    where = f"the report is in {report}" if report else "no report could be written"
    return f"tur-tui stopped on a fault of its own ({name}); the ledger is not harmed, {where}."
