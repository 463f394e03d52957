"""Which store: the nearest `.tur/ledger.db` upwards, else $TUR_HOME, else the user's own (CONTRACTS 4)."""

from __future__ import annotations

import os
from pathlib import Path

from .errors import BadInput, NoStore, StoreExists

FOLDER = ".tur"
FILE = "ledger.db"


def nearest(start: Path) -> Path | None:
    """Return the nearest store file at or above a folder; a git worktree looks beside its common directory too."""
    start = start.absolute()
    for folder in (start, *start.parents):
        for beside in (folder, _main_checkout(folder)):
            if beside is not None and _is_file(beside / FOLDER / FILE):
                return beside / FOLDER / FILE
    return None


def _main_checkout(folder: Path) -> Path | None:
    """Return the folder that holds a git worktree's common directory; None where `folder` is no worktree.

    Git's own files say it: `.git` names the worktree's directory, `commondir` in there the common one.
    """
    try:
        if not _is_file(folder / ".git"):
            return None
        word, _, target = (folder / ".git").read_text("utf-8").strip().partition(": ")
        private = folder / target
        if word != "gitdir" or not _is_file(private / "commondir"):
            return None  # a submodule, or a repository kept elsewhere
        common = private / (private / "commondir").read_text("utf-8").strip()
    except (OSError, ValueError):
        return None
    return Path(os.path.normpath(common)).parent


def _is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except OSError:  # a folder above that may not be read
        return False


def user_store() -> Path:
    """Return where the user's own store lies: $TUR_HOME or ~/.tur."""
    home = os.environ.get("TUR_HOME")
    return (Path(home).expanduser().absolute() if home else Path.home() / FOLDER) / FILE


def find(named: Path | None, start: Path | None = None) -> Path:
    """Return the store file to use; it may not be there yet only where it is the user's own. Raises NoStore."""
    if named is not None:
        return resolve_named(named)
    return nearest(start or Path.cwd()) or user_store()


def resolve_named(named: Path) -> Path:
    """Return the store file that a path names: the file itself, a .tur folder, or the folder above. Raises NoStore."""
    named = named.expanduser().absolute()
    for candidate in (named, named / FILE, named / FOLDER / FILE):
        if _is_file(candidate):
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
    if above is not None and above.resolve() != user_store().resolve() and not nested:
        raise StoreExists(
            f"there is a store above, at {above}, and it holds here too; --nested makes another one below it"
        )
    return target
