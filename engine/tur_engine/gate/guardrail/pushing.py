"""Which branches a `git push` reaches: those it names, the current one where it names none, all by `--all`."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from typing import NamedTuple

CURRENT = "the current branch or target"
_EVERY = frozenset(("--all", "--branches", "--mirror"))
_NOT_THE_CURRENT = frozenset(("--tags", "--delete", "-d"))
"""With one of them a push that names no branch pushes none."""
_HEAD = frozenset(("HEAD", "@"))
_ASKED = re.compile(r"(?:\$\(|`)\s*git\s[^;|&]*(?:--show-current|--(?:abbrev-ref|short)\s+HEAD)\s*[)`]")
"""Git is asked what the current branch is."""
_MADE = frozenset(("-b", "-B", "-c", "-C", "--create", "--force-create", "--orphan"))
_FILE = re.compile(r"(?:^|/)\.|\.[A-Za-z]\w*$|/$")
_SPEAKS_OF_BRANCHES = re.compile(r"push|branch|\bgit\b", re.IGNORECASE)
_USUAL = frozenset(("main", "master", "trunk", "develop", "development", "dev", "production", "release", "staging"))
_WORD = re.compile(r"[\w][\w./-]*")
_BEFORE = re.compile(r"\b(?:(?:to|onto|on|into)\s+(?:the\s+)?|branch(?:es)?\s+(?=[`'\"]))[`'\"]?$", re.IGNORECASE)
_BETWEEN = re.compile(r"[`'\"]?(?:,|,?\s+(?:or|and|nor))\s+(?:the\s+)?[`'\"]?")
"""Goes on with a list of names."""
_BEHIND = re.compile(r"[`'\"]?\s+branch\b", re.IGNORECASE)
_NO_NAME = frozenset(
    ("the", "a", "an", "any", "all", "every", "each", "no", "our", "its", "their", "this", "that", "it")
)
_NEAR = 40
"""Characters before a word that say whether it names a branch."""
_MOST = 20
"""Branches that a push of all of them is read for."""


class Around(NamedTuple):
    """What is known of where a command would run, and of the rules in force there."""

    names: Collection[str] = ()
    """Words that rules use."""
    branch: str = ""
    """The branch that is checked out; "" where that is not known."""
    branches: Sequence[str] = ()
    """Branches that rules name."""


NOWHERE = Around()


def branches_named(rules: Iterable[str]) -> tuple[str, ...]:
    """Return the words that stand for a branch in rules on pushes and branches."""
    found: dict[str, None] = {}
    for rule in rules:
        if not _SPEAKS_OF_BRANCHES.search(rule):
            continue
        end = -1
        for hit in _WORD.finditer(rule):
            name = hit[0].rstrip(".")
            told = (
                _BEFORE.search(rule, max(0, hit.start() - _NEAR), hit.start())
                or _BEHIND.match(rule, hit.end())
                or (end >= 0 and _BETWEEN.fullmatch(rule, end, hit.start()))
            )
            if name.lower() in _USUAL or (told and name.lower() not in _NO_NAME):
                found.setdefault(name)
                end = hit.start() + len(name)
    return tuple(found)[:_MOST]


def reached(operands: Sequence[str], flags: Collection[str], around: Around) -> list[str]:
    """Return the refs of a push; `operands` are the remote and what is pushed there."""
    refs = list(operands[1:])
    if _EVERY.intersection(flags) or any(_is_every(ref) for ref in refs):
        return list(
            dict.fromkeys(filter(None, [*_named(refs, around), around.branch, *around.branches, "every branch"]))
        )
    if refs:
        return _named(refs, around)
    only = list(operands)  # the remote, or what a hasty hand means by it
    if around.branch and _NOT_THE_CURRENT.isdisjoint(flags):
        return [*only, around.branch]
    return only or [CURRENT]


def _named(refs: Iterable[str], around: Around) -> list[str]:
    return [_ref(ref, around) for ref in refs if not _is_every(ref)]


def _ref(operand: str, around: Around) -> str:
    name = ref(operand)
    return around.branch or name if name in _HEAD or _ASKED.fullmatch(name) else name


def ref(operand: str) -> str:
    """Return the branch that a refspec changes: `+HEAD:refs/heads/main` is main."""
    return operand.lstrip("+").rpartition(":")[2].removeprefix("refs/heads/") or operand


def _is_every(operand: str) -> bool:
    return operand in (":", "+:") or "*" in operand


def moved(words: Sequence[str], branch: str) -> str:
    """Return the branch that is checked out after a command; "" where that is not known."""
    if words[0] != "git":
        return branch
    at = 1
    while at < len(words) and words[at].startswith("-"):
        at += 2 if words[at] in ("-C", "-c") else 1
    verb, rest = (words[at : at + 1] or [""])[0], words[at + 1 :]
    if verb not in ("checkout", "switch") or "--" in rest:
        return branch
    for place, word in enumerate(rest[:-1]):
        if word in _MADE:
            return rest[place + 1]
    operands = [word for word in rest if not word.startswith("-") or word == "-"]
    if "--detach" in rest or operands == ["-"]:
        return ""
    if len(operands) != 1 or (verb == "checkout" and _FILE.search(operands[0])):
        return branch
    return operands[0]
