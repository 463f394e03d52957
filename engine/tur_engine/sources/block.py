"""The part of a rule file that `tur render` keeps: where it is, whether a hand has been in it, how it is put there.

It stands between two comments. The first one carries a hash of what is between them, line ends aside.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from hashlib import sha256
from typing import NamedTuple

from ..errors import BadInput
from .layout import FENCE, raw_parts

_LINE = re.compile(r"([^\r\n]*)(\r\n|\n|\r|\Z)")
_BEGIN = re.compile(r" {0,3}<!-- *tur:begin\b(?: +(?P<hash>[0-9a-f]{16})\b)?")
_END = re.compile(r" {0,3}<!-- *tur:end\b")
_OPENING = "<!-- tur:begin {}: kept by `tur render`, write above or below -->"
_CLOSING = "<!-- tur:end -->"
_BOM = "\ufeff"


class Block(NamedTuple):
    """One block of a text."""

    start: int
    """Where its first line begins."""
    end: int
    """Where its last line ends, the line end left out."""
    line: int
    """Number of its first line, from 1."""
    lines: tuple[str, ...]
    """What stands between the two comments."""
    hash: str

    @property
    def edited(self) -> bool:
        """True where what is between the comments is not what was put there."""
        return digest(self.lines) != self.hash


def digest(lines: Sequence[str]) -> str:
    """Return the hash that the first comment carries."""
    return sha256("\n".join(lines).encode("utf-8", "surrogatepass")).hexdigest()[:16]


def find(text: str, name: str) -> Block | None:
    """Return the block of a text, None where there is none. Raises BadInput where it is not one whole block."""
    found: Block | None = None
    begun: tuple[int, int, str] | None = None
    between: list[str] = []
    shown = {line for part in raw_parts(text) for line in range(part.first + (part.what != FENCE), part.last + 1)}
    for number, match in enumerate(_LINE.finditer(text), start=1):
        line, start = match[1], match.start()
        if number == 1 and line.startswith(_BOM):
            line, start = line[1:], 1
        if begun is None and number in shown:  # an example in a fence, a line of a comment: text
            pass
        elif (begin := _BEGIN.match(line)) is not None:
            if begun is not None:
                raise BadInput(f"{name}:{begun[1]}: {_unclosed(number)}")
            if found is not None:
                raise BadInput(f"{name} has two blocks (lines {found.line} and {number}); take one of them out")
            begun, between = (start, number, begin["hash"] or ""), []
        elif _END.match(line) is not None:
            if begun is None:
                raise BadInput(f"{name}:{number}: a block ends here and none begins above; take this line out")
            found, begun = Block(begun[0], match.end(1), begun[1], tuple(between), begun[2]), None
        elif begun is not None:
            between.append(line)
        if match.end() == len(text):
            break
    if begun is not None:
        raise BadInput(f"{name}:{begun[1]}: {_unclosed()}")
    return found


def refuse_open_end(text: str, name: str) -> None:
    """Raise BadInput where a text ends inside a code fence or a comment: a block below would belong to it."""
    end = text.count("\n") + 1
    for part in raw_parts(text):
        if not part.closed and part.last >= end - 1:
            raise BadInput(f"{name}:{part.first}: the {part.what} that opens here is not closed; close it first")


def _unclosed(other: int = 0) -> str:
    before = f", before the one in line {other}" if other else ""
    return f"the block that begins here does not end{before}; write {_CLOSING} below it, or take its begin out"


def placed(text: str, block: Block | None, lines: Sequence[str]) -> str:
    """Return the text with these lines in its block; where it has none, the block comes last. The rest stays as is."""
    outside = text if block is None else f"{text[: block.start]}{text[block.end :]}"
    end = newline(outside if "\n" in outside or "\r" in outside else text)
    told = end.join((_OPENING.format(digest(lines)), *lines, _CLOSING))
    if block is not None:
        return f"{text[: block.start]}{told}{text[block.end :]}"
    if text in ("", _BOM):
        return f"{text}{told}{end}"
    between = end if text.endswith(("\n", "\r")) else end * 2
    return f"{text}{between}{told}{end}"


def newline(text: str) -> str:
    """Return the line end that most lines of a text have."""
    paired, fed = text.count("\r\n"), text.count("\n")
    if paired * 2 > fed:
        return "\r\n"
    return "\r" if not fed and "\r" in text else "\n"


def parted(text: str, name: str) -> tuple[str, Block | None, str]:
    """Return a text (LF) with its block's lines left empty, the block, and a sentence where it is no whole block."""
    try:
        block = find(text, name)
    except BadInput as fault:
        return text, None, str(fault)
    if block is None:
        return text, None, ""
    gap = "\n" * text.count("\n", block.start, block.end)
    return f"{text[: block.start]}{gap}{text[block.end :]}", block, ""
