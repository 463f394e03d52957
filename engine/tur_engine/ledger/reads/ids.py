"""Ids as people give them: a prefix of 4 or more hex digits, the word before them optional (CONTRACTS 1)."""

from __future__ import annotations

from typing import Any

from ...errors import AmbiguousId, BadInput, UnknownId
from ...records import MemoryType, Status
from .events import EventReads
from .moment import AT

Found = list[tuple[Any, str]]
"""What fits: a row or full hex, and the full id."""


class IdReads(EventReads):
    """Memories, conflicts and proposals by the start of their id."""

    def find_memory(self, ref: str) -> int:
        """Return the row of an id or prefix (4+ hex, type word optional). Raises UnknownId, AmbiguousId, BadInput."""
        kind, dash, prefix = ref.strip().rpartition("-")
        if kind and kind not in {*MemoryType, "proposal"}:
            raise BadInput(f"{ref!r} is not a memory id; ids look like fact-104e77a1")
        _check_prefix(ref, prefix, f"{kind or MemoryType.FACT}-104e77a1")
        rows = [
            (mid, full)
            for mid, full in self._memories_like(prefix)
            if not dash
            or full.startswith(f"{kind}-")
            or (kind == "proposal" and MemoryType(full.partition("-")[0]).invariant_tier)
        ]
        return int(self._only_one(ref, rows, "proposal" if kind == "proposal" else "memory"))

    def find_conflict(self, ref: str) -> str:
        """Return the full hex of a conflict id or prefix. Raises UnknownId, AmbiguousId, BadInput."""
        kind, _, prefix = ref.strip().rpartition("-")
        if kind not in ("", "conflict"):
            raise BadInput(f"{ref!r} is not a conflict id; ids look like conflict-5f0c1a2b, `tur conflicts` lists them")
        _check_prefix(ref, prefix, "conflict-5f0c1a2b")
        return str(self._only_one(ref, self._conflicts_like(prefix), "conflict"))

    def find_proposal(self, ref: str) -> str:
        """Return the full hex of a proposal's id or prefix. Raises UnknownId, AmbiguousId, BadInput."""
        kind, _, prefix = ref.strip().rpartition("-")
        if kind not in {"", "proposal", *MemoryType}:
            raise BadInput(f"{ref!r} is not a proposal id; ids look like proposal-104e77a1, `tur-adm proposal list`")
        _check_prefix(ref, prefix, "proposal-104e77a1")
        return str(self._only_one(ref, self._proposals_like(prefix), "proposal"))

    def find_any(self, ref: str) -> str:
        """Return the full id of whatever an id, or bare digits, name: a memory, a conflict or a proposal.

        A proposal shares its digits with the memory that it asks for: they name the proposal while it waits. Raises
        UnknownId, AmbiguousId, BadInput.
        """
        kind, _, prefix = ref.strip().rpartition("-")
        if kind == "conflict":
            return f"conflict-{self.find_conflict(ref)}"
        if kind == "proposal":
            return f"proposal-{self.find_proposal(ref)}"
        if kind:
            mid = self.find_memory(ref)
            return next(full for row, full in self._memories_like(prefix) if row == mid)
        _check_prefix(ref, prefix, "fact-104e77a1 or conflict-5f0c1a2b")
        rows = self._alike(prefix)
        return str(self._only_one(ref, rows, "memory, conflict or proposal"))

    def _alike(self, prefix: str) -> Found:
        memories, proposals = self._memories_like(prefix), self._proposals_like(prefix)
        asked = {hexes for hexes, _ in proposals}
        waiting = {full.rpartition("-")[2] for mid, full in memories if self._waits(mid)} & asked
        known = {full.rpartition("-")[2] for _, full in memories}
        fitting = [full for _, full in memories if full.rpartition("-")[2] not in waiting]
        fitting += [full for _, full in self._conflicts_like(prefix)]
        fitting += [full for hexes, full in proposals if hexes in waiting or hexes not in known]
        return [(full, full) for full in fitting]

    def _waits(self, mid: int) -> bool:
        sql = f"SELECT 1 FROM standing WHERE mid=:mid AND status=:pending AND {AT}"
        return self._one(sql, mid=mid, pending=str(Status.PENDING)) is not None

    def _memories_like(self, prefix: str) -> Found:
        rows = self._starting("mid, digest, type", "memories", "digest", "mid", prefix)
        return [(mid, f"{type}-{digest}") for mid, digest, type in rows]

    def _conflicts_like(self, prefix: str) -> Found:
        return [(cid, f"conflict-{cid}") for (cid,) in self._starting("cid", "conflicts", "cid", "seq", prefix)]

    def _proposals_like(self, prefix: str) -> Found:
        rows = self._starting("proposal", "proposals", "proposal", "seq", prefix)
        return [(found, f"proposal-{found}") for (found,) in rows]

    def _starting(self, what: str, table: str, column: str, seq: str, prefix: str) -> list[tuple[Any, ...]]:
        return self._rows(
            f"SELECT {what} FROM {table} WHERE {column} >= :low AND {column} < :high AND {seq} <= :now LIMIT 20",
            low=prefix.lower(),
            high=prefix.lower() + "g",
        )

    def _only_one(self, ref: str, rows: Found, noun: str) -> Any:
        """Return the one row that fits. Raises UnknownId, AmbiguousId with the matches."""
        if not rows:
            others = [] if "-" in ref else self._alike(ref.strip())
            but = f"; {_listed(others)} {'does' if len(others) == 1 else 'do'}" if others else ""
            raise UnknownId(f"no {noun} has an id that starts with {ref!r}{but}")
        if len(rows) > 1:
            raise AmbiguousId(
                f"{ref!r} fits {len(rows)} ids: {_listed(rows)}; give more digits",
                matches=tuple(full for _, full in rows),
            )
        return rows[0][0]


def _listed(rows: Found) -> str:
    return ", ".join(full[: full.index("-") + 17] for _, full in rows[:5])


def _check_prefix(ref: str, prefix: str, example: str) -> None:
    """Raise BadInput where this cannot be the start of a digest."""
    if not 4 <= len(prefix) <= 64 or prefix.lower().strip("0123456789abcdef"):
        raise BadInput(f"{ref!r} is not an id; give at least 4 of its hex digits, as in {example}")
