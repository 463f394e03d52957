"""The story of a store, one sentence an event: who, when, why, and what came of it."""

from __future__ import annotations

import pytest

from tests.engine.scripted import AGENT, MARA, OTHER, Store
from tur_engine.errors import AmbiguousId, BadInput, NotAllowed, UnknownId
from tur_engine.records import Conflict, Scope, Verb

ALEMBIC = "Database migrations run via Alembic"
PRISMA = "Database migrations run via Prisma Migrate"
CUT = "Database migrations run via Prisma Migr…"


@pytest.fixture
def pair(store: Store) -> Store:
    store.script.clash(ALEMBIC, PRISMA)
    store.known(ALEMBIC, AGENT)
    store.held(PRISMA, OTHER)
    return store


def only(store: Store) -> Conflict:
    (found,) = store.engine.conflicts()
    return found


def test_the_whole_story_reads_from_the_founding_on(pair: Store) -> None:
    conflict = only(pair)
    pair.settle(conflict, Verb.SUPERSEDE, reason="moved to Prisma")
    pair.engine.undo(reason="not yet")
    pair.engine.undo(f"#{pair.engine.head()}")
    pair.learn(PRISMA, AGENT)
    pair.seen_by(AGENT).note("Prisma was slow today")
    told = [(e.kind, str(e.actor), e.summary, e.reason) for e in pair.engine.history()]
    assert told == [
        ("founded", "human:mara", "the store was founded", ""),
        ("learned", "agent:claude-code", f'learned "{ALEMBIC}"', ""),
        ("held", "agent:aider", f'held "{PRISMA}": clashes with "{ALEMBIC}"', ""),
        ("resolved", "human:mara", f'"{ALEMBIC}" superseded by "{CUT}"', "moved to Prisma"),
        ("undone", "human:mara", f'undone: "{ALEMBIC}" superseded by "{CUT}"', "not yet"),
        ("undone", "human:mara", f'restored: "{ALEMBIC}" superseded by "{CUT}"', ""),
        ("confirmed", "agent:claude-code", f'confirmed "{PRISMA}", said again', ""),
        ("noted", "agent:claude-code", 'noted "Prisma was slow today"', ""),
    ]
    seqs = [e.seq for e in pair.engine.history()]
    assert seqs == list(range(1, 9))
    times = [e.at for e in pair.engine.history()]
    assert times == sorted(times)


@pytest.mark.parametrize(
    ("verb", "sentence"),
    [
        (Verb.SUPERSEDE, f'"{ALEMBIC}" superseded by "{CUT}"'),
        (Verb.REFUTE, f'"{CUT}" refuted, "{ALEMBIC}" holds'),
        (Verb.MERGE, f'"{ALEMBIC}" and "{CUT}" merged'),
        (Verb.FORCE, f'kept both "{ALEMBIC}" and "{CUT}"'),
        (Verb.BRANCH, f'"{ALEMBIC}" and "{CUT}" scoped apart'),
        (Verb.DISMISS, f'no conflict between "{ALEMBIC}" and "{CUT}"'),
        (Verb.ABORT, f'"{CUT}" withdrawn'),
    ],
)
def test_each_verb_has_its_sentence(pair: Store, verb: Verb, sentence: str) -> None:
    conflict = only(pair)
    result = pair.settle(conflict, verb)
    (entry,) = pair.engine.entries([result.seq])
    assert (entry.kind, entry.summary) == ("resolved", sentence)
    assert (entry.subject, entry.conflict_id) == (conflict.id, conflict.id)
    assert {conflict.incumbent.id, conflict.challenger.id} <= set(entry.memory_ids)
    assert (result.memory_id in entry.memory_ids) is (verb is Verb.MERGE)


def test_choices_escalations_and_several_incumbents(store: Store) -> None:
    flyway = "Database migrations run via Flyway"
    store.script.clash(ALEMBIC, PRISMA)
    store.script.clash(flyway, PRISMA)
    store.known(ALEMBIC, AGENT)
    store.known(flyway, MARA)
    store.held(PRISMA, AGENT)
    found = {c.incumbent.memory.content: c for c in store.engine.conflicts()}
    store.settle(found[ALEMBIC], Verb.FORCE, AGENT)
    store.settle(found[flyway], Verb.SUPERSEDE, AGENT)
    told = [e.summary for e in store.engine.history()[-3:]]
    assert told == [
        f'held "{PRISMA}": clashes with "{ALEMBIC}" and 1 more',
        f'chosen, waits for the rest of the case: kept both "{ALEMBIC}" and "{CUT}"',
        f'escalated to people, superseded was asked for: "{CUT}" against "{flyway}"',
    ]
    assert store.engine.history()[-1].subject == found[flyway].id


