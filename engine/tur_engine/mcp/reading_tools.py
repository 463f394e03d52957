"""The tools that read what is believed: `recall`, `context`, `history`, `status`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

from mcp.server.mcpserver import Context, MCPServer
from mcp_types import CallToolResult
from pydantic import Field

from .. import payloads
from ..errors import BadInput
from ..place import Place
from ..records import Belief, Status
from ..records.context import contested_by
from ..text import tokens
from . import answers
from .calling import READS, BranchText, PathText, add, answered, harness, session

if TYPE_CHECKING:
    from ..engine import Engine
    from .visit import Visit


def register(server: MCPServer[None], visit: Visit) -> dict[str, frozenset[str]]:
    """Add the tools. Returns the names of each one's arguments."""

    async def recall(
        ctx: Context[None, Any],
        query: Annotated[str, Field(description="Words or a question.")],
        limit: Annotated[int, Field(ge=1, le=200)] = 10,
        path: PathText = None,
        branch: BranchText = None,
        include_superseded: bool = False,
    ) -> CallToolResult:
        """Find what is believed. A contested memory comes with the other side in the same answer: among the memories,
        or in its other_sides where that is held."""
        name, of = harness(ctx), session(ctx.headers) or visit.session

        def work() -> CallToolResult:
            if not query.strip():
                raise BadInput("query is empty; give words or a question")
            engine = visit.open(name)
            folder, on = _seen_from(visit, engine, path, branch)
            hits = engine.recall(
                query, limit=limit, path=folder, branch=on, include_superseded=include_superseded, session=of
            )
            lines = []
            for hit in hits:
                lines.append(f"{hit.belief.id}{_marks(hit.belief)}: {hit.belief.memory.content}")
                lines += [f"  {contested_by(other)}" for other in hit.others]
            none = "Nothing found." if tokens(query) else "Nothing found: the query holds no word to look for."
            payload = payloads.recall(hits, lambda digest: engine.memory(digest).id)
            return answers.answer(payload | {"warnings": []}, "\n".join(lines) or none)

        return await answered(ctx, work)

    async def context(
        ctx: Context[None, Any],
        budget: Annotated[int, Field(ge=50, le=100_000, description="About so many tokens.")] = 2000,
        path: PathText = None,
        branch: BranchText = None,
    ) -> CallToolResult:
        """What holds here, to read before you start: the invariants all of them, then the newest memories, as many as
        the budget takes. Contested ones are marked and come with the other side, in other_sides where that is held;
        what was superseded is not among them."""
        name, of = harness(ctx), session(ctx.headers) or visit.session

        def work() -> CallToolResult:
            engine = visit.open(name)
            folder, on = _seen_from(visit, engine, path, branch)
            found = engine.context(path=folder, branch=on, budget=budget, session=of)
            payload = payloads.context(found, lambda digest: engine.memory(digest).id)
            return answers.answer(payload | {"warnings": []}, found.text or "Nothing holds here yet.")

        return await answered(ctx, work)

    async def history(
        ctx: Context[None, Any],
        id: Annotated[str, Field(description="A memory or a conflict; empty for the whole store.")] = "",
        limit: Annotated[int, Field(ge=1, le=1000, description="Only the last so many events.")] = 50,
    ) -> CallToolResult:
        """Tell what happened, the oldest first: who, what, and why."""
        name = harness(ctx)

        def work() -> CallToolResult:
            entries = visit.open(name).history(id or None, limit=limit)
            lines = [
                f"{entry.seq} {payloads.stamp(entry.at)} {entry.actor} {entry.kind}: {entry.summary}"
                + (f" ({entry.reason})" if entry.reason else "")
                for entry in entries
            ]
            return answers.answer(payloads.history(entries) | {"warnings": []}, "\n".join(lines) or "No events.")

        return await answered(ctx, work)

    async def status(ctx: Context[None, Any]) -> CallToolResult:
        """Say which store is in use, how many memories it holds and what waits for a decision."""
        name = harness(ctx)

        def work() -> CallToolResult:
            engine = visit.open(name)
            counts, waiting = engine.status(), len(engine.held_back())
            held = sum(counts.memories.get(state, 0) for state in Status if state.live)
            text = (
                f"{counts.path}: memories that hold {held}, open conflicts {counts.open_conflicts}, "
                f"invariants {counts.invariants}, proposals pending {counts.proposals_pending}"
                + (f", {waiting} held for a person; list_conflicts names them." if waiting else ".")
            )
            warned = [counts.former] if counts.former else []
            return answers.answer(
                payloads.status(counts) | {"held_back": waiting, "warnings": warned}, "\n".join([text, *warned])
            )

        return await answered(ctx, work)

    made: dict[str, frozenset[str]] = {}
    for tool in (recall, context, history, status):
        made |= add(server, tool, READS)
    return made


def _seen_from(visit: Visit, engine: Engine, path: str | None, branch: str | None) -> tuple[str | None, str | None]:
    """Where the caller looks from: what it says, else where a harness started this server (as `tur recall` does)."""
    here = Place.of(engine.root) if visit.local and (path is None or branch is None) else None
    folder = here.path if path is None and here is not None else path
    on = here.branch if branch is None and here is not None else branch
    return folder or None, on or None


def _marks(belief: Belief) -> str:
    words = ["" if belief.status is Status.ACTIVE else belief.status.value]
    words.append("contested" if belief.contested or belief.pending else "")
    return f" ({', '.join(word for word in words if word)})" if any(words) else ""
