"""What the repository around the store says: in how many tracked files the words stand that only one side has.

Runs `git grep` for fixed strings, with a time limit; called in a worker. Outside a repository it says nothing.
"""

from __future__ import annotations

import os
import shlex
import subprocess
from collections.abc import Callable
from pathlib import Path
from time import monotonic
from typing import Final

from tur_engine.records import Conflict
from tur_engine.text import tokens, visible

SECONDS: Final = 3.0
"""For all questions about one conflict together."""
WORDS: Final = 2
"""Words asked about for each side."""
_SHORTEST: Final = 3
_COMMON: Final = frozenset(
    "the and for are was were not with from into via has have had its this that all any can will must only never "
    "always use uses used using run runs now new old per our out one two than then they them their also been but does "
    "each".split()
)

Clock = Callable[[], float]


class TooSlow(Exception):
    """The repository did not answer in time."""


def what_it_says(root: Path, conflict: Conflict, *, clock: Clock = monotonic) -> tuple[str, str]:
    """One sentence for each side, `prisma: package.json and 3 more`; empty where there is no repository."""
    until = clock() + SECONDS
    try:
        if not any((folder / ".git").exists() for folder in (root, *root.parents)):
            return "", ""
        said = []
        for words in distinctive(conflict):
            found = [(visible(word, newlines=False), _files(root, word, until - clock())) for word in words]
            said.append("; ".join(f"{word}: {_counted(files)}" for word, files in found))
        return said[0], said[1]
    except TooSlow:
        return "", f"no answer within {SECONDS:.0f} seconds"
    except OSError:  # no git
        return "", ""


def distinctive(conflict: Conflict) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The words that only one side has, those that the evidence names first."""
    old, new = conflict.incumbent.memory.content, conflict.challenger.memory.content
    named_old = [each.incumbent_words for each in conflict.evidence if not each.guard]
    named_new = [each.challenger_words for each in conflict.evidence if not each.guard]
    return _only(old, new, named_old), _only(new, old, named_new)


def source_of(root: Path, conflict: Conflict, *, clock: Clock = monotonic) -> tuple[Path, int] | None:
    """Where the new memory comes from, or the existing one; else the first tracked line with a word of either."""
    for side in (conflict.challenger, conflict.incumbent):
        file, line = side.memory.provenance.get("file", ""), side.memory.provenance.get("line", "")
        if file and (path := _inside(root, file)):
            return path, int(line) if line.isdecimal() and len(line) < 9 else 1
    until = clock() + SECONDS
    old, new = distinctive(conflict)
    for word in (*new, *old):
        hit = _git(root, [*_GREP, "-n", "-z", "-m", "1", "-e", word, "--", "."], until - clock())
        name, _, rest = hit.partition("\0")
        line = rest.partition("\0")[0]
        if name and line.isdecimal() and (path := _inside(root, name)):
            return path, int(line)
    return None


_GREP: Final = ["grep", "-I", "-F", "-i", "-w", "--no-color", "--no-recurse-submodules"]


def _only(mine: str, theirs: str, named: list[str]) -> tuple[str, ...]:
    others = set(tokens(theirs))
    first = [word for words in named for word in tokens(words)]
    found = dict.fromkeys(word for word in (*first, *tokens(mine)) if word not in others and _telling(word))
    return tuple(found)[:WORDS]


def _telling(word: str) -> bool:
    return len(word) >= _SHORTEST and word not in _COMMON


def _files(root: Path, word: str, seconds: float) -> list[str]:
    return [name for name in _git(root, [*_GREP, "-l", "-z", "-e", word, "--", "."], seconds).split("\0") if name]


def _counted(files: list[str]) -> str:
    if not files:
        return "0 files"
    first = visible(files[0], newlines=False)
    return first if len(files) == 1 else f"{first} and {len(files) - 1} more"


def _git(root: Path, words: list[str], seconds: float) -> str:
    """What git prints; nothing where it fails. Raises TooSlow, OSError."""
    if seconds <= 0:
        raise TooSlow
    # A repository's own settings must not start programs here.
    command = ["git", "-c", "core.fsmonitor=false", "-c", "core.pager=cat", "--literal-pathspecs", *words]
    environment = {**os.environ, "GIT_OPTIONAL_LOCKS": "0", "GIT_TERMINAL_PROMPT": "0"}
    try:
        done = subprocess.run(
            command, cwd=root, env=environment, stdin=subprocess.DEVNULL, capture_output=True, timeout=seconds
        )
    except subprocess.TimeoutExpired:
        raise TooSlow from None
    return done.stdout.decode("utf-8", "replace") if done.returncode == 0 else ""


def _inside(root: Path, name: str) -> Path | None:
    """The file of that name below the root; None where it is not there, or lies elsewhere."""
    try:
        path = (root / name).resolve()
        return path if path.is_relative_to(root.resolve()) and path.is_file() else None
    except (OSError, ValueError):
        return None


def editor_command(editor: str, path: Path, line: int) -> list[str]:
    """How to open a file at a line in the editor that `$EDITOR` names. Raises ValueError for an open quote."""
    words = shlex.split(editor)
    name = Path(words[0]).name if words else ""
    if name in ("code", "codium", "code-insiders", "cursor", "windsurf"):
        return [*words, "--wait", "--goto", f"{path}:{line}"]
    if name in ("subl", "hx", "zed"):
        return [*words, f"{path}:{line}"]
    return [*words, f"+{line}", str(path)]
