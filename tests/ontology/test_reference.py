"""The reference page tells the vocabulary as the program has it."""

from __future__ import annotations

from pathlib import Path

from tur_engine.ontology import EdgeType, NodeType
from tur_engine.ontology.naming import REVERSED, SYNONYMS
from tur_engine.records.graph import MOST_EDGES, MOST_NODES


def test_the_reference_page_is_the_vocabulary(repo_root: Path) -> None:
    text = (repo_root / "references" / "memory-taxonomy-and-schemas.md").read_text("utf-8")
    rows = set(text.splitlines())
    for node in NodeType:
        assert f"| `{node}` | {node.meaning} |" in rows
    for edge in EdgeType:
        assert f"| {edge.family} | `{edge}` | {edge.meaning} |" in rows
        also = ", ".join(f"`{name}`" for name, kept in SYNONYMS.items() if kept is edge)
        assert f"| `{edge}` | {also} |" in rows
    assert ", ".join(f"`{name}` ({kept})" for name, kept in REVERSED.items()) in text
    assert f"At most {MOST_NODES:,} nodes and {MOST_EDGES:,} edges" in text


def test_the_concept_page_names_every_type_and_the_seeds_examples(repo_root: Path) -> None:
    text = (repo_root / "docs" / "concepts" / "deductive-memory.md").read_text("utf-8")
    for node in NodeType:
        assert node in text
    for edge in EdgeType:
        assert f"| `{edge}` |" in text
    assert "merkle-dag -> git-commit-history" in text
    assert "traveler -> persistent-persona-identity" in text
