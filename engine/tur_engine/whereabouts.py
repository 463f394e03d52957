"""Which store: the nearest `.tur/ledger.db` upwards, else $TUR_HOME, else the user's own (CONTRACTS 4)."""

from __future__ import annotations

import os
import stat
from contextlib import suppress
from pathlib import Path

from .errors import BadInput, NoHome, NoStore, StoreError, StoreExists, TurError
from .home import at_home
from .working_folder import absolute, here

FOLDER = ".tur"
FILE = "ledger.db"


def nearest(start: Path, *, strict: bool = True) -> Path | None:
    """Return the nearest store file at or above a folder; a git worktree looks beside its common directory too.

    Raises StoreError where something else stands in a store's place; not `strict`: passes over it.
    """
    start = absolute(start)
    for folder in (start, *start.parents):
        for beside in (folder, main_checkout(folder)):
            if beside is None:
                continue
            if _is_file(beside / FOLDER / FILE):
                return beside / FOLDER / FILE
            if strict:
                _refuse_what_is_no_store(beside / FOLDER / FILE)
    return None


def _refuse_what_is_no_store(place: Path) -> None:
    """Raise StoreError where a store's file, or its .tur folder, has something else under its name."""
    advice = "move it away, or name another store with --store"
    folder = place.parent
    if folder.name == FOLDER and os.path.lexists(folder) and not _is_folder(folder):
        raise StoreError(f"{folder} should be a folder with a store in it and is {_kind(folder)}; {advice}")
    if folder.name == FOLDER and not os.access(folder, os.X_OK) and os.path.lexists(folder):
        raise StoreError(f"{folder} may not be looked into; ask whose it is, or name another store with --store")
    if os.path.lexists(place) and not _is_file(place):
        raise StoreError(f"{place} should be a store's file and is {_kind(place)}; {advice}")


def _kind(path: Path) -> str:
    if path.is_symlink() and not path.exists():
        return "a link that leads nowhere"
    return "a folder" if path.is_dir() else "a file" if path.is_file() else "neither a file nor a folder"


def _is_folder(path: Path) -> bool:
    try:
        return path.is_dir()
    except OSError:
        return True


def main_checkout(folder: Path) -> Path | None:
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
    """Return where the user's own store lies: $TUR_HOME or ~/.tur. Raises NoHome.

    A relative $TUR_HOME counts as none, like an empty one: there would be a store of one's own in every folder.
    """
    named = os.environ.get("TUR_HOME")
    folder = at_home(Path(named).expanduser) if named else None
    return (folder if folder is not None and folder.is_absolute() else at_home(Path.home) / FOLDER) / FILE


def _home() -> Path | None:
    """Return the home that $HOME names, or else the account's; None for an account without one."""
    try:
        return at_home(Path.home)
    except NoHome:
        return None


def root_of(store: Path) -> Path:
    """Return the folder that a store's paths are relative to: the one with the .tur, by the name it is called by."""
    return store.parent.parent if store.parent.name == FOLDER else store.parent


def account_home() -> Path | None:
    """Return the home directory that the system's own list of users has for this one, whatever $HOME says.

    None where there is no such list, or this user is not in it.
    """
    try:
        import pwd
    except ImportError:
        return None
    try:
        home = Path(pwd.getpwuid(os.getuid()).pw_dir)
    except KeyError:
        return None
    return home if home.is_absolute() else None


def find(named: Path | None, start: Path | None = None) -> Path:
    """Return the store file to use; it may not be there yet only where it is the user's own.

    Raises NoStore, StoreError, NoHome.
    """
    if named is not None:
        return resolve_named(named)
    found = nearest(start or here())
    if found is None:
        found = user_store()
        _refuse_what_is_no_store(found)
    return found


def standing(named: Path | None, start: Path) -> Path | None:
    """Return the store file that holds at a folder, None where none does. Raises StoreError; NoStore for one named."""
    try:
        path = find(named, start)
    except NoHome:
        if named is not None:
            raise
        return None
    return path if path.exists() else None


