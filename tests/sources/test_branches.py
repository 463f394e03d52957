"""Which branches were merged: in a real repository, by every road."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.test_rules_import import git
from tur_engine.sources import branches
from tur_engine.sources.branches import State, Trunk, trunk_of


def work(root: Path, branch: str, *texts: str, file: str = "", start: str = "main") -> None:
    git(root, "checkout", "-q", "-b", branch, start)
    for text in texts:
        (root / (file or f"{branch}.txt")).write_text(text)
        git(root, "add", ".")
        git(root, "commit", "-qm", f"{branch}: {text}")
    git(root, "checkout", "-q", "main")


@pytest.fixture
def root(tmp_path: Path) -> Path:
    root = tmp_path / "shop"
    root.mkdir()
    git(root, "init", "-q")
    git(root, "commit", "-q", "--allow-empty", "-m", "one")
    return root


def seen(root: Path) -> Trunk:
    trunk = trunk_of(root)
    assert trunk is not None
    return trunk


def test_merged_by_every_road_and_what_is_not(root: Path) -> None:
    for branch in ("merged", "squashed", "changed-since", "rebased", "open", "deleted", "deleted-pr", "deleted-open"):
        work(root, branch, "1", "2", file='odd "name.txt' if branch == "squashed" else "")
    git(root, "branch", "fresh")
    on_deleted = git(root, "rev-parse", "deleted")
    git(root, "merge", "-q", "--no-ff", "-m", "all of it", "merged")
    git(root, "merge", "-q", "--squash", "squashed")
    git(root, "commit", "-qm", "squashed (#1)")
    git(root, "merge", "-q", "--squash", "changed-since")
    git(root, "commit", "-qm", "changed (#2)")
    (root / "changed-since.txt").write_text("3")
    git(root, "commit", "-qam", "moved on")
    git(root, "cherry-pick", "rebased~1", "rebased")
    git(root, "merge", "-q", "--no-ff", "-m", "whatever", "deleted")
    git(root, "merge", "-q", "--no-ff", "-m", "Merge pull request #7 from octo/deleted-pr", "deleted-pr")
    work(root, "forwarded", "1")
    git(root, "merge", "-q", "--ff-only", "forwarded")
    git(root, "branch", "-q", "-D", "deleted", "deleted-pr", "deleted-open")

    trunk = seen(root)
    assert (trunk.name, trunk.state("main")) == ("main", State.TRUNK)
    names = ("merged", "squashed", "changed-since", "rebased", "forwarded", "open", "fresh", "deleted-pr", "never-was")
    assert {name: trunk.state(name) for name in names} == {
        "merged": State.MERGED,
        "squashed": State.MERGED,
        "changed-since": State.MERGED,
        "rebased": State.MERGED,
        "forwarded": State.MERGED,
        "open": State.OPEN,
        "fresh": State.OPEN,
        "deleted-pr": State.MERGED,
        "never-was": State.GONE,
    }
    assert trunk.state("deleted") is State.GONE
    assert trunk.state("deleted", ["--all", on_deleted]) is State.MERGED
    assert trunk.state("deleted", [trunk.tips[0], "0" * 40]) is State.GONE
    assert trunk.state("deleted-open") is State.GONE
    assert trunk.state("squashed", thorough=False) is State.MERGED
    assert trunk.state("changed-since", thorough=False) is State.OPEN
    git(root, "checkout", "-q", "open")
    assert seen(root).name == "main"


def test_the_remotes_main_branch_counts(root: Path, tmp_path: Path) -> None:
    git(root, "branch", "-m", "main", "trunk")
    git(root, "checkout", "-q", "-b", "side")
    (root / "x").write_text("x")
    git(root, "add", ".")
    git(root, "commit", "-qm", "x")
    git(root, "checkout", "-q", "trunk")
    clone = tmp_path / "clone"
    git(tmp_path, "clone", "-q", str(root), str(clone))
    git(clone, "branch", "-q", "side", "origin/side")
    assert seen(clone).state("side") is State.OPEN
    git(root, "merge", "-q", "--no-ff", "-m", "side", "side")
    git(clone, "fetch", "-q")
    trunk = seen(clone)  # its own trunk has not been pulled
    assert (trunk.name, trunk.state("side")) == ("trunk", State.MERGED)


def test_without_git_or_commits_nothing_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert trunk_of(tmp_path) is None
    git(tmp_path, "init", "-q")
    assert trunk_of(tmp_path) is None
    git(tmp_path, "commit", "-q", "--allow-empty", "-m", "one")
    assert seen(tmp_path).state("gone") is State.GONE
    monkeypatch.setenv("PATH", "")
    assert branches.trunk_of(tmp_path) is None
