"""Records as the JSON that programs and models read (CONTRACTS 4): full ids, times in UTC, texts as stored.

The command lines and MCP give the same shapes, so they are made in one place.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

from .errors import InvariantViolation
from .records import (
    BatchReport,
    Belief,
    Conflict,
    ConflictReport,
    Effect,
    Evidence,
    HeldBack,
    HistoryEntry,
    LearnResult,
    Merkle,
    NoteResult,
    Outcome,
    Proof,
    RecalledMemory,
    ResolutionResult,
    SessionUndo,
    SettledBefore,
    Status,
    StoreStatus,
    Verb,
    VerifyReport,
)

Payload = dict[str, Any]

OPTIONS = ("supersede", "refute", "scope_branch", "abort", "merge", "force", "dismiss")
"""The seed's four first (EP-0134, section 2), then the three this engine adds."""
INVARIANT_OPTIONS = ("refute", "abort", "propose")
HOW_TO_PROPOSE = "To propose a change, submit via `tur-adm proposal`."


def stamp(moment: datetime) -> str:
    """ISO 8601 in UTC, ending in Z."""
    return moment.astimezone(UTC).isoformat().replace("+00:00", "Z")


def invariant_error(shown_id: str) -> str:
    """The seed's text, to the letter (EP-0134, section 3)."""
    return InvariantViolation.text(shown_id)


def merkle(head: Merkle | None) -> Payload | None:
    """`{size, root}`."""
    return None if head is None else {"size": head.size, "root": head.root}


def evidence(pieces: Sequence[Evidence]) -> list[Payload]:
    """One object a reason, the heaviest first."""
    return [
        {
            "kind": piece.kind,
            "weight": round(piece.weight, 3),
            "incumbent_words": piece.incumbent_words,
            "challenger_words": piece.challenger_words,
            "sentence": piece.sentence,
        }
        for piece in sorted(pieces, key=lambda piece: -abs(piece.weight))
    ]


def clash(report: ConflictReport) -> Payload:
    """One clash of a learn: the seed's five keys beside `status`, then ours."""
    conflict = report.conflict
    guarded = conflict.incumbent.approved
    return {
        "conflicting_memory_id": conflict.incumbent.id,
        "existing_content": conflict.incumbent.memory.content,
        "new_content": conflict.challenger.memory.content,
        "suggested_action": Verb.REFUTE.value if guarded else conflict.suggested.value,
        "resolution_options": list(INVARIANT_OPTIONS if guarded else OPTIONS),
        "conflict_id": conflict.id,
        "revision": conflict.revision,
        "candidate_id": conflict.challenger.id,
        "state": conflict.state.value,
        "probability": round(conflict.probability, 4),
        "conflict_type": conflict.conflict_type.value,
        "detected_by": conflict.detected_by.value,
        "conflicting_fields": list(conflict.conflicting_fields),
        "evidence": evidence(conflict.evidence),
        "previews": {verb.value: preview.summary for verb, preview in report.previews.items()},
    }


def strongest_first(reports: Sequence[ConflictReport]) -> list[ConflictReport]:
    """The most probable clash leads: it fills the seed's keys."""
    return sorted(reports, key=lambda report: -report.conflict.probability)


def learn(result: LearnResult) -> Payload:
    """The answer to one learn or check."""
    clashes = [clash(report) for report in strongest_first(result.conflicts)]
    payload: Payload = {
        "status": result.outcome.value,
        "id": result.id,
        "digest": result.digest,
        "seq": result.seq,
        "merkle": merkle(result.merkle),
        "warnings": list(result.warnings),
    }
    if result.outcome is Outcome.CONFLICT and clashes:
        payload |= clashes[0]
    if result.outcome is Outcome.INVARIANT and result.invariant is not None:
        payload |= {
            "error": invariant_error(result.invariant.memory.short_id),
            "conflicting_memory_id": result.invariant.id,
            "existing_content": result.invariant.memory.content,
            "new_content": result.content,
            "suggested_action": "propose",
            "resolution_options": list(INVARIANT_OPTIONS),
            "how_to_propose": HOW_TO_PROPOSE,
        }
        if result.invariant_store is not None:
            payload["invariant_store"] = result.invariant_store
            payload["how_to_propose"] = (
                f"To propose a change, submit via `tur-adm --store {result.invariant_store} proposal submit`."
            )
    payload["conflicts"] = clashes
    if result.duplicate_of is not None:
        payload["duplicate_of"] = result.duplicate_of
    if result.proposal_id is not None:
        payload["proposal_id"] = result.proposal_id
    if result.settled_before is not None:
        payload["settled_before"] = settled_before(result.settled_before)
    if result.dry_run:
        payload["dry_run"] = True
    return payload


