"""An edge that says that one rests on the other, or refines it, speaks against a clash; strong signs speak louder."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from tests.detect.test_detector import Stub, candidate, memory
from tur_engine.detect.detector import Detector
from tur_engine.engine import Engine
from tur_engine.records import Author, MemoryType, Relation, Relationship

GO, CALLS = "The payment service is written in Go.", "Checkout calls the payment service over gRPC."


def clashes(older: str, newer: str, relation: str = "", **given: MemoryType) -> bool:
    incumbent = memory(older, **given)
    relations = (Relation(type=relation, target=incumbent.digest),) if relation else ()
    (found,) = Detector(judge=Stub(contradicts=3.0)).weigh(memory(newer, relations=relations), [candidate(incumbent)])
    if relation and found.relationship is not Relationship.CLASH:
        assert any(piece.sentence.startswith("The newer one") for piece in found.evidence)
    return found.relationship is Relationship.CLASH


def test_who_drew_the_edge_read_both() -> None:
    assert clashes(GO, CALLS)
    for relation in ("depends_on", "refines"):
        assert not clashes(GO, CALLS, relation)
    for relation in ("precedes", "likes"):
        assert clashes(GO, CALLS, relation)


def test_against_what_people_protect_an_edge_says_nothing() -> None:
    assert clashes(GO, CALLS, "depends_on", type=MemoryType.AXIOM)


@pytest.mark.parametrize(
    ("older", "newer"),
    [
        ("The cache is Redis.", "The cache is Memcached."),
        ("The API listens on port 8080.", "The API listens on port 9090."),
        ("Deploys need an approval.", "Deploys need no approval."),
        ("The gate is open on Mondays.", "The gate is closed on Mondays."),
    ],
)
def test_a_strong_sign_speaks_louder(older: str, newer: str) -> None:
    assert clashes(older, newer, "depends_on")
    assert clashes(older, newer, "refines")


def test_the_examples_of_the_reference_page_come_in_whole(repo_root: Path, workdir: Path) -> None:
    text = (repo_root / "references" / "memory-taxonomy-and-schemas.md").read_text("utf-8")
    examples = re.findall(r"```json\n(.*?)```", text, re.DOTALL)
    assert len(examples) == 2
    with Engine.init(workdir, actor=Author.parse("agent:otter")) as engine:
        for example in examples:
            report = engine.commit_graph(example)
            assert len(report.nodes) == len(json.loads(example)["nodes"])
            assert (report.conflicts, report.conflicts_opened) == ((), ())
        assert engine.introspect(workers=1).found == ()
