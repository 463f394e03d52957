"""Grounds of one record hold together (AND), a confirmation on other grounds holds beside them (OR) (CONTRACTS 7)."""

from __future__ import annotations

from typing import Any

import pytest

from tests.engine.scripted import Store
from tests.maintain.test_cascade import suspects, swap
from tur_engine.errors import BadInput
from tur_engine.records import Relation, Status, Verb

CLAIM = "Deployments are safe on Fridays"
TESTS, CANARY, ROTA = "Tests cover the billing", "Canaries catch regressions", "Two people are on call"


@pytest.fixture
def grown(store: Store) -> Store:
    """claim <- tests AND canary; above rests on the claim."""
    tests, canary = store.known(TESTS), store.known(CANARY)
    store.known(ROTA)
    claim = store.known(CLAIM, rests_on=[tests, canary])
    store.known("The release train leaves weekly", rests_on=[claim])
    return store


def ref(store: Store, text: str) -> str:
    return next(b.id for b in store.every() if b.memory.content == text)


def confirm(store: Store, *grounds: str, text: str = CLAIM) -> Any:
    return store.learn(text, rests_on=[ref(store, ground) for ground in grounds])


ABOVE = "The release train leaves weekly"


def test_one_broken_ground_breaks_the_justification_and_another_whole_one_holds(grown: Store) -> None:
    swap(grown, TESTS, "Tests skip the billing")
    assert suspects(grown) == {CLAIM: {TESTS}, ABOVE: {TESTS}}
    assert confirm(grown, ROTA).outcome == "duplicate"
    assert suspects(grown) == {}
    assert grown.engine.history(ref(grown, CLAIM))[-1].summary == f'confirmed "{CLAIM}", said again on other grounds'
    swap(grown, CANARY, "Canaries miss regressions")
    assert suspects(grown) == {}
    swap(grown, ROTA, "One person is on call")
    assert suspects(grown) == {CLAIM: {TESTS, CANARY, ROTA}, ABOVE: {TESTS, CANARY, ROTA}}
    first = next(c for c in grown.engine.conflicts(all=True) if c.incumbent.memory.content == TESTS)
    grown.engine.undo(first.id)
    assert suspects(grown)[CLAIM] == {TESTS, CANARY, ROTA} - {TESTS}
    grown.engine.undo()
    assert suspects(grown) == {}
    grown.verified()


def test_the_same_grounds_again_add_nothing_and_a_premise_stays_one(grown: Store) -> None:
    edges = grown.edges()
    confirm(grown, CANARY, TESTS)
    assert grown.edges() == edges
    confirm(grown, ROTA, text=CANARY)
    assert (CANARY, "depends_on", ROTA) in grown.edges()
    swap(grown, ROTA, "One person is on call")
    assert suspects(grown) == {}, "what was said without grounds stands without them"


def test_a_confirmation_cannot_close_a_circle(grown: Store) -> None:
    head = grown.engine.head()
    with pytest.raises(BadInput, match=r"depends_on must not run in a circle: fact-\w+ -> fact-\w+ -> fact-\w+"):
        confirm(grown, ABOVE, text=TESTS)
    with pytest.raises(BadInput, match="cannot rest on itself"):
        confirm(grown, CLAIM)
    assert grown.engine.head() == head


def test_what_is_refined_passes_the_mark_beside_a_whole_justification(grown: Store) -> None:
    tests, rota = ref(grown, TESTS), ref(grown, ROTA)
    finer = "Tests cover the billing in euros"
    grown.known(finer, rests_on=[rota], relations=[Relation(type="refines", target=tests)])
    swap(grown, TESTS, "Tests skip the billing")
    assert suspects(grown)[finer] == {TESTS}
    assert grown.status(ref(grown, finer)) == "suspect", "marked, not defeated"


def test_reaffirming_lets_stand_what_rests_on_it_whatever_came_first(grown: Store) -> None:
    swap(grown, TESTS, "Tests skip the billing")
    seq = grown.engine.reaffirm(ref(grown, CLAIM), reason="the rota is enough")
    assert suspects(grown) == {}
    grown.known("Fridays are quiet", rests_on=[ref(grown, CLAIM)])
    assert suspects(grown) == {}
    swap(grown, CANARY, "Canaries miss regressions")
    assert suspects(grown)[CLAIM] == {CANARY}, "only what it was reaffirmed in spite of is waived"
    grown.engine.undo()
    grown.engine.undo(f"#{seq}")
    assert set(suspects(grown)) == {CLAIM, ABOVE, "Fridays are quiet"}
    grown.verified()


def test_an_invariant_in_force_is_not_defeated_by_what_is_newer(store: Store) -> None:
    ground = store.known("Auditors read the log")
    rule = store.approve("The log is append-only", rests_on=[ground])
    store.script.clash("The log is append-only", "The log is rotated away")
    assert store.learn("The log is rotated away").outcome == "invariant_violation"
    swap(store, "Auditors read the log", "Nobody reads the log")
    belief = store.engine.memory(rule)
    assert belief.approved
    assert belief.status is Status.SUSPECT
    assert store.learn("The log is rotated away").outcome == "invariant_violation", "suspect, and still in force"


def test_a_declared_edge_passes_decay_once_people_approved_the_file(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = "compaction: {ontology: {custom_edge_types: [cites, {rests_upon: {decay_propagation: true}}]}}"
    monkeypatch.setattr("tur_engine.maintain.view.approved_text", lambda reads: text)
    ruling = store.known("The ruling of 1998 stands")
    for kind in ("cites", "rests_upon"):
        store.known(f"The brief {kind} the ruling", relations=[Relation(type=kind, target=ruling)])
    swap(store, "The ruling of 1998 stands", "The ruling of 1998 was overruled", verb=Verb.SUPERSEDE)
    assert set(suspects(store)) == {"The brief rests_upon the ruling"}
