"""What the screens beside the start screen share: panes, a line for what happened, and the ways to one another."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, cast

from textual import events
from textual.widget import Widget
from textual.widgets import Static

from ..actions import Action
from ..calls import one_line
from ..drawing.wording import now
from .fronting import put_in_front
from .reaching import ReachingScreen
from .smallest import SMALLEST
from .triage import TriageScreen

if TYPE_CHECKING:
    from ..hosting import StoreHost


class BesideScreen(ReachingScreen):
    """One key away from any other screen. Composes a `Static` with the id `told`."""

    TABLE: ClassVar[tuple[Action, ...]] = ()
    """What its keys do."""
    INTRODUCTION: ClassVar[str] = ""
    """The first words of its help."""
    OWN_KEYS: ClassVar[tuple[tuple[str, type[Widget]], ...]] = ()
    """Panes that take keys of their own, and their headings on the help screen."""
    PANES: ClassVar[tuple[str, ...]] = ()
    """Ids of what can have the keys, in the order of tab."""
    ALWAYS: ClassVar[frozenset[str]] = frozenset()
    """Actions that work where the window is too small to see what another one would act on."""

    DEFAULT_CSS = """
    BesideScreen #told {
        display: none;
        width: 1fr;
        height: auto;
        max-height: 4;
        padding: 0 1;
        color: $settled;
        text-style: bold;
        &.problem { color: $conflict; }
    }
    BesideScreen #too-small, BesideScreen #few-keys {
        display: none;
        height: 1;
    }
    BesideScreen #too-small { color: $suspect; }
    BesideScreen.-tiny, BesideScreen.-flat {
        & #too-small, & #few-keys { display: block; }
    }
    """

    @property
    def workbench(self) -> StoreHost:
        """The program this screen runs in."""
        return cast("StoreHost", self.app)

    def read(self) -> None:
        """Read anew what is shown."""
        raise NotImplementedError

    def tell(self, text: str, *, problem: bool = True) -> None:
        """Say it in place; while the store is out of reach, nothing takes the place of that."""
        said = text or self.lost
        self.workbench.said.take(one_line(text), "warning" if problem else "information", now())
        told = self.query_one("#told", Static)
        told.update(one_line(said))
        told.display = bool(said)
        told.set_class(problem or not text, "problem")

    def on_key(self, event: events.Key) -> None:
        """What was said before has been read."""
        self.tell("")

    def reach_changed(self) -> None:
        self.tell("" if self.lost else "The store is back.", problem=False)
        if not self.lost and self.is_current:
            self.read()

    # panes -----------------------------------------------------------------------------

    def show_pane(self, name: str) -> None:
        """Bring a pane into view and give it the keys."""
        self.bring_forward(name)
        self.query_one(f"#{name}").focus()

    def bring_forward(self, name: str) -> None:
        """Bring a pane into view where the window shows one at a time."""
        put_in_front(self, self.PANES, name)

    def on_descendant_focus(self, event: events.DescendantFocus) -> None:
        if event.widget.id in self.PANES:
            self.bring_forward(event.widget.id)

    def action_pane(self, by: int) -> None:
        panes = self.PANES
        focused = self.focused.id if self.focused else None
        at = panes.index(focused) + by if focused in panes else 0
        self.show_pane(panes[at % len(panes)])

    # sizes -----------------------------------------------------------------------------

    @property
    def too_small(self) -> bool:
        """Whether a person could not see what a key would act on."""
        return self.size.width < SMALLEST[0] or self.size.height < SMALLEST[1]

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        if self.too_small and action not in self.ALWAYS:
            return None
        return super().check_action(action, parameters)

    # leaving ---------------------------------------------------------------------------

    def action_triage(self) -> None:
        self.workbench.show_triage()

    def action_admin(self) -> None:
        self.workbench.show_admin()

    def action_history(self) -> None:
        self.workbench.show_history()

    def action_graph(self) -> None:
        self.workbench.show_graph()

    def action_health(self) -> None:
        self.workbench.show_health()

    def action_now(self) -> None:
        self.workbench.action_now()

    def action_palette(self) -> None:
        self.workbench.show_palette(self.TABLE)

    def action_help(self) -> None:
        from .help import HelpScreen  # not needed for the first paint

        self.app.push_screen(HelpScreen(self.TABLE, self.INTRODUCTION, self.OWN_KEYS))

    def action_next_theme(self) -> None:
        self.workbench.next_theme()

    def action_quit_when_done(self) -> None:
        """Leave once what was typed ahead on the triage screen is written."""
        for screen in self.app.screen_stack:
            if isinstance(screen, TriageScreen):
                screen.action_quit_when_done()
                return
        self.app.exit()
