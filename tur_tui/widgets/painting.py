"""Pieces of text with tones made into strips: the one way the line-drawn panes paint.

A tone is the last part of a component class: tone `conflict` of a widget with the prefix `feed` is painted as
`.feed--conflict`; `removed word` as both classes, the later over the earlier. Classes given `over` lie on top of
every piece: a cursor, a mark.
"""

from __future__ import annotations

from collections.abc import Iterable

from rich.segment import Segment
from rich.style import Style
from textual.strip import Strip
from textual.widget import Widget

from ..drawing.grid import Piece

_REVERSE = Style(reverse=True)


class Inked(Widget):
    """Works out the style of a tone once, and again only after Textual said that styles changed."""

    inks: dict[tuple[str, ...], Style]

    def notify_style_update(self) -> None:
        self.inks = {}
        super().notify_style_update()


def ink(widget: Widget, *names: str) -> Style:
    """The style of some component classes, later ones over earlier ones, on the widget's own background."""
    known: dict[tuple[str, ...], Style] | None = getattr(widget, "inks", None)
    if known is None:
        return _mixed(widget, names)
    if names not in known:
        known[names] = _mixed(widget, names)
    return known[names]


def _mixed(widget: Widget, names: tuple[str, ...]) -> Style:
    style = widget.get_visual_style(*names).rich_style
    # The visual style forgets `reverse`, which is all that a theme without colours has for a cursor.
    if any(widget.get_component_styles(name).text_style.reverse for name in names):
        style += _REVERSE
    return style


def strip(widget: Widget, prefix: str, pieces: Iterable[Piece], width: int, *over: str) -> Strip:
    """The pieces as a strip of exactly `width` cells."""
    segments = [
        Segment(text, ink(widget, *(f"{prefix}--{name}" for name in tone.split()), *over))
        for text, tone in pieces
        if text
    ]
    return Strip(segments).adjust_cell_length(max(0, width), ink(widget, *over))


def components(prefix: str, *tones: str) -> set[str]:
    """The component classes of some tones."""
    return {f"{prefix}--{tone}" for tone in tones}
