"""Which incumbents reach the detector: near in words or meaning, on one topic, in overlapping scopes."""

from __future__ import annotations

import pytest

from tests.engine.scripted import Store
from tur_engine.ledger import Reads, search
from tur_engine.probe.probe import MOST, Question, probe
from tur_engine.probe.words import distinctive
from tur_engine.records import Scope, Verb


def found(store: Store, text: str, *, vector: bool = True, **options: object) -> list[str]:
    """The texts a probe brings, closest first."""
    packed = store.script.embed(text) if vector else None
    question = Question(
        text=text,
        scope=options.pop("scope", Scope()),  # type: ignore[arg-type]
        topic_key=options.pop("topic_key", ""),  # type: ignore[arg-type]
        vector=None if packed is None else packed[-search.DIMENSIONS :],
    )
    with store.engine._ledger.snapshot() as db:
        candidates = probe(db, Reads(db), question, **options)  # type: ignore[arg-type]
    assert [c.rank for c in candidates] == list(range(len(candidates)))
    return [c.memory.content for c in candidates]


@pytest.fixture
def shelf(store: Store) -> Store:
    for text in (
        "The staging database listens on port 5432",
        "The kettle on floor two is new",
        "ZQT signed the lease",
        "Deploys go out on Tuesdays",
    ):
        store.known(text)
    return store


@pytest.mark.parametrize("vector", [True, False])
@pytest.mark.parametrize(
    ("asked", "closest"),
    [
        ("The staging database listens on port 6432", "The staging database listens on port 5432"),
        ("ZQT terminated the lease", "ZQT signed the lease"),
        ("deploys GO OUT on Fridays", "Deploys go out on Tuesdays"),
    ],
)
def test_shared_words_and_names_bring_the_incumbent_with_or_without_an_embedder(
    shelf: Store, asked: str, closest: str, vector: bool
) -> None:
    assert found(shelf, asked, vector=vector)[0] == closest


def test_what_shares_nothing_is_not_weighed(shelf: Store) -> None:
    shelf.script.asked.clear()
    assert shelf.learn("Plums ripen in September").outcome == "committed"
    assert shelf.script.asked == []


def test_only_what_stands_or_is_held_is_an_incumbent(store: Store) -> None:
    store.script.clash("The office is in Turin", "The office is in Porto", "The office is in Oslo")
    store.known("The office is in Turin")
    store.settle(store.held("The office is in Porto"), Verb.SUPERSEDE)
    store.held("The office is in Oslo")
    store.learn("The office is a castle", type="axiom")
    assert set(found(store, "The office is in Riga")) == {"The office is in Porto", "The office is in Oslo"}


def test_a_topic_brings_what_no_word_would(store: Store) -> None:
    store.known("Every third Thursday", topic="release day")
    store.script.asked.clear()
    store.learn("Once per quarter", topic="release day")
    assert store.script.asked == [("Every third Thursday", "Once per quarter")]


@pytest.mark.parametrize("vector", [True, False])
def test_scopes_that_do_not_overlap_never_come_back(store: Store, vector: bool) -> None:
    store.known("The cache is Redis", scope="incarnation:api@main")
    ask = "The cache is Memcached"
    for scope, meets in (
        ("incarnation", True),
        ("incarnation:api/v2", True),
        ("user@main", True),
        ("incarnation:web", False),
        ("incarnation:api@dev", False),
        ("incarnation:apis", False),
    ):
        texts = found(store, ask, vector=vector, scope=Scope.parse(scope))
        assert texts == (["The cache is Redis"] if meets else [])


def test_a_narrowed_memory_is_probed_where_it_holds_now(store: Store) -> None:
    store.script.clash("The cache is Redis", "The cache is Memcached")
    store.known("The cache is Redis")
    store.settle(store.held("The cache is Memcached"), Verb.BRANCH, scope=Scope(path="api"))
    ask = "The cache is a file"
    assert "The cache is Memcached" in found(store, ask, scope=Scope(path="api"))
    assert "The cache is Memcached" not in found(store, ask, scope=Scope(path="web"))


def test_other_scopes_do_not_crowd_out_the_one_that_matters(store: Store) -> None:
    """Two dozen look-alikes elsewhere, one incumbent here."""
    store.known("The cache of the search service is Redis", scope="incarnation:here")
    for number in range(30):
        store.known(f"The cache of the search service is number {number}", scope=f"incarnation:there/{number}")
    assert found(store, "The cache of the search service is Memcached", scope=Scope(path="here")) == [
        "The cache of the search service is Redis"
    ]


def test_at_most_so_many_reach_the_detector(store: Store) -> None:
    for number in range(MOST + 8):
        store.known(f"Rule {number} of the cache", topic="cache rules")
    store.script.asked.clear()
    store.learn("Rule 99 of the cache", topic="cache rules")
    assert len(store.script.asked) == MOST


def test_left_out_and_since(shelf: Store) -> None:
    ask = "The staging database listens on port 6432"
    (mid,) = [b.memory.seq for b in shelf.every() if "5432" in b.memory.content]
    assert found(shelf, ask, leave_out={mid}) == []
    assert found(shelf, ask, since=mid) == []
    assert found(shelf, ask, since=mid - 1) != []


def test_distinctive_words() -> None:
    assert distinctive("We use the new C# compiler, and the k8s cluster") == ["c#", "compiler", "k8s", "cluster"]
    assert distinctive("that is what it is") == ["that", "is", "what", "it"]
    assert distinctive("Port 8080, port 9090") == ["port", "8080", "9090"]
