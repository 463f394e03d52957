"""The engine as it ships, with its own embedder and detector: the seed's story from learn to undo."""

from __future__ import annotations

from pathlib import Path

import pytest

from tur_engine.engine import Engine
from tur_engine.records import Author, Draft, Outcome, Verb

MARA = Author.parse("human:mara")
ALEMBIC = "Database migrations run via Alembic"
PRISMA = "Database migrations run via Prisma Migrate"

pytestmark = pytest.mark.slow


def test_the_seeds_story(tmp_path: Path) -> None:
    with Engine.init(tmp_path, actor=MARA) as engine:

        def offer(text: str) -> Outcome:
            return engine.learn(Draft(content=text, author=MARA)).outcome

        def believed(query: str) -> list[str]:
            return [hit.belief.memory.content for hit in engine.recall(query)]

        assert offer(ALEMBIC) == "committed"
        assert offer("The office cat is called Biscuit") == "committed"
        assert offer("The cafeteria serves soup on Fridays") == "committed"
        assert offer(f"As noted, {ALEMBIC.lower()}.") == "duplicate"
        held = engine.learn(Draft(content=PRISMA, author=MARA))
        assert held.outcome == "conflict_detected"
        (report,) = held.conflicts
        assert report.conflict.incumbent.memory.content == ALEMBIC
        assert report.conflict.probability > 0.5
        assert report.conflict.evidence
        assert "Alembic" in report.conflict.reason

        engine.resolve(report.conflict.id, Verb.SUPERSEDE, reason="moved to Prisma")
        assert believed("migrations") == [PRISMA]
        assert believed("who is the cat") == ["The office cat is called Biscuit"]
        again = engine.learn(Draft(content=f"To confirm: {ALEMBIC}", author=MARA))
        assert again.outcome == "conflict_detected"
        assert again.settled_before is not None
        assert again.settled_before.reason == "moved to Prisma"
        engine.resolve(again.conflicts[0].conflict.id, Verb.ABORT)

        engine.undo()
        engine.undo()
        assert believed("migrations") == [ALEMBIC]
        assert engine.verify().ok
        engine.rebuild()
        assert engine.verify().ok
        assert believed("migrations") == [ALEMBIC]
