"""What an author reads of a memory that is held: why, and what settles it."""

from __future__ import annotations

from typing import Any

from ..records import ConflictState, LearnResult, Verb
from ..text import excerpt
from .naming import as_tools

_LET_IN = (
    "The memory is held, not learned, until a person lets it in (tur-adm admit {id}). Nothing of yours settles that, "
    "learning it again neither. Tell the person you work for and go on without it; note() still works, and "
    "wait_seconds waits for them."
)


def told(result: LearnResult, payload: dict[str, Any]) -> str:
    """Say what it clashes with, why, and what to do."""
    lines = []
    for item in payload["conflicts"]:
        lines.append(
            "TMS Contradiction Detected: New assertion conflicts with existing memory "
            f'{item["conflicting_memory_id"]} ("{excerpt(item["existing_content"], 400)}").'
        )
        if item["evidence"]:
            lines.append(f"Why: {item['evidence'][0]['sentence']}")
    if settled := payload.get("settled_before"):
        lines.append(f"Settled before at {settled['at']} by {settled['by']} ({settled['verb']}): {settled['reason']}")
    lines += result.warnings
    if result.dry_run:
        lines.append("It would be held; nothing was written.")
    elif not payload["conflicts"]:
        lines.append(_LET_IN.format(id=result.id))
    else:
        lines += _what_to_do(payload["conflicts"])
        for item in payload["conflicts"]:
            against = f" against {item['conflicting_memory_id']}" if len(payload["conflicts"]) > 1 else ""
            would = [f"- {verb}: {as_tools(does)}" for verb, does in item["previews"].items() if does]
            lines += [f"What each verb would do{against}:", *would] if would else []
            if item["for_people"]:
                lines.append(f"From you these are put before people: {', '.join(item['for_people'])}.")
    return "\n".join(lines)


def _what_to_do(conflicts: list[dict[str, Any]]) -> list[str]:
    """Return the call that settles a held memory, or that a person decides."""
    escalated = [item for item in conflicts if item["state"] == ConflictState.ESCALATED]
    if escalated:
        lines = [
            "The memory is held, not learned: a person decides, and supersedes does not change that. Wait for them"
        ]
        withdrawable = next((item for item in escalated if Verb.ABORT in item["resolution_options"]), None)
        if withdrawable is None:
            return [f"{lines[0]}."]
        return [f"{lines[0]}; where yours was wrong, withdraw it with", call(withdrawable, Verb.ABORT)]
    if len(conflicts) > 1:
        ids = [item["conflicting_memory_id"] for item in conflicts]
        lines = [
            "The memory is held, not learned. Where it replaces all of them, learn it again with "
            f"supersedes={ids!r}. Else settle every conflict, or leave it to a person:"
        ]
    else:
        lines = ["The memory is held, not learned. Settle it, or leave it to a person:"]
    return lines + [call(item, item["suggested_action"]) for item in conflicts]


def call(item: dict[str, Any], verb: str) -> str:
    """Return the call that settles one clash."""
    return (
        f"resolve_conflict(conflict_id={item['conflict_id']!r}, verb={str(verb)!r}, revision={item['revision']}, "
        "reason=...)"
    )
