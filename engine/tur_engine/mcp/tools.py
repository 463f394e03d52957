"""The eight tools. Each opens the store at its first call and answers with an explicit CallToolResult."""

from __future__ import annotations

import functools
import inspect
import logging
import warnings
from collections.abc import Callable
from typing import TYPE_CHECKING, Annotated, Any, Literal

import anyio.to_thread
from mcp.server.mcpserver import Context
from mcp.shared.exceptions import MCPDeprecationWarning
from mcp_types import CallToolResult, ToolAnnotations
from pydantic import Field

from .. import payloads
from ..errors import BadInput
from ..records import Confidence, Draft, MemoryType, OnConflict, Relation, Scalar, Scope, Status, Verb
from ..records.memory import check_scalar
from ..text import accept, excerpt
from . import answers

if TYPE_CHECKING:
    from .server import TurServer
    from .visit import Visit

log = logging.getLogger("tur.mcp")

Work = Callable[[], CallToolResult]
VerbName = Literal["supersede", "refute", "scope_branch", "abort", "merge", "force", "dismiss"]
TypeName = Literal["fact", "preference", "event", "insight", "axiom", "core"]
ScopeText = Annotated[
    str, Field(description="Where it holds: level[:path][@branch], such as incarnation:src/api@main.")
]
Id = Annotated[str, Field(description="An id as an answer gave it, or a unique prefix of it.")]


def register(server: TurServer, visit: Visit) -> dict[str, frozenset[str]]:
    """Add the tools. Returns the names of each one's arguments."""
    toolbox = _Toolbox(visit)
    reads = ToolAnnotations(read_only_hint=True, open_world_hint=False)
    adds = ToolAnnotations(read_only_hint=False, destructive_hint=False, open_world_hint=False)
    settles = ToolAnnotations(read_only_hint=False, destructive_hint=True, open_world_hint=False)
    tools: list[tuple[Callable[..., Any], ToolAnnotations]] = [
        (toolbox.learn, adds),
        (toolbox.note, adds),
        (toolbox.propose, adds),
        (toolbox.recall, reads),
        (toolbox.list_conflicts, reads),
        (toolbox.resolve_conflict, settles),
        (toolbox.history, reads),
        (toolbox.status, reads),
    ]
    arguments = {}
    for tool, hints in tools:
        server.add_tool(tool, name=tool.__name__, description=inspect.getdoc(tool), annotations=hints)
        arguments[tool.__name__] = frozenset(inspect.signature(tool).parameters) - {"ctx"}
    return arguments


