"""How many rows a scrolling pane holds, told without laying out the whole screen anew."""

from __future__ import annotations

from textual.geometry import Size
from textual.scroll_view import ScrollView


def hold(view: ScrollView, size: Size) -> None:
    """Let the pane scroll over this much.

    Textual lays out and paints the whole screen anew where the content of a pane grows; only a pane whose own height
    follows its content asks for that.
    """
    height = view.styles.height
    if not view.is_mounted or height is None or height.is_auto:
        view.virtual_size = size
    elif size != view.virtual_size:
        view.set_reactive(ScrollView.virtual_size, size)
        view._scroll_update(size)
