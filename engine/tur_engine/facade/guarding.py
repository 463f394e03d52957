"""What an action would run into: invariants and constraints in force, before anything is done (EP-0134, section 3)."""

from __future__ import annotations

from contextlib import suppress
from datetime import UTC, datetime
from functools import partial
from time import monotonic
from typing import TYPE_CHECKING

from ..errors import BadInput, TurError
from ..ledger import Reads
from ..ledger.codec import author_of
from ..ledger.guarded import LONGEST, Row, Warned
from ..records import Belief, GuardNote, GuardReport, GuardWarning, Scope
from ..text import accept
from .store import Store

if TYPE_CHECKING:
    from ..gate.guardrail.weighing import Reader

LONGEST_ACTION = 1 << 20
"""Characters of an action or plan."""
LONGEST_FILE = 200_000
"""Characters of a file that are looked at."""
MOST_NOTES = 300
"""Warnings that are told, the newest."""


class Guarding(Store):
    """What an action would run into."""

    def guard(
        self,
        text: str,
        *,
        path: str | None = None,
        branch: str | None = None,
        on: str | None = None,
        is_command: bool | None = None,
        session: str | None = None,
        until: float | None = None,
    ) -> GuardReport:
        """Return what speaks against an action or plan: every invariant in force is weighed, stores above included.

        `path` and `branch` say where it would be done, `on` which branch is checked out there: a push that names none
        is read as one of that branch. `is_command` says that the text is a shell line, or none. Nothing
        is written to the ledger; with a `session` ("" for one without a name) a clash is kept beside it, for
        `guard_notes`. Without anything in force no model is loaded. Raises BadInput, StoreError; NotAllowed in a view
        of the past. `until`: a moment of the monotonic clock, after which what is left of the text is left out.
        """
        from ..gate.guardrail import read  # the table of commands loads with it

        text = accept(text, "action", LONGEST_ACTION)
        reading: Reader = partial(read, text, is_command=is_command)
        return self._guard(text, reading, path, branch, session, until, branch or on or "")

    def guard_file(
        self,
        path: str,
        added: str,
        *,
        branch: str | None = None,
        session: str | None = None,
        until: float | None = None,
    ) -> GuardReport:
        """Return what speaks against writing these lines to a file of the store's folder. Raises as `guard` does."""
        from ..gate.guardrail import read_file

        if not path.strip():
            raise BadInput("a file that is to be written needs a name")
        reading = partial(read_file, path, added[:LONGEST_FILE])
        return self._guard(f"edit {path}", reading, path, branch, session, until)

    def _guard(
        self,
        text: str,
        reading: Reader,
        path: str | None,
        branch: str | None,
        session: str | None,
        until: float | None,
        on: str = "",
    ) -> GuardReport:
        from ..gate.guardrail import guard

        self._of_the_present()
        self._minds.eager = True
        scope = Scope(path=path or None, branch=branch or None)
        with self._ledger.snapshot() as db:
            report = guard(
                db,
                self._minds,
                self._minds.embed,
                self._gate.above,
                text,
                reading,
                scope=scope,
                actor=self.actor,
                branch=on,
                in_time=lambda: until is None or monotonic() < until,
            )
            if session is not None:
                head = Reads(db).last_event()
                self._guarded.note([_kept(each) for each in report.warnings], str(self.actor), session, head)
        return report

    def guard_notes(self, *, limit: int = MOST_NOTES) -> list[GuardNote]:
        """Return the latest warnings that the guardrail gave on this machine, the newest first.

        They lie beside the store, outside of its chain: who removes that file loses them and nothing else.
        """
        rows = self._guarded.last(limit, self._now)
        known: dict[tuple[str, str], Belief | None] = {}
        with self._reads() as (_, reads):
            for row in rows:
                key = (row.warned.memory, row.warned.store)
                if key not in known:
                    known[key] = self._invariant(reads, *key)
        notes = []
        for row in rows:
            with suppress(ValueError, TypeError, OverflowError, OSError):  # somebody wrote in there
                notes.append(_note(row, known[row.warned.memory, row.warned.store]))
        return notes

    def guard_state(self) -> object:
        """Return what differs once another warning is kept, cheap enough to ask all the time."""
        return self._guarded.state()

    def _invariant(self, reads: Reads, id: str, store: str) -> Belief | None:
        with suppress(TurError):  # it may be of a store that is gone
            if not store:
                return reads.belief(reads.find_memory(id))
            found = self._gate.above.named(id) if self._gate.above is not None else None
            return found.belief if found is not None else None
        return None


def _kept(warning: GuardWarning) -> Warned:
    """The words of an action that name a password or a key are not kept."""
    from ..gate.secrets import first_secret

    found = first_secret([("action", warning.action), ("action", warning.read_as)])
    hidden = f"(not kept: it holds what looks like a {found.kind})" if found is not None else ""
    return Warned(
        memory=warning.belief.id,
        store=warning.store or "",
        binding=warning.binding,
        probability=warning.probability,
        action=hidden or warning.action[:LONGEST],
        read_as=hidden or warning.read_as[:LONGEST],
    )


def _note(row: Row, belief: Belief | None) -> GuardNote:
    return GuardNote(
        at=datetime.fromtimestamp(row.at, UTC),
        after=row.head,
        actor=author_of(row.actor),
        session=row.session,
        memory_id=row.warned.memory,
        belief=belief,
        store=row.warned.store or None,
        binding=row.warned.binding,
        probability=row.warned.probability,
        action=row.warned.action,
        read_as=row.warned.read_as,
    )
