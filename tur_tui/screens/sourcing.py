"""The part of the triage screen that looks and reaches outside: the repository, the editor, the clipboard, a file."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from textual.message import Message
from textual.timer import Timer

from tur_engine.errors import TurError
from tur_engine.records import Conflict, Verb

from ..calls import ask, one_line
from ..desk.decisions import short
from ..desk.merging import plain
from ..messages import Exported, Looked, Sourced
from ..widgets.diff_view import DiffView
from .editing import NO_EDITOR, open_in_editor
from .explaining import ExplainingScreen

if TYPE_CHECKING:
    from ..hosting import Host, StoreHost

PAUSE = 0.1
"""Seconds on one conflict after which the repository is asked about it: git takes long where it is large."""


class SourcingScreen(ExplainingScreen):
    """`o` opens the source line, `y` and `Y` copy, `E` exports."""

    # the repository --------------------------------------------------------------------

    _resting_on: Timer | None = None

    def look_around(self, conflict: Conflict) -> None:
        """Ask the repository around the store about the two sides, once the person stays with them."""
        if self._resting_on is not None:
            self._resting_on.stop()
        self._resting_on = self.set_timer(PAUSE, lambda: self._look_around(conflict))

    def _look_around(self, conflict: Conflict) -> None:
        """It is told below the sides when it answers."""
        root = self.engine.root

        def look() -> Message:
            from ..desk.repository import what_it_says

            return Looked(conflict.id, *what_it_says(root, conflict))

        ask(self, look, group="repository")

    def on_looked(self, message: Looked) -> None:
        current = self.desk.current
        if current and current.id == message.conflict_id and (message.incumbent or message.challenger):
            self.query_one(DiffView).remark(message.incumbent, message.challenger)

    # the editor ------------------------------------------------------------------------

    @property
    def host(self) -> Host:
        """The program this screen runs in."""
        return cast("Host", self.app)

    def action_open_source(self) -> None:
        conflict, root = self.desk.current, self.engine.root
        if conflict is None:
            self.say("No conflict is open: there is no source to open.")
            return
        if not self.host.editor:
            self.say(NO_EDITOR, severity="warning")
            return

        def find() -> Message:
            from ..desk.repository import TooSlow, source_of

            try:
                found = source_of(root, conflict)
            except (OSError, TooSlow):
                found = None
            if found is None:
                raise TurError("Neither side names a file that is there, and no tracked file has its words.")
            return Sourced(*found)

        ask(self, find, group="source")

    def on_sourced(self, message: Sourced) -> None:
        """The program steps aside for the editor, and comes back when it is closed."""
        open_in_editor(self.host, message.path, message.line, self.engine.root)

    # what leaves -----------------------------------------------------------------------

    def action_copy_id(self) -> None:
        if conflict := self.desk.current:
            self.app.copy_to_clipboard(conflict.id)
            self.say(f"Copied {short(conflict.id)}, in full.", timeout=3)
        else:
            self.say("No conflict is open: there is no id to copy.")

    def action_copy_sides(self) -> None:
        if conflict := self.desk.current:
            sides = (conflict.incumbent, conflict.challenger)
            self.app.copy_to_clipboard("\n\n".join(plain(each.memory.content) for each in sides))
            self.say("Copied the two texts.", timeout=3)
        else:
            self.say("No conflict is open: there is no text to copy.")

    def action_export(self) -> None:
        conflict, engine = self.desk.current, self.engine
        if conflict is None:
            self.say("No conflict is open: there is nothing to export.")
            return
        from .export import export  # rare

        def text(form: str) -> str:
            from ..desk.conflict_export import as_markdown, as_svg
            from ..desk.telling import Account

            previews = {verb: engine.preview(conflict.id, verb) for verb in Verb}
            told = Account(
                engine.history(conflict.id),
                conflict=engine.conflict(conflict.id),
                previews=previews,
                exposed=engine.exposure(conflict.id).sentence,
            )
            return (as_svg if form == "svg" else as_markdown)(told)

        export(self, short(conflict.id), cast("StoreHost", self.app).exports, short(conflict.id), text)

    def on_exported(self, message: Exported) -> None:
        self.say(f"Written to {one_line(str(message.path))}.")
