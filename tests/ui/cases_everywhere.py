"""What every screen has: the other screens, theme, palette, notices, help, now, quit."""

from __future__ import annotations

import pytest
from textual.screen import Screen

from tests.ui.acting import act, case
from tests.ui.sitting import Sitting
from tur_tui.screens.admin import AdminScreen
from tur_tui.screens.graph import GraphScreen
from tur_tui.screens.health import HealthScreen
from tur_tui.screens.help import HelpScreen
from tur_tui.screens.history import HistoryScreen
from tur_tui.screens.notices import NoticesScreen
from tur_tui.screens.palette import PaletteScreen
from tur_tui.screens.triage import TriageScreen


def everywhere(screen: str, *others: str) -> None:
    """What every screen has: the other screens, theme, palette, notices, help, now."""
    shown: dict[str, type[Screen[None]]] = {
        "triage": TriageScreen,
        "admin": AdminScreen,
        "history": HistoryScreen,
        "graph": GraphScreen,
        "health": HealthScreen,
    }

    def leads(name: str) -> None:
        @case(screen, f"screen.{name}")
        async def goes(person: Sitting) -> None:
            await act(person, screen, f"screen.{name}")
            assert isinstance(person.app.screen, shown[name])

    for name in others:
        leads(name)

    @case(screen, "theme.next")
    async def theme(person: Sitting) -> None:
        before = person.app.theme
        await act(person, screen, "theme.next")
        assert person.app.theme != before

    @case(screen, "palette")
    async def palette(person: Sitting) -> None:
        await act(person, screen, "palette")
        assert isinstance(person.app.screen, PaletteScreen)

    @case(screen, "notices")
    async def notices(person: Sitting) -> None:
        await act(person, screen, "notices")
        assert isinstance(person.app.screen, NoticesScreen)

    @case(screen, "store.open_anew")
    async def anew(person: Sitting) -> None:
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(person.app, "exit", lambda: None)
            await act(person, screen, "store.open_anew")
            await person.until(lambda: person.app.anew)
        person.app.anew = False

    @case(screen, "help")
    async def helps(person: Sitting) -> None:
        await act(person, screen, "help")
        assert isinstance(person.app.screen, HelpScreen)

    @case(screen, "time.now")
    async def now(person: Sitting) -> None:
        await act(person, screen, "time.now")
        assert person.app.past is None
        assert any("This is the present already" in said for said in person.toasts)

    @case(screen, "quit")
    async def leaves(person: Sitting) -> None:
        await person.pilot.press("q")
        await person.pilot.pause()
        assert not person.app.is_running


everywhere("triage", "admin", "history", "graph", "health")
everywhere("admin", "triage", "history", "graph", "health")
everywhere("history", "triage", "admin", "graph", "health")
everywhere("graph", "triage", "admin", "history", "health")
everywhere("health", "triage", "admin", "history", "graph")
