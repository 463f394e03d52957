"""The palette's rows: key, name, and what it is."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from rich.cells import cell_len

from ..desk.palette import Offer
from ..drawing.wrapping import fit, pad
from .line_list import LineList, Row
from .painting import components

_KEYS = 7
_NAMES = 18
_NARROW = 50
"""Cells below which the sentence is left out."""


class PaletteList(LineList, can_focus=False):
    """The field above keeps the focus; this shows what fits and which of it Enter would take."""

    PREFIX = "palette"

    COMPONENT_CLASSES: ClassVar[set[str]] = components("palette", "key", "name", "detail", "id", "struck")

    DEFAULT_CSS = """
    PaletteList {
        & > .palette--key { color: $text-accent; text-style: bold; }
        & > .palette--name { color: $foreground; }
        & > .palette--detail { color: $feed-dim; }
        & > .palette--id { color: $settled; }
        & > .palette--struck { color: $feed-dim; text-style: strike; }
        & > .line-list--cursor {
            color: $block-cursor-foreground;
            background: $block-cursor-background;
            text-style: $block-cursor-text-style;
        }
        &:ansi > .line-list--cursor { text-style: bold reverse; color: ansi_default; background: transparent; }
    }
    """

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id, empty="Nothing is called so, no memory says so. Fewer letters find more.")
        self._offers: Sequence[Offer] = ()

    def show(self, offers: Sequence[Offer], *, keep: bool) -> None:
        """Other offers; the cursor stays on its own where it was moved there and is still offered."""
        here = self.chosen
        self._offers = offers
        self.show_rows(len(offers), cursor=offers.index(here) if keep and here in offers else 0)

    @property
    def chosen(self) -> Offer | None:
        """What Enter takes."""
        return self._offers[self.cursor] if self.cursor < len(self._offers) else None

    def row(self, index: int) -> Row:
        each, width = self._offers[index], self.scrollable_content_region.width
        key = (pad(fit(each.key, _KEYS), _KEYS) + " ", "key")
        if each.ref:
            name = f"{each.name} "
            rest = fit(each.detail, max(0, width - _KEYS - 1 - cell_len(name)))
            return [key, (name, "id"), (rest, "struck" if each.struck else "name")]
        if width < _NARROW or not each.detail:
            return [key, (fit(each.name, width - _KEYS - 1), "name")]
        name = pad(each.name, _NAMES) + " "
        return [key, (name, "name"), (fit(each.detail, max(0, width - _KEYS - 1 - cell_len(name))), "detail")]
