"""Labels follow from what stands: whatever the order, with what was taken back, as if computed from nothing."""

from __future__ import annotations

import random
from collections.abc import Iterator
from contextlib import suppress

import networkx as nx
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.maintain.growing import Grown, grown, ledger_in
from tur_engine.errors import BadInput, NotAllowed
from tur_engine.ledger import Ledger
from tur_engine.records import EventKind, Status

numbers = st.integers(0, 999)
steps = st.one_of(
    st.tuples(st.just("learn"), st.sets(numbers, max_size=3), st.sets(numbers, max_size=1)),
    st.tuples(st.just("confirm"), numbers, st.sets(numbers, min_size=1, max_size=2)),
    st.tuples(st.just("fall"), numbers, st.none() | numbers),
    st.tuples(st.just("reaffirm"), numbers, st.none()),
    st.tuples(st.just("undo"), numbers, st.none()),
    st.tuples(st.just("link"), numbers, numbers),
    st.tuples(st.just("enforce"), st.sets(st.sampled_from(("cites", "rests_upon"))), st.none()),
)
few = settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])


FORCED: set[str] = set()
"""Of the graph at hand: read in place of an approved persona file."""


@pytest.fixture(autouse=True)
def _approved(monkeypatch: pytest.MonkeyPatch) -> None:
    def text(*_: object) -> str:
        types = ", ".join(f"{kind}: {{decay_propagation: true}}" for kind in sorted(FORCED))
        return f"compaction: {{ontology: {{custom_edge_types: [{types}]}}}}" if FORCED else ""

    FORCED.clear()
    monkeypatch.setattr("tur_engine.maintain.view.approved_text", text)


@pytest.fixture(scope="module")
def ledger(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Ledger]:
    ledger = ledger_in(tmp_path_factory.mktemp("labels"))
    yield ledger
    ledger.close()


def rests(graph: Grown) -> nx.DiGraph:
    """What rests on what, as the ledger has it."""
    return nx.DiGraph(graph.reads.pairs_joined_by("depends_on"))


def take(graph: Grown, step: str, first: object, second: object) -> None:
    """Carry one step out; what cannot be is refused and changes nothing."""
    active = graph.active()
    if step == "learn" and isinstance(first, set) and isinstance(second, set):
        size = len(graph.nodes)
        graph.learn(*({n % size for n in some} if size else () for some in (first, second)))
    elif step == "confirm" and active and isinstance(first, int) and isinstance(second, set):
        chosen = active[first % len(active)]
        grounds = {graph.nodes[n % len(graph.nodes)] for n in second}
        before = rests(graph)
        mid = graph.reads.mid(chosen)
        circle = any(
            g == chosen or nx.has_path(before, graph.reads.mid(g), mid) for g in grounds if known(before, g, graph, mid)
        )
        try:
            graph.confirm(chosen, grounds)
        except BadInput:
            assert circle or chosen in grounds
        else:
            assert nx.is_directed_acyclic_graph(rests(graph))
    elif step == "fall" and active and isinstance(first, int):
        loser = active[first % len(active)]
        above = [digest for digest in active if graph.book.has_edge(digest, loser)] or active
        winner = above[second % len(above)] if isinstance(second, int) else ""
        graph.fell(loser, "" if winner == loser else winner)
    elif step == "reaffirm" and isinstance(first, int):
        doubted = [digest for digest, causes in graph.labels().items() if causes]
        if doubted:
            graph.reaffirm(doubted[first % len(doubted)])
    elif step == "link" and graph.nodes and isinstance(first, int) and isinstance(second, int):
        size = len(graph.nodes)
        kind = "cites" if (first + second) % 2 else "rests_upon"
        if first % size != second % size:
            graph.link(graph.nodes[first % size], graph.nodes[second % size], kind)
    elif step == "enforce" and isinstance(first, set):
        FORCED.clear()
        FORCED.update(str(kind) for kind in first)
        graph.enforce(FORCED)
    elif step == "undo" and graph.decisions and isinstance(first, int):
        with suppress(NotAllowed):
            graph.undo(graph.decisions[first % len(graph.decisions)])


