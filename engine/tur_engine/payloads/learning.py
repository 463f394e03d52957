"""What the gate answered."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING

from ..errors import InvariantViolation
from ..records import (
    ConflictState,
    Outcome,
    Verb,
)
from .deciding import side
from .plain import merkle, stamp

if TYPE_CHECKING:
    from ..records import (
        BatchReport,
        ConflictReport,
        Evidence,
        GuardNote,
        GuardReport,
        LearnResult,
        NoteResult,
        SettledBefore,
    )
    from .plain import Payload

OPTIONS = ("supersede", "refute", "scope_branch", "abort", "merge", "force", "dismiss")
"""The seed's four first (EP-0134, section 2), then the three this engine adds."""
INVARIANT_OPTIONS = ("refute", "abort", "propose")
HOW_TO_PROPOSE = "To propose a change, submit via `tur-adm proposal`."


def invariant_error(shown_id: str) -> str:
    """The seed's text, to the letter (EP-0134, section 3)."""
    return InvariantViolation.text(shown_id)


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


def clash(report: ConflictReport, *, kept: bool = True) -> Payload:
    """One clash of a learn: the seed's five keys beside `status`, then ours.

    Of a conflict that the ledger does not hold no id is told; where nothing was kept, nothing that would settle it.
    """
    told = _clash(report)
    if not report.recorded:
        for name in ("conflict_id", "revision", "candidate_id"):
            del told[name]
        challenger = report.conflict.challenger.memory.short_id
        told["previews"] = {verb: each.replace(f"{challenger} ", "") for verb, each in told["previews"].items()}
        if not kept:
            for name in ("suggested_action", "resolution_options", "state", "previews", "for_people"):
                del told[name]
    return told


def _clash(report: ConflictReport) -> Payload:
    conflict = report.conflict
    options = resolution_options(report)
    suggested = conflict.suggested.value
    if suggested not in options:
        suggested = next((verb for verb in ("refute", "abort", "propose") if verb in options), "wait")
    return {
        "conflicting_memory_id": conflict.incumbent.id,
        "existing_content": conflict.incumbent.memory.content,
        "new_content": conflict.challenger.memory.content,
        "suggested_action": suggested,
        "resolution_options": options,
        "conflict_id": conflict.id,
        "revision": conflict.revision,
        "candidate_id": conflict.challenger.id,
        "state": conflict.state.value,
        "probability": round(conflict.probability, 4),
        "conflict_type": conflict.conflict_type.value,
        "detected_by": conflict.detected_by.value,
        "conflicting_fields": list(conflict.conflicting_fields),
        "evidence": evidence(conflict.evidence),
        "previews": {verb.value: told.summary for verb, told in report.previews.items() if verb.value in options},
        "for_people": [verb for verb in options if report.previews and verb != "propose" and verb not in report.may],
    }


def resolution_options(report: ConflictReport) -> list[str]:
    """The verbs that may be given to a clash. Those in `for_people` are put before people where an agent gives them.

    What waits for people already offers only what the author may do alone; against an invariant that is, beside, to
    propose.
    """
    conflict = report.conflict
    if not (conflict.incumbent.approved or conflict.challenger.approved):
        if conflict.state is not ConflictState.ESCALATED or not report.previews:
            return list(OPTIONS)
        return [verb for verb in OPTIONS if verb in report.may]
    if not report.previews:
        return list(INVARIANT_OPTIONS)
    known = (*INVARIANT_OPTIONS[:2], Verb.DISMISS.value)
    return [*(verb for verb in known if verb in report.may), "propose"]


def strongest_first(reports: Sequence[ConflictReport]) -> list[ConflictReport]:
    """The most probable clash leads: it fills the seed's keys."""
    return sorted(reports, key=lambda report: -report.conflict.probability)


