"""What a scan found, in the order in which a person goes through it, and which side of which finding is in front.

A plain class without a widget. The scan decides what clashes; this only turns it into what the panes show.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from tur_engine.records import Belief
from tur_engine.rulebook import Clash, Report, Side
from tur_engine.text import counted


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
