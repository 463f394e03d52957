"""Characters that nobody sees, as the character references of Markdown (`&#x202E;`), and back.

A page shows what they stand for, a terminal nothing that steers it, and whoever reads the page back has the very text.
"""

from __future__ import annotations

import re

from ..text import unseen

_REFERENCE = re.compile(r"&#x([0-9A-Fa-f]{1,6});")
_ESCAPED = re.compile(rf"(\\*){_REFERENCE.pattern}")
_JOINS = frozenset("\u200c\u200d") | {chr(0xFE00 + number) for number in range(16)}
"""Parts of words and pictures; they move nothing."""


def referred(text: str, *, joined: bool = True) -> str:
    """Return a text whose unseen characters, and blanks that a reader would drop, are references.

    `joined`: what joins letters or signs to one stays as it is.
    """
    spots = {at for at in unseen(text) if not (joined and text[at] in _JOINS)} | _dropped(text)
    told: list[str] = []
    slashes = 0
    for at, character in enumerate(text):
        if at in spots:
            told.append("\\" * slashes + f"&#x{ord(character):X};")
        elif character == "&" and (found := _REFERENCE.match(text, at)) and _meant(found[1]):
            told.append("\\" * slashes + "\\&")
        else:
            told.append(character)
        slashes = slashes + 1 if character == "\\" else 0
    return "".join(told)


def resolved(text: str) -> str:
    """Return the text that `referred` was given. References to what can be seen are left as they are."""
    return _ESCAPED.sub(_resolved, text)


def _resolved(found: re.Match[str]) -> str:
    slashes, code = found[1], found[2]
    if not _meant(code):
        return found[0]
    kept = slashes[: len(slashes) // 2]
    return f"{kept}&#x{code};" if len(slashes) % 2 else f"{kept}{chr(int(code, 16))}"


def _meant(code: str) -> bool:
    number = int(code, 16)
    return number <= 0x10FFFF and (chr(number).isspace() or bool(unseen(chr(number))))


def _dropped(text: str) -> set[int]:
    """Return where blanks stand that are lost on a page: around the text, and at the end of a line."""
    spots = {*range(len(text) - len(text.lstrip())), *range(len(text.rstrip()), len(text))}
    at = 0
    for line in text.split("\n"):
        if line != line.rstrip():
            spots.add(at + len(line) - 1)
        at += len(line) + 1
    return spots
