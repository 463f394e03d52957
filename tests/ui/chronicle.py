"""A store that stands still and remembers: what the history screen asks of an engine. Same ids, same clock."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta
from itertools import pairwise
from typing import Any, cast

from tests.ui.atlas import Atlas
from tests.ui.making import AGENT, MOMENT
from tur_engine.engine import Engine
from tur_engine.errors import BadInput
from tur_engine.records import (
    Belief,
    Change,
    Descent,
    Difference,
    Edge,
    EventKind,
    HistoryEntry,
    LifeStep,
    Lineage,
    MemoryType,
    Remembered,
    Scope,
    Status,
)

LIFE = (
    (EventKind.LEARNED, None, Status.ACTIVE, "learned it", ""),
    (EventKind.HELD, Status.ACTIVE, Status.ACTIVE, "held what clashes with it", ""),
    (EventKind.RESOLVED, Status.ACTIVE, Status.SUPERSEDED, "superseded by what was held", "the spike went well"),
    (EventKind.UNDONE, Status.SUPERSEDED, Status.ACTIVE, "undone: superseded by what was held", "too early"),
    (EventKind.CONFIRMED, Status.ACTIVE, Status.ACTIVE, "confirmed, said again", ""),
)


class Chronicle:
    """An atlas whose memories have a life; the third is an invariant, the first four are one lineage."""

    def __init__(self, size: int = 12, *, atlas: Atlas | None = None, said: str = "", seq: int | None = None) -> None:
        self.atlas = atlas or Atlas(size)
        self.as_of, self.read_only, self.said, self.size = seq, seq is not None, said, size
        self.made = [self._lived(n, each) for n, each in enumerate(self.atlas.beliefs)]
        self.made = [each for each in self.made if seq is None or each.memory.seq <= seq]

    def _lived(self, n: int, belief: Belief) -> Belief:
        scope = Scope.parse("incarnation:api" if n % 3 else "universal")
        memory = belief.memory.model_copy(update={"seq": self.size + 1 - n, "scope": scope})
        return belief.model_copy(update={"memory": memory, "approved": n == 2})

    def __getattr__(self, name: str) -> Any:
        return getattr(self.atlas, name)

    @property
    def engine(self) -> Engine:
        return cast(Engine, self)

    def head(self) -> int:
        return self.size + 1

    def at(self, seq: int) -> Chronicle:
        if not 1 <= seq <= self.head():
            raise BadInput(f"there is no event {seq}")
        return Chronicle(self.size, atlas=self.atlas, said=self.said, seq=seq)

    def close(self) -> None:
        pass

    def entries(self, seqs: Sequence[int]) -> list[HistoryEntry]:
        return [self._entry(seq, EventKind.LEARNED, f"learned number {seq}", "") for seq in seqs]

    def _entry(self, seq: int, kind: EventKind, summary: str, reason: str) -> HistoryEntry:
        at = MOMENT - timedelta(days=40 - seq)
        clash = "conflict-1" if kind is EventKind.HELD else None
        actor = self.made[0].memory.author if self.made else AGENT
        return HistoryEntry(
            seq=seq, at=at, actor=actor, kind=kind, subject="", summary=summary, reason=reason, conflict_id=clash
        )

    def remembered(
        self, *, text: str = "", type: MemoryType | None = None, by: str = "", ever: bool = False
    ) -> list[Remembered]:
        return [
            Remembered(m.seq, m.type, m.scope, each.status, each.approved, each.contested)
            for each in self.made
            for m in [each.memory]
            if text.casefold() in m.content.casefold() and (ever or each.status.live)
        ]

    def beliefs(self, seqs: Sequence[int]) -> list[Belief]:
        by_seq = {each.memory.seq: each for each in self.made}
        return [by_seq[seq] for seq in seqs]

    def life(self, ref: str) -> list[LifeStep]:
        return [
            LifeStep(
                entry=self._entry(n + 2, kind, summary + self.said, reason + self.said), before=before, after=after
            )
            for n, (kind, before, after, summary, reason) in enumerate(LIFE)
        ]

    def diff(self, since: int, until: int) -> Difference:
        moved = [
            Change(belief=each, was=None, seq=until, at=MOMENT, by=each.memory.author, reason="so it is" + self.said)
            for each in self.made[:3]
        ]
        return Difference(
            since=since, until=until, since_at=None, until_at=MOMENT, learned=(moved[0],), superseded=tuple(moved[1:])
        )

    def lineage(self, ref: str) -> Lineage:
        kin = self.made[:4]
        descents = tuple(
            Descent(
                older=older.memory.digest,
                newer=newer.memory.digest,
                how="merged" if n else "superseded",
                edge=Edge(source=older.memory.digest, target=newer.memory.digest, type="superseded_by", seq=n + 2),
            )
            for n, (newer, older) in enumerate(pairwise(kin))
        )
        return Lineage(focus=ref.rpartition("-")[2], memories=tuple(kin), descents=descents)
