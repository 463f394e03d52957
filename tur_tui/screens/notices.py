"""Everything that was said since the start, to be read again and copied."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.content import Content

from ..drawing.wording import counted
from ..said import Said
from ..widgets.notice_list import NoticeList, as_text
from .modal import Modal


class NoticesScreen(Modal[None]):
    """`y` copies all of it; Esc, q or N leaves."""

    CSS_PATH = "dialogs.tcss"
    DEFAULT_CSS = """
    NoticesScreen {
        align: center middle;
        & .dialog.tall { height: 80%; }
    }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("y", "copy", "Copy"),
        Binding("escape,q,N,enter", "dismiss(None)", "Close"),
    ]

    def __init__(self, said: Sequence[Said]) -> None:
        super().__init__()
        self._said = tuple(said)

    def compose(self) -> ComposeResult:
        with Vertical(classes="dialog tall") as dialog:
            dialog.border_title = "Said so far"
            dialog.border_subtitle = "y copies   Esc closes"
            yield NoticeList(self._said, id="said")

    def on_mount(self) -> None:
        self.query_one(NoticeList).focus()

    def action_copy(self) -> None:
        self.app.copy_to_clipboard(as_text(self._said))
        self.query_one(".dialog").border_subtitle = Content(
            f"copied {counted(len(self._said), 'sentence')}   Esc closes"
        )
