"""Recall tells what is believed: losers stay out, the contested come in pairs (CONTRACTS 1 and 4)."""

from __future__ import annotations

import pytest

from tests.engine.scripted import Store
from tur_engine.errors import BadInput
from tur_engine.records import Scope, Verb

SSH22, SSH49222 = "The SSH port is 22", "Shell access is on port 49222"


@pytest.fixture
def moved(store: Store) -> Store:
    store.script.clash(SSH22, SSH49222)
    store.known(SSH22)
    store.settle(store.held(SSH49222), Verb.SUPERSEDE)
    store.known("The kettle on floor two is new")
    return store


def test_a_superseded_memory_stays_out_though_it_fits_better(moved: Store) -> None:
    assert moved.texts("SSH port?") == [SSH49222]


def test_it_comes_last_when_asked_for_and_says_what_it_is(moved: Store) -> None:
    hits = moved.engine.recall("SSH port", include_superseded=True)
    assert [(h.belief.memory.content, str(h.belief.status)) for h in hits] == [
        (SSH49222, "active"),
        (SSH22, "superseded"),
    ]


def test_refuted_on_request_retracted_and_held_never(store: Store) -> None:
    a, b, c, d = (f"The backup runs at {hour}" for hour in ("one", "two", "three", "four"))
    store.script.clash(a, b, c, d)
    store.known(a)
    store.settle(store.held(b), Verb.REFUTE)
    store.settle(store.held(c), Verb.ABORT)
    store.held(d)
    assert store.texts("when does the backup run") == [a]
    assert store.texts("when does the backup run", include_superseded=True) == [a, b]


def test_while_a_candidate_is_held_its_incumbent_is_shown_contested(store: Store) -> None:
    store.script.clash(SSH22, SSH49222)
    store.known(SSH22)
    conflict = store.held(SSH49222)
    (hit,) = store.engine.recall("SSH port")
    assert (hit.belief.contested, hit.belief.pending) == (True, (conflict.id,))
    assert [other.memory.content for other in hit.others] == [SSH49222]
    store.settle(conflict, Verb.REFUTE)
    (hit,) = store.engine.recall("SSH port")
    assert hit.others == ()


def test_a_held_other_side_elsewhere_is_not_told_here(store: Store) -> None:
    store.script.clash(SSH22, SSH49222)
    store.known(SSH22)
    store.held(SSH49222, scope="incarnation:services/api")
    (hit,) = store.engine.recall("SSH port", path="services/web")
    assert (hit.belief.contested, hit.others) == (True, ())


@pytest.mark.parametrize("how", ["open", "forced"])
def test_the_other_side_of_a_contested_memory_is_in_the_same_answer(store: Store, how: str) -> None:
    porridge = "Breakfast is porridge"
    store.script.clash(SSH22, porridge)
    old = store.known(SSH22, topic="odd")
    conflict = store.contested(porridge, topic="odd")
    if how == "forced":
        store.settle(conflict, Verb.FORCE)
    for limit in (1, 10):
        hits = store.engine.recall("SSH port", limit=limit)
        assert [(h.belief.memory.content, h.companion) for h in hits] == [(SSH22, False), (porridge, True)]
        assert hits[0].belief.contested_by == (conflict.challenger.memory.digest,)
        assert hits[1].belief.contested_by == (store.engine.memory(old).memory.digest,)


def test_once_settled_the_winner_stands_alone(store: Store) -> None:
    store.script.clash(SSH22, SSH49222)
    store.known(SSH22)
    store.settle(store.contested(SSH49222), Verb.REFUTE)
    (hit,) = store.engine.recall("SSH port")
    assert (hit.belief.memory.content, hit.belief.contested) == (SSH22, False)


@pytest.mark.parametrize(
    ("path", "branch", "expected"),
    [
        (None, None, {"everywhere", "api", "api v2", "on main", "on dev"}),
        ("services/api", None, {"everywhere", "api", "api v2", "on main", "on dev"}),
        ("services/api/v1", None, {"everywhere", "api", "on main", "on dev"}),
        ("services/web", "main", {"everywhere", "on main"}),
        ("services/api/v2", "dev", {"everywhere", "api", "api v2", "on dev"}),
    ],
)
def test_a_place_leaves_out_what_holds_elsewhere(
    store: Store, path: str | None, branch: str | None, expected: set[str]
) -> None:
    for name, scope in {
        "everywhere": "universal",
        "api": "incarnation:services/api",
        "api v2": "incarnation:services/api/v2",
        "on main": "incarnation@main",
        "on dev": "persona@dev",
    }.items():
        store.known(f"Lint rule: {name}", scope=scope)
    texts = store.texts("lint rule", path=path, branch=branch)
    assert {text.removeprefix("Lint rule: ") for text in texts} == expected


def test_the_contested_other_side_elsewhere_is_not_dragged_in(store: Store) -> None:
    store.script.clash(SSH22, SSH49222)
    store.known(SSH22)
    store.contested(SSH49222, scope="incarnation:services/api")
    assert store.texts("SSH port", path="services/web") == [SSH22]


def test_scores_fall_and_the_limit_holds(store: Store) -> None:
    for number in range(12):
        store.known(f"Deploy step {number} needs approval")
    hits = store.engine.recall("deploy step 7", limit=5)
    assert len(hits) == 5
    assert hits[0].belief.memory.content == "Deploy step 7 needs approval"
    assert [h.score for h in hits] == sorted((h.score for h in hits), reverse=True)
    assert store.engine.recall("zebra quagga") == []


@pytest.mark.parametrize("query", ['"', "AND OR NOT", "a* NEAR(b)", "(", "content:x", "C#", "数据库", "%_", "'; --"])
def test_a_query_is_text_never_syntax(store: Store, query: str) -> None:
    store.known("C# code lives beside the 数据库迁移 scripts")
    store.engine.recall(query)
    assert store.texts("C#") == store.texts("数据库") == ["C# code lives beside the 数据库迁移 scripts"]


def test_an_empty_query_is_refused(store: Store) -> None:
    with pytest.raises(BadInput, match="query is empty"):
        store.engine.recall("  ")


def test_the_past_recalls_what_was_believed_then(moved: Store) -> None:
    seq = next(e.seq for e in moved.engine.history() if e.kind == "resolved")
    past = moved.engine.at(seq - 1)
    assert [h.belief.memory.content for h in past.recall("SSH port")] == [SSH22]
    assert past.recall("kettle") == []
    assert moved.texts("SSH port") == [SSH49222]


def test_an_undo_is_seen_at_once_by_words_and_by_meaning(moved: Store) -> None:
    moved.engine.undo()
    assert moved.texts("SSH port?") == [SSH22]
    moved.engine._minds = type("NoVector", (), {"embed": lambda self, text: None})()
    assert moved.texts("SSH port?") == [SSH22]


def test_a_narrow_scope_is_shown_as_it_holds_now(store: Store) -> None:
    store.script.clash(SSH22, SSH49222)
    store.known(SSH22)
    store.settle(store.held(SSH49222), Verb.BRANCH, scope=Scope(path="bastion"))
    hits = {h.belief.memory.content: str(h.belief.memory.scope) for h in store.engine.recall("port")}
    assert hits == {SSH22: "incarnation", SSH49222: "incarnation:bastion"}
