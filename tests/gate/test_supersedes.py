"""`supersedes`: the author says at once what the newcomer replaces (EP-0134, section 2; CONTRACTS 4)."""

from __future__ import annotations

import pytest

from tests.engine.scripted import AGENT, DUPLICATE, MARA, Store, clash, suspicion
from tur_engine.errors import BadInput, ConflictHeld, NotAllowed, UnknownId
from tur_engine.records import OnConflict, Outcome, Verb

ALEMBIC = "Database migrations run via Alembic"
PRISMA = "Database migrations run via Prisma Migrate"
CAT = "The office cat is called Biscuit"


def test_naming_what_it_clashes_with_settles_the_clash(store: Store) -> None:
    store.script.clash(ALEMBIC, PRISMA)
    old = store.known(ALEMBIC)
    result = store.learn(PRISMA, supersedes=[store.engine.short(old)])
    assert (result.outcome, result.conflicts) == (Outcome.COMMITTED, ())
    assert (store.status(old), result.warnings) == ("superseded", ())
    assert store.live() == {PRISMA}
    assert store.edges() == {(ALEMBIC, "superseded_by", PRISMA)}
    (conflict,) = store.engine.conflicts(all=True)
    assert conflict.settlement is not None
    assert (conflict.state, conflict.settlement.verb, conflict.settlement.by) == ("resolved", Verb.SUPERSEDE, MARA)
    store.verified()
    store.engine.undo()
    assert store.live() == {ALEMBIC}
    assert store.status(result.id or "") == "held"


@pytest.mark.parametrize("verdict", [None, suspicion(), DUPLICATE])
def test_naming_another_memory_supersedes_it_on_the_authors_word(store: Store, verdict: object) -> None:
    reworded = "The office cat goes by Biscuit"
    if verdict is not None:
        store.script.say(CAT, reworded, verdict)  # type: ignore[arg-type]
    old = store.known(CAT)
    result = store.learn(reworded, supersedes=[old])
    assert (result.outcome, store.status(old)) == (Outcome.COMMITTED, "superseded")
    (conflict,) = store.engine.conflicts(all=True)
    assert (conflict.detected_by, conflict.probability) == ("explicit", 1.0)
    assert conflict.reason == f'The author says it supersedes "{CAT}".'
    assert store.live() == {reworded}


def test_naming_another_memory_still_stops_for_the_real_clash(store: Store) -> None:
    store.script.clash(ALEMBIC, PRISMA)
    old, cat = store.known(ALEMBIC), store.known(CAT)
    result = store.learn(PRISMA, supersedes=[cat])
    assert result.outcome is Outcome.CONFLICT
    states = {r.conflict.incumbent.id: str(r.conflict.state) for r in result.conflicts}
    assert states == {old: "detected", cat: "resolving"}
    assert store.live() == {ALEMBIC, CAT}, "nothing falls before the candidate is in"
    real = next(r.conflict for r in result.conflicts if r.conflict.incumbent.id == old)
    store.settle(real, Verb.SUPERSEDE)
    assert store.live() == {PRISMA}
    store.verified()


def test_under_allow_the_named_one_falls_and_the_real_clash_is_contested(store: Store) -> None:
    store.script.clash(ALEMBIC, PRISMA)
    old, cat = store.known(ALEMBIC), store.known(CAT)
    result = store.learn(PRISMA, supersedes=[cat], on_conflict=OnConflict.ALLOW)
    assert result.outcome is Outcome.COMMITTED
    assert [r.conflict.incumbent.id for r in result.conflicts] == [old]
    assert store.live() == {ALEMBIC, PRISMA}
    assert store.status(cat) == "superseded"


def test_several_at_once_and_one_twice(store: Store) -> None:
    store.script.clash(ALEMBIC, PRISMA)
    old, cat = store.known(ALEMBIC), store.known(CAT)
    result = store.learn(PRISMA, supersedes=[cat, old, store.engine.short(old)])
    assert (result.outcome, store.live()) == (Outcome.COMMITTED, {PRISMA})
    assert len(store.engine.conflicts(all=True)) == 2


