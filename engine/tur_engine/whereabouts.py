"""Which store: the nearest `.tur/ledger.db` upwards, else $TUR_HOME, else the user's own (CONTRACTS 4)."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

from .errors import BadInput, NoStore, StoreExists

FOLDER = ".tur"
FILE = "ledger.db"


def nearest(start: Path) -> Path | None:
    """Return the nearest store file at or above a folder; a git worktree looks beside its common directory too."""
    start = start.absolute()
    for folder in (start, *start.parents):
        if (folder / FOLDER / FILE).is_file():
            return folder / FOLDER / FILE
        if (folder / ".git").is_file() and (common := _common(folder)) and (common / FOLDER / FILE).is_file():
            return common / FOLDER / FILE
    return None


def _common(worktree: Path) -> Path | None:
    """Return the main checkout of a git worktree."""
    try:
        told = subprocess.run(
            ["git", "-C", str(worktree), "rev-parse", "--path-format=absolute", "--git-common-dir"],
            capture_output=True,
            text=True,
            timeout=5,
            check=False,
        )
    except (OSError, subprocess.SubprocessError):
        return None
    return Path(told.stdout.strip()).parent if told.returncode == 0 and told.stdout.strip() else None


def user_store() -> Path:
    """Return where the user's own store lies: $TUR_HOME or ~/.tur."""
    home = os.environ.get("TUR_HOME")
    return (Path(home).expanduser() if home else Path.home() / FOLDER) / FILE


def find(named: Path | None, start: Path | None = None) -> Path:
    """Return the store file to use; it may not be there yet only where it is the user's own. Raises NoStore."""
    if named is not None:
        return resolve_named(named)
    return nearest(start or Path.cwd()) or user_store()


def resolve_named(named: Path) -> Path:
    """Return the store file that a path names: the file itself, a .tur folder, or the folder above. Raises NoStore."""
    named = named.expanduser().absolute()
    for candidate in (named, named / FILE, named / FOLDER / FILE):
        if candidate.is_file():
            return candidate
    raise NoStore(f"there is no store at {named}; make one with `tur init`, or name another with --store")


def place_for_new(root: Path, *, nested: bool) -> Path:
    """Return where `tur init` makes the store. Raises StoreExists, BadInput."""
    root = root.expanduser().absolute()
    if root.exists() and not root.is_dir():
        raise BadInput(f"{root} is not a folder")
    target = root / FOLDER / FILE
    if target.exists():
        raise StoreExists(f"there is a store at {target} already")
    above = nearest(root)
    if above is not None and above != user_store() and not nested:
        raise StoreExists(
            f"there is a store above, at {above}, and it holds here too; --nested makes another one below it"
        )
    return target