def learn(result: LearnResult, *, kept: bool = True) -> Payload:
    """The answer to one learn or check. `kept`: false where a clash was refused."""
    clashes = [clash(report, kept=kept) for report in strongest_first(result.conflicts)]
    payload: Payload = {
        "status": result.outcome.value,
        "id": result.id if result.recorded else None,
        "digest": result.digest if result.recorded else None,
        "seq": result.seq,
        "merkle": merkle(result.merkle),
        "warnings": list(result.warnings),
    }
    if result.outcome is Outcome.CONFLICT and clashes:
        payload |= clashes[0]
    elif result.outcome is Outcome.CONFLICT:  # no conflict stops it, a person's word does
        payload |= {"new_content": result.content, "suggested_action": "wait", "resolution_options": []}
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
    if result.proposal_id is not None and result.recorded:
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
    """A batch learn: counts, what was refused, every clash with its line."""
    kept = not report.nothing_kept
    numbered = list(zip(report.lines, report.results, strict=True))
    fresh = {result.id for result in report.results if not result.recorded}
    payload: Payload = {
        "committed": report.committed if kept else 0,
        "duplicates": report.duplicates if kept else 0,
        "held": report.held if kept else 0,
        "proposed": report.proposed if kept else 0,
        "invariant_violations": report.invariant_violations,
        "refused": [{"line": refusal.line, "reason": refusal.reason} for refusal in report.refused],
        "conflicts": [
            _clash_of_line(item, result, fresh, kept) | {"line": line}
            for line, result in numbered
            for item in result.conflicts
        ],
        "violations": [
            {"line": line, "invariant": side(result.invariant) if result.invariant is not None else None}
            for line, result in numbered
            if result.outcome is Outcome.INVARIANT
        ],
    }
    if report.dry_run:
        payload["dry_run"] = True
    if report.nothing_kept:
        payload["nothing_kept"] = True
    return payload


def _clash_of_line(item: ConflictReport, result: LearnResult, fresh: Collection[str | None], kept: bool) -> Payload:
    """One clash; a line that is not kept has no id that another could be told to contradict."""
    told = clash(item, kept=kept and (result.dry_run or result.recorded))
    if told["conflicting_memory_id"] in fresh:
        told["conflicting_memory_id"] = None
    return told


def note(result: NoteResult) -> Payload:
    """A note was taken; `warnings` name the live memories it clashes with."""
    return {
        "status": "noted",
        "seq": result.seq,
        "warnings": list(result.warnings),
        "clashes": list(result.clashes),
    }


def guard(report: GuardReport) -> Payload:
    """What speaks against a proposed action."""
    return {
        "status": report.outcome.value,
        "weighed": report.weighed,
        "actions": list(report.actions),
        "left_out": report.left_out,
        "rules_left_out": report.rules_left_out,
        "warnings": [
            f'"{warning.action}" clashes with {warning.belief.memory.short_id} '
            f'("{warning.belief.memory.content}"). {warning.advice}'
            for warning in report.warnings
        ],
        "clashes": [
            {
                "memory_id": warning.belief.id,
                "content": warning.belief.memory.content,
                "type": warning.belief.memory.type.value,
                "binding": warning.binding,
                "store": warning.store,
                "action": warning.action,
                "read_as": warning.read_as,
                "probability": round(warning.probability, 4),
                "reason": warning.reason,
                "invariant_words": warning.invariant_words,
                "action_words": warning.action_words,
                "advice": warning.advice,
            }
            for warning in report.warnings
        ],
    }


def guard_notes(notes: Sequence[GuardNote]) -> Payload:
    """The warnings that were kept beside the store, the newest first."""
    return {
        "warnings": [
            {
                "at": stamp(note.at),
                "after_seq": note.after,
                "actor": str(note.actor),
                "session": note.session,
                "memory_id": note.memory_id,
                "content": note.belief.memory.content if note.belief else None,
                "binding": note.binding,
                "store": note.store,
                "probability": round(note.probability, 4),
                "action": note.action,
                "read_as": note.read_as,
            }
            for note in notes
        ]
    }
