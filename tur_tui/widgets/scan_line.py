"""One row above a scan: where you are in it, what was found, how far it is, which folder."""

from __future__ import annotations

from textual.reactive import reactive

from tur_engine.text import visible

from ..drawing.grid import Piece
from .status_line import StatusLine


class ScanLine(StatusLine):
    """`3 of 17  12 clashes, 5 duplicates; 400 statements in 12 files  weighed 120 of 400  ~/code/tidewatch`."""

    counter: reactive[str] = reactive("")
    summary: reactive[str] = reactive("")
    progress: reactive[str] = reactive("")
    root: reactive[str] = reactive("")

    def watch_root(self, root: str) -> None:
        self.store = root

    def _groups(self) -> list[list[Piece]]:
        groups: list[list[Piece]] = []
        if self.counter:
            groups.append([(visible(self.counter, newlines=False), "counter")])
        if self.progress:
            groups.append([(f"… {self.progress}", "filter")])
        if self.summary:
            groups.append([(self.summary, "plain")])
        return groups or [[("scan", "counter")]]
