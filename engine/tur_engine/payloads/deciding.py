"""Conflicts and what became of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from .plain import stamp

if TYPE_CHECKING:
    from ..records import (
        Belief,
        Conflict,
        Effect,
        Exposure,
        HeldBack,
        Reader,
        ResolutionResult,
        SessionUndo,
    )
    from .plain import Payload


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
    if item.reopened_as is not None:
        payload["reopened_as"] = item.reopened_as
    settlement = item.settlement or item.chosen
    if settlement is not None:
        payload["settlement" if item.settlement else "chosen"] = {
            "verb": settlement.verb.value,
            "by": str(settlement.by),
            "at": stamp(settlement.at),
            "reason": settlement.reason,
            "seq": settlement.seq,
        }
        if settlement.undone:
            payload["settlement"]["undone"] = True
    return payload


def conflicts(items: Sequence[Conflict], total: int, waiting: Sequence[HeldBack] = ()) -> Payload:
    """The queue: open ones by probability, dependants and age; then `held_back[]`, where a person's word is awaited."""
    payload: Payload = {"conflicts": [conflict(item) for item in items], "total": total}
    return payload | ({"held_back": held_back(waiting)} if waiting else {})


def exposure(told: Exposure) -> Payload:
    """How long a conflict stood open, and who was handed the sides: of a settled one those that lost."""
    return {
        "seconds_open": round(told.seconds, 3),
        "served": [
            {
                "id": side.memory,
                "meanwhile": _readers(side.meanwhile),
                "afterwards": _readers(side.afterwards),
                "marked_afterwards": _readers(side.marked),
            }
            for side in told.sides
            if side.meanwhile or side.afterwards or side.marked
        ],
        "sentence": told.sentence,
    }


def _readers(found: Sequence[Reader]) -> list[Payload]:
    return [
        {"actor": str(each.actor), "session": each.session, "times": each.times, "last": stamp(each.last)}
        for each in found
    ]


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
    """What a verb or an undo did; without a conflict where what a graph drew was taken back."""
    after = result.decided
    return {
        "status": after.state.value if after else "undone",
        "verb": result.verb,
        "conflict_id": after.id if after else None,
        "revision": after.revision if after else None,
        "seq": result.seq,
        "memory_id": result.memory_id,
        "effects": effects(result.effects),
        "waiting": list(result.waiting),
        "reopened": list(result.reopened),
        "conflict": conflict(after) if after else None,
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
