"""Names become types: canonical, by synonym, declared, emergent; and edges whose ends fit."""

from __future__ import annotations

import pytest

from tur_engine.errors import BadInput
from tur_engine.ontology import (
    EdgeName,
    EdgeType,
    NodeType,
    Tier,
    edge_name,
    nearest_edge_type,
    node_name,
    node_type_of,
)
from tur_engine.ontology import normalise_edge_type as normalise
from tur_engine.ontology.naming import REVERSED, SYNONYMS, snake
from tur_engine.ontology.signatures import misfit, told_cycle
from tur_engine.records import MemoryType

UPSTREAM = {
    "is_analogous_to": "analogy_of",
    "analogous_to": "analogy_of",
    "analogous_with": "analogy_of",
    "analogy": "analogy_of",
    "is_metaphor_for": "metaphor_for",
    "metaphor": "metaphor_for",
    "is_superseded_by": "superseded_by",
    "is_refuted_by": "refuted_by",
    "is_dependent_on": "depends_on",
    "is_refinement_of": "refines",
    "contradict": "contradicts",
    "competes": "competes_with",
}


def test_the_vocabulary_is_the_seeds() -> None:
    assert list(NodeType) == [
        *("Concept", "Decision", "Constraint", "Insight", "Fact", "Dependency", "Hypothesis", "BoundaryNode"),
        "OpenQuestion",
    ]
    families: dict[str, list[str]] = {}
    for edge in EdgeType:
        families.setdefault(edge.family, []).append(str(edge))
    assert families == {
        "Hierarchy": ["refines"],
        "Causality & Dependency": ["precedes", "depends_on"],
        "TMS & Dialectic": ["contradicts", "competes_with", "superseded_by", "refuted_by"],
        "Cognitive Mapping": ["analogy_of", "metaphor_for"],
    }
    assert EdgeType.ANALOGY_OF.symmetric
    assert not EdgeType.METAPHOR_FOR.symmetric


@pytest.mark.parametrize(("given_name", "kept"), [*UPSTREAM.items(), ("Depends On", "depends_on")])
def test_synonyms_become_canonical(given_name: str, kept: str) -> None:
    for spelt in (given_name, given_name.upper(), given_name.replace("_", "-"), given_name.replace("_", " ")):
        found = edge_name(spelt)
        assert (found.name, found.tier, found.turned) == (kept, "canonical", False)


def test_every_synonym_is_snake_case_and_new() -> None:
    for name in (*SYNONYMS, *REVERSED):
        assert snake(name) == name
        assert name not in set(EdgeType)
    assert not set(SYNONYMS) & set(REVERSED)


def test_declared_before_synonym_before_emergent() -> None:
    assert edge_name("metaphor", ["metaphor"]).tier == "declared"
    assert edge_name("overrules", ["overrules"]).tier == "declared"
    emergent = edge_name("citesPrecedent")
    assert (emergent.name, emergent.tier) == ("cites_precedent", "emergent")
    assert edge_name("supersedes") == EdgeName("superseded_by", Tier.CANONICAL, turned=True)
    assert nearest_edge_type("depnds_on") == "depends_on"
    assert nearest_edge_type("metaphr_fro") == "metaphor_for"
    for coined in ("xyzzy", "routes_to", "cites_precedent", "likes", "requests", "competes_against", "is_on"):
        assert nearest_edge_type(coined) is None, coined


@pytest.mark.parametrize("name", ["", "!!", "9lives", "a" * 65, "naïve", "re\u202efines", "[/b]"])
def test_what_is_no_name_is_refused(name: str) -> None:
    with pytest.raises(BadInput, match="use one of refines, precedes"):
        edge_name(name)


def test_a_memory_brings_no_edge_that_a_resolution_draws() -> None:
    for name in ("superseded_by", "is refuted by", "competes"):
        with pytest.raises(BadInput, match="by a resolution only"):
            normalise(name)
    assert normalise("supersedes") == "supersedes"  # its edges start at it, they are not turned round


def test_node_types() -> None:
    assert node_name("open question") == NodeType.OPEN_QUESTION
    assert node_name("BOUNDARY_NODE") == NodeType.BOUNDARY_NODE
    assert node_name("statute", ["Statute"]) == "Statute"
    with pytest.raises(BadInput, match=r"use one of Concept, Decision, .*OpenQuestion, Statute"):
        node_name("Banana", ["Statute"])
    assert [node_type_of(kind) for kind in MemoryType] == [
        *("Fact", "Decision", "Fact", "Insight", "Constraint", "Constraint", "Concept")
    ]
    assert node_type_of("fact", "Hypothesis") == "Hypothesis"


def test_signatures() -> None:
    for ends in (("Decision", "Fact"), ("Fact", "Fact"), ("Fact", "Decision")):
        assert not misfit("precedes", *ends)
    assert misfit("precedes", "Concept", "Fact")
    assert misfit("refines", "Fact", "Insight")
    assert not misfit("refines", "Insight", "Insight")
    assert not misfit("metaphor_for", "Concept", "Constraint")


def test_a_long_cycle_is_shown_short() -> None:
    assert told_cycle("precedes", "aba") == "precedes must not run in a circle: a -> b -> a"
    assert len(told_cycle("precedes", [f"node{n}" for n in range(500)])) < 200
