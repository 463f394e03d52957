"""Results of tools: structured content for programs, a short text for the model. Refusals are results too."""

from __future__ import annotations

from typing import Any

from mcp_types import CallToolResult, TextContent
from pydantic import ValidationError

from .. import payloads
from ..errors import AmbiguousId, StaleRevision, TurError
from ..records import LearnResult, Outcome, Proposal, ResolutionResult
from ..text import excerpt, visible


def answer(payload: dict[str, Any], text: str, *, is_error: bool = False) -> CallToolResult:
    """Build the result of one call."""
    return CallToolResult(
        content=[TextContent(type="text", text=visible(text))], structured_content=payload, is_error=is_error
    )


def refusal(error: TurError) -> CallToolResult:
    """A failure the model can act on: its code, the sentence, and what it needs to try again."""
    extra: dict[str, Any] = {}
    if isinstance(error, StaleRevision):
        extra["current_revision"] = error.current
    if isinstance(error, AmbiguousId):
        extra["matches"] = list(error.matches)
    return answer(payloads.failure(error.code, str(error), extra), str(error), is_error=True)


def bad_arguments(tool: str, error: ValidationError) -> CallToolResult:
    """The arguments do not fit the tool's schema."""
    wrong = [
        {"argument": ".".join(str(part) for part in problem["loc"]), "problem": problem["msg"]}
        for problem in error.errors(include_url=False, include_input=False)
    ]
    sentence = f"{tool}: " + "; ".join(f"{item['argument']}: {item['problem']}" for item in wrong)
    return answer(payloads.failure("bad_input", sentence, {"arguments": wrong}), sentence, is_error=True)


def fault(tool: str) -> CallToolResult:
    """The program failed; what it knew stays in its log."""
    sentence = f"{tool} stopped on a fault in tur-mcp; the call wrote nothing half. Its log on stderr says where"
    return answer(payloads.failure("internal", sentence), sentence, is_error=True)


def learned(result: LearnResult) -> CallToolResult:
    """The gate's answer; only a clash with an invariant is an error."""
    payload = payloads.learn(result)
    return answer(payload, _learned_text(result, payload), is_error=result.outcome is Outcome.INVARIANT)


def _learned_text(result: LearnResult, payload: dict[str, Any]) -> str:
    would = "Would be " if result.dry_run else ""
    match result.outcome:
        case Outcome.INVARIANT:
            where = f"\nThat invariant is of the store at {result.invariant_store}." if result.invariant_store else ""
            return str(payload.get("error", "The memory clashes with an invariant")) + where
        case Outcome.CONFLICT:
            return _held_text(result, payload)
        case Outcome.DUPLICATE:
            return f"Already known as {result.duplicate_of}."
        case Outcome.PROPOSED:
            return f"{would or 'It is '}proposed: it has no force until a person approves it ({result.id})."
    lines = [f"{would or 'It is '}learned ({result.id})."]
    lines += [
        f'It contradicts {item["conflicting_memory_id"]} ("{excerpt(item["existing_content"], 200)}"); '
        f"both are active and contested until someone settles {item['conflict_id']}."
        for item in payload["conflicts"]
    ]
    return "\n".join(lines)


def _held_text(result: LearnResult, payload: dict[str, Any]) -> str:
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
        lines.append("Nothing was written.")
    elif not payload["conflicts"]:
        lines.append("The memory is held, not learned, until a person lets it in.")
    else:
        lines.append(
            "The memory is held, not learned. Settle it with resolve_conflict("
            f"conflict_id={payload.get('conflict_id')!r}, verb={payload.get('suggested_action')!r}, "
            f"revision={payload.get('revision')}, reason=...), or leave it to a person."
        )
    return "\n".join(lines)


def retiring(proposal: Proposal) -> CallToolResult:
    """A retirement waits for people."""
    payload = {
        "status": "proposed",
        "proposal_id": proposal.id,
        "seq": proposal.seq,
        "retires": payloads.side(proposal.memory),
        "warnings": [],
    }
    return answer(payload, f"It is proposed: {proposal.memory.id} holds until people approve {proposal.id}.")


def resolved(result: ResolutionResult) -> CallToolResult:
    """What a verb did, or that it went to people."""
    lines = [f"{result.verb}: {result.conflict.id} is {result.conflict.state}."]
    lines += [effect.sentence for effect in result.effects]
    if result.waiting:
        lines.append(f"Nothing changes until these are settled too: {', '.join(result.waiting)}")
    return answer(payloads.resolution(result), "\n".join(lines))
