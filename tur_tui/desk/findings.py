"""What a scan found, in the order in which a person goes through it, and which side of which finding is in front.

A plain class without a widget. The scan decides what clashes; this only turns it into what the panes show.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import StrEnum
from pathlib import Path

from tur_engine.records import (
    Author,
    AuthorKind,
    Belief,
    Conflict,
    ConflictState,
    ConflictType,
    DetectedBy,
    Memory,
    Preview,
    Scope,
    Status,
    Verb,
)
from tur_engine.rulebook import Clash, Report, Side
from tur_engine.text import counted, visible

from ..actions import key

_AT = datetime(2026, 1, 1, tzinfo=UTC)
_SCAN = Author(kind=AuthorKind.SYSTEM, name="scan")


class Kind(StrEnum):
    """What was found. The word is what people read in the list."""

    INVARIANT = "invariant"
    CLASH = "clash"
    DISPROVED = "disproved"
    DUPLICATE = "duplicate"
    REMARK = "remark"


@dataclass(frozen=True)
class Finding:
    """One row of the list: two sides that do not go together, or one line and what is wrong with it."""

    kind: Kind
    key: str
    """What names it though lines move."""
    sides: tuple[Side, ...]
    sentence: str = ""
    """Why, in one sentence."""
    suggestion: str = ""
    clash: Clash | None = None
    also: tuple[str, ...] = ()

    @classmethod
    def of(cls, clash: Clash) -> Finding:
        return cls(
            Kind.INVARIANT if clash.invariant else Kind.CLASH,
            clash.fingerprint,
            (clash.a, clash.b),
            clash.reason,
            clash.suggestion,
            clash,
            clash.also,
        )

    @property
    def places(self) -> str:
        """Where it stands, the later side first."""
        return " / ".join(side.short_id or side.place for side in reversed(self.sides[:2]))


class Findings:
    """The report on the desk."""

    def __init__(self) -> None:
        self.report: Report | None = None
        self.beliefs: Mapping[str, Belief] = {}
        self._rows: tuple[Finding, ...] = ()
        self._at = 0
        self.side = 1
        """Which side `o` opens: 0 the left one, 1 the right one."""

    @property
    def rows(self) -> tuple[Finding, ...]:
        return self._rows

    @property
    def current(self) -> Finding | None:
        return self._rows[self._at] if self._rows else None

    @property
    def place(self) -> int:
        """Place of the finding in front, from 0."""
        return self._at

    @property
    def counter(self) -> str:
        """`3 of 17`."""
        return f"{self._at + 1} of {len(self._rows)}" if self._rows else "nothing found"

    def load(self, report: Report, beliefs: Mapping[str, Belief]) -> None:
        """Take a report; the finding in front stays there while it is still one, else the one now in its place."""
        held = self.current.key if self.current else None
        self.report, self.beliefs = report, beliefs
        self._rows = tuple(findings(report))
        keys = [each.key for each in self._rows]
        self.select(keys.index(held) if held in keys else self._at)

    def select(self, place: int) -> None:
        """Put a finding in front."""
        if max(0, min(place, len(self._rows) - 1)) != self._at:
            self.side = 1
        self._at = max(0, min(place, len(self._rows) - 1))

    def step(self, step: int) -> None:
        """To the next finding or the one before, round and round."""
        if self._rows:
            self.select((self._at + step) % len(self._rows))

    def choose(self, side: int) -> None:
        """Point at a side, where there are two."""
        if self.current and side < len(self.current.sides):
            self.side = side

    @property
    def pointed(self) -> Side | None:
        """The side that is pointed at."""
        sides = self.current.sides if self.current else ()
        return sides[min(self.side, len(sides) - 1)] if sides else None

    def source(self) -> tuple[Path, int] | str:
        """The line of the side that is pointed at; a sentence where it has none."""
        side = self.pointed
        if side is None or self.report is None:
            return "There is no line to open."
        if not side.memory:
            return self.report.root / side.file, side.line
        provenance = self.beliefs[side.memory].memory.provenance if side.memory in self.beliefs else {}
        file, line = provenance.get("file", ""), provenance.get("line", "")
        root = Path(self.report.ledger).parent.parent
        if file and (root / file).is_file():
            return root / file, int(line) if line.isdecimal() and len(line) < 9 else 1
        return "This side is a memory of the ledger; the other side is a line (left and right point at one)."

    @property
    def summary(self) -> str:
        """`2 clashes, 1 duplicate, 40 statements in 3 files`."""
        if self.report is None:
            return ""
        kinds = [each.kind for each in self._rows]
        clashes = kinds.count(Kind.CLASH) + kinds.count(Kind.INVARIANT)
        told = [counted(clashes, "clash", "clashes")]
        told += [f"{kinds.count(Kind.DISPROVED)} disproved"] if Kind.DISPROVED in kinds else []
        told += [counted(kinds.count(Kind.DUPLICATE), "duplicate")] if Kind.DUPLICATE in kinds else []
        told += [counted(kinds.count(Kind.REMARK), "remark")] if Kind.REMARK in kinds else []
        read = counted(self.report.statements, "statement")
        return f"{', '.join(told)}; {read} in {counted(len(self.report.files), 'file')}"


def findings(report: Report) -> list[Finding]:
    """Every finding of a report, what weighs most first."""
    rows = [Finding.of(clash) for clash in report.clashes]
    rows += [
        Finding(
            Kind.DISPROVED,
            each.fingerprint,
            (each.side,),
            each.reason,
            f"change {each.side.place}, or the repository, so that the two agree",
        )
        for each in report.disproved
    ]
    rows += [
        Finding(
            Kind.DUPLICATE,
            each.fingerprint,
            each.places[:2],
            f"One rule is said {len(each.places)} times.",
            "keep it in one file and import it from the other, so that the two cannot part",
            also=tuple(side.place for side in each.places[2:]),
        )
        for each in report.duplicates
    ]
    return rows + [Finding(Kind.REMARK, sentence, (), sentence) for sentence in report.problems]


def belief_of(side: Side, beliefs: Mapping[str, Belief]) -> Belief:
    """A side as the panes show it: the memory itself, or the line in a memory's clothes."""
    if side.memory in beliefs:
        return beliefs[side.memory]
    kind = side.memory.partition("-")[0] or "fact"
    digest = side.memory.rpartition("-")[2] if side.memory else _digest(side)
    memory = Memory(
        digest=digest,
        content=side.text,
        type=kind,
        scope=Scope(),
        declared_scope=Scope(),
        author=_SCAN,
        occurred_at=_AT,
        recorded_at=_AT,
        seq=max(side.line, 1),
    )
    return Belief(memory=memory, status=Status.ACTIVE, approved=side.approved)


