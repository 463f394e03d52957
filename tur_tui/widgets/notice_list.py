"""What was said, the newest on top: when, of which kind, and the whole sentence."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Final

from tur_engine.text import visible

from ..drawing.wrapping import wrapped
from ..said import Said
from .painting import components
from .rows_view import Row, RowsView

_MARKS: Final = {"warning": ("! warning", "suspect"), "error": ("✗ error", "conflict")}
_HEAD: Final = 21
"""Cells of time and kind."""
_NARROW: Final = 44
"""Cells below which the sentence stands under its head."""


class NoticeList(RowsView):
    """Scrolls; nothing in it is markup."""

    PREFIX = "notice"

    COMPONENT_CLASSES: ClassVar[set[str]] = components("notice", "plain", "dim", "suspect", "conflict")

    DEFAULT_CSS = """
    NoticeList {
        & > .notice--plain { color: $foreground; }
        & > .notice--dim { color: $feed-dim; }
        & > .notice--suspect { color: $suspect; text-style: bold; }
        & > .notice--conflict { color: $conflict; text-style: bold; }
        &:ansi > .notice--dim { color: ansi_default; }
    }
    """

    def __init__(self, said: Sequence[Said], *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._said = tuple(reversed(said))

    def build(self, width: int, height: int) -> list[Row]:
        if not self._said:
            sentence = "Nothing was said yet. What appears in the corner or above the keys is kept here."
            return [[(line, "dim")] for line in wrapped(sentence, max(1, width))]
        rows: list[Row] = []
        for each in self._said:
            mark, tone = _MARKS.get(each.kind, ("", "dim"))
            head: Row = [(f"{each.at.astimezone():%H:%M:%S} ", "dim"), (f"{mark:{_HEAD - 9}}", tone)]
            beside = width >= _NARROW
            indent = _HEAD if beside else 2
            lines = wrapped(visible(each.text), max(1, width - indent))
            if not beside:
                rows.append(head)
            rows += [
                [*(head if beside and not place else [(" " * indent, "")]), (line, "plain")]
                for place, line in enumerate(lines)
            ]
        return rows


def as_text(said: Sequence[Said]) -> str:
    """The same as plain text with full dates, oldest first, to be copied."""
    lines = [f"{each.at.astimezone():%Y-%m-%d %H:%M:%S} {each.kind}: {visible(each.text)}" for each in said]
    return "\n".join(lines) + "\n"
