"""The keys beside the verbs, in one row; where it is narrow the last of them go, but never help."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from rich.cells import cell_len
from textual import events
from textual.reactive import reactive
from textual.strip import Strip
from textual.widget import Widget

from ..actions import Action
from ..drawing.grid import Piece
from .painting import components, strip

HELP = "help"


class KeyBar(Widget):
    """Keys and labels of some actions; a click on one runs it."""

    COMPONENT_CLASSES: ClassVar[set[str]] = components("key-bar", "key", "label")

    DEFAULT_CSS = """
    KeyBar {
        height: 1;
        color: $foreground;
        background: $panel;
        & > .key-bar--key { color: $text-accent; text-style: bold; }
        & > .key-bar--label { color: $foreground; }
        &:ansi > .key-bar--key { color: ansi_default; }
    }
    """

    writes: reactive[bool] = reactive(True)
    """False where what writes to the ledger is off, so that it is not offered."""

    without: reactive[frozenset[str]] = reactive(frozenset())
    """Ids of what there is nothing to do with now: not offered either."""

    def __init__(self, actions: Sequence[Action], *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._actions = tuple(actions)

    def fitting(self, width: int) -> list[Action]:
        """The actions that fit, in their order; help has its place first."""
        offered = [each for each in self._actions if each.id not in self.without]
        actions = [each for each in offered if self.writes or not each.danger]
        room = width - 1 - sum(_cells(each) for each in actions if each.id == HELP)
        kept = []
        for each in actions:
            if each.id != HELP:
                if _cells(each) > room:
                    break
                room -= _cells(each)
            kept.append(each)
        missing = [each for each in actions if each.id == HELP and each not in kept]
        return kept + missing

    def render_line(self, y: int) -> Strip:
        pieces: list[Piece] = [(" ", "")]
        for each in self.fitting(self.size.width):
            pieces += [(each.shown.split()[0], "key"), (f" {each.label}  ", "label")]
        return strip(self, "key-bar", pieces if y == 0 else [], self.size.width)

    async def on_click(self, event: events.Click) -> None:
        x = 1
        for each in self.fitting(self.size.width):
            if x <= event.x < x + _cells(each) - 2:
                await self.screen.run_action(each.run)
                return
            x += _cells(each)


def _cells(each: Action) -> int:
    return cell_len(each.shown.split()[0]) + 1 + cell_len(each.label) + 2
