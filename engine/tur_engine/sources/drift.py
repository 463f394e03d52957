"""Drift between rule files and the ledger: lines that came, changed or went, weighed as a scan weighs them.

Nothing is written. What stood in the files when the look-out began is taken as known.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING

from ..introspect.answers import signature
from ..minds import Minds
from ..place import Place
from ..records import Belief, Relationship, Status
from ..text import counted, excerpt, fold
from .agents import readers
from .cache import Notes
from .discovery import Found, discover
from .incumbents import MOST, incumbents
from .judging import Scales, as_memory
from .limits import cut_off
from .report import Clash, Side
from .scan import Readers, by_file, clash_of
from .scoping import Meeting
from .shelf import Entry
from .statements import Statement
from .telling import POLICY

if TYPE_CHECKING:
    from ..engine import Engine

MOST_FILES = 8
MOST_LINES = 60
"""Files or lines that change at once beyond which they are counted only: a branch was switched, a tree was copied."""
MOST_ALIKE = 5
"""Lines of one file and one kind beyond which one sentence tells of all."""


class DriftKind(StrEnum):
    """What became of a line. The word is what people read in the feed."""

    DRIFT = "drift"
    """It contradicts a live memory."""
    NEW = "new line"
    """The ledger does not know it."""
    GONE = "gone"
    """A memory was imported from it."""
    MANY = "many"
    """Too many changed at once to tell each."""
    UNREAD = "unread"
    """A rule file can no longer be read."""


@dataclass(frozen=True, slots=True)
class Drift:
    """One difference between a rule file and the ledger."""

    kind: DriftKind
    sentence: str
    side: Side | None = None
    """The line; None where it is about none."""
    clash: Clash | None = None
    """Of a contradiction: the pair, the memory first."""
    memory: Belief | None = None
    """The memory that it contradicts, or that was imported from the line."""
    at: datetime = field(default_factory=lambda: datetime.now(UTC))
    unread: str = ""
    """The file that can no longer be read, or not whole."""

    @property
    def place(self) -> str:
        return self.side.place if self.side is not None else ""


def said(text: str) -> str:
    """Return what tells a statement from others, whatever its case, spaces and full stop."""
    return fold(text).rstrip(".!")


@dataclass
class _Changes:
    """What one look found."""

    came: list[Statement] = field(default_factory=list)
    went: list[Statement] = field(default_factory=list)
    files: set[str] = field(default_factory=set)
    unread: list[str] = field(default_factory=list)


class Drifting:
    """Holds what the rule files of a repository said at the last look."""

    def __init__(self, root: Path, engine: Engine, profile: str = "balanced") -> None:
        self._engine = engine
        self._minds = Minds(profile)
        self._found = discover(root)
        self._branch = Place.of(root, root).branch
        self._notes: Notes | None = None
        self._incumbents: tuple[int, str | None, list[Entry]] | None = None

    @property
    def found(self) -> Found:
        """The rule files as they were at the last look."""
        return self._found

    def look(self) -> list[Drift]:
        """Return what changed since the last look. Raises StoreError."""
        before, branch = self._found, self._branch
        self._found = found = discover(before.root)
        self._branch = Place.of(found.root, found.root).branch
        changes = _changes(before, found)
        unread = [
            Drift(DriftKind.UNREAD, sentence, unread=_named(found, sentence))
            for sentence in changes.unread[:MOST_ALIKE]
        ]
        if len(changes.files) > MOST_FILES or len(changes.came) + len(changes.went) > MOST_LINES:
            return [*unread, _many(changes, self._branch if self._branch != branch else None)]
        came = list(self._came(changes.came)) if changes.came else []
        against = {drift.memory.id for drift in came if drift.memory is not None}
        # A line that was edited into a contradiction of its own memory is told once.
        gone = [each for each in self._gone(changes.went) if each.memory is None or each.memory.id not in against]
        return [*unread, *_few(gone), *_few(came)]

    def _gone(self, went: Sequence[Statement]) -> list[Drift]:
        """Return the memories that were imported from lines which no file has any more."""
        still = {said(s.text) for rules in self._found.rules.values() for s in rules.statements}
        lost = {(s.file, said(s.text)): s for s in went if said(s.text) not in still}
        if not lost:
            return []
        drifts = []
        for belief in self._engine.memories(status=(Status.ACTIVE, Status.SUSPECT), limit=MOST):
            memory = belief.memory
            statement = lost.get((self._file_of(memory.provenance.get("file", "")), said(memory.content)))
            if statement is not None and not memory.redacted:
                sentence = f'{memory.short_id} was imported from it, and the line is gone: "{_short(memory.content)}"'
                drifts.append(Drift(DriftKind.GONE, sentence, Side.of(statement), memory=belief))
        return drifts

    def _file_of(self, written: str) -> str:
        """Return a file that provenance names (from the store's root) as seen from the watched folder."""
        return os.path.relpath(self._engine.root / written, self._found.root).replace(os.sep, "/") if written else ""

    def _came(self, came: Sequence[Statement]) -> Iterator[Drift]:
        known = self._known()
        fresh = [s for s in came if not _knows(known, s)]
        if not fresh:
            return
        entries = [*known, *(Entry(as_memory(s, seq), s) for seq, s in enumerate(fresh, start=1))]
        told: set[int] = set()
        found = self._found
        reading = by_file(readers(found.rules, found.imports, found.aliases))
        who = Readers(reading, cut_off(found.root, reading))
        for pairing in self._scales().weigh(entries, Meeting(found.files)):
            if pairing.a.statement is not None or pairing.b.statement is None:
                continue
            told.add(id(pairing.b.statement))
            if pairing.verdict.relationship is not Relationship.DUPLICATE:
                clash = clash_of(pairing, who, {})
                belief = None if pairing.a.store else self._engine.memory(clash.a.memory)
                word = "contradicts the invariant" if clash.invariant else "contradicts"
                sentence = f'{word} {clash.a.short_id}: "{_short(clash.b.text)}" against "{_short(clash.a.text)}"'
                yield Drift(DriftKind.DRIFT, sentence, clash.b, clash, belief)
        for statement in fresh:
            if id(statement) not in told:
                sentence = f'the ledger does not know it: "{_short(statement.text)}"'
                yield Drift(DriftKind.NEW, sentence, Side.of(statement))

    def _known(self) -> list[Entry]:
        """Return what holds in the repository; read anew where the ledger moved."""
        head = self._engine.head()
        if self._incumbents is None or self._incumbents[:2] != (head, self._branch):
            self._incumbents = head, self._branch, incumbents(self._found.root, self._engine, [])
        return self._incumbents[2]

    def _scales(self) -> Scales:
        if self._notes is None:
            self._notes = Notes(None, f"{POLICY}-{signature(self._minds.detector).hex()}")

        def embed(text: str) -> bytes:
            body = self._minds.embed(text)
            assert body is not None
            return body[-384:]

        return Scales(self._minds.detector, embed, self._notes)


def _changes(before: Found, after: Found) -> _Changes:
    """Compare two looks; a line that only moved to another file of its scope is no change.

    A file that can no longer be read keeps what it said, so that its return is no news.
    """
    changes = _Changes(unread=[each for each in after.problems if "left out" in each and each not in before.problems])
    for name in before.rules.keys() - after.rules.keys():
        if os.path.lexists(after.root / name) and any(each.startswith(f"{name} ") for each in after.problems):
            after.rules[name] = before.rules[name]
    for name in sorted(before.rules.keys() | after.rules.keys()):
        old = before.rules[name].statements if name in before.rules else ()
        new = after.rules[name].statements if name in after.rules else ()
        had, has = {said(s.text) for s in old}, {said(s.text) for s in new}
        if had != has:
            changes.files.add(name)
            changes.came += {said(s.text): s for s in reversed(new) if said(s.text) not in had}.values()
            changes.went += {said(s.text): s for s in reversed(old) if said(s.text) not in has}.values()
    moved = {(said(s.text), s.scope, s.globs) for s in changes.went}
    changes.came = [s for s in changes.came if (said(s.text), s.scope, s.globs) not in moved]
    return changes


def _named(found: Found, sentence: str) -> str:
    """Return the file that a sentence begins with."""
    names = [name for name in found.files if sentence.startswith((f"{name} ", f"{name}:"))]
    return max(names, key=len, default="")


def _knows(known: Sequence[Entry], statement: Statement) -> bool:
    told = said(statement.text)
    return any(said(e.text) == told and e.memory.scope.overlaps(statement.scope) for e in known)


def _many(changes: _Changes, branch: str | None) -> Drift:
    now = f", now on branch {branch}" if branch else ""
    files = counted(len(changes.files), "rule file")
    return Drift(
        DriftKind.MANY,
        f"{files} changed at once{now}: {counted(len(changes.came), 'line')} came, {len(changes.went)} went; "
        "tur scan weighs them against the ledger",
    )


def _few(drifts: Sequence[Drift]) -> list[Drift]:
    """Return them in the order of their lines, with many of one kind in one file told as one."""
    groups: dict[tuple[str, DriftKind], list[Drift]] = {}
    for drift in drifts:
        groups.setdefault((drift.side.file if drift.side else "", drift.kind), []).append(drift)
    kept: list[Drift] = []
    for (file, kind), group in groups.items():
        group.sort(key=lambda drift: drift.side.line if drift.side else 0)
        if len(group) <= MOST_ALIKE or kind is DriftKind.DRIFT:
            kept += group
        else:
            what = "memories were imported from lines that are gone" if kind is DriftKind.GONE else "lines are unknown"
            more = f"{len(group)} {what}{'' if kind is DriftKind.GONE else ' to the ledger'}"
            kept.append(Drift(kind, f"{more}: tur scan {excerpt(file, 80)} looks at all of them", group[0].side))
    return kept


def _short(text: str) -> str:
    return excerpt(text, 80)