def settled_before(settled: SettledBefore) -> Payload:
    """When, by whom and why the same thing was settled earlier."""
    return {
        "conflict_id": settled.conflict_id,
        "at": stamp(settled.at),
        "by": str(settled.by),
        "reason": settled.reason,
        "verb": settled.verb.value,
    }


def batch(report: BatchReport) -> Payload:
    """A batch learn: counts, what was refused, every clash."""
    return {
        "committed": report.committed,
        "duplicates": report.duplicates,
        "held": report.held,
        "proposed": report.proposed,
        "invariant_violations": report.invariant_violations,
        "refused": [{"line": refusal.line, "reason": refusal.reason} for refusal in report.refused],
        "conflicts": [clash(item) for item in report.conflicts],
    }


def note(result: NoteResult) -> Payload:
    """A note was taken; `warnings` name the live memories it clashes with."""
    return {
        "status": "noted",
        "seq": result.seq,
        "warnings": list(result.warnings),
        "clashes": list(result.clashes),
    }


def memory(belief: Belief, full_id: Callable[[str], str]) -> Payload:
    """One memory in a list. `full_id` turns a digest into an id."""
    return {
        "id": belief.id,
        "content": belief.memory.content,
        "type": belief.memory.type.value,
        "scope": str(belief.memory.scope),
        "status": belief.status.value,
        "contested": belief.contested or bool(belief.pending),
        "conflict_id": belief.pending[0] if belief.pending else None,
        "contested_by": [full_id(digest) for digest in belief.contested_by],
        "suspect": belief.status is Status.SUSPECT,
    }


def memory_in_full(belief: Belief, full_id: Callable[[str], str]) -> Payload:
    """Everything that is known of one memory."""
    held = belief.memory
    return memory(belief, full_id) | {
        "digest": held.digest,
        "declared_scope": str(held.declared_scope),
        "topic": held.topic,
        "fields": dict(held.fields),
        "tags": list(held.tags),
        "relations": [{"type": relation.type, "target": relation.target} for relation in held.relations],
        "author": str(held.author),
        "occurred_at": stamp(held.occurred_at),
        "recorded_at": stamp(held.recorded_at),
        "confidence": held.confidence.model_dump(mode="json"),
        "session": held.session,
        "provenance": dict(held.provenance),
        "seq": held.seq,
        "approved": belief.approved,
        "redacted": held.redacted,
        "pending": list(belief.pending),
        "suspect_because": [full_id(digest) for digest in belief.suspect_because],
    }


def recall(hits: Sequence[RecalledMemory], full_id: Callable[[str], str]) -> Payload:
    """`memories[]`, best first; the other side of a contested one stands in the same answer."""
    known = {hit.belief.memory.digest: hit.belief.id for hit in hits}

    def name(digest: str) -> str:
        return known.get(digest) or full_id(digest)

    return {"memories": [memory(hit.belief, name) | {"score": round(hit.score, 4)} for hit in hits]}


def side(belief: Belief) -> Payload:
    """One side of a conflict."""
    return {
        "id": belief.id,
        "content": belief.memory.content,
        "type": belief.memory.type.value,
        "scope": str(belief.memory.scope),
        "status": belief.status.value,
    }


