"""A merged text: where it starts from, and the sentences that are checked one by one beside the whole."""

from __future__ import annotations

import re
from dataclasses import dataclass
from difflib import SequenceMatcher

from tur_engine.text import visible

_PIECES = re.compile(r"\s+|[^\W_]+(?:[.'_/-][^\W_]+)*|.", re.S)
_ENDS = re.compile(r"(?<=[.!?;])\s+|\s*\n\s*|(?<=[。！？；])")
MOST_SENTENCES = 20
"""Sentences that are checked by themselves; each one takes the gate a moment."""
_ALIKE = 0.5
"""Share of common pieces from which two texts are one text reworded."""
_LONGEST = 600
"""Most pieces that difflib is given: its time grows with the square."""


@dataclass(frozen=True)
class Starting:
    """The text the editor opens with, and the part a person should look at first."""

    text: str
    start: int
    end: int
    dropped: int = 0
    """How many hidden characters of the two sides were left out."""


def starting_text(incumbent: str, challenger: str) -> Starting:
    """Prefill the merge editor.

    Two texts that mostly agree become one, with both wordings at the places where they differ:
    "Migrations run via Alembic / Prisma Migrate". Texts that do not are set one under the other.
    Hidden characters are left out: an editor cannot show them as marks.
    """
    old, new = plain(incumbent), plain(challenger)
    dropped = len(incumbent) + len(challenger) - len(old) - len(new)
    old, new = old.strip(), new.strip()
    if old == new or not new or not old:
        text = new or old
        return Starting(text, len(text), len(text), dropped)
    a, b = _PIECES.findall(old), _PIECES.findall(new)
    several = "\n" in old or "\n" in new or max(len(a), len(b)) > _LONGEST
    matcher = SequenceMatcher(None, a, b, autojunk=False)
    if several or matcher.ratio() < _ALIKE:
        text = f"{old}\n{new}"
        return Starting(text, 0, len(text), dropped)
    made: list[str] = []
    first: tuple[int, int] | None = None
    for tag, a1, a2, b1, b2 in _wide(matcher, a):
        here = sum(map(len, made))
        if tag == "equal":
            made.append("".join(a[a1:a2]))
            continue
        mine, theirs = "".join(a[a1:a2]), "".join(b[b1:b2])
        made.append(f"{mine} / {theirs}" if mine.strip() and theirs.strip() else mine or theirs)
        first = first or (here, here + len(made[-1]))
    text = "".join(made)
    start, end = first or (len(text), len(text))
    return Starting(text, start, end, dropped)


def sentences(text: str) -> list[str]:
    """The sentences of a text of several; none for a single one, which is the whole.

    What a sentence contradicts is easily missed where others stand beside it.
    """
    found = [each.strip() for each in _ENDS.split(text) if re.search(r"\w", each)]
    return found[:MOST_SENTENCES] if len(found) > 1 else []


def plain(text: str) -> str:
    """The text without characters that hide, reorder or steer; line breaks stay, tabs become blanks."""
    text = text.replace("\r\n", "\n").replace("\r", "\n").replace("\t", "    ")
    return "".join(char for char in text if char == "\n" or visible(char) == char)


def _wide(matcher: SequenceMatcher[str], a: list[str]) -> list[tuple[str, int, int, int, int]]:
    """Opcodes in which differences that only a blank parts are one difference."""
    joined: list[tuple[str, int, int, int, int]] = []
    for tag, a1, a2, b1, b2 in matcher.get_opcodes():
        if tag != "equal" and len(joined) > 1 and joined[-2][0] != "equal" and not _words(a, joined[-1]):
            joined.pop()
            _, a1, _, b1, _ = joined.pop()
            tag = "replace"
        joined.append((tag, a1, a2, b1, b2))
    return joined


def _words(a: list[str], code: tuple[str, int, int, int, int]) -> str:
    return "".join(a[code[1] : code[2]]).strip()
