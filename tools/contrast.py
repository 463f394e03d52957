"""Measures how well every text of every screen can be read in every theme: `python tools/contrast.py`, `make contrast`.

A sample store is learned through the gate, the workbench opened on it, and what it paints is measured: the ratio of
WCAG 2.2 between each text and what lies behind it. Prints the faintest text of each screen in each theme; exits 1 where
one is below the theme's floor. Themes of the terminal's own colours have none to measure: there it is checked that no
other colour is sent.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import re
import sys
import tempfile
from collections.abc import AsyncIterator, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from rich.segment import Segment
from textual.color import Color
from textual.geometry import Region
from textual.pilot import Pilot
from textual.screen import ModalScreen

from tur_engine.engine import Engine
from tur_engine.rulebook import Rulebook
from tur_tui.app import Workbench
from tur_tui.demo.learning import learn
from tur_tui.demo.memories import MARA, NEWS, REMEMBERED
from tur_tui.resources import themes_dir
from tur_tui.scanning import ScanBench
from tur_tui.shell import Shell
from tur_tui.themes import load_themes

FLOOR: Final = 4.5
FLOORS: Final = {"tur-contrast": 7.0}
OWN: Final = "the terminal's own colours"
_DRAWN: Final = re.compile(r"[\s\u2500-\u259f\u2800-\u28ff]*")
"""Blanks, lines, boxes, bars: nothing that is read."""
_DIM: Final = 0.66
"""What Textual leaves of a dimmed text."""

Places = Sequence[tuple[str, tuple[str, ...]]]
PLACES: Final[Places] = (
    ("triage", ()),
    ("triage, feed in focus", ("tab", "tab", "tab", "down")),
    ("triage, filter", ("slash",)),
    ("triage, filtered", ("i", "s")),
    ("triage, marks", ("escape", "escape", "space", "space")),
    ("triage, notifications", ("escape", "z", "0")),
    ("help", ("question_mark",)),
    ("explain", ("escape", "e")),
    ("merge", ("escape", "m")),
    ("branch", ("escape", "b")),
    ("export", ("escape", "E")),
    ("palette", ("escape", "ctrl+p")),
    ("palette, memories", ("m", "i", "g")),
    ("admin", ("escape", "2")),
    ("admin, reviewers", ("v",)),
    ("admin, signed log", ("g",)),
    ("history", ("3",)),
    ("history, life in focus", ("tab", "tab")),
    ("history, find", ("slash",)),
    ("history, found", ("o",)),
    ("history, correct", ("escape", "escape", "3", "c")),
    ("history, retire", ("escape", "r")),
    ("history, as of", ("escape", "at", "2")),
    ("the past", ("escape", "left_square_bracket", "left_square_bracket")),
    ("graph", ("0", "4")),
    ("graph, types", ("f",)),
    ("graph, outline", ("o",)),
    ("graph, find", ("slash",)),
    ("graph, found", ("t",)),
    ("health", ("escape", "1", "5")),
)
"""Screens and dialogs, each with the keys that lead there from the one before."""
SCAN_PLACES: Final[Places] = (
    ("scan", ()),
    ("scan, texts in focus", ("tab",)),
    ("scan, reasons in focus", ("tab",)),
    ("scan, verbs in focus", ("tab", "s")),
    ("scan, what is no clash", ("tab", "end")),
    ("scan, palette", ("ctrl+p",)),
    ("scan, help", ("escape", "question_mark")),
)
"""Those of the scan screen, which is a program of its own."""
RULES: Final = {
    "CLAUDE.md": "- Package manager: pnpm\n- Run `make tides` first.\n- Merge style: rebase\n",
    "AGENTS.md": "- Package manager: npm\n- Merge style: rebase\n",
    "Makefile": "test:\n\ttrue\n",
}
"""A clash, a duplicate, and a command that is not there."""


@dataclass(frozen=True, slots=True)
class Read:
    """One text as it is painted, and its ratio."""

    text: str
    ratio: float
    ink: str
    paper: str


def linear(colour: Color) -> tuple[float, ...]:
    """Linear RGB."""
    channels = (channel / 255 for channel in colour.rgb)
    return tuple(c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels)


def contrast(ink: Color, paper: Color) -> float:
    """The ratio of WCAG 2.2, ink laid over paper."""
    inked = paper.blend(ink, ink.a, alpha=1.0)
    low, high = sorted(
        0.2126 * red + 0.7152 * green + 0.0722 * blue for red, green, blue in (linear(inked), linear(paper))
    )
    return (high + 0.05) / (low + 0.05)


def floor(theme: str) -> float:
    """The least ratio that is good enough in a theme."""
    return FLOORS.get(theme, FLOOR)


def painted(app: Shell) -> Iterator[Segment]:
    """The segments on the screen that a person may read; what a dialog lies over is dimmed on purpose."""
    over = (
        [each.region for each in app.screen.children if each.display] if isinstance(app.screen, ModalScreen) else None
    )
    for y, strip in enumerate(app.screen._compositor.render_strips(app.size)):
        x = 0
        for segment in strip:
            cells = Region(x, y, segment.cell_length, 1)
            x += segment.cell_length
            if segment.style and not _DRAWN.fullmatch(segment.text) and (over is None or _inside(cells, over)):
                yield segment


def _inside(cells: Region, areas: Iterable[Region]) -> bool:
    return any(area.contains_region(cells) for area in areas)


def readings(app: Shell) -> list[Read]:
    """Every pair of colours on the screen with the first text in it, faintest first."""
    seen: dict[tuple[str, str], Read] = {}
    for segment in painted(app):
        style = segment.style
        if style is None or style.color is None or style.bgcolor is None:
            continue
        if style.color.triplet is None or style.bgcolor.triplet is None:
            continue  # the terminal's own
        ink, paper = Color(*style.color.triplet), Color(*style.bgcolor.triplet)
        if style.reverse:
            ink, paper = paper, ink
        if style.dim:
            ink = paper.blend(ink, _DIM, alpha=1.0)
        if (ink.hex, paper.hex) not in seen:
            seen[ink.hex, paper.hex] = Read(segment.text.strip(), contrast(ink, paper), ink.hex, paper.hex)
    return sorted(seen.values(), key=lambda each: each.ratio)


def foreign(app: Shell) -> set[str]:
    """Colours on the screen that are none of the terminal's own."""
    styles = [segment.style for segment in painted(app) if segment.style]
    colours = [colour for style in styles for colour in (style.color, style.bgcolor) if colour is not None]
    return {str(colour.triplet.hex) for colour in colours if colour.triplet is not None}


