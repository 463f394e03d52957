"""What every program of ours on a full screen shares: themes, settings, toasts, and what happens on a fault."""

from __future__ import annotations

import asyncio
import contextlib
import gc
import os
from time import monotonic

from textual.notifications import Notify, SeverityLevel
from textual.screen import ModalScreen
from textual.theme import BUILTIN_THEMES
from textual.widgets._toast import ToastRack

from .actions import key, remap
from .calls import one_line
from .crash import EXIT_CODE, last_words, write_report
from .desk.drafts import Drafts
from .drawing.wording import now
from .ending import signals
from .keymap import read_keymap
from .resources import themes_dir, user_themes_dir
from .said import Log
from .settings import Settings, SettingsError, keep_theme, read_settings, settings_path
from .theme_files import ThemeFiles
from .themes import starting_theme, variable_defaults
from .toasts import Notice, make_room, over_a_dialog
from .typed_ahead import TypedAhead

THERE = 1.5
"""Seconds after which the start is over, however slow the machine."""
AGAIN = 2.0
"""Seconds within which a second Ctrl-C leaves."""


ORDINARY = 5.0
"""Seconds that a toast stays where the settings say nothing."""

LOOK = 0.5
"""Seconds between two looks at the themes of one's own; a change is taken once it is the same at two of them."""


def _tidy() -> None:
    """Look for garbage again where the start had put it off, but not among what was loaded up to now."""
    if not gc.isenabled():
        gc.freeze()
        gc.enable()


