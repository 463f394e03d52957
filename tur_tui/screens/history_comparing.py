"""Two points of a history side by side: two memories word by word, or what changed in the store between two events."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Final

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.content import Content

from tur_engine.records import Belief
from tur_engine.text import visible

from ..drawing.wording import counted
from ..drawing.wrapping import wrapped
from ..widgets.diff_view import DiffView
from ..widgets.painting import components
from ..widgets.rows_view import Row, RowsView
from .modal import Modal

_TONES: Final = {"+": "added", "~": "moved", "!": "conflict", "=": "added"}
NO_CHANGE: Final = "Nothing that is believed changed between the two."


class _Compared(Modal[None]):
    """Read only; Esc, q, d or Enter leaves."""

    CSS_PATH = "history_dialogs.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape,q,d,enter", "dismiss(None)", "Close")]


class TextsCompared(_Compared):
    """The older memory and the newer one."""

    def __init__(self, older: Belief, newer: Belief) -> None:
        super().__init__()
        self._older, self._newer = older, newer

    def compose(self) -> ComposeResult:
        with Vertical(classes="dialog full") as dialog:
            dialog.border_title = Content(f"{self._older.memory.short_id} and {self._newer.memory.short_id}")
            dialog.border_subtitle = Content("[ ] changes, Esc closes")
            yield DiffView(id="diff")

    def on_mount(self) -> None:
        diff = self.query_one(DiffView)
        diff.show(self._older, self._newer, (), titles=("OLDER", "NEWER"))
        diff.focus()


class Changes(RowsView):
    """One change after the other, wrapped."""

    PREFIX = "changes"

    COMPONENT_CLASSES: ClassVar[set[str]] = components("changes", "plain", "dim", "added", "moved", "conflict")

    DEFAULT_CSS = """
    Changes {
        & > .changes--plain { color: $foreground; }
        & > .changes--dim { color: $feed-dim; }
        & > .changes--added { color: $settled; text-style: bold; }
        & > .changes--moved { color: $suspect; text-style: bold; }
        & > .changes--conflict { color: $conflict; text-style: bold; }
        &:ansi > .changes--dim { color: ansi_default; }
    }
    """

    def __init__(self, lines: Sequence[str], *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._lines = lines

    def build(self, width: int, height: int) -> list[Row]:
        rows: list[Row] = []
        for line in self._lines or (NO_CHANGE,):
            head, *rest = wrapped(visible(line, newlines=False), max(1, width - 2))
            tone = _TONES.get(head[:1], "dim")
            rows.append([(head[:2], tone), (head[2:], "plain" if tone != "dim" else "dim")])
            rows += [[("  ", ""), (each, "plain" if tone != "dim" else "dim")] for each in rest]
        return rows


class EventsCompared(_Compared):
    """What came in, what moved, what was settled."""

    def __init__(self, title: str, lines: Sequence[str]) -> None:
        super().__init__()
        self._title, self._lines = title, lines

    def compose(self) -> ComposeResult:
        with Vertical(classes="dialog full") as dialog:
            dialog.border_title = Content(self._title)
            dialog.border_subtitle = Content(f"{counted(len(self._lines), 'change')}, Esc closes")
            yield Changes(self._lines, id="changes")

    def on_mount(self) -> None:
        self.query_one(Changes).focus()
