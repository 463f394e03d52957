"""Every action of the scan screen does what its table says. A new one without a case here fails the first test."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest
from textual.screen import ModalScreen

from tests import standins
from tests.ui.scanner import Scanning, scanning, write_rules
from tur_engine.rulebook import Rulebook
from tur_tui.screens.help import HelpScreen
from tur_tui.screens.notices import NoticesScreen
from tur_tui.screens.palette import PaletteScreen
from tur_tui.screens.scan_keys import SCAN

Case = Callable[[Scanning], Awaitable[None]]
CASES: dict[str, Case] = {}


@pytest.fixture(autouse=True)
def minds(monkeypatch: pytest.MonkeyPatch) -> None:
    standins.install(monkeypatch)
    monkeypatch.delenv("VISUAL", raising=False)
    monkeypatch.delenv("EDITOR", raising=False)


def case(*ids: str) -> Callable[[Case], Case]:
    def put(what: Case) -> Case:
        CASES.update(dict.fromkeys(ids, what))
        return what

    return put


async def act(person: Scanning, *ids: str) -> None:
    """Press the keys of the actions, one after the other."""
    for each in ids:
        await person.press(next(action for action in SCAN if action.id == each).keys[0])


def test_every_action_has_a_case() -> None:
    assert CASES.keys() == {each.id for each in SCAN}


for verb in ("supersede", "merge", "force", "scope_branch", "dismiss", "abort"):

    @case(f"scan.{verb}")
    async def tells(person: Scanning, name: str = f"scan.{verb}") -> None:
        told = len(person.app.said)
        await act(person, name)
        assert len(person.app.said) == told + 1


@case("scan.again")
async def again(person: Scanning) -> None:
    await act(person, "scan.again")
    await person.scanned()
    assert "Scanned again: 0 findings gone, 0 new." in person.toasts


@case("scan.next", "scan.previous")
async def walks(person: Scanning) -> None:
    before = person.screen.desk.place
    await act(person, "scan.next")
    assert person.screen.desk.place == before + 1
    await act(person, "scan.previous")
    assert person.screen.desk.place == before


@case("scan.left", "scan.right", "scan.copy")
async def points(person: Scanning) -> None:
    copied = []
    for side in ("scan.left", "scan.right"):
        await act(person, side, "scan.copy")
        copied.append(person.app.clipboard)
    assert copied == ["AGENTS.md:3", "CLAUDE.md:3"]


@case("source.open")
async def opens(person: Scanning) -> None:
    await act(person, "source.open")
    assert any("No editor is named" in said for said in person.toasts)


@case("pane.next", "pane.previous")
async def tabs(person: Scanning) -> None:
    before = person.screen.focused
    await act(person, "pane.next")
    assert person.screen.focused is not before
    await act(person, "pane.previous")
    assert person.screen.focused is before


@case("theme.next")
async def theme(person: Scanning) -> None:
    before = person.app.theme
    await act(person, "theme.next")
    assert person.app.theme != before


@case("palette")
async def palette(person: Scanning) -> None:
    await act(person, "palette")
    assert isinstance(person.app.screen, PaletteScreen)
    assert "memory" not in person.text
    before = person.screen.desk.place
    await person.press(*"next", "enter")
    assert person.screen.desk.place == before + 1
    await act(person, "scan.previous", "palette")
    await person.press(*"light", "enter")
    assert "light" in person.app.theme


@case("notices")
async def notices(person: Scanning) -> None:
    await act(person, "notices")
    assert isinstance(person.app.screen, NoticesScreen)


@case("help")
async def helps(person: Scanning) -> None:
    await act(person, "help")
    assert isinstance(person.app.screen, HelpScreen)


@case("quit")
async def leaves(person: Scanning) -> None:
    await person.pilot.press("q")
    await person.until(lambda: not person.app.is_running)


async def test_every_key_does_what_its_table_says(tmp_path: Path) -> None:
    async with scanning(Rulebook(write_rules(tmp_path))) as person:
        for each in sorted(dict.fromkeys(CASES.values()), key=lambda each: each is leaves):
            while isinstance(person.app.screen, ModalScreen):
                await person.press("escape")
            person.app.clear_notifications()
            await each(person)
