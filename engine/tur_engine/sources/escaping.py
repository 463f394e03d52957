"""A memory's text as one line of Markdown, and back: it can be read, and do nothing to the page it stands on.

It opens no fence, heading, list, quote, table, link target or comment, and no `@path` that an agent would follow. Code
in backticks stays code.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ..text import visible

_PUNCTUATION = frozenset("!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~")
_RUN = re.compile(r"`+")
_ENTITY = re.compile(r"&(?:#\w{1,8}|\w{1,40});")
_OPENS = re.compile(
    r"(?P<mark>#{1,6}(?=\s|$)|[-+*](?=\s|$)|>|~~~|\[|\||={2,}\s*$|[-_*](?:\s*[-_*]){1,}\s*$)"
    r"|(?P<number>\d{1,9})(?=[.)](?:\s|$))"
)
"""What makes something else of a line than a paragraph."""


def escaped(text: str, also: str = "") -> str:
    """Return a text as one line of Markdown; `also`: further characters that are not to have force."""
    line = visible(text, newlines=False)
    parts: list[str] = []
    for start, piece in _pieces(line, escapes=False):
        code = piece.startswith("`") and piece.strip("`") != "" and not piece.startswith("```")
        parts.append(piece if code else "".join(_plain(line, start + at, also) for at in range(len(piece))))
    told = "".join(parts)
    found = _OPENS.match(told)
    if found is None:
        return told
    at = found.end("number") if found["number"] else 0
    return f"{told[:at]}\\{told[at:]}"


def unescaped(line: str) -> str:
    """Return the text that a line of Markdown was made from."""
    return "".join(
        piece[1:] if piece[:1] == "\\" and len(piece) == 2 else piece for _, piece in _pieces(line, escapes=True)
    )


def _pieces(line: str, *, escapes: bool) -> Iterator[tuple[int, str]]:
    """Yield (place, piece): a whole code span, a backslash with what it takes the force from, or one character."""
    at = 0
    while at < len(line):
        end = at + 1
        if line[at] == "`":
            end = _span(line, at)
        elif escapes and line[at] == "\\" and line[at + 1 : at + 2] in _PUNCTUATION and at + 1 < len(line):
            end = at + 2
        yield at, line[at:end]
        at = end


def _span(line: str, at: int) -> int:
    """Return where the code span that opens here ends; where none does, the end of its backticks."""
    opening = _RUN.match(line, at)
    assert opening is not None
    for closing in _RUN.finditer(line, opening.end()):
        if len(closing.group()) == len(opening.group()):
            return closing.end()
    return opening.end()


def _plain(line: str, at: int, also: str) -> str:
    character, before, behind = line[at], line[at - 1 : at], line[at + 1 : at + 2]
    force = (
        character in also
        or character in "<`"
        or (character == "\\" and (not behind or behind in _PUNCTUATION))
        or (character == "@" and not (before.isalnum() or before in (".", "_", "-")))
        or (character == "!" and behind == "[")
        or (character == "&" and _ENTITY.match(line, at) is not None)
    )
    return f"\\{character}" if force else character
