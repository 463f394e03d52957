"""The way out into a file: in which form is asked, then it is written in a thread, never over another file."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.screen import Screen
from textual.widgets import Static

from tur_engine.text import visible

from ..calls import ask
from ..desk.exporting import write_new
from ..messages import Exported
from .modal import Modal


class ExportScreen(Modal[str | None]):
    """Answers with the ending of the file: `md` or `svg`."""

    CSS_PATH = "asking.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("m,enter", "dismiss('md')", "Markdown"),
        Binding("s", "dismiss('svg')", "SVG"),
        Binding("escape,q,n", "dismiss(None)", "Leave"),
    ]

    def __init__(self, subject: str, folder: Path) -> None:
        super().__init__()
        self._subject, self._folder = subject, folder

    def compose(self) -> ComposeResult:
        with Vertical(classes="dialog") as dialog:
            dialog.border_title = "Export"
            dialog.border_subtitle = "Esc leaves"
            yield Static(f"{self._subject}, written to", markup=False)
            yield Static(visible(str(self._folder), newlines=False), classes="facts", markup=False)
            yield Static("m Markdown   s SVG   Esc nothing", classes="keys", markup=False)


def export(host: Screen[Any], subject: str, folder: Path, stem: str, text: Callable[[str], str]) -> None:
    """Write `text(form)` into a file of this stem; the host is told `Exported`, or `Failed` with the reason."""

    def chosen(form: str | None) -> None:
        if form:
            ask(
                host,
                lambda: Exported(write_new(folder, stem, form, text(form))),
                group="export",
                newest_only=False,
            )

    host.app.push_screen(ExportScreen(subject, folder), chosen)
