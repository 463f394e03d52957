"""Programs that run the command they are handed: where their own words end, and what stands behind them."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple

ASSIGNMENT = re.compile(r"[A-Za-z_]\w*\+?=")


class Wrapper(NamedTuple):
    """A program that runs the command behind its own options."""

    words: tuple[str, ...]
    values: frozenset[str] = frozenset()
    """Options that take the next word."""
    skips: int = 0
    """Words of its own before the command: the seconds of `timeout`, the host of `ssh`."""
    line: bool = False
    """What it is handed is a line for a shell."""
    itself: bool = False
    """It does something itself, too."""
    lines: frozenset[str] = frozenset()
    """Options whose value is a line for a shell: the `-c` of `su`."""
    behind: frozenset[str] = frozenset()
    """Options that the command stands behind, wherever they are: the `--` of `kubectl exec`."""
    program: frozenset[str] = frozenset()
    """Options whose value is the program, with what follows as its words: the `--entrypoint` of `docker run`."""


def begun(words: Sequence[str], wrapper: Wrapper) -> int:
    """Return where the words behind a wrapper's own begin; 0 where it is another program.

    Options may stand between its words: `docker compose -f a.yml run`.
    """
    if not words or words[0] != wrapper.words[0]:
        return 0
    at = 1
    for name in wrapper.words[1:]:
        while at < len(words) and words[at] != name and words[at].startswith("-") and words[at] != "-":
            at += 2 if words[at] in wrapper.values else 1
        if at >= len(words) or words[at] != name:
            return 0
        at += 1
    return at


def valued(words: Sequence[str], options: frozenset[str]) -> str | None:
    """Return the value of one of these options; None where none stands there."""
    for at, word in enumerate(words if options else ()):
        name, equals, value = word.partition("=")
        if word in options or (re.fullmatch("-[A-Za-z]+", word) and f"-{word[-1]}" in options):
            return words[at + 1] if at + 1 < len(words) else ""
        if equals and name in options:
            return value
        if not word.startswith("--") and word[:2] in options:
            return word[2:]
    return None


def behind(words: Sequence[str], wrapper: Wrapper) -> list[str]:
    """Return the command behind a wrapper's options and its own words."""
    if (marked := next((at for at, word in enumerate(words) if word in wrapper.behind), None)) is not None:
        return list(words[marked + 1 :])
    rest, skips = list(words), wrapper.skips
    program = ""
    while rest:
        word = rest[0]
        if program and not skips:
            break
        if word.startswith("-") and word != "-":
            takes = word in wrapper.values or (not word.startswith("--") and f"-{word[-1]}" in wrapper.values)
            if word.partition("=")[0] in wrapper.program:
                program = valued(rest, wrapper.program) or ""
            rest = rest[2 if takes and not _attached(word, wrapper.values) else 1 :]
        elif skips and not ASSIGNMENT.match(word):
            rest, skips = rest[1:], skips - 1
        else:
            break
    return [program, *rest] if program else rest


def _attached(word: str, values: Mapping[str, object] | frozenset[str]) -> bool:
    """True for an option that brings its value along: `-n5`, `-ubob`."""
    return len(word) > 2 and not word.startswith("--") and word not in values and word[:2] in values


def opening(wrappers: Mapping[str, Mapping[str, object]], shared: Mapping[str, str]) -> tuple[Wrapper, ...]:
    """Read the wrappers of the table, the longest names first; `shared` has the options that several name."""
    made = []
    for names, given in wrappers.items():
        lists = (shared[each] for each in str(given.get("shared", "")).split())
        skips = given.get("skips", 0)
        wrapper = Wrapper(
            words=(),
            values=frozenset(" ".join((str(given.get("values", "")), *lists)).split()),
            skips=skips if isinstance(skips, int) else 0,
            line=bool(given.get("line", False)),
            itself=bool(given.get("itself", False)),
            lines=frozenset(str(given.get("lines", "")).split()),
            behind=frozenset(str(given.get("behind", "")).split()),
            program=frozenset(str(given.get("program", "")).split()),
        )
        made += [wrapper._replace(words=tuple(name.split())) for name in names.split(", ")]
    return tuple(sorted(made, key=lambda wrapper: len(wrapper.words), reverse=True))
