"""A grid of terminal cells to draw on: text, boxes and joined lines, everything clipped at the edges. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from rich.cells import cell_len

from .wrapping import fit

Piece = tuple[str, str]
"""Some text and the name of the tone it is painted in."""

_UP, _RIGHT, _DOWN, _LEFT = 1, 2, 4, 8


class Stroke(StrEnum):
    """How a line is drawn; kinds of edges differ by it where colour is missing."""

    LIGHT = "light"
    HEAVY = "heavy"
    DOUBLE = "double"
    DASHED = "dashed"
    DOTTED = "dotted"


# Sixteen glyphs for the sums of up=1, right=2, down=4, left=8.
_GLYPHS: Final = {
    Stroke.LIGHT: " │─╰││╭├─╯─┴╮┤┬┼",
    Stroke.HEAVY: " ┃━┗┃┃┏┣━┛━┻┓┫┳╋",
    Stroke.DOUBLE: " ║═╚║║╔╠═╝═╩╗╣╦╬",
    Stroke.DASHED: " ╎╌╰╎╎╭├╌╯╌┴╮┤┬┼",
    Stroke.DOTTED: " ┊┈╰┊┊╭├┈╯┈┴╮┤┬┼",
}
_VARIATION: Final = "\ufe0e\ufe0f"


@dataclass(frozen=True, slots=True)
class Area:
    """A rectangle of cells."""

    x: int
    y: int
    width: int
    height: int

    def holds(self, x: int, y: int) -> bool:
        return self.x <= x < self.x + self.width and self.y <= y < self.y + self.height


class Grid:
    """`width` by `height` cells, any of which may be 0. Drawing outside is silently cut off."""

    def __init__(self, width: int, height: int) -> None:
        self.width, self.height = max(0, width), max(0, height)
        size = self.width * self.height
        self._text: list[str | None] = [None] * size
        self._tone = [""] * size
        self._bits = [0] * size
        self._stroke = [Stroke.LIGHT] * size
        self._line = [""] * size

    def text(self, x: int, y: int, text: str, tone: str = "", room: int | None = None) -> int:
        """Write `text` from cell (x, y) on; `room` cuts it with an ellipsis. Returns the cell after it."""
        if room is not None:
            text = fit(text, room)
        for char in text:
            if char in _VARIATION:
                continue  # cell widths of emoji variants differ from terminal to terminal
            cells = cell_len(char)
            if not 0 <= y < self.height:
                return x + cell_len(text)
            if cells == 0:
                self._join(x - 1, y, char)
                continue
            if x >= 0 and x + cells <= self.width:
                at = y * self.width + x
                self._part(at, x)
                self._text[at], self._tone[at] = char, tone
                if cells == 2:
                    self._part(at + 1, x + 1)
                    self._text[at + 1], self._tone[at + 1] = "", tone
            x += cells
        return x

    def fill(self, area: Area, tone: str) -> None:
        """Blank an area in a tone."""
        for y in range(area.y, area.y + area.height):
            self.text(area.x, y, " " * area.width, tone)

    def box(self, area: Area, tone: str, stroke: Stroke = Stroke.LIGHT) -> None:
        """A frame with a blank inside, at least 2 by 2 cells."""
        glyphs = _GLYPHS[stroke]
        across = glyphs[_LEFT | _RIGHT] * (area.width - 2)
        right, bottom = area.x + area.width - 1, area.y + area.height - 1
        self.fill(area, tone)
        self.text(area.x, area.y, glyphs[_RIGHT | _DOWN] + across + glyphs[_LEFT | _DOWN], tone)
        for y in range(area.y + 1, bottom):
            self.text(area.x, y, glyphs[_UP | _DOWN], tone)
            self.text(right, y, glyphs[_UP | _DOWN], tone)
        self.text(area.x, bottom, glyphs[_RIGHT | _UP] + across + glyphs[_LEFT | _UP], tone)

    def across(self, y: int, x0: int, x1: int, tone: str, stroke: Stroke, line: str = "") -> None:
        """A horizontal line from x0 to x1, both ends included; lines of one name join where they meet."""
        x0, x1 = sorted((x0, x1))
        for x in range(x0, x1 + 1):
            self._connect(x, y, (_RIGHT if x < x1 else 0) | (_LEFT if x > x0 else 0), tone, stroke, line)

    def down(self, x: int, y0: int, y1: int, tone: str, stroke: Stroke, line: str = "") -> None:
        """A vertical line from y0 to y1, both ends included."""
        y0, y1 = sorted((y0, y1))
        for y in range(y0, y1 + 1):
            self._connect(x, y, (_DOWN if y < y1 else 0) | (_UP if y > y0 else 0), tone, stroke, line)

    def row(self, y: int) -> list[Piece]:
        """Row `y` as pieces of one tone each, together exactly `width` cells."""
        pieces: list[Piece] = []
        for at in range(y * self.width, (y + 1) * self.width):
            text = self._text[at]
            if text is None:
                text = _GLYPHS[self._stroke[at]][self._bits[at]]
            tone = self._tone[at]
            if pieces and pieces[-1][1] == tone:
                pieces[-1] = (pieces[-1][0] + text, tone)
            else:
                pieces.append((text, tone))
        return pieces

    def plain(self) -> str:
        """The whole drawing without tones, for tests and for copying."""
        return "\n".join("".join(text for text, _ in self.row(y)).rstrip() for y in range(self.height))

    def _connect(self, x: int, y: int, bits: int, tone: str, stroke: Stroke, line: str) -> None:
        if not (0 <= x < self.width and 0 <= y < self.height) or not bits:
            return
        at = y * self.width + x
        if self._bits[at] and self._line[at] != line:
            # Two lines that have nothing to do with each other cross: the horizontal one runs through.
            if not bits & (_LEFT | _RIGHT):
                return
            self._bits[at] = 0
        fresh = not self._bits[at]
        self._bits[at] |= bits
        self._line[at] = line
        if fresh or stroke is not Stroke.LIGHT:
            self._stroke[at], self._tone[at] = stroke, tone

    def _part(self, at: int, x: int) -> None:
        """What is written over half of a wide character blanks its other half."""
        if self._text[at] == "" and x:
            self._text[at - 1] = " "
        if x + 1 < self.width and self._text[at + 1] == "":
            self._text[at + 1] = " "

    def _join(self, x: int, y: int, mark: str) -> None:
        """Put a combining mark on the character before it."""
        if 0 <= x < self.width:
            at = y * self.width + x
            if self._text[at] == "" and x:
                at -= 1
            self._text[at] = (self._text[at] or "") + mark


def widest(texts: Sequence[str]) -> int:
    """Cells of the widest text; 0 for none."""
    return max((cell_len(text) for text in texts), default=0)
