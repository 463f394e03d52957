"""What a scan found."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from ..records import Evidence
from ..text import named
from .cache import key_of
from .statements import Statement


class Side(NamedTuple):
    """One side of a clash: a line of a file, or a memory of the ledger."""

    file: str
    line: int
    """0 for a memory."""
    text: str
    memory: str = ""
    """The id, where it is a memory."""
    approved: bool = False
    """True for an invariant in force."""
    store: str = ""
    """Where it is an invariant of another store: that store."""
    subject: str = ""
    """The headings that a line stands under."""

    @classmethod
    def of(cls, statement: Statement) -> Side:
        return cls(statement.file, statement.line, statement.text, subject=statement.subject)

    @property
    def short_id(self) -> str:
        """`fact-1a2b3c4d`; "" for a line."""
        kind, _, digest = self.memory.rpartition("-")
        return f"{kind}-{digest[:8]}" if self.memory else ""

    @property
    def place(self) -> str:
        """Where it stands, in one word."""
        return self.memory or f"{self.file}:{self.line}"

    @property
    def shown(self) -> str:
        """Where it stands, as people read it: a short id, or a path on one line."""
        return self.short_id or named(self.place)


class Clash(NamedTuple):
    """Two statements that cannot both hold."""

    a: Side
    b: Side
    """A statement of a file always; the later one of two."""
    probability: float
    conflict_type: str
    detected_by: str
    reason: str
    suggestion: str
    evidence: tuple[Evidence, ...] = ()
    agents: tuple[str, ...] = ()
    """Who reads both sides; all who read the statement where the other side is a memory."""
    also: tuple[str, ...] = ()
    """Other places that say what one of the sides says, memories among them."""

    @property
    def invariant(self) -> bool:
        return self.a.approved

    @property
    def fingerprint(self) -> str:
        """What names the clash though lines move: files and texts."""
        sides = sorted((side.memory or side.file, side.text) for side in (self.a, self.b))
        return key_of("clash", *(part for side in sides for part in side))


class Duplicate(NamedTuple):
    """One rule said more than once."""

    places: tuple[Side, ...]

    @property
    def fingerprint(self) -> str:
        return key_of("duplicate", *sorted(f"{side.file}\0{side.text}" for side in self.places))


class Disproof(NamedTuple):
    """A rule that the repository itself contradicts."""

    side: Side
    kind: str
    """`path`, `command`, `version` or `tool`."""
    named: str
    """What the rule names."""
    reason: str
    """What the repository holds instead, and where."""

    @property
    def fingerprint(self) -> str:
        return key_of("disproof", self.kind, self.named, self.side.file, self.side.text)


@dataclass(frozen=True, slots=True)
class RuleFile:
    """A rule file that was read, and by whom it is."""

    file: str
    statements: int
    agents: tuple[str, ...]
    scope: str
    globs: tuple[str, ...] = ()
    cut: dict[str, int] = field(default_factory=dict)
    """Agent -> the first line that it does not take in, where it stops before the end."""


@dataclass
class Report:
    """The whole of one scan."""

    root: Path
    files: list[RuleFile] = field(default_factory=list)
    statements: int = 0
    clashes: list[Clash] = field(default_factory=list)
    duplicates: list[Duplicate] = field(default_factory=list)
    disproved: list[Disproof] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)
    """One sentence on each thing that was left out."""
    stacks: dict[str, list[str]] = field(default_factory=dict)
    """Agent -> the rule files that it reads for the file asked about, in order; the last goes before."""
    ledger: str = ""
    """The store that was compared with."""
    baselined: int = 0
    """Findings that the baseline knows."""
    judged: bool = True
    """False where the neural judge is not installed: words and symbols alone decided."""
    seconds: float = 0.0
