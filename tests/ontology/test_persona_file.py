"""`.tur/persona.yaml`: what it may say, and that a bad one is told in a sentence."""

from __future__ import annotations

from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tur_engine.errors import BadInput
from tur_engine.ontology import Force, Persona, forces, read_persona

SEED = """
map compaction:
  ontology:
    custom_edge_types:
      - "cites_precedent"
      - "overrules"
"""
FLAGS = """
name: Ariel
compaction:
  subagents: {}
  ontology:
    custom_edge_types:
      - cites_precedent: {transitive: true, decay_propagation: true}
      - Applies To: {transitive: true}
      - overrules:
    custom_node_types: [Statute, Court_Ruling]
"""


def test_the_seeds_file_and_the_flags() -> None:
    assert read_persona(SEED) == Persona({"cites_precedent": Force(), "overrules": Force()})
    found = read_persona(FLAGS)
    assert found.edge_types == {
        "cites_precedent": Force(transitive=True, decay=True),
        "applies_to": Force(transitive=True),
        "overrules": Force(),
    }
    assert found.node_types == ("Statute", "Court_Ruling")
    assert found.forceful == ("cites_precedent", "applies_to")
    assert set(forces(FLAGS)) == {"cites_precedent", "applies_to"}
    assert forces("") == {}


@pytest.mark.parametrize("text", ["", "compaction:", "compaction: {ontology: null}", "map compaction: null", "name: A"])
def test_nothing_declared(text: str) -> None:
    assert read_persona(text) == Persona()


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("- a", "must be a mapping with the key compaction"),
        ("compaction: 3", "compaction must be a mapping or null, not 3"),
        ("compaction: {ontology: [a]}", "compaction.ontology must be a mapping or null"),
        ("compaction: {ontology: {edge_types: [a]}}", "it takes custom_edge_types and custom_node_types"),
        ("compaction: {ontology: {custom_edge_types: overrules}}", "must be a list of names"),
        ("compaction: {ontology: {custom_edge_types: [7]}}", "takes names, or one name"),
        ("compaction: {ontology: {custom_edge_types: ['!']}}", "lowercase snake_case"),
        ("compaction: {ontology: {custom_edge_types: [refines]}}", "refines, which is canonical already"),
        ("compaction: {ontology: {custom_edge_types: [a, A]}}", "declares a twice"),
        ("compaction: {ontology: {custom_edge_types: [a: {fast: true}]}}", "it takes transitive and decay_propagation"),
        ("compaction: {ontology: {custom_edge_types: [a: {transitive: 1}]}}", "must be true or false, not 1"),
        ("compaction: {ontology: {custom_node_types: [fact]}}", "which is a node type already"),
        ("compaction: {ontology: {custom_node_types: ['a b']}}", "letters, digits and underscores"),
        ("a: [", "not readable YAML in line 1"),
        ("a: !!python/object/apply:os.system [id]", "not readable YAML in line 1"),
        ("[" * 200 + "]" * 200, "levels of nesting"),
        ("a: &a {b: {c: 1}}\nd: [*a, *a]", "an alias of something nested"),
        ("x" * 300_000, "at the most"),
    ],
)
def test_a_bad_file_is_told_in_a_sentence(text: str, told: str) -> None:
    with pytest.raises(BadInput) as caught:
        read_persona(text, "/s/.tur/persona.yaml")
    assert str(caught.value).startswith("/s/.tur/persona.yaml")
    assert told in str(caught.value)


@given(st.text(max_size=80))
def test_any_text_is_read_or_refused(text: str) -> None:
    with suppress(BadInput):
        read_persona(text)
