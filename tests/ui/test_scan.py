"""The scan screen, driven by keys."""

from __future__ import annotations

import threading
from pathlib import Path
from typing import Any

import pytest
from textual.pilot import Pilot

from tests import standins
from tests.ui.scanner import Scanning, scanning, write_rules
from tests.ui.stage import lines, styled
from tools.contrast import floor, foreign, readings
from tur_engine.engine import Engine
from tur_engine.errors import TurError
from tur_engine.records import Author, AuthorKind, Draft
from tur_engine.rulebook import Report, Rulebook
from tur_tui.__main__ import NO_TERMINAL_FOR_SCAN, main
from tur_tui.actions import key_table
from tur_tui.resources import themes_dir
from tur_tui.scanning import ScanBench
from tur_tui.screens.scan import ScanScreen
from tur_tui.screens.scan_keys import SCAN
from tur_tui.themes import load_themes
from tur_tui.widgets.diff_view import DiffView
from tur_tui.widgets.verb_bar import VerbBar
from tur_tui.widgets.why import Why

ADA = Author(kind=AuthorKind.HUMAN, name="ada")


@pytest.fixture(autouse=True)
def minds(monkeypatch: pytest.MonkeyPatch) -> None:
    standins.install(monkeypatch)


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return write_rules(tmp_path)