def _digest(side: Side) -> str:
    from hashlib import sha256

    return sha256(f"{side.file}\0{side.line}\0{side.text}".encode("utf-8", "surrogatepass")).hexdigest()


def conflict_of(finding: Finding, beliefs: Mapping[str, Belief]) -> Conflict | None:
    """A clash as the panes show a conflict; None where the finding is none."""
    clash = finding.clash
    if clash is None:
        return None
    return Conflict(
        id=f"conflict-{clash.fingerprint}",
        incumbent=belief_of(clash.a, beliefs),
        challenger=belief_of(clash.b, beliefs),
        state=ConflictState.DETECTED,
        revision=1,
        probability=clash.probability,
        conflict_type=ConflictType(clash.conflict_type),
        detected_by=DetectedBy(clash.detected_by),
        evidence=clash.evidence,
        suggested=Verb.SUPERSEDE,
        detected_at=_AT,
        seq=1,
    )


def side_facts(side: Side, report: Report) -> list[tuple[str, str]]:
    """What stands under a line: its place instead of an author, its headings, where it holds, who reads it."""
    if side.memory:
        where = [("store", visible(side.store, newlines=False))] if side.store else []
        return [("memory", side.short_id), *where, *([("status", "invariant, in force")] if side.approved else [])]
    facts = [("line", side.place)]
    if side.subject:
        facts.append(("under", visible(side.subject, newlines=False)))
    file = next((each for each in report.files if each.file == side.file), None)
    if file is not None:
        readers = [name for name in file.agents if side.line < file.cut.get(name, side.line + 1)]
        facts.append(("holds in", ", ".join(file.globs) or file.scope or "all of the repository"))
        facts.append(("read by", ", ".join(readers) or "no agent we know"))
    return [(label, visible(value, newlines=False)) for label, value in facts]


def notes(finding: Finding, report: Report | None) -> list[str]:
    """Beside the reasons: who reads both, where else it is said, what to do."""
    told = []
    if (clash := finding.clash) is not None:
        agents = ", ".join(clash.agents)
        if clash.a.memory:
            told.append(f"Read by {agents}." if agents else "No agent we know reads the file.")
        else:
            told.append(f"{agents} read both." if len(clash.agents) > 1 else f"{agents} reads both." if agents else "")
            told[-1] = told[-1] or "No agent reads both; people work by both."
    if finding.also:
        told.append(f"Said too at {', '.join(finding.also)}.")
    if report is not None and not report.judged and finding.clash is not None:
        told.append("The neural judge is not installed: words and symbols alone decided.")
    return told


def told_verb(finding: Finding | None, verb: Verb) -> str:
    """What a person is to do in the files where the verb would do it in the ledger."""
    if finding is None or len(finding.sides) < 2:
        return "A scan changes nothing, and here is no pair to decide."
    a, b = finding.sides[:2]
    one, other = a.short_id or a.place, b.place
    if a.approved and verb in (Verb.SUPERSEDE, Verb.MERGE, Verb.BRANCH):
        return f"{one} is an invariant: change {other}, or file a proposal with tur propose."
    opens = f"{key('source.open')} opens the side that is pointed at"
    said = {
        Verb.SUPERSEDE: f"Let {other} stand: take {one} out, or change it ({opens}).",
        Verb.REFUTE: f"Let {one} stand: take {other} out, or change it ({opens}).",
        Verb.MERGE: f"Write one text in {other} and take {one} out; Claude Code and Gemini import it with @path.",
        Verb.FORCE: f"Say in {one} and in {other} when each holds.",
        Verb.BRANCH: f"Move {other} to the rule file of the folder it is meant for, or give its file globs.",
        Verb.DISMISS: "If they go together: tur scan --baseline FILE leaves out from then on what FILE knows.",
        Verb.ABORT: f"Take {other} out of its file.",
    }[verb]
    if a.memory and verb is Verb.SUPERSEDE:
        return f"If the file is right: tur learn its text with --supersedes {a.short_id}."
    if a.memory and verb is Verb.MERGE:
        return f"Write one text in {other}, and tur learn it with --supersedes {a.short_id}."
    if a.memory and verb is Verb.FORCE:
        return f"Say in {other} when it holds; the memory {a.short_id} is settled with tur learn --allow-conflict."
    return said


def struck(finding: Finding | None, verb: Verb) -> Preview:
    """The verb as the bar shows it: not to be had here, with what to do in its place."""
    return Preview(verb=verb, allowed=False, reason=f"A scan changes nothing. {told_verb(finding, verb)}")
