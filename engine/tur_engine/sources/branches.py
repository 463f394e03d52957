"""Which branches of a repository were merged into its main one: by merge, fast-forward, rebase or squash."""

from __future__ import annotations

import os
import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from pathlib import Path

from .git import ask, lines

_TRUNKS = ("main", "master", "trunk", "develop")
_FAR = "2000"
"""Commits of the main branch that are looked at."""
_MOST_FILES = 1000
"""Files of a branch by which commits of the main branch are chosen."""
_OWN = ("commit", "cherry-pick", "rebase", "am:", "revert", "pull --rebase")
"""What a branch's reflog says where work was done on it."""
_MERGE_OF = re.compile(r"branch '(?P<quoted>[^']+)'|from (?P<plain>\S+)")
_PLAIN_DIFF = ("--no-ext-diff", "--no-textconv")


class State(StrEnum):
    """Where a branch stands against the main one."""

    TRUNK = "main"
    MERGED = "merged"
    OPEN = "open"
    GONE = "gone"
    """It is not there any more, and nothing tells that it was merged."""


@dataclass(frozen=True)
class Trunk:
    """The branch that others are merged into."""

    root: Path
    name: str
    tips: tuple[str, ...]
    """Its commits: here, and as the remote was last seen."""
    branches: Mapping[str, tuple[str, ...]]
    """Every branch and its commits, here and at remotes."""

    def state(self, branch: str, commits: Collection[str] = (), *, thorough: bool = True) -> State:
        """Return where a branch stands; `commits` are some that were made on it, or that it began from.

        Not `thorough`: a branch that was squashed or rebased counts as long as its files are the trunk's still.
        """
        if branch == self.name:
            return State.TRUNK
        tips = self.branches.get(branch, ())
        if not tips:
            merged = branch in self._named or any(self._beside(commit) for commit in commits)
            return State.MERGED if merged else State.GONE
        return State.MERGED if all(self._took_in(branch, tip, thorough) for tip in tips) else State.OPEN

    def _took_in(self, branch: str, tip: str, thorough: bool) -> bool:
        if tip in self._merged:
            return tip not in self._line or self._worked_on(branch)
        return any(self._same_change(base, tip, thorough) for base in self.tips)

    @cached_property
    def _merged(self) -> frozenset[str]:
        """The tips of all branches that a trunk holds."""
        words = ("for-each-ref", "--format=%(objectname)", "refs/heads", "refs/remotes")
        return frozenset(commit for tip in self.tips for commit in lines(self.root, *words, f"--merged={tip}"))

    def _holds(self, commit: str) -> bool:
        return any(ask(self.root, "merge-base", "--is-ancestor", commit, tip) is not None for tip in self.tips)

    def _beside(self, commit: str) -> bool:
        """True for a commit that came in by a merge: it is of a branch that the trunk took in."""
        return bool(re.fullmatch(r"[0-9a-f]{40,64}", commit)) and commit not in self._line and self._holds(commit)

    def _worked_on(self, branch: str) -> bool:
        """True where something was done on it: one that was only begun stands where the trunk was too."""
        told = lines(self.root, "reflog", "show", "--format=%gs", f"refs/heads/{branch}")
        return any(line.startswith(_OWN) for line in told)

    def _same_change(self, trunk: str, tip: str, thorough: bool) -> bool:
        """True where the trunk has all that was done under other names: picked, rebased, or squashed into one."""
        base = "".join(lines(self.root, "merge-base", trunk, tip))
        if not base:
            return False
        listed = ask(self.root, "diff", *_PLAIN_DIFF, "--name-only", "--no-renames", "-z", base, tip) or b""
        files = [os.fsdecode(file) for file in listed.split(b"\0") if file]
        alone = ("--", *(f":(top,literal){file}" for file in files)) if len(files) <= _MOST_FILES else ()
        if alone and files and ask(self.root, "diff", *_PLAIN_DIFF, "--quiet", tip, trunk, *alone) is not None:
            return True
        if not files or not thorough:
            return False
        picked = lines(self.root, "cherry", trunk, tip)
        if picked and all(line.startswith("-") for line in picked):
            return True
        whole = self._patches(ask(self.root, "diff", *_PLAIN_DIFF, base, tip))
        words = ("log", "-p", "--first-parent", "--no-merges", "-n", _FAR, *_PLAIN_DIFF, f"{base}..{trunk}", *alone)
        return bool(whole) and whole <= self._patches(ask(self.root, *words))

    def _patches(self, diff: bytes | None) -> set[str]:
        return {line.split()[0] for line in lines(self.root, "patch-id", "--stable", given=diff or b"")}

    @cached_property
    def _line(self) -> frozenset[str]:
        """The commits of the trunk itself, without those that merges brought in."""
        return frozenset(lines(self.root, "rev-list", "--first-parent", *self.tips))

    @cached_property
    def _named(self) -> frozenset[str]:
        """Branches that the trunk's merge commits name."""
        found: set[str] = set()
        for subject in lines(self.root, "log", "--merges", "--first-parent", "--format=%s", "-n", _FAR, *self.tips):
            for match in _MERGE_OF.finditer(subject):
                name = match["quoted"] or match["plain"]
                found |= {name, name.partition("/")[2]}  # of a pull request: owner/branch
        return frozenset(found)


def trunk_of(root: Path) -> Trunk | None:
    """Return the main branch of the repository at `root`; None where there is none, or no git."""
    branches: dict[str, tuple[str, ...]] = {}
    for line in lines(root, "for-each-ref", "--format=%(objectname) %(refname)", "refs/heads", "refs/remotes"):
        commit, _, ref = line.partition(" ")
        name = ref.removeprefix("refs/heads/")
        if name == ref:
            name = ref.removeprefix("refs/remotes/").partition("/")[2]
        branches[name] = (*branches.get(name, ()), commit)
    head = "".join(lines(root, "symbolic-ref", "-q", "--short", "refs/remotes/origin/HEAD")).partition("/")[2]
    here = "".join(lines(root, "symbolic-ref", "-q", "--short", "HEAD"))
    name = next((each for each in (head, *_TRUNKS, here) if each and each in branches), "")
    return Trunk(root, name, branches[name], branches) if name else None
