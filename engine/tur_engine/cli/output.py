"""Where a command writes: answers to stdout, messages to stderr, colour on terminals only.

Callers pass text through `tur_engine.text.visible` first; this room only fits it to the stream.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import sys
import unicodedata
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Literal, TextIO

from ..patterns import later
from ..text import visible

Colour = Literal["red", "green", "yellow", "blue", "dim", "bold"]
_SGR: dict[Colour, str] = {"red": "31", "green": "32", "yellow": "33", "blue": "34", "dim": "2", "bold": "1"}
_ASCII = str.maketrans({"…": "...", "‹": "<", "›": ">", "—": "-", "–": "-", "“": '"', "”": '"', "’": "'", "·": "-"})
# Format characters and separators that JSON leaves as they are: escaped, so that printing is harmless.
_UNSEEN = later(
    "[\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\U000e0000-\U000e007f\x7f-\x9f]"
)

SIGN = "⚠️"
SIGN_ASCII = "[!]"


def terminal() -> bool:
    """True where a person can be asked: keys come from a terminal, and messages go to one."""
    return is_terminal(sys.stdin) and is_terminal(sys.stderr)


def is_terminal(stream: TextIO | None) -> bool:
    """True where the stream is open and is a terminal."""
    try:
        return stream is not None and stream.isatty()
    except ValueError:
        return False


def carries(stream: TextIO | None, text: str) -> bool:
    """True where the stream's encoding has every character of `text`."""
    try:
        text.encode(getattr(stream, "encoding", None) or "utf-8")
    except (UnicodeEncodeError, LookupError):
        return False
    return True


def cells(text: str) -> int:
    """Columns a terminal uses for one line of visible text."""
    return sum(0 if unicodedata.combining(c) else 2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in text)


def _json_escape(match: re.Match[str]) -> str:
    code = ord(match.group())
    if code > 0xFFFF:
        code -= 0x10000
        return f"\\u{0xD800 + (code >> 10):04x}\\u{0xDC00 + (code & 0x3FF):04x}"
    return f"\\u{code:04x}"


def json_text(payload: dict[str, Any], *, ascii: bool = False, indent: int | None = None) -> str:
    """Return an object as JSON that is harmless to print."""
    return _UNSEEN.sub(_json_escape, json.dumps(payload, ensure_ascii=ascii, indent=indent))


class Unanswered(Exception):
    """The answer could not be written; `done` says what the command did all the same."""

    def __init__(self, reason: str, done: str) -> None:
        super().__init__(reason)
        self.done = done


