"""In which form a memory's history is written, and where."""

from __future__ import annotations

from pathlib import Path
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.widgets import Static

from tur_engine.records import Belief
from tur_engine.text import visible

from .modal import Modal


class ExportScreen(Modal[str | None]):
    """Answers with the ending of the file: `md` or `svg`."""

    CSS_PATH = "history_dialogs.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("m,enter", "dismiss('md')", "Markdown"),
        Binding("s", "dismiss('svg')", "SVG"),
        Binding("escape,q,n", "dismiss(None)", "Leave"),
    ]

    def __init__(self, belief: Belief, folder: Path) -> None:
        super().__init__()
        self._belief, self._folder = belief, folder

    def compose(self) -> ComposeResult:
        with Vertical(classes="dialog") as dialog:
            dialog.border_title = "Export"
            dialog.border_subtitle = "Esc leaves"
            yield Static(f"The history of {self._belief.memory.short_id}, written to", markup=False)
            yield Static(visible(str(self._folder), newlines=False), classes="dim", markup=False)
            yield Static("m Markdown   s SVG   Esc nothing", classes="keys", markup=False)
