"""What the actions of the history screen do."""

from __future__ import annotations

from typing import cast

from textual.widgets import Input

from tests.ui.acting import act, case
from tests.ui.sitting import Sitting
from tur_tui.screens.graph import GraphScreen
from tur_tui.screens.history import HistoryScreen
from tur_tui.screens.history_correct import CorrectScreen
from tur_tui.screens.history_retire import RetireScreen
from tur_tui.widgets.timeline import Timeline


@case("history", "memory.correct")
async def corrects(person: Sitting) -> None:
    await act(person, "history", "memory.correct")
    assert isinstance(person.app.screen, CorrectScreen)


@case("history", "memory.retire")
async def retires(person: Sitting) -> None:
    await act(person, "history", "memory.retire")
    assert isinstance(person.app.screen, RetireScreen)


@case("history", "history.find", "history.leave")
async def finds(person: Sitting) -> None:
    await act(person, "history", "history.find")
    assert person.app.screen.query_one("#find", Input).has_focus
    await act(person, "history", "history.leave")
    assert not person.app.screen.query_one("#finding").display
    await act(person, "history", "history.leave")
    assert person.at_desk


@case("history", "history.ever")
async def ever(person: Sitting) -> None:
    desk = cast(HistoryScreen, person.app.screen).desk
    await act(person, "history", "history.ever")
    assert str(desk.page) == "ever"
    await act(person, "history", "history.ever")
    assert str(desk.page) == "believed"


@case("history", "history.mark", "history.diff", "history.open", "pane.next", "pane.previous")
async def points(person: Sitting) -> None:
    history = cast(HistoryScreen, person.app.screen)
    await act(person, "history", "pane.next", "pane.next")
    assert history.focused is history.query_one(Timeline)
    await act(person, "history", "history.mark")
    assert len(history.query_one(Timeline).marked) == 1
    await act(person, "history", "history.diff")
    assert "two points" in person.text or "Mark" in person.text or person.app.screen is not history
    while person.app.screen is not history:
        await person.press("escape")
    await act(person, "history", "history.mark", "history.open")
    await person.until(lambda: person.app.past)
    await act(person, "history", "time.now", "pane.previous")
    assert person.app.past is None
    assert history.focused is not history.query_one(Timeline)


@case("history", "history.back")
async def goes_back(person: Sitting) -> None:
    await act(person, "history", "history.back")
    await person.until(lambda: "where you began" in person.text)


async def at(person: Sitting, seq: int) -> None:
    await person.until(lambda: person.app.asked.as_of == seq)


@case("history", "time.earlier", "time.later", "time.much_earlier", "time.much_later", "time.go")
async def slides(person: Sitting) -> None:
    app = person.app
    head = app.engine.head()
    for name, seq in (("earlier", head - 1), ("much_earlier", head - 2), ("later", head - 1)):
        await act(person, "history", f"time.{name}")
        await at(person, seq)
    await act(person, "history", "time.much_later")
    await person.until(lambda: app.past is None)
    await act(person, "history", "time.go")
    assert app.screen.query_one("#moment", Input).has_focus
    await person.press("escape")


@case("history", "history.export")
async def exports_history(person: Sitting) -> None:
    await act(person, "history", "history.export")
    assert person.app.screen is not person.app.get_screen("history")


@case("history", "history.copy")
async def copies_id(person: Sitting) -> None:
    known = cast(HistoryScreen, person.app.screen).desk.known
    await act(person, "history", "history.copy")
    assert known is not None
    assert person.app.clipboard == known.belief.id


@case("history", "graph.open")
async def draws_it(person: Sitting) -> None:
    known = cast(HistoryScreen, person.app.screen).desk.known
    await act(person, "history", "graph.open")
    assert known is not None
    assert cast(GraphScreen, person.app.screen).desk.centre == (known.belief.memory.digest,)
