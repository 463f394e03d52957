"""A person at the scan screen: keys in, words on the screen out."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

from textual.pilot import Pilot

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


class Scanning:
    """A person at the scan screen."""

    def __init__(self, app: ScanBench, pilot: Pilot[None]) -> None:
        self.app, self.pilot = app, pilot

    @property
    def screen(self) -> ScanScreen:
        return next(each for each in self.app.screen_stack if isinstance(each, ScanScreen))

    @property
    def text(self) -> str:
        strips = self.app.screen._compositor.render_strips(self.app.size)
        return "\n".join("".join(segment.text for segment in strip) for strip in strips)

    @property
    def toasts(self) -> list[str]:
        return [each.text for each in self.app.said]

    async def press(self, *keys: str) -> None:
        await self.pilot.press(*keys)
        await self.pilot.pause()

    async def until(self, true: Callable[[], object]) -> None:
        for _ in range(400):
            if true():
                return
            await self.pilot.pause(0.02)
        raise AssertionError(f"waited in vain; the screen shows\n{self.text}")

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
