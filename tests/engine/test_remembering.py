"""What was believed at any moment, a memory's life and its lineage: against what the other reads say of that moment."""

from __future__ import annotations

import pytest

from tests.engine.scripted import AGENT, MARA, OTHER, Store
from tur_engine.errors import UnknownId
from tur_engine.records import MemoryType, Scope, Status, Verb

ALEMBIC = "Database migrations run via Alembic"
PRISMA = "Database migrations run via Prisma Migrate"
FLYWAY = "Database migrations run via Flyway"
BOTH = "Migrations run via Prisma Migrate, releases via Flyway"


@pytest.fixture
def lived(store: Store) -> Store:
    """Held, superseded, undone, superseded again, challenged and merged; another memory in a folder."""
    store.script.clash(ALEMBIC, PRISMA)
    store.script.clash(PRISMA, FLYWAY)
    store.known(ALEMBIC, AGENT)
    store.known("Prefer small pull requests", MARA, type="preference")
    store.known("The API speaks JSON", AGENT, scope=Scope.parse("incarnation:api"))
    store.held(PRISMA, OTHER)
    store.settle(store.engine.conflicts()[0], Verb.SUPERSEDE, reason="moved to Prisma")
    store.engine.undo(reason="not yet")
    store.settle(store.engine.conflicts()[0], Verb.SUPERSEDE, reason="now we do")
    store.held(FLYWAY, AGENT)
    store.settle(store.engine.conflicts()[0], Verb.MERGE, text=BOTH)
    return store


def test_what_is_remembered_at_every_event_is_what_the_other_reads_say(lived: Store) -> None:
    for seq in range(1, lived.engine.head() + 1):
        then = lived.engine.at(seq)
        for ever, status in ((False, None), (True, tuple(Status))):
            told = {
                (b.memory.seq, b.memory.type, b.memory.scope, b.status, b.approved, b.contested)
                for b in then.memories(status=status, limit=1000)
            }
            rows = then.remembered(ever=ever)
            if not ever:
                assert {row[:5] for row in rows} == {each[:5] for each in told}
            # Who lost is contested no more, whatever its old edges say.
            assert {tuple(row) for row in rows if row.status.live} == {each for each in told if each[3].live}
            assert [b.memory.seq for b in then.beliefs([row.seq for row in rows])] == [row.seq for row in rows]
    assert lived.engine.at(lived.engine.head()).as_of == lived.engine.head()
    assert lived.engine.as_of is None


def test_the_rows_are_narrowed_by_words_id_type_and_actor(lived: Store) -> None:
    engine = lived.engine
    by_seq = {row.seq: engine.beliefs([row.seq])[0].memory for row in engine.remembered(ever=True)}

    def texts(**wanted: object) -> set[str]:
        return {by_seq[row.seq].content for row in engine.remembered(**wanted)}  # type: ignore[arg-type]

    assert texts(text="migr pris", ever=True) == {PRISMA, BOTH}
    assert texts(text="migr") == {BOTH}
    assert texts(text='no such "word') == set()
    assert texts(type=MemoryType.PREFERENCE) == {"Prefer small pull requests"}
    assert texts(by="AIDER", ever=True) == {PRISMA}
    old = next(each for each in by_seq.values() if each.content == ALEMBIC)
    assert texts(text=old.short_id, ever=True) == {ALEMBIC}
    assert texts(text=old.short_id) == set()


def test_a_life_says_where_the_memory_stood_before_and_after_each_event(lived: Store) -> None:
    engine = lived.engine
    old = next(each for each in engine.memories(status=tuple(Status)) if each.memory.content == ALEMBIC)
    told = [(step.entry.kind.value, step.before, step.after) for step in engine.life(old.id)]
    assert told == [
        ("learned", None, Status.ACTIVE),
        ("held", Status.ACTIVE, Status.ACTIVE),
        ("resolved", Status.ACTIVE, Status.SUPERSEDED),
        ("undone", Status.SUPERSEDED, Status.ACTIVE),
        ("resolved", Status.ACTIVE, Status.SUPERSEDED),
    ]
    assert [step.entry.reason for step in engine.life(old.id)][2:] == ["moved to Prisma", "not yet", "now we do"]
    third = engine.life(old.id)[2].entry.seq
    assert len(engine.at(third).life(old.id)) == 3
    with pytest.raises(UnknownId):
        engine.at(1).life(old.id)


def test_a_lineage_reaches_both_ways_from_any_of_its_memories(lived: Store) -> None:
    engine = lived.engine
    names = {each.memory.content: each for each in engine.memories(status=tuple(Status))}
    for text in (ALEMBIC, PRISMA, FLYWAY, BOTH):
        lineage = engine.lineage(names[text].id)
        assert lineage.focus == names[text].memory.digest
        texts = {each.memory.digest: each.memory.content for each in lineage.memories}
        assert {(each.how, texts[each.older], texts[each.newer]) for each in lineage.descents} == {
            ("superseded", ALEMBIC, PRISMA),
            ("merged", PRISMA, BOTH),
            ("merged", FLYWAY, BOTH),
        }
        assert not lineage.more
    assert engine.lineage(names["The API speaks JSON"].id).descents == ()
    assert engine.lineage(names[BOTH].id, limit=2).more


def test_a_person_finds_by_the_begin_of_words_by_id_and_in_spite_of_misspelling(lived: Store) -> None:
    engine = lived.engine

    def found(typed: str, **more: int) -> list[str]:
        return [each.memory.content for each in engine.find(typed, **more)]

    assert sorted(found("pris migr")) == sorted([PRISMA, BOTH])
    assert ALEMBIC in found("almebic")
    assert len(found("migrations", limit=2)) == 2
    assert found('no such "word') == found("") == found(" ' OR ") == []
    old = next(each for each in engine.memories(status=tuple(Status)) if each.memory.content == ALEMBIC)
    assert found(old.id) == [ALEMBIC]
    assert found(old.memory.digest[:8]) == [ALEMBIC]
    assert PRISMA not in [each.memory.content for each in engine.at(old.memory.seq).find("prisma")]
