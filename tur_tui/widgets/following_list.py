"""A list that follows what arrives on top of it, until somebody reads further down."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from rich.cells import cell_len
from textual import events
from textual.reactive import reactive
from textual.strip import Strip

from ..drawing.wording import counted
from .line_list import LineList
from .painting import components, strip


class FollowingList(LineList):
    """Newest on top. While it follows, the view and the cursor stay at the newest row.

    Once the cursor or the view has been moved away, the row under the cursor stays there while others arrive above
    it, and their number is offered.
    """

    COMPONENT_CLASSES: ClassVar[set[str]] = components("line-list", "badge")

    DEFAULT_CSS = """
    FollowingList {
        & > .line-list--badge {
            color: $block-cursor-foreground;
            background: $block-cursor-background;
            text-style: bold;
        }
        &:ansi > .line-list--badge { text-style: bold reverse; color: ansi_default; background: transparent; }
    }
    """

    following: reactive[bool] = reactive(True)
    """True while the newest row is on top and under the cursor."""
    unseen: reactive[int] = reactive(0)
    """Rows that arrived while it did not follow."""
    _arriving = False

    @dataclass
    class FollowChanged(LineList._Told):
        """Whether the list follows, and how many rows wait above, for a status line."""

        following: bool
        unseen: int

    def rows_arrived(self, number: int) -> None:
        """Rows were put on top; call it after `row` knows them."""
        if number <= 0:
            return
        was_following, y = self.following and self.scroll_offset.y == 0, self.scroll_offset.y
        had_rows = self._count > 0
        self._count += number
        self._sync()
        if was_following or not had_rows:
            self.scroll_to(y=0, animate=False, immediate=True, force=True)
            self._post_highlight(by_person=False)
        else:
            self._arriving = True
            try:
                self.following = False
                self.set_reactive(LineList.cursor, min(self.cursor + number, self._count - 1))
                self.unseen += number
                self.scroll_to(y=y + number, animate=False, immediate=True, force=True)
            finally:
                self._arriving = False
            self._tell_follow()
        self.refresh()

    def _place(self, index: int, *, by_person: bool, announce: bool = False) -> None:
        super()._place(index, by_person=by_person, announce=announce)
        self._refollow()

    def _refollow(self) -> None:
        """It follows exactly while the newest row is under the cursor and in view."""
        following = self.cursor == 0 and self.scroll_offset.y == 0
        changed = following != self.following or (following and self.unseen)
        self.following = following
        if following:
            self.unseen = 0
        if changed:
            self._tell_follow()
            self.refresh()  # the badge

    def _tell_follow(self) -> None:
        self.post_message(self.FollowChanged(self, self.following, self.unseen))

    def watch_scroll_y(self, old_value: float, new_value: float) -> None:
        super().watch_scroll_y(old_value, new_value)
        if not self._arriving and round(old_value) != round(new_value):
            self._refollow()
            self.refresh()  # the badge moves with the view

    def render_line(self, y: int) -> Strip:
        line = super().render_line(y)
        if y == 0 and self.unseen:
            return self._with_badge(line, self.scrollable_content_region.width)
        return line

    def _with_badge(self, line: Strip, width: int) -> Strip:
        badge = f" ▴ {counted(self.unseen, 'new', 'new')} "
        if cell_len(badge) + 4 > width:
            badge = f"▴{self.unseen}"
        cells = min(width, cell_len(badge))
        return Strip.join([line.crop(0, width - cells), strip(self, "line-list", [(badge, "badge")], cells)])

    def on_click(self, event: events.Click) -> None:
        """On the badge: back to the newest."""
        offset = event.get_content_offset(self)
        at_right = offset is not None and offset.x >= self.scrollable_content_region.width - 12
        if offset is not None and offset.y == 0 and self.unseen and at_right:
            event.prevent_default()
            self.action_first()
