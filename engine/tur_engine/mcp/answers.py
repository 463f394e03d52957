"""Results of tools: structured content for programs, a short text for the model. Refusals are results too."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from mcp_types import CallToolResult, TextContent
from pydantic import ValidationError

from .. import payloads
from ..errors import AmbiguousId, StaleRevision, TurError
from ..records import ConflictState, LearnResult, Outcome, Proposal, ResolutionResult
from ..text import excerpt, visible
from ..unfit import wanted
from . import held
from .naming import as_tools

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
    sentence = as_tools(str(error))
    return answer(payloads.failure(error.code, sentence, extra), sentence, is_error=True)


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
    if result.outcome is Outcome.INVARIANT and result.invariant is not None and result.invariant_store is None:
        payload["how_to_propose"] = (
            f"To ask people for a change, call propose(content=..., reason=..., supersedes=[{result.invariant.id!r}])."
        )
    return answer(payload, _learned_text(result, payload), is_error=result.outcome is Outcome.INVARIANT)


def _learned_text(result: LearnResult, payload: dict[str, Any]) -> str:
    would = "Would be " if result.dry_run else ""
    match result.outcome:
        case Outcome.INVARIANT:
            where = f"That invariant is of the store at {result.invariant_store}." if result.invariant_store else ""
            error = payload.get("error", "The memory clashes with an invariant")
            return "\n".join(filter(None, (error, where, payload.get("how_to_propose"))))
        case Outcome.CONFLICT:
            return held.told(result, payload)
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
    if result.conflict.state is ConflictState.ESCALATED:
        lines.append("Nothing is changed: a person decides now. Wait for that; settled[] of a later answer tells it.")
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
