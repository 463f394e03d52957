"""Drift between rule files and the ledger as the workbench tells it: marks, the two sides, what to do. Plain."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Final

from tur_engine.records import Belief, FeedFilter
from tur_engine.rulebook import Drift, DriftKind
from tur_engine.text import counted, visible

from ..drawing.wording import Mark
from .asides import Aside, Sides, holds_words
from .finding_advice import notes
from .finding_sides import belief_of, conflict_of
from .findings import Finding

MARKS: Final = {
    DriftKind.DRIFT: Mark("⇄", "conflict"),
    DriftKind.NEW: Mark("◦", "dim"),
    DriftKind.GONE: Mark("⊖", "suspect"),
    DriftKind.MANY: Mark("⋯", "suspect"),
    DriftKind.UNREAD: Mark("⊗", "suspect"),
}
"""Glyph and tone in the feed; the kind itself is the word. None of the glyphs is one of an event."""


@dataclass(frozen=True)
class DriftAside(Aside):
    """One difference between a rule file and the ledger."""

    drift: Drift
    family = "drift"
    refusal = "Drift is settled in the file, or with tur learn: no verb is for it. Esc goes back."

    @property
    def at(self) -> datetime:
        return self.drift.at

    @property
    def mark(self) -> Mark:
        return MARKS[self.drift.kind]

    @property
    def word(self) -> str:
        return self.drift.kind.value

    @property
    def place(self) -> str:
        return self.drift.place

    @property
    def sentence(self) -> str:
        return self.drift.sentence

    @property
    def memory(self) -> Belief | None:
        return self.drift.memory

    @property
    def text(self) -> str:
        return self.drift.side.text if self.drift.side is not None else ""

    def sides(self) -> Sides | None:
        """The memory and the line that contradict each other; None where it is something else."""
        clash, line = self.drift.clash, self.drift.side
        if clash is None or line is None:
            return None
        known = {clash.a.memory: self.drift.memory} if self.drift.memory is not None else {}
        finding = Finding.of(clash)
        facts = [("line", line.place), ("read by", ", ".join(clash.agents) or "no agent we know")]
        if line.subject:
            facts.insert(1, ("under", visible(line.subject, newlines=False)))
        memory = belief_of(clash.a, known)
        return Sides(
            memory,
            belief_of(clash.b, {}),
            ("INVARIANT" if memory.approved else "MEMORY", "▸ FILE"),
            (memory.memory.short_id, visible(line.place, newlines=False)),
            facts,
            clash.evidence,
            conflict_of(finding, {}),
            (*notes(finding, None), f"To do: {finding.suggestion}."),
        )

    def in_words(self) -> str:
        drift, place = self.drift, visible(self.place, newlines=False)
        if drift.kind is DriftKind.NEW and drift.side is not None and drift.side.text in drift.sentence:
            todo = f"To do: nothing, or tur import {visible(drift.side.file, newlines=False)} to have it in the ledger."
        elif drift.kind is DriftKind.GONE and drift.memory is not None:
            todo = (
                f"To do: if it holds no more, retire {drift.memory.memory.short_id} on the history screen (3, then r)."
            )
        else:
            todo = "To do: tur scan, or tur-tui scan, looks at all of them."
        return "\n\n".join(filter(None, [place, _sentence(drift), todo]))

    def source(self, root: Path) -> tuple[Path, int] | None:
        """The line in its file; None where the file is gone, or it is about no line."""
        side = self.drift.side
        if side is None or not side.file:
            return None
        path = root / side.file
        return (path, side.line) if path.is_file() else None

    def lets_through(self, wanted: FeedFilter) -> bool:
        """Words of it; every other condition is about events."""
        if wanted != FeedFilter(text=wanted.text):
            return False
        return holds_words(f"{self.word} {self.place} {self.sentence}", wanted.text)


def _sentence(drift: Drift) -> str:
    told = visible(drift.sentence, newlines=False)
    return f"{told[:1].upper()}{told[1:]}" + ("" if told.endswith(".") else ".")


def announced(drifts: Sequence[Drift]) -> str:
    """A toast for what contradicts; "" where nothing does."""
    against = [each for each in drifts if each.kind is DriftKind.DRIFT]
    if not against:
        return ""
    if len(against) > 1:
        return f"{counted(len(against), 'line')} of rule files contradict the ledger; the feed shows which."
    return f"{visible(against[0].place, newlines=False)} contradicts the ledger; the feed shows how."
