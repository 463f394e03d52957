"""The seed's story (EP-0134), as any client runs it: conflict, one follow-up, resolved; a rule that holds."""

from __future__ import annotations

from pathlib import Path

from mcp import Client

from tests.govern.signing import put_in_force
from tests.mcp.serving import called
from tur_engine.engine import Engine
from tur_engine.records import Author, Draft, MemoryType

ANNA = Author.parse("human:anna")
ALEMBIC = "Database migrations run via Alembic"
PRISMA = "Database migrations run via Prisma Migrate"
TLS = "All service traffic must use TLS encryption"
AGAINST = "Service traffic must not use TLS encryption"
ERROR = "[Invariant Memory Error]: Assertion contradicts Invariant Memory"


def lay_down(store: Path) -> None:
    """Approve the invariant of the story, as Rita."""
    with Engine.open(store, actor=ANNA) as engine:
        put_in_force(engine, engine.learn(Draft(content=TLS, type=MemoryType.CORE, author=ANNA)).proposal_id or "")


async def told(client: Client) -> int:
    """Run the story; returns how many warnings its answers held."""
    assert (await called(client, "learn", content=ALEMBIC))["status"] == "committed"
    held = await called(client, "learn", content=PRISMA)
    assert (held["status"], held["is_error"]) == ("conflict_detected", False)
    assert (held["existing_content"], held["new_content"]) == (ALEMBIC, PRISMA)
    assert held["resolution_options"][:4] == ["supersede", "refute", "scope_branch", "abort"]
    assert "superseded" in held["previews"]["supersede"]
    follow_up = {key: held[key] for key in ("conflict_id", "revision")}
    done = await called(client, "resolve_conflict", verb="supersede", reason="moved to Prisma", **follow_up)
    assert (done["status"], done["is_error"]) == ("resolved", False)
    stale = await called(client, "resolve_conflict", verb="refute", reason="late", **follow_up)
    assert stale["is_error"]
    assert [item["content"] for item in (await called(client, "recall", query="migrations"))["memories"]] == [PRISMA]

    forbidden = await called(client, "learn", content=AGAINST, allow_conflict=True)
    assert (forbidden["status"], forbidden["is_error"]) == ("invariant_violation", True)
    assert forbidden["error"].startswith(ERROR)
    asked = await called(client, "check_action", text=AGAINST)
    noted = await called(client, "note", content="migrations run via Alembic only")
    held_here = await called(client, "context")
    assert [item["content"] for item in held_here["invariants"]] == [TLS]
    assert [item["content"] for item in held_here["memories"]] == [PRISMA]
    assert asked["warnings"]
    assert "ask for a change with propose(content=..., reason=..., supersedes=['core-" in asked["warnings"][0]
    return len(asked["warnings"]) + len(noted["warnings"])