class Shell(TypedAhead):
    """A program around screens."""

    TITLE = "tur-tui"
    CSS_PATH = "app.tcss"
    ENABLE_COMMAND_PALETTE = False

    def __init__(self, *, theme: str | None = None) -> None:
        # Textual picks its NO_COLOR filter here; without this an ANSI theme would come out black on black.
        super().__init__(ansi_color=True if "NO_COLOR" in os.environ else None)
        self._interrupted = -AGAIN
        self.said = Log()
        """What was said so far."""
        self.drafts = Drafts()
        self.parting = ""
        """For stderr, once the screen is gone."""
        self.complaints: list[str] = []
        """Sentences about settings and theme files, shown once after the start."""
        self.settings = self._settings()
        self.keymap, problems = read_keymap(self.settings.keys)
        self.complaints += [f"{settings_path()}: {each}" for each in problems]
        remap(self.keymap)
        self._theme_files = ThemeFiles(themes_dir(), user_themes_dir())
        self.complaints += self._theme_files.problems
        self._cycle: list[str] = []
        self._have_themes()
        name, problem = starting_theme(
            theme or self.settings.theme,
            self.available_themes,
            no_color=self.no_color,
            wishes=os.environ.get("TEXTUAL_THEME", ""),
        )
        self.complaints += [problem] if problem else []
        if name in self.available_themes:
            self.theme = name

    def on_load(self) -> None:
        """Whoever ends the program from outside finds the terminal as it was, and the session kept."""
        if self.is_headless:
            return
        for number in signals():
            with contextlib.suppress(NotImplementedError, RuntimeError):  # not on every system
                asyncio.get_running_loop().add_signal_handler(number, self.ended_by, number)

    def ended_by(self, number: int) -> None:
        """Leave because of a signal."""
        self.exit(return_code=128 + number)

    def on_mount(self) -> None:
        self.set_timer(THERE, _tidy)
        self.set_keymap({name: ",".join(keys) for name, keys in self.keymap.items()})
        self.set_interval(LOOK, self._look_at_themes)

    @property
    def editor(self) -> str:
        """The command that opens a file at a line; "" where none is named anywhere."""
        return self.settings.editor or os.environ.get("VISUAL") or os.environ.get("EDITOR") or ""

    def ring(self) -> None:
        """A conflict opened: the terminal's bell, for those who want to hear it."""
        if self.settings.bell:
            self.bell()

    def complain(self) -> None:
        """Show what is wrong with settings and themes, where something is."""
        if self.complaints:
            self.say("\n".join(self.complaints), severity="warning", timeout=12)

    def get_theme_variable_defaults(self) -> dict[str, str]:
        return variable_defaults(self.current_theme)

    def say(
        self,
        sentence: str,
        *,
        severity: str = "information",
        timeout: float = 5,
        series: str = "",
        over: bool = False,
    ) -> None:
        """A toast; nothing in the sentence is markup. `series` and `over`: see `Notice`."""
        lines = "\n".join(one_line(line) for line in sentence.split("\n"))
        self._tell(lines, severity, timeout, markup=False, series=series, over=over)  # type: ignore[arg-type]

    def notify(
        self,
        message: str,
        *,
        title: str = "",
        severity: SeverityLevel = "information",
        timeout: float | None = None,
        markup: bool = True,
    ) -> None:
        """As Textual's; with a notification of ours, which no delay can hurt, for as long as the person reads."""
        self._tell(message, severity, timeout, title=title, markup=markup)

    def _tell(
        self,
        message: str,
        severity: SeverityLevel,
        timeout: float | None,
        *,
        title: str = "",
        markup: bool,
        series: str = "",
        over: bool = False,
    ) -> None:
        self.said.take(message, severity, now())
        up = (self.NOTIFICATION_TIMEOUT if timeout is None else timeout) * self.settings.toast_seconds / ORDINARY
        self.post_message(Notify(Notice(message, title, severity, up, markup=markup, series=series, over=over)))

    def _on_notify(self, event: Notify) -> None:
        event.prevent_default()
        self._notifications.add(make_room(self._notifications, event.notification))
        self._refresh_notifications()

    def _refresh_notifications(self) -> None:
        """As Textual's; a dialog is not covered."""
        if self._screen_stack and isinstance(self.screen, ModalScreen):
            for rack in self.screen.query(ToastRack):
                self.call_later(rack.show, over_a_dialog(self._notifications))
        else:
            super()._refresh_notifications()

    def action_notices(self) -> None:
        """What was said so far."""
        from .screens.notices import NoticesScreen  # rare

        self.push_screen(NoticesScreen(self.said))

    def action_help_quit(self) -> None:
        """Ctrl-C, which Textual keeps for copying: say how to leave, and leave at the second one."""
        now = monotonic()
        if now - self._interrupted < AGAIN:
            self.exit()
            return
        self._interrupted = now
        first = "Esc closes this; then " if isinstance(self.screen, ModalScreen) else ""
        self.say(f"{first}{key('quit')} leaves. Ctrl-C once more leaves at once.", timeout=AGAIN, over=True)

    def give_up(self, sentence: str, exit_code: int) -> None:
        """Leave because there is nothing to show; the sentence is printed where the screen was."""
        self.parting = f"tur-tui: {sentence}"
        self.exit(return_code=exit_code)

    def next_theme(self) -> None:
        """Take the next of the theme files."""
        current = self.current_theme.name
        place = self._cycle.index(current) + 1 if current in self._cycle else 0
        self.take_theme(self._cycle[place % len(self._cycle)])

    def take_theme(self, name: str) -> None:
        """Show the workbench in this theme and keep it in config.toml."""
        self.theme = name
        kept = ""
        try:
            keep_theme(settings_path(), name)
        except OSError as error:
            kept = f" It could not be kept for the next start: {settings_path()}: {error.strerror}."
        self.say(f"Theme {name}.{kept}", timeout=2 if not kept else 8)

    def _have_themes(self) -> None:
        """Have the themes of the files, and none that is gone; the one that is shown stays as long as it is shown."""
        themes = self._theme_files.themes
        for name in {*self._cycle} - themes.keys() - {self.theme}:
            self.unregister_theme(name)
            if name in BUILTIN_THEMES:  # one of one's own stood in its place
                self.register_theme(BUILTIN_THEMES[name])
        for each in themes.values():
            self.register_theme(each)
        self._cycle = list(themes)

    def _look_at_themes(self) -> None:
        """Somebody is at work on a theme: show it as it is now, or say what is wrong with it."""
        news = self._theme_files.look()
        if news is None:
            return
        self._have_themes()
        if self.current_theme.name in news.changed:
            self._watch_theme(self.theme)  # as if it had just been chosen
        if news.problems:
            self.say("\n".join(f"{each} It stays as it was." for each in news.problems), severity="warning", timeout=12)
        elif news.changed:
            self.say(f"Read anew: {', '.join(sorted(news.changed))}.", timeout=2)

    def _settings(self) -> Settings:
        try:
            return read_settings(settings_path())
        except SettingsError as error:
            self.complaints.append(f"{error} It is left out.")
            return Settings()

    def _handle_exception(self, error: Exception) -> None:
        """A fault: a private report, one line, exit code 70. Textual would print the locals, memories among them."""
        report = None
        with contextlib.suppress(Exception):
            report = write_report(error)
        if self._exception is None:  # lets run_test raise it; what fails after it is told in a report only
            self._exception = error
            self._exception_event.set()
            self.parting = last_words(error, report)
        self.exit(return_code=EXIT_CODE)