class _Toolbox:
    """The tools of one visit."""

    def __init__(self, visit: Visit) -> None:
        self._visit = visit

    async def learn(
        self,
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
        session: str = "",
        occurred_at: Annotated[str, Field(description="When it became true, ISO 8601; empty for now.")] = "",
        allow_conflict: Annotated[
            bool, Field(description="Commit in spite of a clash; both memories are then marked as contested.")
        ] = False,
        dry_run: Annotated[bool, Field(description="Give the verdict, write nothing.")] = False,
    ) -> CallToolResult:
        """Learn a memory. It is held, not learned, where it contradicts one that is believed: the answer then
        has status conflict_detected, both texts, the reasons and what each verb would change."""
        harness = _harness(ctx)

        def work() -> CallToolResult:
            draft_of = functools.partial(
                Draft,
                content=content,
                type=MemoryType(type),
                scope=Scope.parse(scope),
                topic=topic or None,
                fields={name: check_scalar(name, value) for name, value in (fields or {}).items()},
                tags=tags,
                relations=_relations(relations),
                confidence=Confidence(score=confidence),
                session=session or None,
                occurred_at=_moment(occurred_at) if occurred_at else None,
            )
            accept(content)
            engine = self._visit.open(harness, create=not dry_run)
            result = engine.learn(
                draft_of(author=engine.actor),
                on_conflict=OnConflict.ALLOW if allow_conflict else OnConflict.HOLD,
                supersedes=supersedes,
                dry_run=dry_run,
            )
            return self._founding(answers.learned(result))

        return await _answered(ctx, work)

    async def note(
        self,
        ctx: Context[None, Any],
        content: Annotated[str, Field(description="What to jot down.")],
        session: str = "",
    ) -> CallToolResult:
        """Jot something down for this session. A note is not a memory: never recalled as fact, never held,
        but the answer warns where it clashes with a memory."""
        harness = _harness(ctx)

        def work() -> CallToolResult:
            accept(content, "note")
            result = self._visit.open(harness, create=True).note(content, session=session or None)
            text = "\n".join([f"Noted (event {result.seq}).", *result.warnings])
            return self._founding(answers.answer(payloads.note(result), text))

        return await _answered(ctx, work)

    async def propose(
        self,
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
        harness = _harness(ctx)

        def work() -> CallToolResult:
            if bool(content.strip()) == bool(retires.strip()):
                raise BadInput(
                    "give content (what is to hold) or retires (the invariant that is to go), one of the two"
                )
            if retires:
                return answers.retiring(self._visit.open(harness).propose_retirement(retires, reason))
            accept(content)
            engine = self._visit.open(harness, create=True)
            draft = Draft(content=content, type=MemoryType(type), scope=Scope.parse(scope), author=engine.actor)
            return self._founding(answers.learned(engine.propose(draft, replaces=supersedes, reason=reason)))

        return await _answered(ctx, work)

    async def recall(
        self,
        ctx: Context[None, Any],
        query: Annotated[str, Field(description="Words or a question.")],
        limit: Annotated[int, Field(ge=1, le=200)] = 10,
        path: Annotated[str, Field(description="As seen from this folder, relative to the store's root.")] = "",
        branch: Annotated[str, Field(description="As seen from this git branch.")] = "",
        include_superseded: bool = False,
    ) -> CallToolResult:
        """Find what is believed. A contested memory comes with the other side in the same answer."""
        harness = _harness(ctx)

        def work() -> CallToolResult:
            if not query.strip():
                raise BadInput("query is empty; give words or a question")
            engine = self._visit.open(harness)
            hits = engine.recall(
                query,
                limit=limit,
                path=path or None,
                branch=branch or None,
                include_superseded=include_superseded,
            )
            beliefs = [hit.belief for hit in hits]
            lines = [f"{it.id}{_marks(it.status, it.contested)}: {it.memory.content}" for it in beliefs]
            payload = payloads.recall(hits, lambda digest: engine.memory(digest).id)
            return answers.answer(payload | {"warnings": []}, "\n".join(lines) or "Nothing found.")

        return await _answered(ctx, work)

    async def list_conflicts(
        self,
        ctx: Context[None, Any],
        all: Annotated[bool, Field(description="Also those that are settled.")] = False,
        limit: Annotated[int, Field(ge=1, le=200)] = 20,
    ) -> CallToolResult:
        """List what contradicts and waits, the most certain first, with the revision for resolve_conflict."""
        harness = _harness(ctx)

        def work() -> CallToolResult:
            engine = self._visit.open(harness)
            found, waiting = engine.conflicts(all=all), engine.held_back()
            lines = [
                f"{item.id} revision {item.revision} ({item.state}, {item.probability:.0%}): "
                f'"{excerpt(item.incumbent.memory.content, 120)}" against '
                f'"{excerpt(item.challenger.memory.content, 120)}"'
                for item in found[:limit]
            ]
            lines += [
                f'{each.belief.id} "{excerpt(each.belief.memory.content, 120)}" is held for a person: {each.reason}'
                for each in waiting
            ]
            payload = payloads.conflicts(found[:limit], len(found), waiting)
            return answers.answer(payload | {"warnings": []}, "\n".join(lines) or "No conflicts.")

        return await _answered(ctx, work)

    async def resolve_conflict(
        self,
        ctx: Context[None, Any],
        conflict_id: Id,
        verb: VerbName,
        revision: Annotated[int, Field(description="The conflict's revision you decided on; a stale one is refused.")],
        reason: Annotated[str, Field(description="Why; people read it.")],
        text: Annotated[str, Field(description="merge: the one text that holds.")] = "",
        side: Annotated[
            Literal["", "incumbent", "challenger"], Field(description="scope_branch: the side to narrow.")
        ] = "",
        scope: Annotated[str, Field(description="scope_branch: where that side holds.")] = "",
    ) -> CallToolResult:
        """Settle a conflict. supersede: the newer memory replaces the older. refute: the older stands. merge:
        one new text replaces both. force: both hold, contested. scope_branch: one is narrowed to a place.
        dismiss: it is no conflict. abort: the newer is dropped. What an agent may not decide goes to people.
        """
        harness = _harness(ctx)

        def work() -> CallToolResult:
            chosen = Verb(verb)
            if chosen is Verb.MERGE and not text:
                raise BadInput("merge needs text: the one text that holds")
            if chosen is Verb.BRANCH and not (side and scope):
                raise BadInput("scope_branch needs side (incumbent or challenger) and scope")
            result = self._visit.open(harness).resolve(
                conflict_id,
                chosen,
                revision=revision,
                reason=reason,
                text=text or None,
                side=side or None,
                scope=Scope.parse(scope) if scope else None,
            )
            return answers.resolved(result)

        return await _answered(ctx, work)

    async def history(
        self,
        ctx: Context[None, Any],
        id: Annotated[str, Field(description="A memory or a conflict; empty for the whole store.")] = "",
        limit: Annotated[int, Field(ge=1, le=1000, description="Only the last so many events.")] = 50,
    ) -> CallToolResult:
        """Tell what happened, the oldest first: who, what, and why."""
        harness = _harness(ctx)

        def work() -> CallToolResult:
            entries = self._visit.open(harness).history(id or None, limit=limit)
            lines = [
                f"{entry.seq} {payloads.stamp(entry.at)} {entry.actor} {entry.kind}: {entry.summary}"
                for entry in entries
            ]
            return answers.answer(payloads.history(entries) | {"warnings": []}, "\n".join(lines) or "No events.")

        return await _answered(ctx, work)

    async def status(self, ctx: Context[None, Any]) -> CallToolResult:
        """Say which store is in use, how many memories it holds and what waits for a decision."""
        harness = _harness(ctx)

        def work() -> CallToolResult:
            counts = self._visit.open(harness).status()
            held = sum(counts.memories.get(state, 0) for state in Status if state.live)
            text = (
                f"{counts.path}: {held} memories hold, {counts.open_conflicts} open conflicts, "
                f"{counts.invariants} invariants, {counts.proposals_pending} proposals pending."
            )
            return answers.answer(payloads.status(counts) | {"warnings": []}, text)

        return await _answered(ctx, work)

    def _founding(self, result: CallToolResult) -> CallToolResult:
        if self._visit.founded:
            result.structured_content["warnings"].append(self._visit.founded)
            self._visit.founded = ""
        return result


async def _answered(ctx: Context[None, Any], work: Work) -> CallToolResult:
    """Do the work in a thread; pass its warnings on as log messages too, where the session takes them."""
    result = await anyio.to_thread.run_sync(work)
    for sentence in (result.structured_content or {}).get("warnings", ()):
        with warnings.catch_warnings():
            # Logging is deprecated in the newest protocol and still what the older ones read.
            warnings.simplefilter("ignore", MCPDeprecationWarning)
            sending = ctx.session.send_log_message("warning", sentence, "tur", related_request_id=ctx.request_id)
        await sending
    return result


def _harness(ctx: Context[None, Any]) -> str:
    client = ctx.session.client_params
    return client.client_info.name if client is not None and client.client_info is not None else "mcp"


def _marks(status: Status, contested: bool) -> str:
    words = [
        word for word in ("" if status is Status.ACTIVE else status.value, "contested" if contested else "") if word
    ]
    return f" ({', '.join(words)})" if words else ""


def _relations(items: tuple[dict[str, str], ...]) -> tuple[Relation, ...]:
    for item in items:
        if set(item) != {"type", "target"}:
            raise BadInput(f"relation {item} is not an object with type and target")
    return tuple(Relation(type=item["type"], target=item["target"]) for item in items)


def _moment(text: str) -> Any:
    from datetime import datetime

    try:
        return datetime.fromisoformat(text)
    except ValueError:
        raise BadInput(f"occurred_at {text!r} is not a date or time; write 2026-11-29T23:15:00Z") from None