async def survey(
    app: Shell, pilot: Pilot[None], themes: Sequence[str], places: Places = PLACES
) -> AsyncIterator[tuple[str, str, list[Read]]]:
    """Go from place to place; at each, (place, theme, readings) in each of the themes."""
    for place, keys in places:
        for key in keys:
            await pilot.press(key)
            await _calm(app, pilot)
        if place.endswith("notifications"):
            for severity in ("information", "warning", "error"):
                app.say(f"Said as {severity}.", severity=severity, timeout=600)
            await _calm(app, pilot)
        for theme in themes:
            app.theme = theme
            await pilot.pause()
            yield place, theme, readings(app)


async def _calm(app: Shell, pilot: Pilot[None]) -> None:
    quiet = 0
    while quiet < 2:
        await pilot.pause(0.02)
        busy = any(not each.is_finished and each.group != "watch" for each in app.workers)
        quiet = 0 if busy or len(app.screen_stack) < 2 else quiet + 1


async def _report(app: Shell, places: Places, themes: Sequence[str], *, every: bool) -> int:
    """Print what is read at each place; how much is too faint."""
    faint = 0
    async with app.run_test(size=(120, 36), notifications=True) as pilot:
        await _calm(app, pilot)
        async for place, theme, read in survey(app, pilot, themes, places):
            if app.current_theme.ansi:
                strange = foreign(app)
                faint += len(strange)
                print(f"{'!' if strange else ' '}        {theme:13} {place:24} {', '.join(strange) or OWN}")
                continue
            below = [each for each in read if each.ratio < floor(theme)]
            faint += len(below)
            for each in read if every else below or read[:1]:
                mark = "!" if each.ratio < floor(theme) else " "
                print(f"{mark} {each.ratio:5.2f}  {theme:13} {place:24} {each.ink} on {each.paper}  {each.text[:40]}")
    return faint


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    shipped = [theme.name for theme in load_themes([themes_dir()])[0]]
    parser.add_argument("--theme", action="append", choices=shipped, help="this one alone; may be given again")
    parser.add_argument("--all", action="store_true", help="every pair of colours, not the faintest alone")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as home, tempfile.TemporaryDirectory(prefix="tidewatch-") as root:
        os.environ |= {"HOME": home, "XDG_CONFIG_HOME": home, "XDG_STATE_HOME": home, "TUR_HOME": f"{home}/tur"}
        themes = options.theme or shipped
        with Engine.init(Path(root), actor=MARA, nested=True) as engine:
            learn(engine, (*REMEMBERED, *NEWS))
            faint = asyncio.run(_report(Workbench(engine, here=engine.root), PLACES, themes, every=options.all))
        for name, text in RULES.items():
            Path(root, name).write_text(text, "utf-8")
        faint += asyncio.run(_report(ScanBench(Rulebook(Path(root))), SCAN_PLACES, themes, every=options.all))
    print(f"{faint} below the floor." if faint else "Every text can be read.")
    return 1 if faint else 0


if __name__ == "__main__":
    sys.exit(main())