class Output:
    """The two streams of one command."""

    def __init__(self, program: str) -> None:
        self.program = program
        self.done = "nothing was changed"
        """What stands even where the answer cannot be written."""
        self.unread = False
        """True once the reader of the answer has left."""

    @contextmanager
    def before_it(self) -> Iterator[None]:
        """What is written inside comes before anything is changed: where it cannot be, nothing is."""
        done, self.done = self.done, "nothing was changed"
        yield
        self.done = done

    def data(self, line: str = "") -> None:
        """Write one line of the answer."""
        self._write(sys.stdout, line)

    def json(self, payload: dict[str, Any]) -> None:
        """Write the answer as one JSON object."""
        self._write(sys.stdout, json_text(payload, ascii=not carries(sys.stdout, "é⚠语"), indent=2))

    def json_line(self, payload: dict[str, Any]) -> None:
        """Write one of many objects, on a line of its own."""
        self._write(sys.stdout, json_text(payload, ascii=not carries(sys.stdout, "é⚠语")))

    def say(self, sentence: str) -> None:
        """Write a message, opened with the program's name."""
        self._write(sys.stderr, f"{self.program}: {sentence}")

    def warn(self, sentence: str) -> None:
        """Write a warning."""
        word = self.paint("warning", "yellow", sys.stderr)
        self._write(sys.stderr, f"{self.program}: {word}: {sentence}")

    def message(self, line: str, end: str = "\n") -> None:
        """Write a line to stderr as it is."""
        self._write(sys.stderr, line, end)

    def told(self, parts: Sequence[str]) -> None:
        """Write words, or what is to stay together, to stderr as one line of text.

        A terminal breaks a long line anywhere; blanks up to its edge make it break between the parts.
        """
        room = _columns(sys.stderr)
        line, used = "", 0
        for part in parts:
            width = cells(part)
            if line and room is not None and used + 1 + width > room:
                # Some terminals give a sign one column, some two: rather one blank too many than a word cut.
                line += " " * (room - used + line[-room:].count("\ufe0f"))
                used = 0
            elif line:
                line, used = f"{line} ", used + 1
            line, used = line + part, (used + width) % room if room else 0
        self.message(line)

    def agreed(self, question: str) -> bool:
        """Ask a person on a terminal; anything but yes is no."""
        self.message(f"{question} [y/N] ", end="")
        return sys.stdin.readline().strip().lower() in ("y", "yes")

    def sign(self) -> str:
        """The warning sign, or its ASCII twin where stderr cannot show it."""
        return SIGN if carries(sys.stderr, SIGN) else SIGN_ASCII

    def paint(self, text: str, colour: Colour, stream: TextIO | None = None) -> str:
        """Colour a text that is already visible, on a terminal that wants it."""
        stream = sys.stdout if stream is None else stream
        if not is_terminal(stream) or os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb":
            return text
        return f"\x1b[{_SGR[colour]}m{text}\x1b[0m"

    @property
    def width(self) -> int | None:
        """Columns of the terminal the answer goes to; None where it goes to a file or a pipe."""
        return shutil.get_terminal_size().columns if is_terminal(sys.stdout) else None

    def rows(
        self,
        rows: Sequence[Sequence[str]],
        colours: Sequence[Colour | None] = (),
        indent: str = "",
        below: Sequence[Sequence[str]] = (),
    ) -> None:
        """Write aligned columns; the last one takes what is left of the line, cut on terminals only.

        `below`: for each row, the lines that belong under it, whole.
        """
        if not rows:
            return
        shown = [[visible(cell, newlines=False) for cell in row] for row in rows]
        widths = [max(cells(row[i]) for row in shown) for i in range(len(shown[0]) - 1)]
        for index, row in enumerate(shown):
            parts = [cell + " " * (width - cells(cell)) for cell, width in zip(row[:-1], widths, strict=True)]
            room = None if self.width is None else self.width - len(indent) - sum(widths) - 2 * len(widths)
            last = row[-1] if room is None else _cut(row[-1], max(room, 20))
            painted = [
                self.paint(part, colour) if (colour := _nth(colours, i)) else part
                for i, part in enumerate([*parts, last])
            ]
            self.data(f"{indent}{'  '.join(painted).rstrip()}")
            for line in below[index] if below else ():
                self.data(f"{indent}    {visible(line, newlines=False)}")

    def _write(self, stream: TextIO | None, text: str, end: str = "\n") -> None:
        if stream is None:  # closed by whoever started the program
            return
        if not carries(stream, text):
            encoding = getattr(stream, "encoding", None) or "ascii"
            text = text.translate(_ASCII).encode(encoding, "backslashreplace").decode(encoding)
        try:
            stream.write(text + end)
            stream.flush()
        except BrokenPipeError:
            # The reader left. What the command did stands, so its own exit code stands too.
            self.unread = self.unread or stream is sys.stdout
            silence(stream)
        except OSError as error:
            if stream is sys.stderr:  # nobody to tell
                silence(stream)
                return
            raise Unanswered(error.strerror or str(error), self.done) from error


def _columns(stream: TextIO | None) -> int | None:
    """Columns of the terminal behind a stream; None where there is none."""
    try:
        return os.get_terminal_size(stream.fileno()).columns or None if stream is not None else None
    except (OSError, ValueError):
        return None


def _nth(colours: Sequence[Colour | None], index: int) -> Colour | None:
    return colours[index] if index < len(colours) else None


def _cut(text: str, columns: int) -> str:
    if cells(text) <= columns:
        return text
    kept, used = [], 0
    for character in text:
        used += cells(character)
        if used > columns - 1:
            break
        kept.append(character)
    return "".join(kept).rstrip() + "…"


def silence(stream: TextIO) -> None:
    """Send what is still written to a broken stream nowhere."""
    try:
        descriptor = stream.fileno()
    except (OSError, ValueError):
        return
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, descriptor)
    os.close(nowhere)
