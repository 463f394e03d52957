"""Which pane is in front, told to the styles: a narrow window shows one pane at a time."""

from __future__ import annotations

from collections.abc import Iterable

from textual.screen import Screen


def put_in_front(screen: Screen[None], panes: Iterable[str], name: str) -> None:
    """Give the screen the class of this pane and of no other.

    Where the window shows all of them no style depends on it: to work out every style anew would take longer than
    to paint.
    """
    alone = screen.has_class("-narrow") or screen.has_class("-tiny")
    screen.update_classes({f"-{pane}": pane == name for pane in panes}, update=alone)
