"""Where the caller stands: folder below the store's root, git branch and commit. Git itself is never run."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from .errors import BadInput
from .records import Level, Scope
from .text import accept
from .whereabouts import main_checkout


class Place(NamedTuple):
    """A place inside (or outside) a store."""

    path: str | None
    """Relative to the store's root, POSIX; None at the root and outside it."""
    branch: str | None
    commit: str | None
    repository: str | None
    """Name of the work tree's folder; in a git worktree that of the checkout it belongs to."""

    @classmethod
    def of(cls, root: Path | None, here: Path | None = None) -> Place:
        """Look around from `here` (the working directory); the path is as seen from `root`, where given."""
        try:
            here = (here or Path.cwd()).resolve()
        except OSError:  # the working directory is gone
            return cls(None, None, None, None)
        tree, git = _git_folder(here)
        path = None if root is None else _seen_from(root.resolve(), here, tree)
        branch, commit = _head(git) if git else (None, None)
        return cls(path or None, branch, commit, _name(tree, git) if tree and git else None)

    @property
    def provenance(self) -> dict[str, str]:
        """What is known of where a memory was learned."""
        known = {"repository": self.repository, "branch": self.branch, "commit": self.commit}
        return {name: value for name, value in known.items() if value and _storable(value)}

    def narrowed(self, scope: Scope) -> Scope | None:
        """`scope` cut down to this place; None where this place is not narrower."""
        path = self.path if self.path and not scope.path else scope.path
        branch = self.branch if self.branch and not scope.branch else scope.branch
        try:
            narrow = Scope(level=Level(scope.level), path=path, branch=branch)
        except BadInput:
            return None
        return None if narrow == scope else narrow


def counts_as(tree: Path, root: Path) -> Path:
    """Return the checkout as which a work tree counts for a store at `root`: a git worktree shares its main one's."""
    main = main_checkout(tree)
    return main if main is not None and not root.resolve().is_relative_to(tree.resolve()) else tree


def seen_from(root: Path, here: Path) -> str | None:
    """Return where a file or folder lies below a store's root, POSIX, "" for the root itself; None outside of it.

    A git worktree counts as the checkout whose store it shares.
    """
    here = here.resolve()
    return _seen_from(root.resolve(), here, _git_folder(here if here.is_dir() else here.parent)[0])


def _seen_from(root: Path, here: Path, tree: Path | None) -> str | None:
    places = [here]
    if tree is not None and (shared := counts_as(tree, root)) != tree:
        places.insert(0, shared.resolve() / here.relative_to(tree))
    for place in places:
        if place.is_relative_to(root):
            relative = place.relative_to(root).as_posix()
            return "" if relative == "." else relative
    return None


def _storable(value: str) -> bool:
    try:
        accept(value, limit=1024)
    except BadInput:
        return False
    return True


def _git_folder(here: Path) -> tuple[Path | None, Path | None]:
    for folder in (here, *here.parents):
        mark = folder / ".git"
        if mark.is_dir():
            return folder, mark
        if mark.is_file():  # a worktree or a submodule
            word, _, target = _line(mark).partition(": ")
            return (folder, folder / target) if word == "gitdir" else (None, None)
    return None, None


def _head(git: Path) -> tuple[str | None, str | None]:
    head = _line(git / "HEAD")
    word, _, ref = head.partition(": ")
    if word != "ref":
        return None, head or None
    common = _common(git)
    commit = _line(common / ref) or _packed(common, ref)
    branch = ref.removeprefix("refs/heads/") if ref.startswith("refs/heads/") else None
    return branch, commit or None


def _common(git: Path) -> Path:
    """Return the folder that all worktrees share."""
    return git / _line(git / "commondir") if (git / "commondir").is_file() else git


def _name(tree: Path, git: Path) -> str:
    common = _common(git).resolve()
    if common == git.resolve():  # no worktree
        return tree.name
    return common.parent.name if common.name.startswith(".") else common.name.removesuffix(".git")


def _packed(git: Path, ref: str) -> str:
    lines = _line(git / "packed-refs").splitlines()
    return next((line.split(" ", 1)[0] for line in lines if line.endswith(f" {ref}")), "")


def _line(file: Path) -> str:
    try:
        return file.read_text("utf-8", "replace").strip() if file.is_file() else ""  # a pipe would be waited for
    except OSError:
        return ""
