"""Why not, said in the dialog itself."""

from __future__ import annotations

from textual.widgets import Static


class Problem(Static):
    """Stays in sight where the window is smaller than the dialog."""

    def __init__(self, text: str = "", *, spare: bool = False) -> None:
        """With `spare` it takes no row while nothing is told."""
        super().__init__(text, id="problem", classes="problem", markup=False)
        self.told, self._spare = text, spare
        self.display = not spare

    def tell(self, text: str) -> None:
        self.told = text
        self.update(text)
        self.display = bool(text) or not self._spare
        self.bring_into_sight()

    def on_resize(self) -> None:
        """A sentence takes its rows after it was told."""
        self.bring_into_sight()

    def bring_into_sight(self) -> None:
        """From its first word on; where it is gone, what has the keys."""
        if self.told:
            self.scroll_visible(animate=False, top=True)
        elif focused := self.screen.focused:
            focused.scroll_visible(animate=False)
