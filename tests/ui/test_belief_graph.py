"""The engine's neighbourhood as a graph to draw."""

from __future__ import annotations

import pytest

from tests.ui.stage import belief, neighbourhood
from tur_engine.records import Edge, MemoryType, Neighbourhood, Status
from tur_tui.drawing.belief_graph import belief_graph, kinds
from tur_tui.drawing.grid import Stroke


def test_an_open_conflict_is_a_marked_link_once() -> None:
    old, new = belief("Via Alembic"), belief("Via Prisma", status=Status.HELD)
    a, b = old.memory.digest, new.memory.digest
    pair = (old.model_copy(update={"contested_by": (b,)}), new.model_copy(update={"contested_by": (a, "f" * 64)}))
    ego = belief_graph(Neighbourhood(focus=(a, b), nodes=pair, edges=()), lambda each: each.memory.short_id)
    assert [(link.label, link.mark, link.stroke) for link in ego.links] == [("contradicts", "!", Stroke.DOUBLE)]
    edge = Edge(source=b, target=a, type="competes_with", seq=1)
    ego = belief_graph(Neighbourhood(focus=(a, b), nodes=pair, edges=(edge,)), lambda each: each.memory.short_id)
    assert [link.label for link in ego.links] == ["competes_with"]


def test_edge_types_differ_by_stroke_and_label() -> None:
    ego = belief_graph(neighbourhood(5, 0, both=False), lambda each: each.memory.short_id)
    strokes = {link.label: link.stroke for link in ego.links}
    assert strokes["depends_on"] is Stroke.HEAVY
    assert strokes["refines"] is Stroke.LIGHT
    assert strokes["analogy_of"] is Stroke.DOTTED
    assert strokes["superseded_by"] is Stroke.DASHED


@pytest.mark.parametrize(
    ("status", "mark", "word"),
    [
        (Status.ACTIVE, "", ""),
        (Status.SUSPECT, "?", "suspect"),
        (Status.HELD, "", "held"),
        (Status.PENDING, "", "pending approval"),
        (Status.SUPERSEDED, "✗", "superseded"),
        (Status.REFUTED, "✗", "refuted"),
        (Status.RETRACTED, "✗", "retracted"),
    ],
)
def test_where_a_memory_stands_is_a_mark_and_a_word(status: Status, mark: str, word: str) -> None:
    one = belief("One", status=status)
    hood = Neighbourhood(focus=(one.memory.digest,), nodes=(one,), edges=(), hidden={one.memory.digest: 2})
    (node,) = belief_graph(hood, lambda each: "fact-12345678").nodes.values()
    assert node.mark == mark
    assert node.title == f"fact-12345678 {word}".strip()
    assert node.hidden == 2
    assert node.heading(60) == f"{mark} fact-12345678 {word}".strip()
    assert node.heading(6 + 2 * bool(mark)) == f"{mark} {node.key[:6]}".strip()
    assert node.heading(4 + 2 * bool(mark)).endswith("fact")
    assert node.heading(60, 2) == f"{mark} {node.key[:6]}".strip()


def test_the_kind_of_a_memory_is_said_once() -> None:
    assert kinds(belief("One").memory) == "fact"
    assert kinds(belief("Two", type=MemoryType.PREFERENCE).memory) == "preference (Decision)"
