"""Every cell of the table in CONTRACTS 3: one verb on a held and on an active newcomer."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import pytest

from tests.engine.scripted import AGENT, MARA, OTHER, Store
from tur_engine.errors import BadInput, NotAllowed, StaleRevision
from tur_engine.records import Conflict, Scope, Verb

OLD = "Database migrations run via Alembic"
NEW = "Database migrations run via Prisma Migrate"
MERGED = "Both of them, each in its place"
RESTS_ON_OLD = "Revision files live under alembic/versions"
RESTS_ON_THAT = "Reviewers read revision files"
RESTS_ON_NEW = "Schema files end in .prisma"
DEPENDANTS = {RESTS_ON_OLD, RESTS_ON_THAT, RESTS_ON_NEW}
BORNE = {
    (RESTS_ON_OLD, "depends_on", OLD),
    (RESTS_ON_THAT, "depends_on", RESTS_ON_OLD),
    (RESTS_ON_NEW, "depends_on", NEW),
}


@dataclass(frozen=True)
class Cell:
    """What a verb leaves behind."""

    old: str
    new: str
    edges: set[tuple[str, str, str]] = field(default_factory=set)
    suspects: set[str] = field(default_factory=set)
    recalled: set[str] = field(default_factory=set)
    contested: bool = False


BOTH = {OLD, NEW}
OLD_FALLS = {RESTS_ON_OLD, RESTS_ON_THAT}
TABLE = {
    Verb.SUPERSEDE: Cell("superseded", "active", {(OLD, "superseded_by", NEW)}, OLD_FALLS, {NEW}),
    Verb.REFUTE: Cell("active", "refuted", {(NEW, "refuted_by", OLD)}, {RESTS_ON_NEW}, {OLD}),
    Verb.MERGE: Cell(
        "superseded",
        "superseded",
        {(OLD, "superseded_by", MERGED), (NEW, "superseded_by", MERGED)},
        OLD_FALLS | {RESTS_ON_NEW},
        {MERGED},
    ),
    Verb.FORCE: Cell("active", "active", {(NEW, "competes_with", OLD)}, set(), BOTH, contested=True),
    Verb.BRANCH: Cell("active", "active", {(NEW, "scope_branch", OLD)}, set(), BOTH),
    Verb.DISMISS: Cell("active", "active", set(), set(), BOTH),
    Verb.ABORT: Cell("active", "retracted", set(), {RESTS_ON_NEW}, {OLD}),
}


def prepare(store: Store, how: str) -> Conflict:
    """One conflict, with memories that rest on either side."""
    store.script.clash(OLD, NEW)
    old = store.known(OLD, AGENT)
    direct = store.known(RESTS_ON_OLD, AGENT, rests_on=[old])
    store.known(RESTS_ON_THAT, AGENT, rests_on=[direct])
    conflict = store.held(NEW, AGENT) if how == "held" else store.contested(NEW, AGENT)
    store.known(RESTS_ON_NEW, AGENT, rests_on=[conflict.challenger.id])
    return store.engine.conflict(conflict.id)


@pytest.mark.parametrize("how", ["held", "active"])
@pytest.mark.parametrize("verb", list(Verb))
def test_each_cell(store: Store, verb: Verb, how: str) -> None:
    conflict = prepare(store, how)
    preview = store.engine.preview(conflict.id, verb)
    result = store.settle(conflict, verb, reason="because")
    cell = TABLE[verb]

    statuses = {b.memory.content: str(b.status) for b in store.every()}
    assert (statuses[OLD], statuses[NEW]) == (cell.old, cell.new)
    assert {text for text, status in statuses.items() if status == "suspect"} == cell.suspects
    assert store.edges() - BORNE == cell.edges
    assert set(store.texts("database migrations both of them place")) - DEPENDANTS == cell.recalled
    assert any(text in statuses and statuses[text] in ("active", "suspect") for text in (OLD, NEW, MERGED))
    for belief in store.every():
        assert belief.contested == (cell.contested and belief.memory.content in BOTH)
        assert belief.pending == ()

    settled = store.engine.conflict(conflict.id)
    assert settled == result.conflict
    assert settled.settlement is not None
    assert (settled.state, settled.settlement.verb) == ("resolved", verb)
    assert (settled.settlement.by, settled.settlement.reason, settled.settlement.seq) == (MARA, "because", result.seq)
    assert store.engine.conflicts() == []
    for edge in store.engine.edges(conflict.challenger.id):
        assert edge.seq != result.seq or edge.reason == "because"

    promised = [e.sentence for e in preview.effects if verb not in (Verb.MERGE, Verb.BRANCH)]
    assert [e.sentence for e in result.effects][: len(promised)] == promised
    assert preview.allowed
    store.verified()


@pytest.mark.parametrize("how", ["held", "active"])
@pytest.mark.parametrize("verb", list(Verb))
def test_each_cell_is_taken_back_whole_and_restored_whole(store: Store, verb: Verb, how: str) -> None:
    conflict = prepare(store, how)
    before = store.picture()
    store.settle(conflict, verb)
    after = store.picture()
    undone = store.engine.undo(reason="too soon")
    merged = {b.memory.digest for b in store.every() if b.memory.content == MERGED}
    assert without(store.picture(), merged) == before
    assert undone.reopened == (undone.conflict.id,)
    assert undone.conflict.reopens == conflict.id
    assert undone.conflict.evidence == conflict.evidence
    assert store.engine.conflict(conflict.id).state == "resolved"
    store.verified()
    redone = store.engine.undo(f"#{undone.seq}")
    assert store.picture() == after
    assert redone.conflict.id == undone.conflict.id
    assert redone.conflict.settlement is not None
    assert redone.conflict.settlement.verb is verb
    store.verified()
    store.engine.undo(undone.conflict.id)
    assert without(store.picture(), merged) == before
    store.verified()


def without(picture: dict[str, Any], merged: set[str]) -> dict[str, Any]:
    """A withdrawn merge leaves its record behind, retracted: leave it out of the comparison."""
    for table in ("status", "suspect", "scope"):
        for digest in merged:
            entry = picture[table].pop(digest)
            assert table != "status" or entry == "retracted"
    return picture


@pytest.mark.parametrize("how", ["held", "active"])
def test_scope_branch_narrows_the_side_that_was_named(store: Store, how: str) -> None:
    conflict = prepare(store, how)
    store.settle(conflict, Verb.BRANCH, side="incumbent", scope=Scope.parse("incarnation@legacy"))
    old = store.engine.memory(conflict.incumbent.id).memory
    assert (str(old.scope), str(old.declared_scope)) == ("incarnation@legacy", "incarnation")
    assert str(store.engine.memory(conflict.challenger.id).memory.scope) == "incarnation"


def test_a_settled_conflict_takes_no_second_verb(store: Store) -> None:
    conflict = prepare(store, "held")
    store.settle(conflict, Verb.REFUTE, reason="no")
    with pytest.raises(NotAllowed, match=r"is settled already: refute by human:mara on .*; `tur undo` takes"):
        store.settle(conflict, Verb.SUPERSEDE)
    assert not store.engine.preview(conflict.id, Verb.SUPERSEDE).allowed
    store.engine.undo()
    assert store.engine.conflicts()[0].state == "detected"


def test_a_stale_revision_is_refused_with_the_current_one(store: Store) -> None:
    conflict = prepare(store, "held")
    store.known("Step one upgrades the schema", rests_on=[conflict.incumbent.id])
    now = store.engine.conflict(conflict.id).revision
    assert now > conflict.revision
    head = store.engine.head()
    told = f"{conflict.id[:17]} is at revision {now}, you decided on {conflict.revision}"
    with pytest.raises(StaleRevision, match=told) as stale:
        store.settle(conflict, Verb.SUPERSEDE, revision=conflict.revision)
    assert stale.value.current == now
    assert store.engine.head() == head
    store.settle(conflict, Verb.SUPERSEDE, revision=now)


def test_a_revision_never_comes_back_to_an_old_number(store: Store) -> None:
    """A dependant that falls leaves no gap that other events could fill (or a stale decision would pass)."""
    store.script.clash(RESTS_ON_OLD, "Revision files live in the database")
    conflict = prepare(store, "held")
    seen = [store.engine.conflict(conflict.id).revision]
    store.settle(store.held("Revision files live in the database"), Verb.SUPERSEDE)
    seen.append(store.engine.conflict(conflict.id).revision)
    store.known("Step one upgrades the schema", rests_on=[conflict.incumbent.id])
    seen.append(store.engine.conflict(conflict.id).revision)
    assert seen == sorted(set(seen))


@pytest.mark.parametrize(
    ("verb", "options", "said"),
    [
        (Verb.MERGE, {"text": None}, "merge needs the merged text"),
        (Verb.MERGE, {"text": "  \n "}, "merge needs the merged text"),
        (Verb.BRANCH, {"side": None}, "scope_branch needs --side"),
        (Verb.BRANCH, {"scope": None}, "scope_branch needs --side"),
        (Verb.BRANCH, {"scope": Scope.parse("user")}, "narrows to a path or a branch"),
        (Verb.DISMISS, {"reason": "a\x1b]0;b\x07"}, "control character"),
    ],
)
def test_a_verb_without_what_it_needs_changes_nothing(
    store: Store, verb: Verb, options: dict[str, Any], said: str
) -> None:
    conflict = prepare(store, "held")
    before, head = store.picture(), store.engine.head()
    with pytest.raises(BadInput, match=said):
        store.settle(conflict, verb, **options)
    assert (store.picture(), store.engine.head()) == (before, head)


def test_a_dismissed_pair_never_comes_back(store: Store) -> None:
    conflict = prepare(store, "held")
    store.settle(conflict, Verb.DISMISS)
    for by in (MARA, OTHER):  # the second opens the store anew
        for text in (OLD, NEW, NEW.upper()):
            assert store.learn(text, by).outcome == "duplicate"
    assert store.engine.conflicts() == []
    changed = "Database migrations now run via Prisma Migrate only"
    store.script.clash(OLD, changed)
    assert store.held(changed).incumbent.memory.content == OLD, "a changed text is a new record, hence a new pair"


def test_forced_coexistence_ends_when_one_side_falls(store: Store) -> None:
    conflict = prepare(store, "held")
    store.settle(conflict, Verb.FORCE)
    third = "Database migrations run via Flyway"
    store.script.clash(NEW, third)
    store.settle(store.held(third), Verb.SUPERSEDE)
    assert not store.engine.memory(conflict.incumbent.id).contested


@pytest.mark.parametrize("how", ["held", "active"])
@pytest.mark.parametrize(("verb", "loser", "winner"), [(Verb.SUPERSEDE, OLD, NEW), (Verb.REFUTE, NEW, OLD)])
def test_what_falls_and_what_it_lost_to_are_one_sentence(
    store: Store, verb: Verb, loser: str, winner: str, how: str
) -> None:
    conflict = prepare(store, how)
    told = [effect.sentence for effect in store.engine.preview(conflict.id, verb).effects]
    [falls] = [sentence for sentence in told if sentence.split('"')[1] == loser]
    assert f'"{loser}" is {"superseded" if verb is Verb.SUPERSEDE else "refuted"} by ' in falls
    assert falls.endswith(f'"{winner}"')
    assert [effect.sentence for effect in store.settle(conflict, verb).effects] == told


def test_in_a_merge_each_side_is_told_once(store: Store) -> None:
    conflict = prepare(store, "active")
    result = store.settle(conflict, Verb.MERGE)
    for side in BOTH:
        [sentence] = [e.sentence for e in result.effects if e.sentence.split('"')[1] == side]
        assert " is superseded by " in sentence
