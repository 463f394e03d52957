"""What shares no rare word and lies far away comes in by a net, in scopes that overlap, and is read by the detector."""

from __future__ import annotations

from tests.engine.scripted import Store
from tur_engine.detect.detector import shortlist
from tur_engine.detect.nets import nets
from tur_engine.ledger import Reads, search
from tur_engine.probe.candidate import Candidate
from tur_engine.probe.net import CAUGHT
from tur_engine.probe.probe import Question, probe
from tur_engine.probe.words import forms
from tur_engine.records import Scope, Verb

MOVED = "The family moved to Graz"


def candidates(store: Store, text: str, *, cast: bool = True, scope: str = "") -> list[Candidate]:
    question = Question(text, Scope.parse(scope) if scope else Scope(), nets=nets(text) if cast else ())
    with store.engine._ledger.snapshot() as db:
        return probe(db, Reads(db), question)


def met(found: list[Candidate]) -> list[str]:
    return [each.memory.content for each in found if each.met]


def test_a_net_brings_in_what_words_do_not(store: Store) -> None:
    for name in ("Ana", "Bo", "Cees", "Dora", "Emil"):
        store.known(f"{name} lives in Leuven")
    store.known("The user lives in Leuven")
    assert candidates(store, MOVED, cast=False) == []
    found = candidates(store, MOVED)
    assert [each.memory.content for each in found] == met(found) == ["The user lives in Leuven"]


def test_the_gate_weighs_what_a_net_brought_in(store: Store) -> None:
    store.known("The user lives in Leuven")
    store.script.asked.clear()
    store.learn(MOVED)
    assert store.script.asked == [("The user lives in Leuven", MOVED)]


def test_nets_keep_to_overlapping_scopes_and_to_what_stands(store: Store) -> None:
    store.known("The user lives in Leuven", scope="incarnation:elsewhere")
    assert met(candidates(store, MOVED, scope="incarnation:here")) == []
    store.script.clash("The user lives in Bruges", "The user lives in Ghent")
    store.known("The user lives in Bruges")
    store.settle(store.held("The user lives in Ghent"), Verb.SUPERSEDE)
    assert met(candidates(store, MOVED, scope="incarnation:here")) == ["The user lives in Ghent"]


def test_only_the_best_of_a_haul_are_kept(store: Store) -> None:
    for number in range(CAUGHT + 5):
        store.known(f"The user lives in Leuven{number}")
    assert len(met(candidates(store, MOVED))) == CAUGHT


def test_other_forms_of_a_word_are_found(store: Store) -> None:
    store.known("Every merge is deployed by a robot")
    store.known("The kettle is red")
    kettle = next(each.memory.seq for each in store.every() if "kettle" in each.memory.content)
    assert [c.memory.content for c in candidates(store, "Deploys wait for a human", cast=False)] == []
    with store.engine._ledger.snapshot() as db:
        found = search.rarest(db, ["deploys", "kettles"], forms=forms)
        assert [word for word, _ in found] == ["deployed", "kettle"]
        assert search.by_phrases(db, ["is red", "was red"], [], 5, statuses=["active"], now=2**40) == [kettle]
        assert search.by_phrases(db, ["is red"], ["merge"], 5, statuses=["active"], now=2**40) == []


def test_regular_forms() -> None:
    assert {"deploy", "deploys", "deployed", "deploying"} <= set(forms("deploys"))
    assert {"policy", "policies"} <= set(forms("policies"))
    assert {"rule", "rules", "ruled", "ruling"} <= set(forms("rules"))
    assert {"plan", "plans"} <= set(forms("planning"))
    assert forms("c#") == ("c#",)
    assert forms("uv") == ("uv",)


def test_what_a_net_brought_in_is_read_however_far_it_lies(store: Store) -> None:
    store.known("The user lives in Leuven")
    (far,) = candidates(store, MOVED)
    near = [Candidate(far.memory.model_copy(update={"content": str(n)}), 0.9, n, 0.9) for n in range(20)]
    assert 20 in shortlist([*near, far])
