"""The store's policy over MCP: what an agent may not settle goes to people, whatever it calls itself."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.mcp.test_server import ANNA, harness
from tests.standins import install
from tur_engine.engine import Engine
from tur_engine.records import Author, Draft

OLD, NEW = "database: Alembic migrates it", "database: Prisma migrates it"
OTTER = Author.parse("agent:otter")
HERON = Author.parse("agent:heron")


@pytest.fixture
def store(workdir: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    install(monkeypatch)
    Engine.init(workdir, actor=ANNA).close()
    return workdir / ".tur" / "ledger.db"


@pytest.mark.parametrize("verb", ["supersede", "dismiss", "force", "refute"])
@pytest.mark.parametrize(
    ("policy", "incumbent", "acts"),
    [
        ("none", OTTER, False),
        ("own", OTTER, True),
        ("own", HERON, False),
        ("agents", HERON, True),
        ("agents", ANNA, False),
    ],
)
@pytest.mark.parametrize("speaker", ["otter", "human:otter"])
async def test_each_value_on_a_verb(
    store: Path, policy: str, incumbent: Author, acts: bool, verb: str, speaker: str
) -> None:
    store.with_name("config.toml").write_text(f'agent_may_resolve = "{policy}"\n')
    with Engine.open(store, actor=incumbent) as engine:
        engine.learn(Draft(content=OLD, author=incumbent))
    async with harness(store, speaker) as call:
        held = await call("learn", content=NEW)
        settled = await call(
            "resolve_conflict",
            conflict_id=held["conflict_id"],
            verb=verb,
            revision=held["revision"],
            reason="as I see it",
        )
    may = acts or verb == "refute"  # it may always withdraw its own newcomer
    assert settled["verb"] == (verb if may else "escalate")
    assert settled["status"] == ("resolved" if may else "escalated")