def test_the_story_of_one_memory_or_conflict(pair: Store) -> None:
    conflict = only(pair)
    pair.known("The kettle on floor two is new")
    pair.settle(conflict, Verb.SUPERSEDE)
    pair.learn(PRISMA, AGENT)
    old, new = conflict.incumbent.id, conflict.challenger.id
    assert [e.kind for e in pair.engine.history(old)] == ["learned", "held", "resolved"]
    assert [e.kind for e in pair.engine.history(new)] == ["held", "resolved", "confirmed"]
    assert [e.kind for e in pair.engine.history(conflict.id)] == ["held", "resolved"]
    for ref in (new, new.partition("-")[2], pair.engine.short(new), new.partition("-")[2][:12]):
        assert [e.seq for e in pair.engine.history(ref)] == [e.seq for e in pair.engine.history(new)]
    assert [e.seq for e in pair.engine.history(conflict.id.partition("-")[2])] == [3, 5]
    assert [e.kind for e in pair.engine.history(limit=2)] == ["resolved", "confirmed"]
    assert [e.kind for e in pair.engine.history(old, limit=1)] == ["resolved"]
    assert pair.engine.history(limit=0) == []


def test_ids_that_fit_nothing_or_too_much_are_refused(store: Store) -> None:
    known = [store.known(f"Rule {n} of the house", topic=str(n)) for n in range(40)]
    with pytest.raises(UnknownId):
        store.engine.history("fact-00000000000000")
    with pytest.raises(BadInput):
        store.engine.history("fact-zz")
    with pytest.raises(UnknownId):
        store.engine.history(known[0].replace("fact", "event"))
    with store.engine._ledger.writing(), store.engine._ledger.reading() as db:
        db.execute("UPDATE memories SET digest='abcd' || substr(digest, 5) WHERE mid IN (3, 4)")
        with pytest.raises(AmbiguousId, match="fits 2 ids: fact-abcd"):
            store.engine.history("abcd")


def test_an_event_that_is_not_there_is_refused(store: Store) -> None:
    for seq in (0, 2, 99):
        with pytest.raises(BadInput, match=f"there is no event {seq}"):
            store.engine.entries([seq])


def test_entries_keep_the_order_asked_for(pair: Store) -> None:
    assert [e.seq for e in pair.engine.entries([3, 1, 2])] == [3, 1, 2]
    assert pair.engine.entries([]) == []


def test_a_conflict_says_how_it_was_settled(pair: Store) -> None:
    conflict = only(pair)
    result = pair.settle(conflict, Verb.REFUTE, OTHER, reason="a joke")
    settled = pair.engine.conflict(conflict.id)
    assert settled.settlement is not None
    assert (settled.settlement.by, settled.settlement.reason, settled.settlement.seq) == (OTHER, "a joke", result.seq)
    pair.engine.undo(f"#{result.seq}")
    (again,) = pair.engine.conflicts()
    assert (again.reopens, again.settlement, again.evidence) == (conflict.id, None, conflict.evidence)
    with pytest.raises(NotAllowed):
        pair.settle(settled, Verb.DISMISS)


def test_the_queue_goes_by_probability_dependants_and_age(store: Store) -> None:
    for subject, probability in (("cache", 0.7), ("queue", 0.9), ("mesh", 0.7), ("proxy", 0.7)):
        store.script.clash(f"The {subject} is old", f"The {subject} is new", probability=probability)
        known = store.known(f"The {subject} is old")
        if subject == "proxy":
            store.known("Headers are set by the proxy", rests_on=[known])
    for subject in ("cache", "queue", "mesh", "proxy"):
        store.held(f"The {subject} is new")
    order = [c.incumbent.memory.content.split()[1] for c in store.engine.conflicts()]
    assert order == ["queue", "proxy", "cache", "mesh"]
    first = store.engine.conflicts(limit=1)
    assert [c.incumbent.memory.content for c in first] == ["The queue is old"]
    assert store.engine.conflicts(limit=0) == []
    store.settle(first[0], Verb.DISMISS)
    assert [str(c.state) for c in store.engine.conflicts(all=True)] == ["detected"] * 3 + ["resolved"]
    assert store.engine.status().open_conflicts == 3


def test_markup_and_direction_marks_are_told_as_text(store: Store) -> None:
    store.known("[/b]\u202egnp.exe\u202c \u200bis fine")
    assert store.engine.history()[-1].summary == 'learned "[/b]‹RLO›gnp.exe‹PDF› ‹ZWSP›is fine"'


def test_a_narrowed_scope_and_a_wide_one_read_back(pair: Store) -> None:
    pair.settle(only(pair), Verb.BRANCH, scope=Scope.parse("incarnation:db@next"))
    told = pair.engine.memory(only_new(pair)).memory
    assert (str(told.scope), str(told.declared_scope)) == ("incarnation:db@next", "incarnation")


def only_new(store: Store) -> str:
    return next(b.id for b in store.every() if b.memory.content == PRISMA)
