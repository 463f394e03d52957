"""The part of the history screen that reads: the list, the memory in front, other moments, what is recorded."""

from __future__ import annotations

from contextlib import suppress

from textual.message import Message

from tur_engine.engine import Engine

from ..calls import ask
from ..desk.as_of import event_at, read_moment
from ..desk.remembering import HistoryDesk, Known, Page, arranged, read_wanted
from ..desk.remembering_life import changes, exposed
from ..drawing.wording import now, when
from ..messages import Arrived, Failed
from .beside import BesideScreen
from .history_messages import (
    Compared,
    KnownRead,
    KnownUnread,
    RowsRead,
    RowsUnread,
    TextsRead,
    Travelled,
)
from .live import follow


class HistoryReadingScreen(BesideScreen):
    """Keeps the desk true; every engine call runs in a thread worker and posts one message."""

    def __init__(self, engine: Engine) -> None:
        super().__init__(engine)
        self.present = engine
        """The store as it is now."""
        self.desk = HistoryDesk()
        self.head = 0
        self.unread = ""
        """Why the list could not be read."""
        self._reading = self._stale = False

    def show_rows(self) -> None:
        """Bring the list in line with the desk."""
        raise NotImplementedError

    def show_known(self, problem: str = "") -> None:
        """Bring the memory in front in line with the desk."""
        raise NotImplementedError

    def show_time(self) -> None:
        """Bring the slider in line with the moment."""
        raise NotImplementedError

    # the list ----------------------------------------------------------------------

    @property
    def _asked(self) -> tuple[str, str, int]:
        return self.desk.page, self.desk.typed, self.engine.as_of or 0

    def read(self) -> None:
        """Read the list and the memory in front anew; one list at a time, and once more for what came meanwhile."""
        self.study()
        if self._reading:
            self._stale = True
            return
        self._reading, self._stale = True, False
        engine, present, asked, page = self.engine, self.present, self._asked, self.desk.page
        wanted, _ = read_wanted(self.desk.typed)

        def look() -> Message:
            rows = engine.remembered(text=wanted.text, type=wanted.type, by=wanted.by, ever=page is Page.EVER)
            kept = [row for row in rows if wanted.lets_through(row)]
            return RowsRead(asked, arranged(kept, page), len(kept), present.head())

        ask(self, look, group="rows", failed=RowsUnread)

    def on_rows_read(self, message: RowsRead) -> None:
        message.stop()
        self._reading, self.head = False, message.head
        self.show_time()
        if message.asked == self._asked:
            self.unread = ""
            self.desk.rows, self.desk.total = message.rows, message.total
            self.show_rows()
        if self._stale:
            self.read()

    def on_rows_unread(self, message: RowsUnread) -> None:
        message.stop()
        self._reading = False
        self.unread = message.sentence
        self.desk.rows, self.desk.total = (), 0
        self.show_rows()

    def read_texts(self, seqs: tuple[int, ...]) -> None:
        """Read the texts of rows in view."""
        engine = self.engine
        ask(
            self,
            lambda: TextsRead(seqs, engine.beliefs(seqs)),
            group="texts",
            newest_only=False,
            failed=lambda why: TextsRead(seqs, [], why),
        )

    # the memory in front -------------------------------------------------------------

    def study(self) -> None:
        """Read everything about the memory in front."""
        engine, wanted = self.engine, self.desk.wanted
        if not wanted:
            return

        def look() -> Message:
            belief = engine.beliefs([int(wanted)])[0] if wanted.isdecimal() else engine.memory(wanted)
            life = engine.life(belief.id)
            return KnownRead(wanted, Known(belief, life, engine.lineage(belief.id), exposed(engine, life)))

        ask(self, look, group="known", failed=lambda why: KnownUnread(wanted, why))

    def on_known_read(self, message: KnownRead) -> None:
        message.stop()
        if message.wanted == self.desk.wanted:
            self.desk.known = message.known
            self.show_known()

    def on_known_unread(self, message: KnownUnread) -> None:
        message.stop()
        if message.wanted == self.desk.wanted:
            self.desk.known = None
            self.show_known(message.sentence)

    def compare_events(self, first: int, last: int) -> None:
        """Look what changed in the store between two events."""
        engine = self.engine
        first, last = sorted((first, last))
        title = f"From event {first:,} to event {last:,}"
        ask(self, lambda: Compared(title, changes(engine, first, last)), group="compare")

    # time --------------------------------------------------------------------------

    def travel(self, wanted: int | str) -> None:
        """Look at the store as it was after an event, or at a moment as it is typed."""
        present, typed = self.present, isinstance(wanted, str)

        def look() -> Message:
            moment = read_moment(wanted, now()) if isinstance(wanted, str) else wanted
            head = present.head()
            seq = head if moment is None else event_at(present, moment)
            if seq >= head:
                return Travelled(None, typed=typed)
            at = when(present.entries([seq])[0].at)
            return Travelled(present.at(seq), f"event {seq:,} of {head:,}, {at}", at, typed)

        ask(self, look, group="travel")

    def on_failed(self, message: Failed) -> None:
        message.stop()
        self.tell(message.sentence)
        self.show_time()

    # live --------------------------------------------------------------------------

    def follow(self) -> None:
        """Read again when anything is recorded."""
        follow(self, self.present)

    def on_arrived(self, message: Arrived) -> None:
        message.stop()
        with suppress(IndexError):
            self.head = max(self.head, message.entries[-1].seq)
        self.show_time()
        if self.is_current and self.engine.as_of is None:
            self.read()
