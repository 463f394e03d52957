"""The tools that write: `learn`, `note`, `propose`. All pass the gate."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, Annotated, Any, Literal

from mcp.server.mcpserver import Context, MCPServer
from mcp_types import CallToolResult
from pydantic import Field

from .. import payloads
from ..errors import BadInput
from ..records import Confidence, Draft, MemoryType, OnConflict, Relation, Scalar, Scope
from ..records.memory import check_scalar
from ..text import accept
from . import answers, waiting
from .calling import ADDS, ScopeText, add, answered, harness

if TYPE_CHECKING:
    from .visit import Visit

TypeName = Literal["fact", "preference", "event", "insight", "axiom", "core"]


def register(server: MCPServer[None], visit: Visit) -> dict[str, frozenset[str]]:
    """Add the tools. Returns the names of each one's arguments."""

    async def learn(
        ctx: Context[None, Any],
        content: Annotated[str, Field(description="What is to be remembered, in one sentence.")],
        type: TypeName = "fact",
        scope: ScopeText = "incarnation",
        topic: Annotated[str, Field(description="The subject that fields are about; empty for none.")] = "",
        fields: Annotated[dict[str, Scalar] | None, Field(description="Values to compare by.")] = None,
        tags: tuple[str, ...] = (),
        relations: Annotated[
            tuple[dict[str, str], ...],
            Field(description="Edges: objects with type (such as depends_on) and target (an id)."),
        ] = (),
        supersedes: Annotated[tuple[str, ...], Field(description="Ids of the memories it replaces.")] = (),
        confidence: Annotated[float, Field(ge=0, le=1)] = 1.0,
        node_type: Annotated[
            str, Field(description="Its node type in the graph, where that of its type does not fit; empty for that.")
        ] = "",
        session: str = "",
        occurred_at: Annotated[str, Field(description="When it became true, ISO 8601; empty for now.")] = "",
        allow_conflict: Annotated[
            bool, Field(description="Commit in spite of a clash; both memories are then marked as contested.")
        ] = False,
        dry_run: Annotated[bool, Field(description="Give the verdict, write nothing.")] = False,
        wait_seconds: Annotated[
            float, Field(ge=0, le=waiting.LONGEST, description="Where it is held: wait so long for a person to decide.")
        ] = 0,
    ) -> CallToolResult:
        """Learn a memory. It is held, not learned, where it contradicts one that is believed: the answer then
        has status conflict_detected, both texts, the reasons and what each verb would change. Settle that with one
        more call: resolve_conflict, or this again with supersedes (it replaces) or allow_conflict (both stand)."""
        name = harness(ctx)

        def work() -> CallToolResult:
            accept(content)
            where, score, edges = Scope.parse(scope), Confidence(score=confidence), _relations(relations)
            values = {key: check_scalar(key, value) for key, value in (fields or {}).items()}
            moment = _moment(occurred_at) if occurred_at else None
            engine = visit.open(name, create=not dry_run)
            draft = Draft(
                content=content,
                type=MemoryType(type),
                scope=where,
                topic=topic or None,
                fields=values,
                tags=tags,
                relations=edges,
                confidence=score,
                session=session or None,
                occurred_at=moment,
                node_type=node_type or None,
                author=engine.actor,
                provenance=engine.stamp(),
            )
            result = engine.learn(
                draft,
                on_conflict=OnConflict.ALLOW if allow_conflict else OnConflict.HOLD,
                supersedes=supersedes,
                dry_run=dry_run,
            )
            return _founding(visit, answers.learned(result))

        result = await answered(ctx, work)
        return result if dry_run else await waiting.decided(ctx, result, visit.open(name), wait_seconds)

    async def note(
        ctx: Context[None, Any],
        content: Annotated[str, Field(description="What to jot down.")],
        session: str = "",
    ) -> CallToolResult:
        """Jot something down for this session. A note is not a memory: never recalled as fact, never held,
        but the answer warns where it clashes with a memory."""
        name = harness(ctx)

        def work() -> CallToolResult:
            accept(content, "note")
            result = visit.open(name, create=True).note(content, session=session or None)
            text = "\n".join([f"Noted (event {result.seq}).", *result.warnings])
            return _founding(visit, answers.answer(payloads.note(result), text))

        return await answered(ctx, work)

    async def propose(
        ctx: Context[None, Any],
        content: Annotated[str, Field(description="What is to hold for good, in one sentence.")] = "",
        reason: Annotated[str, Field(description="Why; the people who decide read it.")] = "",
        type: Literal["axiom", "core"] = "core",
        scope: ScopeText = "incarnation",
        supersedes: Annotated[tuple[str, ...], Field(description="Ids of the invariants it would replace.")] = (),
        retires: Annotated[str, Field(description="Instead of content: the invariant that is to go.")] = "",
    ) -> CallToolResult:
        """Ask people for a new axiom or core memory, or to retire one. It has no force until they sign it; the
        invariants it names stay in force until then. This is the only way to change an invariant."""
        name = harness(ctx)

        def work() -> CallToolResult:
            if bool(content.strip()) == bool(retires.strip()):
                raise BadInput(
                    "give content (what is to hold) or retires (the invariant that is to go), one of the two"
                )
            if retires:
                return answers.retiring(visit.open(name).propose_retirement(retires, reason))
            accept(content)
            engine = visit.open(name, create=True)
            draft = Draft(
                content=content,
                type=MemoryType(type),
                scope=Scope.parse(scope),
                author=engine.actor,
                provenance=engine.stamp(),
            )
            return _founding(visit, answers.learned(engine.propose(draft, replaces=supersedes, reason=reason)))

        return await answered(ctx, work)

    return add(server, learn, ADDS) | add(server, note, ADDS) | add(server, propose, ADDS)


def _founding(visit: Visit, result: CallToolResult) -> CallToolResult:
    """Say once what came of opening the store."""
    if visit.unsaid and result.structured_content is not None:
        result.structured_content["warnings"].append(visit.unsaid)
        visit.unsaid = ""
    return result


def _relations(items: tuple[dict[str, str], ...]) -> tuple[Relation, ...]:
    for item in items:
        if set(item) != {"type", "target"}:
            raise BadInput(f"relation {item} is not an object with type and target")
    return tuple(Relation(type=item["type"], target=item["target"]) for item in items)


def _moment(text: str) -> datetime:
    try:
        return datetime.fromisoformat(text)
    except ValueError:
        raise BadInput(f"occurred_at {text!r} is not a date or time; write 2026-11-29T23:15:00Z") from None