def none_here(own: Path) -> str:
    """Say that no store holds here, with the user's own place, which is empty too."""
    return (
        f"there is no store here or above, and none of your own at {own}; "
        "`tur init` makes one in the folder you are in, the first `learn` makes your own"
    )


def others_in_force(own: Path, start: Path | None) -> list[tuple[Path, bool]]:
    """Return the stores whose invariants hold beside those of `own`; True marks the user's own (CONTRACTS 4).

    They are every store above its folder, every one at and above `start` (the working directory), wherever `--store`
    points, and the user's own: the one that `$TUR_HOME` names, ~/.tur, and the one in the account's home, so that
    another $HOME does not hide it. No variable turns a project's store above into the user's own: all of it holds.
    """
    said, home = _home(), account_home()
    users = {each / FOLDER / FILE: None for each in (said, home) if each is not None}
    with suppress(NoHome):
        users = {user_store(): None} | users
    known = {_real(own)}
    own_of_account = _real(lived / FOLDER / FILE) if (lived := home or said) else None
    found: list[tuple[Path, bool]] = []
    above = dict.fromkeys((root_of(own).parent, root_of(_real(own)).parent))  # a link to a store leads out of nothing
    for folder in (*above, *([] if start is None else [start])):
        for path in _upwards(folder):
            if (real := _real(path)) not in known and real != own_of_account:
                known.add(real)
                found.append((path, False))
    for path in users:
        if (real := _real(path)) not in known and _seems_there(path):
            known.add(real)
            found.append((path, True))
    return found


def _upwards(start: Path) -> list[Path]:
    start = absolute(start)
    places = [beside for folder in (start, *start.parents) for beside in (folder, main_checkout(folder)) if beside]
    return [place / FOLDER / FILE for place in places if _seems_there(place / FOLDER / FILE)]


def _seems_there(path: Path) -> bool:
    """True for a store's file, and for one that may not be looked at: what cannot be read is not passed over."""
    try:
        return stat.S_ISREG(path.stat().st_mode)
    except PermissionError:
        return os.path.lexists(path.parent)  # a folder further up that is closed tells nothing
    except (OSError, ValueError):
        return False


def _real(path: Path) -> Path:
    return Path(os.path.realpath(path))


def working_directory() -> Path | None:
    """Return the current directory, None where it was removed."""
    try:
        return here()
    except (TurError, OSError):
        return None


def resolve_named(named: Path) -> Path:
    """Return the store file that a path names: the file itself, a .tur folder, or the folder above.

    Raises NoStore, StoreError where something else has its name.
    """
    named = absolute(at_home(named.expanduser))
    places = (named / FILE, named / FOLDER / FILE)
    for candidate in (named, *places):
        if _is_file(candidate):
            return candidate
    for place in (named, *places) if named.name == FILE else places:
        _refuse_what_is_no_store(place)
    raise NoStore(f"there is no store at {named}; make one with `tur init`, or name another with --store")


def place_to_restore(named: Path | None) -> Path:
    """Return where a store is restored to: the one that is there, or the place that a named path would have it at.

    Raises NoStore, StoreError.
    """
    try:
        return find(named)
    except NoStore:
        if named is None:
            raise
        named = absolute(at_home(named.expanduser))
        return named if named.suffix == ".db" else named / FILE if named.name == FOLDER else named / FOLDER / FILE


def place_for_new(root: Path, *, nested: bool) -> Path:
    """Return where `tur init` makes the store. Raises StoreExists, StoreError, BadInput."""
    root = absolute(at_home(root.expanduser))
    if root.exists() and not root.is_dir():
        raise BadInput(f"{root} is not a folder")
    target = root / FOLDER / FILE
    if _is_file(target):
        raise StoreExists(f"there is a store at {target} already")
    _refuse_what_is_no_store(target)
    above = nearest(root, strict=False)
    if above is not None and not nested and not _is_the_users(above):
        raise StoreExists(
            f"there is a store above, at {above}, and it holds here too; --nested makes another one below it"
        )
    return target


def _is_the_users(store: Path) -> bool:
    try:
        return store.resolve() == user_store().resolve()
    except NoHome:
        return False