def known(graph: nx.DiGraph, ground: str, grown: Grown, mid: int | None) -> bool:
    """True where the graph has both, so that a path can be asked for."""
    return grown.reads.mid(ground) in graph and mid in graph


@few
@given(script=st.lists(steps, max_size=25))
def test_labels_equal_those_from_nothing_after_every_step(
    ledger: Ledger, script: list[tuple[str, object, object]]
) -> None:
    FORCED.clear()
    with grown(ledger) as graph:
        for step in script:
            take(graph, *step)
            assert graph.labels() == graph.expected()


@few
@given(
    script=st.lists(steps.filter(lambda step: step[0] != "undo"), min_size=4, max_size=18),
    falls=st.lists(st.tuples(numbers, st.none() | numbers), min_size=1, max_size=4),
    order=st.randoms(use_true_random=False),
)
def test_taking_falls_back_is_identity_and_their_order_is_nothing(
    ledger: Ledger, script: list[tuple[str, object, object]], falls: list[tuple[int, int | None]], order: random.Random
) -> None:
    FORCED.clear()
    with grown(ledger) as graph:
        graph.learn()
        for step in script:
            take(graph, *step)
        before, standing = graph.labels(), graph.active()
        chosen = {standing[n % len(standing)]: None for n, _ in falls} if standing else {}
        made = [graph.fell(digest) for digest in chosen]
        after = graph.labels()
        order.shuffle(made)
        undone = [graph.undo(seq) for seq in made]
        assert (graph.labels(), graph.active()) == (before, standing)
        order.shuffle(undone)
        for seq in undone:
            graph.undo(seq)
        assert graph.labels() == after
        assert after == graph.expected()


def test_one_large_graph(ledger: Ledger) -> None:
    """500 memories, half of them with two justifications; a tenth falls, and half of that comes back."""
    chance = random.Random(11)
    with grown(ledger) as graph:
        for n in range(500):
            depends = chance.sample(range(n), min(n, chance.randrange(3)))
            graph.learn(depends, chance.sample(range(n), 1) if n and chance.random() < 0.1 else ())
        for _ in range(100):
            source, target = chance.sample(graph.nodes, 2)
            graph.link(source, target, chance.choice(("cites", "rests_upon")))
        for n in chance.sample(range(20, 500), 200):
            graph.confirm(graph.nodes[n], [graph.nodes[chance.randrange(n - 10)]])
        made = [graph.fell(graph.nodes[n]) for n in chance.sample(range(500), 50)]
        assert graph.labels() == graph.expected()
        assert sum(map(bool, graph.labels().values())) > 50
        plain = graph.labels()
        for kinds in ({"cites"}, {"cites", "rests_upon"}, {"rests_upon"}):
            FORCED.clear()
            FORCED.update(kinds)
            graph.enforce(kinds)
            assert graph.labels() == graph.expected() != plain
        FORCED.clear()
        graph.enforce(())
        assert graph.labels() == plain
        for seq in chance.sample(made, 25):
            graph.undo(seq)
        assert graph.labels() == graph.expected()
        assert nx.is_directed_acyclic_graph(rests(graph))


def test_a_circle_in_old_data_neither_hangs_nor_holds_itself_up(ledger: Ledger) -> None:
    """one <-> two, and two rests on ground: its fall marks both, its return clears both."""
    from tur_engine.ledger.effects import edge

    with grown(ledger) as graph:
        ground = graph.learn()
        one = graph.learn()
        two = graph.learn([0, 1])
        graph.append(EventKind.MAPPED, effects=[edge(one, two, "depends_on")])
        graph.book.add_edge(one, two, kind="depends_on", group=0)
        seq = graph.fell(ground)
        assert graph.labels() == {one: {ground}, two: {ground}} == graph.expected()
        undone = graph.undo(seq)
        assert graph.labels() == {ground: set(), one: set(), two: set()}
        graph.undo(undone)
        graph.reaffirm(one)
        assert graph.labels() == {one: set(), two: {ground}} == graph.expected()
        assert graph.reads.status(graph.reads.mid(ground) or 0) is Status.SUPERSEDED
