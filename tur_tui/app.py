"""The program around the screens: themes, settings, and what happens on a fault."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, ClassVar

from textual.app import App
from textual.binding import BindingType
from textual.screen import ModalScreen

from tur_engine.engine import Engine

from .calls import one_line
from .crash import EXIT_CODE, last_words, write_report
from .messages import Damaged
from .resources import themes_dir, user_themes_dir
from .screens.triage import TriageScreen
from .session import Session, read_session, session_path, write_session
from .settings import Settings, SettingsError, keep_theme, read_settings, settings_path
from .themes import load_themes, starting_theme, variable_defaults

if TYPE_CHECKING:
    from tur_engine.governor import Governor

AGAIN = 2.0
"""Seconds within which a second Ctrl-C leaves."""


class Workbench(App[None]):
    """The workbench on one open store. The caller opens and closes the engine."""

    TITLE = "tur-tui"
    CSS_PATH = "app.tcss"
    ENABLE_COMMAND_PALETTE = False
    BINDINGS: ClassVar[list[BindingType]] = []

    def __init__(
        self,
        engine: Engine,
        *,
        theme: str | None = None,
        here: Path | None = None,
        governor: Governor | None = None,
        clock: Callable[[], float] = monotonic,
    ) -> None:
        # Textual picks its NO_COLOR filter here; without this an ANSI theme would come out black on black.
        super().__init__(ansi_color=True if "NO_COLOR" in os.environ else None)
        self.engine = engine
        self.here = here or Path.cwd()
        self._governor, self._lock_clock = governor, clock
        self._interrupted = -AGAIN
        self.parting = ""
        """For stderr, once the screen is gone."""
        self.complaints: list[str] = []
        """Sentences about settings and theme files, shown once after the start."""
        settings = self._settings()
        self._lock_after = settings.auto_lock_minutes * 60
        themes, problems = load_themes([themes_dir(), user_themes_dir()])
        self.complaints += problems
        for each in themes:
            self.register_theme(each)
        self._cycle = [each.name for each in themes]
        name, problem = starting_theme(
            theme or settings.theme,
            self.available_themes,
            no_color=self.no_color,
            wishes=os.environ.get("TEXTUAL_THEME", ""),
        )
        self.complaints += [problem] if problem else []
        if name in self.available_themes:
            self.theme = name
        self._session_file = session_path(engine.path)
        self.session = read_session(self._session_file)

    def on_mount(self) -> None:
        self.push_screen(TriageScreen(self.engine, here=self.here, session=self.session))
        if self.complaints:
            self.say("\n".join(self.complaints), severity="warning", timeout=12)

    def get_theme_variable_defaults(self) -> dict[str, str]:
        return variable_defaults(self.current_theme)

    def say(self, sentence: str, *, severity: str = "information", timeout: float = 5) -> None:
        """A toast; nothing in the sentence is markup."""
        lines = "\n".join(one_line(line) for line in sentence.split("\n"))
        self.notify(lines, severity=severity, timeout=timeout, markup=False)  # type: ignore[arg-type]

    def on_damaged(self, message: Damaged) -> None:
        """Found by a screen on top of the triage screen: that one shows it."""
        for screen in self.screen_stack:
            if isinstance(screen, TriageScreen):
                screen.on_damaged(message)

    def action_help_quit(self) -> None:
        """Ctrl-C, which Textual keeps for copying: say how to leave, and leave at the second one."""
        now = monotonic()
        if now - self._interrupted < AGAIN:
            self.exit()
            return
        self._interrupted = now
        first = "Esc closes this; then " if isinstance(self.screen, ModalScreen) else ""
        self.say(f"{first}q leaves. Ctrl-C once more leaves at once.", timeout=AGAIN)

    def give_up(self, sentence: str, exit_code: int) -> None:
        """Leave because there is nothing to show; the sentence is printed where the screen was."""
        self.parting = f"tur-tui: {sentence}"
        self.exit(return_code=exit_code)

    def keep_session(self, session: Session) -> None:
        """Remember the view for the next start on this store."""
        self.session = session
        write_session(self._session_file, session)

    def show_admin(self) -> None:
        """The admin screen, made at the first visit and kept; nothing that can sign is loaded before."""
        if not self.is_screen_installed("admin"):
            from .screens.admin import AdminScreen

            if self._governor is None:
                from tur_engine.governor import Governor

                self._governor = Governor(self.engine)
            admin = AdminScreen(self.engine, self._governor, idle=self._lock_after, clock=self._lock_clock)
            self.install_screen(admin, "admin")
        self.push_screen("admin")

    def next_theme(self) -> None:
        """Take the next of the theme files and keep it in config.toml."""
        current = self.current_theme.name
        place = self._cycle.index(current) + 1 if current in self._cycle else 0
        name = self._cycle[place % len(self._cycle)]
        self.theme = name
        kept = ""
        try:
            keep_theme(settings_path(), name)
        except OSError as error:
            kept = f" It could not be kept for the next start: {settings_path()}: {error.strerror}."
        self.say(f"Theme {name}.{kept}", timeout=2 if not kept else 8)

    def _settings(self) -> Settings:
        try:
            return read_settings(settings_path())
        except SettingsError as error:
            self.complaints.append(f"{error} It is left out.")
            return Settings()

    def _handle_exception(self, error: Exception) -> None:
        """A fault: a private report, one line, exit code 70. Textual would print the locals, memories among them."""
        if self._exception is None:  # lets run_test raise it
            self._exception = error
            self._exception_event.set()
        report = None
        with contextlib.suppress(Exception):
            report = write_report(error)
        self.exit(return_code=EXIT_CODE, message=last_words(error, report))
