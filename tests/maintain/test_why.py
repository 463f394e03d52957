"""Why a memory is believed, what would fall with it; and upstream's cases, with the mark where it deactivates."""

from __future__ import annotations

import pytest

from tests.engine.scripted import AGENT, Store
from tests.maintain.growing import grown as growing
from tests.maintain.growing import ledger_in
from tests.maintain.test_cascade import suspects, swap
from tur_engine.errors import BadInput, NotAllowed
from tur_engine.ledger.effects import edge
from tur_engine.maintain.why import why
from tur_engine.records import EventKind, Relation, Status, Verb

ROOT, RIVAL = "Canaries run for an hour", "Canaries run for a minute"
CLAIM, TOP, ROTA = "Deployments are safe on Fridays", "The train leaves weekly", "Two people are on call"


@pytest.fixture
def grown(store: Store) -> Store:
    """root <- claim <- top; the rota beside."""
    root = store.known(ROOT, by=AGENT)
    claim = store.known(CLAIM, rests_on=[root])
    store.known(TOP, rests_on=[claim])
    store.known(ROTA)
    return store


def ref(store: Store, text: str) -> str:
    return next(b.id for b in store.every() if b.memory.content == text)


def test_why_goes_down_to_the_premises_and_says_how_one_fell(grown: Store) -> None:
    swap(grown, ROOT, RIVAL)
    grown.learn(CLAIM, rests_on=[ref(grown, ROTA)])
    support = grown.engine.why(ref(grown, TOP))
    assert support.well_founded
    texts = [node.belief.memory.content for node in support.nodes]
    assert texts == [TOP, CLAIM, ROOT, ROTA], "nearest first, each once"
    claim = support.nodes[1]
    assert [each.whole for each in claim.justifications] == [False, True]
    assert str(claim.justifications[0].by) == "human:mara"
    root, rota = support.nodes[2:]
    assert rota.premise
    assert root.defeat is not None
    assert root.defeat.winner == ref(grown, RIVAL).partition("-")[2]
    assert (root.defeat.status, root.defeat.verb, str(root.defeat.by)) == (Status.SUPERSEDED, "supersede", "human:mara")
    past = grown.engine.at(4).why(ref(grown, TOP))
    assert past.node(root.belief.memory.digest) is not None
    assert [node.defeat for node in past.nodes] == [None, None, None]


def test_what_if_says_what_a_verb_would_do_and_writes_nothing(grown: Store) -> None:
    grown.learn(CLAIM, rests_on=[ref(grown, ROTA)])
    head = grown.engine.head()
    assert [b.memory.content for b in grown.engine.what_if(ref(grown, ROOT)).standing] == [CLAIM]
    swap(grown, ROTA, "Nobody is on call")
    found = grown.engine.what_if(ref(grown, ROOT), Verb.REFUTE)
    foretold = {each.belief.memory.content for each in found.suspects}
    assert foretold == {CLAIM, TOP}
    assert found.allowed
    assert grown.engine.head() == head + 2
    swap(grown, ROOT, RIVAL)
    assert set(suspects(grown)) == foretold
    with pytest.raises(NotAllowed, match="is superseded already; suspect because of it: ") as caught:
        grown.engine.what_if(ref(grown, ROOT))
    blamed = {b.memory.short_id for b in grown.engine.memories() if ROOT in suspects(grown).get(b.memory.content, ())}
    assert blamed
    assert all(name in str(caught.value) for name in blamed), "as tur why tells it"
    unloved = grown.known("The kettle is new")
    grown.engine.undo_session(agent=grown.engine.actor, since=grown.engine.memory(unloved).memory.recorded_at)
    with pytest.raises(NotAllowed, match="is retracted already; nothing that holds rests on it"):
        grown.engine.what_if(unloved)
    with pytest.raises(BadInput, match="supersede or refute"):
        grown.engine.what_if(ref(grown, TOP), Verb.MERGE)


def test_what_if_of_an_invariant_says_that_only_people_take_it_out(store: Store) -> None:
    rule = store.approve("The log is append-only")
    above = store.known("Audits read the log", rests_on=[rule])
    found = store.engine.what_if(rule)
    assert (found.allowed, [each.belief.id for each in found.suspects]) == (False, [above])
    assert "approved proposal" in found.reason


def test_why_ends_in_old_data_that_runs_in_a_circle_and_in_very_much(tmp_path) -> None:  # type: ignore[no-untyped-def]
    ledger = ledger_in(tmp_path)
    with growing(ledger) as graph:
        one = graph.learn()
        two = graph.learn([0])
        graph.append(EventKind.MAPPED, effects=[edge(one, two, "depends_on"), edge(one, one, "depends_on")])
        mid = graph.reads.mid(one)
        assert mid is not None
        support = why(graph.reads, mid)
        assert set(support.circles) == {(two, one), (one, one)}
        for n in range(2, 30):
            graph.learn([n - 1])
        last = graph.reads.mid(graph.nodes[-1])
        assert last is not None
        assert len(why(graph.reads, last).nodes) == 30
        cut = why(graph.reads, last, most=10)
        assert (len(cut.nodes), cut.left_out) == (10, 1)
    ledger.close()


# Upstream's cases (its introspection tests), where it deactivates: here the mark is set, and its cause is named.


def test_popper_propagation_a_superseded_node_marks_what_depends_on_it(grown: Store) -> None:
    swap(grown, ROOT, RIVAL)
    assert suspects(grown) == {CLAIM: {ROOT}, TOP: {ROOT}}
    assert {CLAIM, TOP} <= grown.live()


def test_propagation_on_refines_marks_and_never_defeats(grown: Store) -> None:
    finer = grown.known(
        "Canaries run for an hour and a half", relations=[Relation(type="refines", target=ref(grown, ROOT))]
    )
    swap(grown, ROOT, RIVAL)
    assert suspects(grown)["Canaries run for an hour and a half"] == {ROOT}
    assert grown.engine.memory(finer).status is Status.SUSPECT


def test_popper_revision_the_older_is_superseded_by_a_decision_with_its_trace(grown: Store) -> None:
    conflict = grown.contested(RIVAL, contradicts=[ref(grown, ROOT)])
    assert grown.status(ref(grown, ROOT)) == "active", "a contradiction alone removes nothing"
    grown.settle(conflict, Verb.SUPERSEDE, reason="measured")
    (trace,) = [e for e in grown.engine.edges(ref(grown, ROOT)) if e.type == "superseded_by"]
    assert (trace.reason, str(trace.actor)) == ("measured", "human:mara")
    assert suspects(grown) == {CLAIM: {ROOT}, TOP: {ROOT}}


def test_russell_a_node_that_rests_on_what_rests_on_it_is_refused(grown: Store) -> None:
    head = grown.engine.head()
    with pytest.raises(BadInput, match="must not run in a circle"):
        grown.learn(ROOT, by=AGENT, rests_on=[ref(grown, TOP)])
    assert grown.engine.head() == head
