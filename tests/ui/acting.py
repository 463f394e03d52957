"""Cases for every action of a screen: what pressing its key must do. Harmless ones share one sitting."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from textual.screen import ModalScreen, Screen

from tests.ui.sitting import Sitting
from tur_tui.actions import Action
from tur_tui.app import Workbench
from tur_tui.screens.tables import TABLES

Case = Callable[[Sitting], Awaitable[None]]
CASES: dict[str, dict[str, Case]] = {name: {} for name in TABLES}
"""By screen and by the id of the action."""


def case(screen: str, *ids: str) -> Callable[[Case], Case]:
    """This is what the actions of these ids are to do on this screen."""

    def put(what: Case) -> Case:
        CASES[screen].update(dict.fromkeys(ids, what))
        return what

    return put


def can_run(screen: type[Screen[None]], action: Action) -> bool:
    """Whether the screen, or the program, has the method that the table names."""
    name = action.run.split("(")[0]
    return hasattr(Workbench if name.startswith("app.") else screen, f"action_{name.removeprefix('app.')}")


def key(screen: str, name: str) -> str:
    """The key that the table gives an action."""
    return next(each for each in TABLES[screen] if each.id == name).keys[0]


async def act(person: Sitting, screen: str, *ids: str) -> None:
    """Press the keys of the actions, one after the other."""
    for each in ids:
        await person.press(key(screen, each))


async def go_to(person: Sitting, screen: str) -> None:
    """Close what lies on top, come back to the present, and go to the screen."""
    while isinstance(person.app.screen, ModalScreen):
        await person.press("escape")
    if person.app.past is not None:
        person.app.show_moment(None)
        await person.settled()
    if type(person.app.screen).__name__ != f"{screen.capitalize()}Screen":
        getattr(person.app, f"show_{screen}")()
        await person.settled()


async def run_all(person: Sitting, screen: str, *, without: tuple[str, ...] = ()) -> None:
    """Run every case of a screen, each from the screen itself; a failure names the action."""
    for case_ in dict.fromkeys(CASES[screen].values()):
        ids = [name for name, each in CASES[screen].items() if each is case_]
        if set(ids) & {*without}:
            continue
        await go_to(person, screen)
        person.app.clear_notifications()  # a toast that goes away meanwhile is none of the case's doing
        await person.until(lambda: not person.shown_toasts)
        try:
            await case_(person)
        except AssertionError as failure:
            raise AssertionError(f"{screen}: {', '.join(ids)}: {failure}") from failure
