"""Where the person stands, as files tell it."""

from __future__ import annotations

from pathlib import Path

from tur_tui.desk.place import git_branch, path_in_store


def test_path_below_the_store(tmp_path: Path) -> None:
    here = tmp_path / "src" / "api"
    here.mkdir(parents=True)
    assert path_in_store(tmp_path, here) == "src/api"
    assert path_in_store(tmp_path, tmp_path) == ""
    assert path_in_store(here, tmp_path) == ""


def test_branch_of_a_repository(tmp_path: Path) -> None:
    git, deep = tmp_path / ".git", tmp_path / "a" / "b"
    git.mkdir()
    deep.mkdir(parents=True)
    (git / "HEAD").write_text("ref: refs/heads/feature/gauges\n")
    assert git_branch(deep) == "feature/gauges"
    (git / "HEAD").write_text("0123456789abcdef0123456789abcdef01234567\n")
    assert git_branch(deep) == ""


def test_branch_of_a_worktree(tmp_path: Path) -> None:
    real = tmp_path / "main" / ".git" / "worktrees" / "side"
    real.mkdir(parents=True)
    (real / "HEAD").write_text("ref: refs/heads/side\n")
    tree = tmp_path / "side"
    tree.mkdir()
    (tree / ".git").write_text("gitdir: ../main/.git/worktrees/side\n")
    assert git_branch(tree) == "side"


def test_no_repository_and_a_broken_one(tmp_path: Path) -> None:
    (tmp_path / ".git").write_bytes(b"\xff\xff")
    assert git_branch(tmp_path) == ""
