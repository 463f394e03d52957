"""The palette, on every program of ours: what can be done on the screen in front, and the themes."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from textual.actions import parse
from textual.screen import Screen

from .shell import Shell
from .widgets.key_bar import KeyBar

if TYPE_CHECKING:
    from tur_engine.engine import Engine

    from .actions import Action
    from .desk.palette import Offer


class Offering(Shell):
    """What was chosen is done on the screen that was in front; a memory needs a store to be found in."""

    @property
    def asked(self) -> Engine | None:
        """The store that memories are looked for in."""
        return None

    def show_palette(self, actions: Iterable[Action]) -> None:
        """Offer those of the actions that work now, the themes, and any memory."""
        from .desk.palette import Palette
        from .screens.palette import PaletteScreen

        screen = self.screen
        able = [each for each in actions if each.id != "palette" and self.able(screen, each)]
        themes = [*self._cycle, *sorted(self.available_themes.keys() - set(self._cycle))]
        palette = Palette(able, themes, self.current_theme.name)
        self.push_screen(PaletteScreen(self.asked, palette), lambda offer: self._chosen(screen, offer))

    def able(self, screen: Screen[object], action: Action) -> bool:
        """Whether an action of the screen in front does something now."""
        _, name, parameters = parse(action.run)
        if action.danger and not screen.query_one("#keys", KeyBar).writes:
            return False
        able = getattr(screen, "able", None)
        return bool(screen.check_action(name, parameters)) and (able is None or able(action))

    def _chosen(self, screen: Screen[object], offer: Offer | None) -> None:
        if offer is None:
            return
        if offer.action:
            screen.call_later(screen.run_action, offer.action.run)
        elif offer.theme:
            self.take_theme(offer.theme)
        else:
            self.visit(screen, offer.ref)

    def visit(self, screen: Screen[object], ref: str) -> None:
        """Show a memory, by its digest."""
