"""Weighs the statements of a scan against each other, and against the ledger, with the gate's detector."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, NamedTuple

from pydantic import ValidationError

from ..detect.detector import Detector, Worth
from ..models import sha256
from ..records import Author, AuthorKind, Memory, MemoryType, Relationship, Verdict
from ..text import fold
from .cache import Notes, NotingJudge, key_of
from .rendering import key
from .scoping import Meeting
from .shelf import Entry, Shelf
from .statements import Statement
from .telling import told

if TYPE_CHECKING:
    from ..gate.weigher import Weigher

LIKELIER = Worth(reading=0.03)
"""Probability by symbols alone below which nobody reads a pair: of the planted clashes that are found by his reading
the lowest has .035, and four readings in ten are saved."""
_DIMENSIONS = 384
_AUTHOR = Author(kind=AuthorKind.SYSTEM, name="scan")
_AT = datetime(2026, 1, 1, tzinfo=UTC)
Embed = Callable[[str], bytes]
Progress = Callable[[int, int], None]


class Pairing(NamedTuple):
    """Two entries and what the detector says of them."""

    a: Entry
    b: Entry
    verdict: Verdict


def as_memory(statement: Statement, seq: int) -> Memory:
    """Return a statement as the detector reads it. All are of one date: which came first in a file says nothing."""
    return Memory(
        digest=key_of(statement.file, str(statement.line), str(seq), statement.text) * 2,
        content=statement.text,
        type=MemoryType.FACT,
        scope=statement.scope,
        declared_scope=statement.scope,
        author=_AUTHOR,
        occurred_at=_AT,
        recorded_at=_AT,
        seq=seq,
    )


def repeated(statements: Sequence[Statement], meeting: Meeting) -> tuple[list[Statement], list[list[Statement]]]:
    """Return the statements with word-for-word repetitions folded into the first, and the repetitions in groups."""
    groups: dict[str, list[list[Statement]]] = {}
    for statement in statements:
        alike = groups.setdefault(fold(statement.text).rstrip(".!"), [])
        for group in alike:
            if meeting(group[0], statement) and group[0].scope == statement.scope and group[0].globs == statement.globs:
                group.append(statement)
                break
        else:
            alike.append([statement])
    every = [group for alike in groups.values() for group in alike]
    first = {id(group[0]) for group in every}
    return [s for s in statements if id(s) in first], [group for group in every if len(group) > 1]


def spoken_for(statements: Sequence[Statement], entries: Sequence[Entry]) -> list[Statement]:
    """Return the statements without the lines of a rendered block that the ledger's own entries say already."""
    known = {key(entry.text) for entry in entries}
    return [s for s in statements if not (s.rendered and key(s.text) in known)]


def _told(entry: Entry) -> str:
    """Return all of an entry that a verdict depends on."""
    memory, statement = entry.memory, entry.statement
    told = [memory.content, str(memory.scope), str(memory.type), str(memory.occurred_at), str(entry.approved)]
    if statement is None:
        told += [memory.topic or "", repr(memory.fields)]
    else:
        told += [repr(statement.globs), statement.file, statement.subject, statement.kind, statement.key]
        told += ["rendered"] if statement.rendered else []
    return key_of(*told)


def _globbed(entries: Sequence[Entry], meeting: Meeting) -> list[str]:
    """Return the files by which globs were compared, where there are globs."""
    return list(meeting.files) if any(e.statement is not None and e.statement.globs for e in entries) else []


