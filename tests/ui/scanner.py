"""A person at the scan screen: keys in, words on the screen out."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from tests.ui.seat import Seat
from tur_engine.rulebook import Rulebook
from tur_tui.scanning import ScanBench
from tur_tui.screens.scan import ScanScreen

FILES = {
    "CLAUDE.md": "# Rules\n\n- Package manager: pnpm\n- Test runner: vitest, always\n",
    "AGENTS.md": "# Rules\n\n- Package manager: npm\n- Test runner: vitest, always\n- Merge style: rebase\n",
    "web/AGENTS.md": "- Merge style: squash [/b]\n",
    "bin/CLAUDE.md": "\0",
}


def write_rules(folder: Path) -> Path:
    """Write the rule files; the folder."""
    for name, text in FILES.items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(text, "utf-8")
    return folder


class Scanning(Seat[ScanBench]):
    """A person at the scan screen."""

    @property
    def screen(self) -> ScanScreen:
        return next(each for each in self.app.screen_stack if isinstance(each, ScanScreen))

    async def press(self, *keys: str) -> None:
        await self.pilot.press(*keys)
        await self.pilot.pause()

    async def scanned(self) -> None:
        await self.until(lambda: not self.screen.scanning)
        await self.pilot.pause()


@asynccontextmanager
async def scanning(book: Rulebook, size: tuple[int, int] = (120, 36)) -> AsyncIterator[Scanning]:
    app = ScanBench(book)
    async with app.run_test(size=size, notifications=True) as pilot:
        made = Scanning(app, pilot)
        await made.until(lambda: len(app.screen_stack) > 1)
        await made.scanned()
        yield made