def conflict(item: Conflict) -> Payload:
    """One conflict as it stands."""
    payload: Payload = {
        "conflict_id": item.id,
        "revision": item.revision,
        "state": item.state.value,
        "conflict_type": item.conflict_type.value,
        "detected_by": item.detected_by.value,
        "probability": round(item.probability, 4),
        "reason": item.reason,
        "suggested_action": item.suggested.value,
        "detected_at": stamp(item.detected_at),
        "dependants": item.dependants,
        "incumbent": side(item.incumbent),
        "challenger": side(item.challenger),
    }
    if item.reopens is not None:
        payload["reopens"] = item.reopens
    settlement = item.settlement or item.chosen
    if settlement is not None:
        payload["settlement" if item.settlement else "chosen"] = {
            "verb": settlement.verb.value,
            "by": str(settlement.by),
            "at": stamp(settlement.at),
            "reason": settlement.reason,
            "seq": settlement.seq,
        }
    return payload


def conflicts(items: Sequence[Conflict], total: int, waiting: Sequence[HeldBack] = ()) -> Payload:
    """The queue: open ones by probability, dependants and age; then `held_back[]`, where a person's word is awaited."""
    payload: Payload = {"conflicts": [conflict(item) for item in items], "total": total}
    return payload | ({"held_back": held_back(waiting)} if waiting else {})


def effects(changes: Sequence[Effect]) -> list[Payload]:
    """What a verb changed, one object a change."""
    return [
        {
            "subject": change.subject,
            "change": change.change,
            "before": change.before,
            "after": change.after,
            "sentence": change.sentence,
        }
        for change in changes
    ]


def resolution(result: ResolutionResult) -> Payload:
    """What a verb or an undo did."""
    return {
        "status": result.conflict.state.value,
        "verb": result.verb,
        "conflict_id": result.conflict.id,
        "revision": result.conflict.revision,
        "seq": result.seq,
        "memory_id": result.memory_id,
        "effects": effects(result.effects),
        "waiting": list(result.waiting),
        "reopened": list(result.reopened),
        "conflict": conflict(result.conflict),
    }


def held_back(items: Sequence[HeldBack]) -> list[Payload]:
    """What is held for people though no conflict stops it."""
    return [side(item.belief) | {"author": str(item.belief.memory.author), "reason": item.reason} for item in items]


def session_undo(result: SessionUndo) -> Payload:
    """A session rolled back, the newest event first."""
    return {
        "status": "previewed" if result.dry_run else "undone",
        "undone": result.done,
        "kept": len(result.steps) - result.done,
        "events": [
            {
                "seq": step.seq,
                "kind": step.kind.value,
                "summary": step.summary,
                "done": step.done,
                "reason": step.reason,
                "by_seq": None if result.dry_run else step.by_seq,
            }
            for step in result.steps
        ],
    }


def event(entry: HistoryEntry) -> Payload:
    """One line of the history."""
    return {
        "seq": entry.seq,
        "at": stamp(entry.at),
        "actor": str(entry.actor),
        "kind": entry.kind.value,
        "subject": entry.subject,
        "reason": entry.reason,
        "summary": entry.summary,
    }


def history(entries: Sequence[HistoryEntry]) -> Payload:
    """`events[]`, oldest first."""
    return {"events": [event(entry) for entry in entries]}


def status(counts: StoreStatus) -> Payload:
    """Counts of one store."""
    return {
        "path": counts.path,
        "store_id": counts.store_id,
        "memories": {state.value: counts.memories.get(state, 0) for state in Status},
        "open_conflicts": counts.open_conflicts,
        "invariants": counts.invariants,
        "proposals_pending": counts.proposals_pending,
        "head": merkle(counts.head),
        "judge": counts.judge,
        "read_only": counts.read_only,
    }


def verify(report: VerifyReport) -> Payload:
    """The result of checking a ledger."""
    return {
        "ok": report.ok,
        "events": report.events,
        "head": merkle(report.head),
        "checkpoints": report.checkpoints,
        "witness": report.witness,
        "first_bad": report.first_bad,
        "problem": report.problem,
    }


def proof(found: Proof) -> Payload:
    """A proof of inclusion, and of consistency where it was asked for (docs/proofs.md)."""
    return found.model_dump(mode="json", exclude_none=True)


def failure(code: str, message: str, extra: Mapping[str, Any] | None = None) -> Payload:
    """An error as an answer: what a program reads where a person reads the sentence."""
    return {"status": "error", "code": code, "message": message, **(extra or {})}
