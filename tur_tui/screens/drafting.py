"""What every dialog with text fields shares: it keeps what was typed when it is left, and has it when opened again."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Final, cast

from textual.await_complete import AwaitComplete
from textual.content import Content
from textual.widgets import Input, TextArea

from .framing import Answer
from .modal import Modal

if TYPE_CHECKING:
    from ..hosting import Host

KEPT: Final = "What you typed is kept while the workbench runs: the same key brings it back."
BACK: Final = "what you typed before; ctrl+z puts the first text back"


class DraftingScreen(Modal[Answer]):
    """Esc costs no text. A dialog answers None where it is left, and anything else where it wrote."""

    DRAFTED: ClassVar[tuple[str, ...]] = ()
    """Ids of the fields that are kept; never one for a passphrase."""

    def __init__(self) -> None:
        super().__init__()
        self._first: dict[str, str] = {}
        """What stood in the fields before anybody typed."""

    @property
    def about(self) -> str:
        """What is written about here: the same again has the same words."""
        return ""

    @property
    def parting(self) -> str:
        """What is said where typed text is kept."""
        return KEPT

    def on_mount(self) -> None:
        """After the dialog's own: Textual calls the handler of every class in turn."""
        self._first = self._typed()
        for name, text in cast("Host", self.app).drafts.of(self.about).items():
            field = self.query_one(f"#{name}")
            if isinstance(field, TextArea):
                field.replace(text, (0, 0), field.document.end)  # as if typed: undo takes it back
                field.move_cursor(field.document.end)
                field.border_subtitle = Content(BACK)
            elif isinstance(field, Input):
                field.value = text
                field.select_on_focus = False  # the next letter would take its place
                field.cursor_position = len(text)

    def dismiss(self, result: Answer | None = None) -> AwaitComplete:
        host = cast("Host", self.app)
        typed = {name: text for name, text in self._typed().items() if text != self._first.get(name)}
        kept = typed if result is None else {}
        host.drafts.keep(self.about, kept)
        if kept and self.parting:
            host.say(self.parting)
        return super().dismiss(result)

    def _typed(self) -> dict[str, str]:
        fields = {name: field for name in self.DRAFTED for field in self.query(f"#{name}")}
        return {
            name: field.text if isinstance(field, TextArea) else cast(Input, field).value
            for name, field in fields.items()
        }
