"""The list of what a scan found: glyph, word, probability, places and the text of the later side."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Final

from rich.cells import cell_len

from tur_engine.text import excerpt, visible

from ..desk.findings import Finding, Kind
from ..drawing.wrapping import fit, fit_end, pad
from .line_list import LineList, Row
from .painting import components

MARKS: Final = {
    Kind.INVARIANT: ("✶", "invariant"),
    Kind.CLASH: ("!", "conflict"),
    Kind.DISPROVED: ("✗", "suspect"),
    Kind.DUPLICATE: ("=", "dim"),
    Kind.REMARK: ("✎", "dim"),
}
_WORD: Final = max(len(kind) for kind in Kind) + 1
_WITH_TEXT: Final = 60
"""Cells from which the text has room beside the places."""


class FindingList(LineList):
    """One row a finding."""

    PREFIX: ClassVar[str] = "findings"

    COMPONENT_CLASSES: ClassVar[set[str]] = components(
        "findings", "plain", "dim", "conflict", "suspect", "invariant", "number"
    )

    DEFAULT_CSS = """
    FindingList {
        & > .findings--plain { color: $foreground; }
        & > .findings--dim { color: $feed-dim; }
        & > .findings--number { color: $foreground; text-style: bold; }
        & > .findings--conflict { color: $conflict; text-style: bold; }
        & > .findings--suspect { color: $suspect; }
        & > .findings--invariant { color: $invariant; text-style: bold; }
        &:ansi > .findings--dim { color: ansi_default; }
    }
    """

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id, empty="Scanning ...")
        self._findings: Sequence[Finding] = ()

    def show(self, findings: Sequence[Finding], place: int, empty: str) -> None:
        """List these, with the cursor on one of them."""
        self._findings = findings
        self.show_rows(len(findings), cursor=place, empty=empty)

    def row(self, index: int) -> Row:
        finding, width = self._findings[index], self.scrollable_content_region.width
        glyph, tone = MARKS[finding.kind]
        row = [(f"{glyph} ", tone)]
        if width >= 30:
            row.append((pad(finding.kind.value, _WORD), tone))
        if finding.clash is not None and width >= 20:
            row.append((f"{finding.clash.probability:.2f} ".removeprefix("0"), "number"))
        left = width - sum(cell_len(text) for text, _ in row)
        if not finding.sides:
            return [*row, (fit(visible(finding.sentence, newlines=False), left), "dim")]
        if width < _WITH_TEXT:
            return [*row, (_places(finding, left), "plain")]
        places = _places(finding, left // 2) + "  "
        text = excerpt(finding.sides[-1].text, width)
        return [*row, (places, "plain"), (fit(text, left - cell_len(places)), "dim")]


def _places(finding: Finding, room: int) -> str:
    """Both places where they fit, else the end of the later one: its line is at the end."""
    places = visible(finding.places, newlines=False)
    if cell_len(places) <= room:
        return places
    return fit_end(visible(finding.sides[-1].place, newlines=False), room)