class Scales:
    """Weighs one scan."""

    def __init__(self, weigher: Weigher, embed: Embed, notes: Notes) -> None:
        self._notes = notes
        self._embed = embed
        self._model = bytes.fromhex(sha256("embedder", "model.onnx"))
        self._weigher = weigher
        self._profile = weigher.profile if isinstance(weigher, Detector) else None
        if isinstance(weigher, Detector) and weigher.judge is not None:
            self._weigher = weigher.with_judge(NotingJudge(weigher.judge, notes), LIKELIER)

    def weigh(self, entries: Sequence[Entry], meeting: Meeting, progress: Progress | None = None) -> Iterator[Pairing]:
        """Yield every pair that is a clash or a repetition, in the order of its later side.

        Where nothing changed since the last scan, neither vectors nor neighbours are looked at.
        """
        whole = key_of("whole", *(_told(entry) for entry in entries), *_globbed(entries, meeting))
        noted = self._noted_whole(whole, entries)
        if noted is None:
            noted = []
            for pairing in self._afresh(entries, meeting, progress):
                noted.append(pairing)
                yield pairing
            places = {id(entry): place for place, entry in enumerate(entries)}
            told = [[places[id(p.a)], places[id(p.b)], p.verdict.model_dump(mode="json")] for p in noted]
            self._notes.put("verdicts", whole, told)
        else:
            yield from noted

    def _noted_whole(self, key: str, entries: Sequence[Entry]) -> list[Pairing] | None:
        noted: Any = self._notes.get("verdicts", key)
        if noted is None:
            return None
        try:
            return [Pairing(entries[a], entries[b], Verdict.model_validate(told)) for a, b, told in noted]
        except (ValidationError, ValueError, TypeError, IndexError):
            return None

    def _afresh(self, entries: Sequence[Entry], meeting: Meeting, progress: Progress | None) -> Iterator[Pairing]:
        from ..probe.embedder import restore

        told = len(entries)
        vectors = []
        for done, entry in enumerate(entries):
            vectors.append(self._vector(entry))
            if progress is not None:
                progress(done // 2, told)
        if not vectors:
            return
        shelf = Shelf(entries, restore(vectors), meeting)
        for place, entry in enumerate(entries):
            if entry.statement is not None:
                yield from self._one(shelf, entries, place)
            if progress is not None:
                progress(told // 2 + (place + 1) // 2, told)

    def _vector(self, entry: Entry) -> bytes:
        if entry.vector is not None and entry.vector[:-_DIMENSIONS] == self._model:
            return entry.vector[-_DIMENSIONS:]
        key = key_of(entry.text)
        vector = self._notes.vector(key)
        if vector is None:
            vector = self._embed(entry.text)
            self._notes.put_vector(key, vector)
        return vector

    def _one(self, shelf: Shelf, entries: Sequence[Entry], place: int) -> Iterator[Pairing]:
        found = shelf.before(place)
        if not found:
            return
        entry = entries[place]
        key = key_of(entry.text, *(f"{c.memory.content}\0{c.cosine}\0{c.memory.type}" for _, c in found))
        verdicts = self._noted(key)
        if verdicts is None:
            weighed = self._weigher.weigh(entry.memory, [candidate for _, candidate in found])
            verdicts = {}
            for at, verdict in enumerate(weighed):
                other, candidate = entries[found[at][0]], found[at][1]
                if (kept := self._kept(verdict, other, entry, candidate.cosine)) is not None:
                    verdicts[at] = kept
            self._notes.put("verdicts", key, [[at, v.model_dump(mode="json")] for at, v in verdicts.items()])
        for at, verdict in verdicts.items():
            yield Pairing(entries[found[at][0]], entry, verdict)

    def _noted(self, key: str) -> dict[int, Verdict] | None:
        noted: Any = self._notes.get("verdicts", key)
        if noted is None:
            return None
        try:
            return {int(at): Verdict.model_validate(told) for at, told in noted}
        except (ValidationError, ValueError, TypeError):
            return None

    def _kept(self, verdict: Verdict, other: Entry, entry: Entry, cosine: float) -> Verdict | None:
        """Return what is told of a pair; against an invariant, what is likely enough to be looked at too."""
        if verdict.relationship is Relationship.DUPLICATE:
            return verdict
        if self._profile is None or other.statement is None or entry.statement is None:
            law = verdict.suspicious and other.approved
            return verdict if law or verdict.relationship is Relationship.CLASH else None
        return told(self._profile, other.statement, entry.statement, cosine, verdict)
