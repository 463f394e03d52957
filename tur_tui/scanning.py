"""`tur-tui scan`: the scan screen as a program of its own, for it needs no store."""

from __future__ import annotations

import sys
from pathlib import Path

from tur_engine.errors import TurError
from tur_engine.rulebook import Rulebook
from tur_engine.text import visible

from .offering import Offering
from .screens.scan import ScanScreen


class ScanBench(Offering):
    """The findings of one repository. The caller opens and closes the rulebook."""

    def __init__(self, book: Rulebook, *, theme: str | None = None) -> None:
        super().__init__(theme=theme)
        self.book = book

    def on_mount(self) -> None:
        self.push_screen(ScanScreen(self.book))
        self.complain()


def run_scan(path: Path | None, *, store: Path | None, theme: str | None) -> int:
    """Open the scan screen on a repository and return its exit code."""
    from .start import person

    try:
        with Rulebook.open(path, actor=person(), store=store) as book:
            app = ScanBench(book, theme=theme)
            app.run()
    except TurError as error:
        print(f"tur-tui: {visible(str(error), newlines=False)}", file=sys.stderr)
        return error.exit_code
    if app.parting:
        print(app.parting, file=sys.stderr)
    return app.return_code or 0
