"""A learn answers what its edges do not do, and what it leaves in doubt (EP-0126, CONTRACTS 7)."""

from __future__ import annotations

import pytest

from tests.engine.scripted import Store
from tur_engine.records import Relation

REDIS = "The cache is Redis"
FILE = "The cache is a file"


@pytest.mark.parametrize(
    ("kind", "told"),
    [
        ("depnds on", "edge type depnds_on is emergent: it describes and has no force (spelt most like depends_on)"),
        ("zebra", "edge type zebra is emergent: it describes and has no force"),
        ("supersedes", "edge type supersedes has no force here, for an edge of a memory starts at it; "
         "name what it replaces in supersedes"),
        ("refutes", "edge type refutes has no force here, for an edge of a memory starts at it; "
         "draw contradicts, and settle the conflict"),
        ("refined by", "edge type refined_by has no force here, for an edge of a memory starts at it; "
         "draw refines from the other one"),
    ],
)  # fmt: skip
def test_an_edge_without_force_is_named(store: Store, kind: str, told: str) -> None:
    old = store.known(REDIS)
    result = store.learn("Sessions live an hour", relations=[Relation(type=kind, target=old)])
    assert result.warnings == (told,)
    assert store.status(old) == "active"


def test_canonical_and_declared_edges_need_no_word(store: Store) -> None:
    old = store.known(REDIS)
    (store.engine.path.parent / "persona.yaml").write_text(
        "compaction: {ontology: {custom_edge_types: [cites_precedent]}}"
    )
    kinds = ("depends_on", "is dependent on", "cites precedent", "analogy_of")
    relations = [Relation(type=kind, target=old) for kind in kinds]
    assert store.learn("Sessions live an hour", relations=relations).warnings == ()


def test_a_replacement_tells_what_it_leaves_suspect(store: Store) -> None:
    store.script.clash(REDIS, FILE)
    old = store.known(REDIS)
    resting = [store.known(f"Shard {name} is in the cache", rests_on=[old]) for name in ("a", "b", "c", "d", "e")]
    result = store.learn(FILE, supersedes=[old])
    shown = ", ".join(ref[: len("fact-") + 8] for ref in resting[:3])
    assert result.warnings == (f"{shown} and 2 more rest on what was superseded: suspect until looked at",)
    late = store.learn("Shard f is in the cache", rests_on=[old])
    ground = old[: len("fact-") + 8]
    assert late.warnings == (f"this rests on {ground}, which is superseded; so it is suspect from the start",)
    assert store.status(late.id or "") == "suspect"
    tried = store.learn("Shard g is in the cache", rests_on=[resting[0]], dry_run=True)
    assert tried.warnings == (f"this rests on {resting[0][:13]}, which is suspect; so it is suspect from the start",)


def test_what_takes_its_grounds_place_does_not_rest_on_it(store: Store) -> None:
    store.script.clash(REDIS, FILE)
    old = store.known(REDIS)
    result = store.learn(FILE, supersedes=[old], rests_on=[old])
    assert result.warnings == ()
    assert store.live() == {FILE}
