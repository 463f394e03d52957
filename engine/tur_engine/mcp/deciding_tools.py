"""The tools about clashes: `list_conflicts`, `resolve_conflict`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, Literal

from mcp.server.mcpserver import Context, MCPServer
from mcp_types import CallToolResult
from pydantic import Field

from .. import payloads
from ..errors import BadInput
from ..records import Scope, Verb
from ..text import excerpt
from . import answers
from .calling import READS, SETTLES, Id, add, answered, harness

if TYPE_CHECKING:
    from .visit import Visit

VerbName = Literal["supersede", "refute", "scope_branch", "abort", "merge", "force", "dismiss"]


def register(server: MCPServer[None], visit: Visit) -> dict[str, frozenset[str]]:
    """Add the tools. Returns the names of each one's arguments."""

    async def list_conflicts(
        ctx: Context[None, Any],
        all: Annotated[bool, Field(description="Also those that are settled.")] = False,
        limit: Annotated[int, Field(ge=1, le=200)] = 20,
    ) -> CallToolResult:
        """List what contradicts and waits, the most certain first, with the revision for resolve_conflict."""
        name = harness(ctx)

        def work() -> CallToolResult:
            engine = visit.open(name)
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

        return await answered(ctx, work)

    async def resolve_conflict(
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
        name = harness(ctx)

        def work() -> CallToolResult:
            chosen = Verb(verb)
            if chosen is Verb.MERGE and not text:
                raise BadInput("merge needs text: the one text that holds")
            if chosen is Verb.BRANCH and not (side and scope):
                raise BadInput("scope_branch needs side (incumbent or challenger) and scope")
            if chosen is not Verb.MERGE and text:
                raise BadInput(f"text belongs to merge, not to {chosen}")
            if chosen is not Verb.BRANCH and (side or scope):
                raise BadInput(f"side and scope belong to scope_branch, not to {chosen}")
            where = Scope.parse(scope) if scope else None
            if where is not None and not (where.path or where.branch):
                raise BadInput("scope_branch narrows to a path or a branch; give scope as level:path or level@branch")
            if not reason.strip():
                raise BadInput("reason is empty; say in a sentence why, for people read it")
            result = visit.open(name).resolve(
                conflict_id,
                chosen,
                revision=revision,
                reason=reason,
                text=text or None,
                side=side or None,
                scope=where,
            )
            return answers.resolved(result)

        return await answered(ctx, work)

    return add(server, list_conflicts, READS) | add(server, resolve_conflict, SETTLES)
