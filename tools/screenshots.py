"""Makes docs/screenshots/ from the running program: `python tools/screenshots.py [--only NAME]`, or `make screenshots`.

A sample store is learned through the gate, the workbench opened on it, keys pressed, and what it paints written as SVG.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import re
import tempfile
from dataclasses import dataclass
from pathlib import Path

from tur_engine.engine import Engine
from tur_engine.rulebook import Rulebook
from tur_tui.actions import ACTIONS
from tur_tui.app import Workbench
from tur_tui.demo.learning import learn
from tur_tui.demo.memories import MARA, NEWS, REMEMBERED
from tur_tui.scanning import ScanBench
from tur_tui.shell import Shell

FOLDER = Path(__file__).resolve().parent.parent / "docs" / "screenshots"
CALM = 0.3
"""Seconds without work after which the screen is taken to be finished."""
_FONTS = re.compile(r"@font-face \{.*?\}\s*", re.S)


@dataclass(frozen=True)
class Picture:
    """A size, the keys that lead there, and the file's name."""

    name: str
    keys: tuple[str, ...] = ()
    size: tuple[int, int] = (120, 36)
    theme: str = "tur-dark"


PICTURES = (
    Picture("triage"),
    Picture("triage-80x24", size=(80, 24)),
    Picture("triage-light", size=(160, 40), theme="tur-light"),
    Picture("verb", ("right", "right", "right")),
    Picture("batch", ("space", "space", "x")),
    Picture("merge", ("m",)),
    Picture("explain", ("e",)),
    Picture("admin", ("2",)),
    Picture("history", ("3",)),
    Picture("graph", ("4",)),
    Picture("health", ("5",)),
    Picture("help", ("question_mark",)),
    Picture("palette", ("ctrl+p", "d", "a", "t", "a", "b", "a", "s", "e")),
)


SCANNED = {
    "CLAUDE.md": "# Tidewatch\n\n- Install packages with `pnpm install`.\n- Enums are stored as strings.\n"
    "- Flood warnings are sent within five minutes.\n\n## Git\n\n- Merge pull requests with squash only.\n",
    "AGENTS.md": "# Rules for agents\n\n- Install packages with `npm install`.\n- Enums are stored as integers.\n"
    "- Tests run with `pytest`.\n",
    "gauges/AGENTS.md": "# Gauges\n\n- Flood warnings are sent within fifteen minutes.\n- Tests run with `pytest`.\n",
}
"""Rule files for the picture of `tur-tui scan`."""
SCAN = Picture("scan")


async def take_scan() -> str:
    """The scan screen on those files."""
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder, "tidewatch")
        for name, text in SCANNED.items():
            (root / name).parent.mkdir(parents=True, exist_ok=True)
            (root / name).write_text(text, "utf-8")
        os.chdir(root)
        try:
            return await painted(ScanBench(Rulebook(Path(".")), theme=SCAN.theme), SCAN)
        finally:
            os.chdir(FOLDER)


async def take(engine: Engine, picture: Picture) -> str:
    """The picture as SVG, without the fonts that it would fetch."""
    return await painted(Workbench(engine, theme=picture.theme, here=engine.root), picture)


async def painted(app: Shell, picture: Picture) -> str:
    """What a program paints after some keys."""
    async with app.run_test(size=picture.size, notifications=False) as pilot:

        async def calm() -> None:
            quiet = 0.0
            while quiet < CALM:
                await pilot.pause(0.05)
                busy = any(not each.is_finished and each.group != "watch" for each in app.workers)
                quiet = 0.0 if busy or len(app.screen_stack) < 2 else quiet + 0.05

        await calm()
        for key in picture.keys:
            await pilot.press(key)
            await calm()
        return _FONTS.sub("", app.export_screenshot(title="tur-tui"))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", metavar="NAME", help="make this one alone")
    options = parser.parse_args()
    bound = {key for each in ACTIONS for key in each.keys}
    wanted = [each for each in PICTURES if options.only in (None, each.name) and bound.issuperset(each.keys)]
    if not wanted and options.only != SCAN.name:
        names = ", ".join(each.name for each in (*PICTURES, SCAN))
        parser.error(f"no picture is called {options.only!r}; use one of {names}")
    FOLDER.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as home, tempfile.TemporaryDirectory(prefix="tidewatch-") as root:
        os.environ |= {"HOME": home, "XDG_CONFIG_HOME": home, "XDG_STATE_HOME": home, "TUR_HOME": f"{home}/tur"}
        if options.only in (None, SCAN.name):
            (FOLDER / f"{SCAN.name}.svg").write_text(asyncio.run(take_scan()), "utf-8")
            print(f"docs/screenshots/{SCAN.name}.svg")
        if not wanted:
            return
        with Engine.init(Path(root), actor=MARA, nested=True) as engine:
            learn(engine, (*REMEMBERED, *NEWS))
            for picture in wanted:
                (FOLDER / f"{picture.name}.svg").write_text(asyncio.run(take(engine, picture)), "utf-8")
                print(f"docs/screenshots/{picture.name}.svg")


if __name__ == "__main__":
    main()
