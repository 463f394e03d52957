"""Where the caller stands: folder below the store's root, git branch and commit. Git itself is never run."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from ..errors import BadInput
from ..records import Level, Scope
from ..text import accept


@dataclass(frozen=True, slots=True)
class Place:
    """A place inside (or outside) a store."""

    path: str | None
    """Relative to the store's root, POSIX; None at the root and outside it."""
    branch: str | None
    commit: str | None
    repository: str | None
    """Name of the work tree's folder."""

    @classmethod
    def of(cls, root: Path | None, here: Path | None = None) -> Place:
        """Look around from `here` (the working directory); the path is as seen from `root`, where given."""
        try:
            here = (here or Path.cwd()).resolve()
        except OSError:  # the working directory is gone
            return cls(None, None, None, None)
        try:
            relative = "." if root is None else here.relative_to(root.resolve()).as_posix()
        except ValueError:
            relative = "."
        tree, git = _git_folder(here)
        branch, commit = _head(git) if git else (None, None)
        return cls(None if relative == "." else relative, branch, commit, tree.name if tree else None)

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
    common = git / _line(git / "commondir") if (git / "commondir").is_file() else git
    commit = _line(common / ref) or _packed(common, ref)
    branch = ref.removeprefix("refs/heads/") if ref.startswith("refs/heads/") else None
    return branch, commit or None


def _packed(git: Path, ref: str) -> str:
    try:
        lines = (git / "packed-refs").read_text("utf-8", "replace").splitlines()
    except OSError:
        return ""
    return next((line.split(" ", 1)[0] for line in lines if line.endswith(f" {ref}")), "")


def _line(file: Path) -> str:
    try:
        return file.read_text("utf-8", "replace").strip()
    except OSError:
        return ""
