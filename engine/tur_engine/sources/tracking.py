"""What git would take in of a store's folder, though a checkout would then set it back."""

from __future__ import annotations

from pathlib import Path

from ..ignored import LINES
from ..whereabouts import FOLDER
from .git import ask


def would_track(store: Path) -> list[str]:
    """Return the lines that no .gitignore has for a store; none outside of a git work tree."""
    folder = store.parent
    if folder.name != FOLDER or (ask(folder, "rev-parse", "--is-inside-work-tree") or b"").strip() != b"true":
        return []
    names = "\0".join(LINES.values()).encode()
    left_out = (ask(folder, "check-ignore", "--no-index", "-z", "--stdin", given=names) or b"").decode().split("\0")
    return [line for line, name in LINES.items() if name not in left_out]
