"""The workbench: the program around the screens, on one open store."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, ClassVar

from textual.binding import BindingType
from textual.screen import ModalScreen

from tur_engine import here as standing_in
from tur_engine.engine import Engine

from .calls import ask
from .messages import CopyRead, Damaged, OpensAnew
from .returning import Returning
from .screens.reaching import LOOK
from .screens.triage import TriageScreen

if TYPE_CHECKING:
    from tur_engine.governor import Governor

    from .hosting import StoreHost


class Workbench(Returning):
    """The workbench on one open store. The caller opens and closes the engine."""

    BINDINGS: ClassVar[list[BindingType]] = []

    def __init__(
        self,
        engine: Engine,
        *,
        theme: str | None = None,
        here: Path | None = None,
        exports: Path | None = None,
        governor: Governor | None = None,
        clock: Callable[[], float] = monotonic,
        greeting: str = "",
    ) -> None:
        super().__init__(theme=theme)
        self.engine = engine
        self._greeting = greeting
        self._lying: tuple[int, ...] = ()
        """The file that lay at the path at the last look, where it was not the open one."""
        self._read: tuple[int, ...] = ()
        """The last such file that was read."""
        self.anew = False
        """True where it ended to begin anew on the store that is there now."""
        self.here = here or standing_in()
        self.exports = exports or self.here
        """Where files are exported to."""
        self._governor, self._lock_clock = governor, clock
        self._lock_after = self.settings.auto_lock_minutes * 60
        self.recall_session(engine.path)

    def on_mount(self) -> None:
        self.push_screen(TriageScreen(self.engine, here=self.here, session=self.session))
        self.complain()
        if self._greeting:
            self.say(self._greeting)
        self.set_interval(LOOK, self._look_for_copy)

    def _look_for_copy(self) -> None:
        """Where the open file was replaced: whether a copy of the store lies there, and lies still.

        It is opened by itself, unless something lies on top in which a person may have typed.
        """
        lies = self._file() if self.engine.displaced() else ()
        still, self._lying = lies == self._lying, lies
        if (
            not lies
            or not still
            or lies == self._read
            or any(isinstance(each, ModalScreen) for each in self.screen_stack)
        ):
            return
        self._read = lies
        engine, known = self.engine, self.session.store

        def look() -> CopyRead:
            with Engine.open(engine.path, actor=engine.actor, read_only=engine.read_only) as other:
                other.conflicts()
                return CopyRead(other.status().store_id == known)

        ask(self, look, group="copy", failed=lambda _: CopyRead(of_this_store=False))

    def _file(self) -> tuple[int, ...]:
        try:
            found = self.engine.path.stat()
        except OSError:
            return ()
        return found.st_dev, found.st_ino, found.st_size, found.st_mtime_ns

    def on_copy_read(self, message: CopyRead) -> None:
        if message.of_this_store:
            self.on_opens_anew(OpensAnew())

    def action_open_anew(self) -> None:
        """Begin anew on the store that the path names now, once it is known that it opens."""
        engine = self.engine

        def look() -> OpensAnew:
            Engine.open(engine.path, actor=engine.actor, read_only=engine.read_only).close()
            return OpensAnew()

        ask(self, look, group="anew", failed=OpensAnew)

    def on_opens_anew(self, message: OpensAnew) -> None:
        if message.problem:
            self.say(message.problem, severity="error", timeout=10)
            return
        self.anew = True
        self.exit()

    def on_damaged(self, message: Damaged) -> None:
        """Found by a screen on top of the triage screen: that one shows it."""
        for screen in self.screen_stack:
            if isinstance(screen, TriageScreen):
                screen.on_damaged(message)


if TYPE_CHECKING:

    def _host(workbench: Workbench) -> StoreHost:
        return workbench  # all that screens ask for is there
