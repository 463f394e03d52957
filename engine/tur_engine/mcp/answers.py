"""Results of tools: structured content for programs, a short text for the model. Refusals are results too."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from mcp_types import CallToolResult, TextContent
from pydantic import ValidationError

from .. import payloads
from ..errors import AmbiguousId, StaleRevision, TurError
from ..records import ConflictState, LearnResult, Outcome, Proposal, ResolutionResult, Verb
from ..text import excerpt, visible
from ..unfit import wanted

if TYPE_CHECKING:
    from pydantic_core import ErrorDetails

_PROBLEMS = 10
"""So many of the arguments that do not fit are named."""


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
    found: dict[str, list[str]] = {}
    for problem in error.errors(include_url=False, include_input=False):
        at = problem["loc"]
        named = at[:2] if isinstance(at[0], str) else at[:1]  # below stand the kinds that a field may have
        fit = wanted(problem)
        words = (
            "it is missing" if problem["type"] == "missing" else problem["msg"] if fit is None else f"it takes {fit}"
        )
        found.setdefault(excerpt(".".join(str(part) for part in named)), []).append(words)
    shown = list(found.items())[:_PROBLEMS]
    wrong = [{"argument": argument, "problem": _either(problems)} for argument, problems in shown]
    told = [f"{item['argument']}: {item['problem']}" for item in wrong]
    more = [f"{len(found) - len(shown):,} more of this kind"] if len(found) > len(shown) else []
    sentence = f"{tool}: {'; '.join([*told, *more])}"
    return answer(payloads.failure("bad_input", sentence, {"arguments": wrong}), sentence, is_error=True)


def _words(problem: ErrorDetails) -> str:
    if problem["type"] == "missing":
        return "it is missing"
    return problem["msg"] if (fit := wanted(problem)) is None else f"it takes {fit}"


def _either(problems: list[str]) -> str:
    first, *others = problems
    return " or ".join([first, *(each.removeprefix("it takes ") for each in others)])


def bad_input(sentence: str) -> CallToolResult:
    """What was sent cannot be used."""
    return answer(payloads.failure("bad_input", sentence), sentence, is_error=True)


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
            return "\n".join([f"Already known as {result.duplicate_of}.", *result.warnings])
        case Outcome.PROPOSED:
            named = f" ({result.id})" if result.recorded else ""
            told = f"{would or 'It is '}proposed: it has no force until a person approves it{named}."
            return "\n".join([told, *result.warnings])
    lines = [f"It is learned ({result.id})." if result.recorded else "Would be learned."]
    stand = "active and contested until someone settles"
    lines += [
        f'It contradicts {item["conflicting_memory_id"]} ("{excerpt(item["existing_content"], 200)}"); '
        + (f"both are {stand} {item['conflict_id']}." if not result.dry_run else f"both would be {stand} it.")
        for item in payload["conflicts"]
    ]
    return "\n".join([*lines, *result.warnings])


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
        lines.append("It would be held; nothing was written.")
    elif not payload["conflicts"]:
        lines.append("The memory is held, not learned, until a person lets it in.")
    else:
        lines += _what_to_do(payload["conflicts"])
        for item in payload["conflicts"]:
            against = f" against {item['conflicting_memory_id']}" if len(payload["conflicts"]) > 1 else ""
            lines.append(f"What each verb would do{against}:")
            lines += [f"- {verb}: {told}" for verb, told in item["previews"].items() if told]
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
        return [f"{lines[0]}; where yours was wrong, withdraw it with", _call(withdrawable, Verb.ABORT)]
    if len(conflicts) > 1:
        ids = [item["conflicting_memory_id"] for item in conflicts]
        lines = [
            "The memory is held, not learned. Where it replaces all of them, learn it again with "
            f"supersedes={ids!r}. Else settle every conflict, or leave it to a person:"
        ]
    else:
        lines = ["The memory is held, not learned. Settle it, or leave it to a person:"]
    return lines + [_call(item, item["suggested_action"]) for item in conflicts]


def _call(item: dict[str, Any], verb: str) -> str:
    return (
        f"resolve_conflict(conflict_id={item['conflict_id']!r}, verb={str(verb)!r}, revision={item['revision']}, "
        "reason=...)"
    )


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


def with_news(result: CallToolResult, news: list[dict[str, Any]]) -> CallToolResult:
    """Add what people decided since the session's last answer: `settled[]`, and in words."""
    if isinstance(result.structured_content, dict):
        result.structured_content["settled"] = news
        block = result.content[0]
        if news and isinstance(block, TextContent):
            told = [
                f"- {item['actor']} at {item['at']}: {item['summary']}"
                + (f" ({item['reason']})" if item["reason"] else "")
                for item in news
            ]
            text = "\n".join([block.text, "People decided since your last call:", *told])
            result.content = [TextContent(type="text", text=visible(text)), *result.content[1:]]
    return result
