"""Where the person stands: the working directory seen from the store, and the git branch. Reads files, runs nothing."""

from __future__ import annotations

from pathlib import Path


def path_in_store(root: Path, here: Path) -> str:
    """The working directory relative to the store's root as a POSIX path; empty at the root or outside."""
    try:
        relative = here.resolve().relative_to(root.resolve())
    except (OSError, ValueError):
        return ""
    return relative.as_posix() if relative.parts else ""


def git_branch(here: Path) -> str:
    """The branch that is checked out at `here`; empty outside a repository and on a detached head."""
    try:
        for folder in (here.resolve(), *here.resolve().parents):
            marker = folder / ".git"
            if marker.is_dir():
                return _branch_of(marker)
            if marker.is_file():
                # A worktree or submodule: the file names the real directory.
                _, _, named = marker.read_text("utf-8").partition("gitdir:")
                return _branch_of((folder / named.strip()).resolve())
    except (OSError, UnicodeDecodeError):
        pass
    return ""


def _branch_of(git_dir: Path) -> str:
    _, ref, name = (git_dir / "HEAD").read_text("utf-8").strip().partition("ref: refs/heads/")
    return name if ref else ""
