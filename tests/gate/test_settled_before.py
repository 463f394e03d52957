"""What lost is not learned again in silence: the answer says when, by whom and why it was settled (CONTRACTS 2)."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from tests.engine.scripted import AGENT, DUPLICATE, MARA, OTHER, Store
from tur_engine.records import OnConflict, Outcome, Verb

ALEMBIC = "Database migrations run via Alembic"
PRISMA = "Database migrations run via Prisma Migrate"
FLYWAY = "Database migrations run via Flyway"


@pytest.fixture
def moved(store: Store) -> Store:
    """Alembic lost against Prisma."""
    store.script.clash(ALEMBIC, PRISMA)
    store.known(ALEMBIC, AGENT)
    store.settle(store.held(PRISMA, AGENT), Verb.SUPERSEDE, reason="moved to Prisma")
    return store


def test_the_loser_offered_again_meets_the_winner_and_the_reason(moved: Store) -> None:
    decided = moved.engine.conflicts(all=True)[0]
    result = moved.learn(ALEMBIC, OTHER)
    assert result.outcome is Outcome.CONFLICT
    before = result.settled_before
    assert before is not None
    assert (before.conflict_id, before.by, before.reason, before.verb) == (
        decided.id,
        MARA,
        "moved to Prisma",
        Verb.SUPERSEDE,
    )
    assert datetime.now(UTC) - before.at < timedelta(minutes=5)
    (report,) = result.conflicts
    assert report.conflict.incumbent.memory.content == PRISMA
    assert report.conflict.reason.startswith("This was settled on ")
    assert "by human:mara: moved to Prisma" in report.conflict.reason
    assert report.conflict.reason.endswith(f'"{PRISMA}" holds since.')
    assert moved.live() == {PRISMA}
    moved.verified()


def test_it_does_so_though_the_detector_sees_no_clash(moved: Store) -> None:
    moved.script.say(ALEMBIC, PRISMA, DUPLICATE.model_copy(update={"relationship": "compatible"}))
    result = moved.learn(ALEMBIC)
    assert result.settled_before is not None
    assert (result.conflicts[0].conflict.detected_by, result.conflicts[0].conflict.suggested) == (
        "explicit",
        Verb.REFUTE,
    )


def test_other_words_for_the_loser_are_known_too(moved: Store) -> None:
    reworded = "As agreed earlier, database migrations run via Alembic"
    result = moved.learn(reworded)
    assert result.outcome is Outcome.CONFLICT
    assert result.settled_before is not None
    assert result.settled_before.reason == "moved to Prisma"
    assert moved.learn("Alembic is a Python tool").settled_before is None


def test_a_refuted_newcomer_offered_again(store: Store) -> None:
    store.script.clash(ALEMBIC, PRISMA)
    store.known(ALEMBIC)
    store.settle(store.held(PRISMA, AGENT), Verb.REFUTE, reason="never decided")
    result = store.learn(PRISMA, AGENT, on_conflict=OnConflict.ALLOW)
    assert (result.outcome, result.settled_before is not None) == (Outcome.COMMITTED, True)
    assert result.settled_before is not None
    assert (result.settled_before.verb, result.settled_before.reason) == (Verb.REFUTE, "never decided")
    assert store.live() == {ALEMBIC, PRISMA}


def test_the_winner_of_today_is_named_where_it_changed_hands(moved: Store) -> None:
    moved.script.clash(PRISMA, FLYWAY)
    moved.settle(moved.held(FLYWAY), Verb.SUPERSEDE, reason="Prisma gave up on us")
    result = moved.learn(ALEMBIC)
    assert result.settled_before is not None
    assert result.settled_before.reason == "moved to Prisma"
    assert [r.conflict.incumbent.memory.content for r in result.conflicts] == [FLYWAY]


def test_a_merge_is_the_winner_of_both(store: Store) -> None:
    store.script.clash(ALEMBIC, PRISMA)
    store.known(ALEMBIC)
    merged = "Alembic for the old services, Prisma for the new"
    conflict = store.held(PRISMA)
    store.settle(conflict, Verb.MERGE, text=merged, reason="both are right")
    for text in (ALEMBIC, PRISMA):
        result = store.learn(text)
        assert result.settled_before is not None
        assert (result.settled_before.verb, result.settled_before.conflict_id) == (Verb.MERGE, conflict.id)
        assert result.conflicts[0].conflict.incumbent.memory.content == merged


def test_of_a_case_the_pair_in_question_is_named_with_its_own_reason(store: Store) -> None:
    store.script.clash(PRISMA, ALEMBIC)
    store.script.clash(PRISMA, FLYWAY)
    store.known(ALEMBIC)
    store.known(FLYWAY)
    first, second = (r.conflict for r in store.learn(PRISMA).conflicts)
    store.settle(first, Verb.SUPERSEDE, reason="python went")
    store.settle(second, Verb.SUPERSEDE, reason="java went")
    for conflict, reason in ((first, "python went"), (second, "java went")):
        result = store.learn(conflict.incumbent.memory.content)
        assert result.settled_before is not None
        assert (result.settled_before.conflict_id, result.settled_before.reason) == (conflict.id, reason)


def test_after_an_undo_nothing_is_settled(moved: Store) -> None:
    moved.engine.undo()
    assert moved.learn(ALEMBIC).outcome is Outcome.DUPLICATE
    assert moved.learn(PRISMA).settled_before is None
    (undone,) = [entry.seq for entry in moved.engine.history() if entry.kind == "undone"]
    moved.engine.undo(f"#{undone}")
    result = moved.learn(ALEMBIC)
    assert result.settled_before is not None
    assert (result.settled_before.by, result.settled_before.reason) == (MARA, "moved to Prisma")


def test_an_aborted_text_was_never_settled(store: Store) -> None:
    store.script.clash(ALEMBIC, PRISMA)
    store.known(ALEMBIC)
    store.settle(store.held(PRISMA), Verb.ABORT)
    result = store.learn(PRISMA)
    assert (result.outcome, result.settled_before) == (Outcome.CONFLICT, None)


def test_once_the_winner_is_gone_the_loser_may_come_back(moved: Store) -> None:
    moved.script.clash(PRISMA, "There is no database")
    contested = moved.contested("There is no database", AGENT)
    moved.settle(contested, Verb.SUPERSEDE)
    moved.settle(moved.contested(PRISMA), Verb.ABORT)
    result = moved.learn("Database migrations run via Alembic", OTHER)
    assert result.conflicts[0].conflict.incumbent.memory.content == "There is no database"
    moved.script.clash("There is no database", "There is one again")
    moved.learn("There is one again", on_conflict=OnConflict.ALLOW)


def test_naming_the_winner_settles_it_the_other_way(moved: Store) -> None:
    (prisma,) = moved.engine.memories()
    result = moved.learn(ALEMBIC, MARA, supersedes=[prisma.id])
    assert result.outcome is Outcome.COMMITTED
    assert result.settled_before is not None
    assert moved.live() == {ALEMBIC}


def test_a_winner_that_holds_elsewhere_is_no_conflict(store: Store) -> None:
    store.script.clash(ALEMBIC, PRISMA)
    store.known(ALEMBIC)
    store.settle(store.held(PRISMA, scope="incarnation:services/api"), Verb.SUPERSEDE)
    reworded = "As agreed earlier, database migrations run via Alembic"
    assert store.learn(reworded, scope="incarnation:services/web").outcome is Outcome.COMMITTED
    assert store.learn(reworded, scope="incarnation:services").settled_before is not None
