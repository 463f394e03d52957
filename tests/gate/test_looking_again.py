"""What an undo brings back is weighed against what came in while it was out: nothing contradicts in silence."""

from __future__ import annotations

from tests.engine.scripted import AGENT, Store, suspicion
from tur_engine.records import Verb

ALEMBIC = "Database migrations run via Alembic"
PRISMA = "Database migrations run via Prisma Migrate"
STUDIO = "Database models are edited in Prisma Studio"


def between(store: Store, one: str, other: str) -> list[str]:
    """States of the conflicts between two texts, oldest first."""
    pair = {one, other}
    found = [
        c for c in store.engine.conflicts(all=True) if {c.incumbent.memory.content, c.challenger.memory.content} == pair
    ]
    return [str(c.state) for c in sorted(found, key=lambda c: c.seq)]


def test_a_newcomer_that_the_fallen_one_would_have_stopped_is_found(store: Store) -> None:
    store.script.clash(ALEMBIC, PRISMA)
    store.script.clash(ALEMBIC, STUDIO)
    store.known(ALEMBIC)
    store.settle(store.held(PRISMA), Verb.SUPERSEDE)
    store.known(STUDIO, AGENT)
    store.script.asked.clear()
    undone = store.engine.undo()
    assert store.script.asked == [(ALEMBIC, STUDIO)], (
        "older and newer keep their roles; known pairs are not asked again"
    )
    assert between(store, ALEMBIC, STUDIO) == ["detected"]
    assert set(undone.reopened) == {c.id for c in store.engine.conflicts()}
    (studio,) = [c for c in store.engine.conflicts() if c.challenger.memory.content == STUDIO]
    assert studio.challenger.contested
    store.verified()
    redone = store.engine.undo(f"#{undone.seq}")
    assert store.live() == {PRISMA, STUDIO}
    assert store.engine.conflicts() == []
    assert redone.verb == "undo"
    store.verified()
    store.engine.undo(f"#{redone.seq}")
    assert between(store, ALEMBIC, STUDIO) == ["resolved", "detected"]
    store.verified()


def test_a_settled_one_is_not_asked_about_again(store: Store) -> None:
    store.script.clash(ALEMBIC, PRISMA)
    store.script.clash(ALEMBIC, STUDIO)
    store.known(ALEMBIC)
    store.settle(store.held(STUDIO), Verb.DISMISS)
    store.settle(store.held(PRISMA), Verb.SUPERSEDE)
    store.engine.undo()
    assert between(store, ALEMBIC, STUDIO) == ["resolved"]


def test_of_two_that_were_out_at_different_times_the_second_to_return_is_asked_about(store: Store) -> None:
    store.script.clash(ALEMBIC, PRISMA)
    store.script.clash(ALEMBIC, STUDIO)
    store.script.clash(STUDIO, "Database models are edited by hand")
    store.known(ALEMBIC)
    first = store.settle(store.held(PRISMA), Verb.SUPERSEDE)
    store.known(STUDIO)
    second = store.settle(store.held("Database models are edited by hand"), Verb.SUPERSEDE)
    store.engine.undo(f"#{first.seq}")
    assert between(store, ALEMBIC, STUDIO) == []
    store.engine.undo(f"#{second.seq}")
    assert between(store, ALEMBIC, STUDIO) == ["detected"]


def test_a_conflict_that_went_moot_comes_back_with_the_last_of_its_sides(store: Store) -> None:
    store.script.clash(ALEMBIC, PRISMA)
    store.script.clash(ALEMBIC, STUDIO)
    store.script.clash(STUDIO, "Database models are edited by hand")
    store.known(ALEMBIC)
    store.contested(STUDIO)
    first = store.settle(store.held(PRISMA), Verb.SUPERSEDE)
    assert between(store, ALEMBIC, STUDIO) == ["resolved"]
    second = store.settle(store.held("Database models are edited by hand"), Verb.SUPERSEDE)
    store.engine.undo(f"#{first.seq}")
    assert between(store, ALEMBIC, STUDIO) == ["resolved"], "one side is still out"
    store.engine.undo(f"#{second.seq}")
    assert between(store, ALEMBIC, STUDIO) == ["resolved", "detected"]
    assert store.live() == {ALEMBIC, STUDIO}
    store.verified()


def test_a_memory_whose_scope_is_wide_again_is_asked_about(store: Store) -> None:
    web = "Database migrations run via Flyway"
    store.script.clash(ALEMBIC, PRISMA)
    store.script.clash(PRISMA, web)
    store.known(ALEMBIC, scope="incarnation:services/api")
    conflict = store.held(PRISMA)
    store.settle(conflict, Verb.BRANCH, side="challenger")
    store.known(web, scope="incarnation:services/web")
    store.engine.undo()
    assert between(store, PRISMA, web) == ["detected"]
    assert store.status(conflict.challenger.id) == "held"


def test_a_suspicion_against_an_invariant_approved_meanwhile_waits_for_people(store: Store) -> None:
    store.script.clash(ALEMBIC, PRISMA)
    store.script.say(ALEMBIC, "Database migrations are written by hand", suspicion())
    store.known(ALEMBIC)
    store.settle(store.held(PRISMA), Verb.SUPERSEDE)
    store.approve("Database migrations are written by hand")
    store.engine.undo()
    assert between(store, ALEMBIC, "Database migrations are written by hand") == ["escalated"]
    store.verified()
