"""Structured memories compared field by field: no embedding, no model (Akashik DETECT, CONTRACTS 8)."""

from __future__ import annotations

from collections.abc import Iterator

from ..ledger import Reads
from ..ledger.effects import conflict_id
from ..records import (
    ConflictType,
    DetectedBy,
    FieldClash,
    Memory,
    Relationship,
    Scalar,
    Status,
    Verb,
    Verdict,
)
from ..records.fields import SCOPING_KEYS, conflicting_fields, same, scoping_keys
from .store import Store


class Comparing(Store):
    """Structured memories compared field by field."""

    def compare_fields(
        self, ref: str | None = None, *, write: bool = False, null_differs: bool = False
    ) -> list[FieldClash]:
        """Return the pairs of active memories that share a scoping key and differ in a field, the older side first.

        `ref` keeps to one memory's pairs. With `write`, pairs that nobody knows of are opened as conflicts for people
        to settle; `new` marks them. `null_differs` compares null too, as the Akashik SDK does; such pairs are never
        written. Raises UnknownId, AmbiguousId, BadInput, ReadOnlyStore.
        """
        if write:
            self._writable()
        with self._reads() as (_, reads):
            only = None if ref is None else reads.find_memory(ref)
            found = list(_pairs(_structured(reads), only, null_differs))
            known = {(older.seq, newer.seq) for older, newer, _ in found if _known(reads, older.seq, newer.seq)}
        opened = self._open(found, known) if write else {}
        with self._reads() as (_, reads):
            return [
                FieldClash(
                    incumbent=reads.belief(older.seq),
                    challenger=reads.belief(newer.seq),
                    fields=fields,
                    conflict_id=f"conflict-{conflict_id(older.digest, newer.digest)}",
                    new=(older.seq, newer.seq) in opened or (not write and (older.seq, newer.seq) not in known),
                )
                for older, newer, fields in found
            ]

    def _open(
        self, found: list[tuple[Memory, Memory, tuple[str, ...]]], known: set[tuple[int, int]]
    ) -> dict[tuple[int, int], str]:
        from ..introspect import recheck
        from ..introspect.findings import Finding, Kind

        with self._reads() as (_, reads):
            findings = []
            for older, newer, _fields in found:
                if (older.seq, newer.seq) in known or not conflicting_fields(older, newer):
                    continue
                first, second = (newer, older) if reads.approved(newer.seq) else (older, newer)
                kind = Kind.VIOLATION if reads.approved(first.seq) else Kind.CONTRADICTION
                findings.append(Finding(kind, first.seq, second.seq, _verdict(first, second)))
        written: list[recheck.Written] = []
        if findings:
            with self._ledger.writing() as tx, self._ledger.reading() as db:
                recheck.write(db, tx, findings, written.append)
        return {(min(finding.pair), max(finding.pair)): cid for finding, cid in written}


def _structured(reads: Reads) -> list[Memory]:
    """Return the active memories with fields, oldest first."""
    memories = (reads.memory(mid) for mid in reversed(reads.with_status((Status.ACTIVE,))))
    return [memory for memory in memories if memory.fields and not memory.redacted]


def _pairs(
    memories: list[Memory], only: int | None, null_differs: bool
) -> Iterator[tuple[Memory, Memory, tuple[str, ...]]]:
    groups: dict[tuple[str, Scalar], list[Memory]] = {}
    for memory in memories:
        for key in _keys(memory, null_differs):
            groups.setdefault(key, []).append(memory)
    seen: set[tuple[int, int]] = set()
    for group in groups.values():
        for at, newer in enumerate(group):
            for older in group[:at]:
                pair = (older.seq, newer.seq)
                if pair in seen or (only is not None and only not in pair) or not older.scope.overlaps(newer.scope):
                    continue
                seen.add(pair)
                if fields := (_with_null(older, newer) if null_differs else conflicting_fields(older, newer)):
                    yield older, newer, fields


def _keys(memory: Memory, null_differs: bool) -> set[tuple[str, Scalar]]:
    keys: set[tuple[str, Scalar]] = set(scoping_keys(memory).items())
    if null_differs:
        keys |= {(key, None) for key in SCOPING_KEYS if key in memory.fields and memory.fields[key] is None}
    return keys


def _with_null(older: Memory, newer: Memory) -> tuple[str, ...]:
    shared = older.fields.keys() & newer.fields.keys() - set(SCOPING_KEYS)
    return tuple(sorted(name for name in shared if not _same(older.fields[name], newer.fields[name])))


def _same(one: Scalar, other: Scalar) -> bool:
    return one is other if one is None or other is None else same(one, other)


def _known(reads: Reads, older: int, newer: int) -> bool:
    return any(newer in reads.sides(cid) for cid in reads.conflicts_of(older, open_only=False))


def _verdict(older: Memory, newer: Memory) -> Verdict:
    from ..detect.detector import CERTAIN, declared  # only who finds something new needs it
    from ..detect.pair import Pair

    return Verdict(
        relationship=Relationship.CLASH,
        probability=CERTAIN,
        conflict_type=ConflictType.FACTUAL,
        detected_by=DetectedBy.MECHANICAL,
        evidence=declared(Pair.of(older, newer)),
        suggested=Verb.SUPERSEDE,
        conflicting_fields=conflicting_fields(older, newer),
    )