def test_under_fail_what_the_author_settled_does_not_fail(store: Store) -> None:
    store.script.clash(ALEMBIC, PRISMA, "Database migrations run via Flyway")
    old = store.known(ALEMBIC)
    result = store.learn(PRISMA, supersedes=[old], on_conflict=OnConflict.FAIL)
    assert (result.outcome, store.live()) == (Outcome.COMMITTED, {PRISMA})
    cat = store.known(CAT)
    head = store.engine.head()
    with pytest.raises(ConflictHeld) as refused:
        store.learn("Database migrations run via Flyway", supersedes=[cat], on_conflict=OnConflict.FAIL)
    result = refused.value.result  # type: ignore[attr-defined]
    assert (result.recorded, {each.recorded for each in result.conflicts}) == (False, {False})
    assert store.engine.head() == head
    assert store.status(cat) == "active"
    store.verified()


def test_an_agent_cannot_replace_what_a_person_wrote_people_decide(store: Store) -> None:
    store.script.clash(ALEMBIC, PRISMA)
    old = store.known(ALEMBIC, MARA)
    result = store.learn(PRISMA, AGENT, supersedes=[old])
    assert result.outcome is Outcome.CONFLICT
    clash = result.conflicts[0].conflict
    assert clash.state == "escalated"
    assert (store.status(old), store.status(result.id or "")) == ("active", "held")
    told = f"whether it supersedes {store.engine.short(old)} is left to people ({clash.id[:17]})"
    assert result.warnings == (told,)
    again = store.learn(PRISMA, AGENT, supersedes=[old])
    assert (again.outcome, again.id, again.warnings) == (Outcome.CONFLICT, result.id, (told,))
    both = store.learn(PRISMA, AGENT, on_conflict=OnConflict.ALLOW)
    assert (both.outcome, both.id) == (Outcome.COMMITTED, result.id)
    assert store.engine.conflict(clash.id).state == "escalated"
    assert (store.status(old), store.status(result.id or "")) == ("active", "active")
    store.verified()


def test_naming_settles_what_was_held_before(store: Store) -> None:
    store.script.clash(ALEMBIC, PRISMA)
    old = store.known(ALEMBIC, AGENT)
    held = store.held(PRISMA, AGENT)
    result = store.learn(PRISMA, AGENT, supersedes=[old])
    assert (result.outcome, result.id) == (Outcome.COMMITTED, held.challenger.id)
    assert store.live() == {PRISMA}


def test_an_agent_does_not_override_a_persons_waiting_choice(store: Store) -> None:
    flyway = "Database migrations run via Flyway"
    store.script.clash(ALEMBIC, PRISMA)
    store.script.clash(PRISMA, flyway)
    old = store.known(ALEMBIC, AGENT)
    store.known(flyway, AGENT)
    held = store.learn(PRISMA, AGENT)
    first = next(r.conflict for r in held.conflicts if r.conflict.incumbent.id == old)
    store.settle(first, Verb.FORCE, MARA, reason="both for now")
    result = store.learn(PRISMA, AGENT, supersedes=[old])
    assert result.outcome is Outcome.CONFLICT
    assert [sentence for sentence in result.warnings if "is left to people" in sentence]
    chosen = store.engine.conflict(first.id).chosen
    assert chosen is not None
    assert (chosen.verb, chosen.by, chosen.reason) == (Verb.FORCE, MARA, "both for now")


def test_naming_beside_a_known_text_says_that_nothing_was_replaced(store: Store) -> None:
    known, cat = store.known(ALEMBIC), store.known(CAT)
    result = store.learn(ALEMBIC, supersedes=[cat])
    assert result.outcome is Outcome.DUPLICATE
    assert store.status(cat) == "active"
    (warning,) = result.warnings
    assert known[:13] in warning
    assert cat[:13] in warning
    assert "was not superseded" in warning
    assert store.learn(ALEMBIC, supersedes=[known]).warnings == ()


def test_what_is_not_live_or_not_there_cannot_be_superseded(store: Store) -> None:
    store.script.say(ALEMBIC, PRISMA, clash())
    old = store.known(ALEMBIC)
    store.learn(PRISMA, supersedes=[old])
    head = store.engine.head()
    with pytest.raises(NotAllowed, match="is superseded, not live"):
        store.learn(CAT, supersedes=[old])
    with pytest.raises(UnknownId):
        store.learn(CAT, supersedes=["fact-0000ffff"])
    with pytest.raises(BadInput, match="not a memory id"):
        store.learn(CAT, supersedes=["conflict-0000ffff"])
    assert store.engine.head() == head
