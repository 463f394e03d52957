"""The `.gitignore` beside a store: among the tracked files a ledger is set back by every checkout."""

from __future__ import annotations

import stat
from contextlib import suppress
from pathlib import Path

from .whereabouts import FOLDER

NAME = ".gitignore"
LINES = {
    "ledger*": "ledger.db",
    ".ledger*": ".ledger.db.new",
    "introspect.db*": "introspect.db",
    "akashik-clock*": "akashik-clock",
    "batches/": "batches/lines.json",
}
"""What the programs keep in a store's folder for themselves, with a file of each, in the order in which versions began
to: new ones go to the end."""


def _text(lines: int) -> str:
    return "\n".join(("# git would set these back with every checkout", *list(LINES)[:lines], ""))


_WRITTEN_BEFORE = frozenset(_text(number) for number in range(1, len(LINES)))
"""All that earlier versions may have written."""


def keep_out_of_git(store: Path) -> Path | None:
    """Write a .gitignore beside a store in a git work tree; returns it, None where nothing was written.

    With the ledger among the tracked files a checkout sets it back, and each worktree has a copy that goes its own way.
    What people share, `config.toml` and the persona file, is not ignored; a .gitignore that is there stays as it is.
    """
    if store.parent.name != FOLDER or not any((folder / ".git").exists() for folder in store.parent.parents):
        return None
    place = store.with_name(NAME)
    try:
        with place.open("x", encoding="utf-8", newline="\n") as file:
            file.write(_text(len(LINES)))
    except OSError:  # it is there, or may not be made
        return None
    return place


def renew(store: Path) -> None:
    """Bring a .gitignore up to date that an earlier version wrote; one that anybody changed stays as it is."""
    place = store.with_name(NAME)
    with suppress(OSError, UnicodeDecodeError):
        known = place.lstat()
        if not stat.S_ISREG(known.st_mode) or known.st_size > len(max(_WRITTEN_BEFORE, key=len)) + len(LINES):
            return
        before = place.read_bytes().decode()
        ending = "\r\n" if "\r\n" in before else "\n"  # git may have checked it out so
        if store.parent.name == FOLDER and before.replace(ending, "\n") in _WRITTEN_BEFORE:
            from .replacing import replace  # seldom needed, and a cold start should not pay for it

            replace(place, _text(len(LINES)).replace("\n", ending).encode())
