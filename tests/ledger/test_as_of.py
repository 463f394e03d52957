"""The past is what was seen then: whatever was done since, every view at event N is the view of that moment."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.ledger.makings import MARA, content, draft
from tur_engine.engine import Engine
from tur_engine.errors import BadInput, ReadOnlyStore, TurError
from tur_engine.records import Author, MemoryType, OnConflict, Relation, Scope, Status, Verb

SUBJECTS = ("database", "queue", "cache")
VALUES = ("one", "two", "three")

numbers = st.integers(0, 7)
steps = st.one_of(
    st.tuples(
        st.just("learn"),
        st.sampled_from(SUBJECTS),
        st.sampled_from(VALUES),
        st.sampled_from([OnConflict.HOLD, OnConflict.ALLOW]),
        st.none() | numbers,
        st.sampled_from(["incarnation", "incarnation:src", "user@main"]),
    ),
    st.tuples(st.just("resolve"), numbers, st.sampled_from(Verb), st.booleans()),
    st.tuples(st.just("undo"), st.none() | numbers),
    st.tuples(st.just("note"), st.sampled_from(SUBJECTS)),
    st.tuples(st.just("reaffirm"), numbers),
    st.tuples(st.just("propose"), st.sampled_from(SUBJECTS)),
)


def take(engine: Engine, step: tuple[Any, ...]) -> None:
    """Do one thing; what is not allowed is not done."""
    match step:
        case ("learn", subject, value, on_conflict, ground, scope):
            known = engine.memories(limit=8)
            relations = () if ground is None or not known else (_on(known[ground % len(known)].id),)
            text = f"{subject}: {value}"
            engine.learn(draft(text, scope=Scope.parse(scope), relations=relations), on_conflict=on_conflict)
        case ("resolve", which, verb, whole_case):
            if found := engine.conflicts():
                conflict = found[which % len(found)]
                engine.resolve(
                    conflict.id,
                    verb,
                    reason=f"reason {which}",
                    text=f"merged {which}: both" if verb is Verb.MERGE else None,
                    side="challenger" if verb is Verb.BRANCH else None,
                    scope=Scope.parse("incarnation:src/deep@main") if verb is Verb.BRANCH else None,
                    whole_case=whole_case,
                )
        case ("undo", back):
            engine.undo(None if back is None else f"#{max(1, engine.head() - back)}", reason="no")
        case ("note", subject):
            engine.note(f"{subject}: a note")
        case ("reaffirm", which):
            if suspects := engine.memories(status=[Status.SUSPECT]):
                engine.reaffirm(suspects[which % len(suspects)].id)
        case ("propose", subject):
            engine.learn(draft(f"{subject} axiom: always", type=MemoryType.AXIOM))


def _on(id: str) -> Relation:
    return Relation(type="depends_on", target=id)


def view(engine: Engine) -> dict[str, Any]:
    """Everything the facade shows of the moment it stands in."""
    everything = engine.memories(status=list(Status), limit=-1)
    ids = [belief.id for belief in everything]
    status = engine.status()
    return {
        "head": (engine.head(), status.head, status.memories, status.open_conflicts, status.proposals_pending),
        "memories": everything,
        "live": [belief.id for belief in engine.memories(limit=-1)],
        "suspects": [belief.id for belief in engine.memories(status=[Status.SUSPECT], limit=-1)],
        "conflicts": engine.conflicts(all=True),
        "edges": {id: engine.edges(id) for id in ids},
        "around": engine.neighbourhood(ids[:2], radius=2),
        "history": engine.history(),
        "of one": [engine.history(id) for id in ids[-2:]],
        "recall": {
            subject: {(hit.belief.id, hit.belief.status, hit.companion) for hit in engine.recall(subject, limit=100)}
            for subject in SUBJECTS
        },
        "here": {hit.belief.id for hit in engine.recall("database", path="src/deep", branch="main", limit=99)},
    }


@given(st.lists(steps, min_size=3, max_size=14))
@settings(max_examples=10, suppress_health_check=[HealthCheck.too_slow])
def test_the_past_is_what_was_seen_then(sequence: list[tuple[Any, ...]]) -> None:
    run(sequence)


@pytest.mark.soak
@given(st.lists(steps, min_size=3, max_size=30))
@settings(max_examples=400, suppress_health_check=[HealthCheck.too_slow])
def test_the_past_is_what_was_seen_then_at_length(sequence: list[tuple[Any, ...]]) -> None:
    run(sequence)


def run(sequence: list[tuple[Any, ...]]) -> None:
    with tempfile.TemporaryDirectory() as folder, Engine.init(Path(folder), actor=MARA) as engine:
        seen = {1: view(engine)}
        for step in sequence:
            before = engine.head()
            try:
                take(engine, step)
            except TurError:
                assert engine.head() == before
            seen[engine.head()] = view(engine)
        for seq, then in seen.items():
            now = view(engine.at(seq))
            for name, expected in then.items():
                assert now[name] == expected, f"{name} as of {seq}"
        assert engine.verify().ok
        grown = content(engine.path)
        engine.rebuild()
        assert content(engine.path) == grown


def test_the_past_cannot_be_changed(engine: Engine) -> None:
    first = engine.learn(draft("database: one"))
    engine.learn(draft("database: two"))
    past = engine.at(first.seq or 0)
    assert past.read_only
    assert past.status().read_only
    cid = engine.conflicts()[0].id
    for change in (
        lambda: past.learn(draft("a: b")),
        lambda: past.note("a"),
        lambda: past.resolve(cid, Verb.FORCE),
        lambda: past.undo(),
        lambda: past.reaffirm(first.id or ""),
        lambda: past.rebuild(),
        lambda: past.learn_many([draft("a: b")]),
    ):
        with pytest.raises(ReadOnlyStore, match="this is the past"):
            change()
    assert engine.head() == 3


@pytest.mark.parametrize("seq", [0, -1, 3, 10**30])
def test_there_is_no_such_moment(engine: Engine, seq: int) -> None:
    engine.learn(draft("database: one"))
    with pytest.raises(BadInput, match="there is no event"):
        engine.at(seq)


def test_what_came_later_is_unknown_then(engine: Engine) -> None:
    first = engine.learn(draft("database: one"))
    second = engine.learn(draft("database: two"))
    past = engine.at(first.seq or 0)
    with pytest.raises(BadInput, match="no memory has an id"):
        past.memory(second.id or "")
    with pytest.raises(BadInput, match="no conflict has an id"):
        past.conflict(engine.conflicts()[0].id)
    assert past.conflicts(all=True) == []
    assert past.feed_index() == [2, 1]
    assert past.at(1).head() == 1


def test_the_actor_of_the_past_stays(engine: Engine) -> None:
    assert engine.at(1).actor == Author.parse("human:mara")