async def test_clashes_side_by_side_with_their_places_and_readers(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    opened: list[tuple[Path, int]] = []
    monkeypatch.setattr("tur_tui.screens.scan.open_in_editor", lambda app, path, line, cwd: opened.append((path, line)))
    async with scanning(Rulebook(root)) as person:
        text = person.text
        assert "1 of 4" in text
        assert "2 clashes, 1 duplicate" in text
        for word in ("RULE AGENTS.md:3", "▸ RULE CLAUDE.md:3", "Copilot reads both", "To do: ", "read by"):
            assert word in text, word
        await person.press("o", "left", "o", "y")
        assert opened == [(root / "CLAUDE.md", 3), (root / "AGENTS.md", 3)]
        assert "▸ RULE AGENTS.md:3" in person.text
        assert person.app.clipboard == "AGENTS.md:3"
        await person.press("right", "y")
        assert person.app.clipboard == "CLAUDE.md:3"
        await person.press("n")
        assert "2 of 4" in person.text
        assert "squash [/b]" in person.text  # no markup
        await person.press("n")
        assert "duplicate" in person.text
        await person.press("n")
        assert "bin/CLAUDE.md is not text" in person.text
        await person.press("p", "p", "p", "p")
        assert person.screen.desk.place == 3
        await person.press("y", "o")
        assert "There is no line to copy." in person.toasts
        assert "There is no line to open." in person.toasts
        await person.press("home", "down")  # the list has the keys at the start
        assert person.screen.desk.place == 1
        await person.press("question_mark")
        assert "A scan changes nothing" in person.text
        await person.press("escape", "t")
        await person.press("q")
    assert person.app.return_code == 0


async def test_verbs_are_struck_out_and_say_what_to_do(root: Path) -> None:
    async with scanning(Rulebook(root)) as person:
        for key, said in (
            ("s", "Let CLAUDE.md:3 stand: take AGENTS.md:3 out"),
            ("m", "Write one text in CLAUDE.md:3"),
            ("f", "Say in AGENTS.md:3 and in CLAUDE.md:3 when each holds."),
            ("b", "Move CLAUDE.md:3"),
            ("x", "--baseline FILE"),
            ("a", "Take CLAUDE.md:3 out of its file."),
        ):
            await person.press(key)
            assert said in person.toasts[-1]
        await person.press("tab", "tab", "tab", "right")  # to the verbs, and on
        shown = "\n".join(lines(person.screen.query_one(Why)))
        assert "WHAT WOULD HAPPEN s Supersede" in shown  # round and round
        assert "✗ A scan changes nothing." in shown
        assert "strike" in styled(person.screen.query_one(VerbBar), "Refute")
        await person.press("enter")
        assert person.screen.desk.counter == "1 of 4"
        await person.press("shift+tab", "shift+tab", "shift+tab", "end")  # back to the list, to what was left out
        await person.press("s")
        assert "no pair" in person.toasts[-1]


@pytest.mark.parametrize("key", ["r", "R"])
async def test_scanned_again_after_an_edit(root: Path, key: str) -> None:
    async with scanning(Rulebook(root)) as person:
        await person.press("n")
        (root / "CLAUDE.md").write_text("# Rules\n\n- Package manager: npm\n", "utf-8")
        await person.press(key)
        await person.scanned()
        assert "Scanned again: 2 findings gone, 1 new." in person.toasts
        assert "1 of 3" in person.text  # the clash that was in front is the first now
        assert "RULE web/AGENTS.md:1" in person.text


async def test_an_empty_repository_and_a_clean_one(tmp_path: Path) -> None:
    async with scanning(Rulebook(tmp_path), (80, 24)) as person:
        assert "No rule file was found in" in person.text
        (tmp_path / "AGENTS.md").write_text("- Door: open\n")
        await person.press("r")
        await person.scanned()
        assert "Nothing in 1 rule file contradicts itself" in person.text


async def test_against_the_ledger_nothing_is_written(root: Path) -> None:
    with Engine.init(root, actor=ADA) as engine:
        engine.learn(Draft(content="Merge style: fast-forward", author=ADA))
        head = engine.head()
        with Rulebook.open(root, actor=ADA) as book:
            async with scanning(book) as person:
                text = person.text
                assert "MEMORY fact-" in text
                assert "human:ada" not in text.split("WHY")[0].split("MEMORY")[1]  # its place, not an author
                await person.press("left", "o")
                assert "is a memory of the ledger" in person.toasts[-1]
        assert engine.head() == head


async def test_a_scan_that_fails_is_one_sentence(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(self: Rulebook, progress: object = None) -> Report:
        raise TurError("the model file is not installed; reinstall tur-tui")

    monkeypatch.setattr(Rulebook, "scan", broken)
    async with scanning(Rulebook(root), (80, 24)) as person:
        assert "the model file is not installed" in person.text
        assert "reinstall tur-tui" in person.toasts[-1]


async def test_progress_is_told_and_leaving_ends_the_scan(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ended = threading.Event()

    def slow(self: Rulebook, progress: Any = None) -> Report:
        try:
            for done in range(10_000):
                progress(done, 10_000)
                threading.Event().wait(0.25)  # between two the screen is at rest
        finally:
            ended.set()
        raise AssertionError("it went on to the end")

    monkeypatch.setattr(Rulebook, "scan", slow)
    app = ScanBench(Rulebook(root))
    async with app.run_test(size=(80, 24)) as pilot:
        person = Scanning(app, pilot)
        await person.until(lambda: len(app.screen_stack) > 1 and "of 10,000" in person.text)
        await person.press("r")
        assert person.toasts == ["A scan is under way."]
        await person.press("q")
    assert ended.wait(5)


@pytest.mark.parametrize("size", [(80, 24), (200, 50), (40, 10), (20, 5), (1, 1)])
async def test_any_size(root: Path, size: tuple[int, int]) -> None:
    async with scanning(Rulebook(root), size) as person:
        await person.press("n", "tab", "tab", "left", "t", "p")
        await person.pilot.resize_terminal(120, 36)
        await person.pilot.pause()
        assert "RULE" in person.text
        assert person.screen.query_one(DiffView).side_by_side


async def test_every_text_can_be_read_in_every_theme(root: Path) -> None:
    (root / "Makefile").write_text("test:\n\ttrue\n", "utf-8")
    (root / "GEMINI.md").write_text("- Run `make tests` first.\n", "utf-8")  # disproved
    async with scanning(Rulebook(root)) as person:
        app = person.app
        faint: list[object] = []
        for keys in (("tab",), ("end",)):
            await person.press(*keys)
            for theme in (each.name for each in load_themes([themes_dir()])[0]):
                app.theme = theme
                await person.pilot.pause()
                if app.current_theme.ansi:
                    faint += sorted(foreign(app))
                else:
                    faint += [(theme, each) for each in readings(app) if each.ratio < floor(theme)]
        assert faint == []


def test_no_terminal_no_path_no_store(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    for arguments in (["scan"], ["--scan"]):
        with pytest.raises(SystemExit) as left:
            main(arguments)
        assert (left.value.code, capsys.readouterr().err.strip()) == (1, NO_TERMINAL_FOR_SCAN)
    monkeypatch.setattr("tur_tui.start.on_terminal", lambda: True)
    for arguments, said, code in (
        (["scan", "nowhere"], "there is no nowhere", 2),
        (["scan", "--store", "nowhere"], "there is no store at", 1),
    ):
        with pytest.raises(SystemExit) as left:
            main(arguments)
        assert left.value.code == code
        assert said in capsys.readouterr().err


def test_the_page_of_keys_shows_the_table(repo_root: Path) -> None:
    page = (repo_root / "docs" / "keys.md").read_text("utf-8")
    _, mark, rest = page.partition("<!-- scan keys: made from tur_tui/screens/scan_keys.py, a test compares -->")
    assert mark
    assert rest.lstrip("\n").startswith(key_table(SCAN)), key_table(SCAN)


@pytest.fixture
def still(workdir: Path) -> Rulebook:
    """A repository whose picture is the same everywhere."""
    write_rules(workdir)
    return Rulebook(Path("."))


async def shown(pilot: Pilot[None]) -> None:
    for _ in range(200):
        await pilot.pause(0.02)
        screen = pilot.app.screen
        if isinstance(screen, ScanScreen) and screen.desk.report is not None and not screen.scanning:
            break
    await pilot.pause(0.1)


@pytest.mark.parametrize(("theme", "size"), [("tur-dark", (80, 24)), ("tur-light", (120, 36)), ("tur-mono", (200, 50))])
def test_pictures(snap_compare: Any, still: Rulebook, theme: str, size: tuple[int, int]) -> None:
    assert snap_compare(ScanBench(still, theme=theme), terminal_size=size, run_before=shown)
