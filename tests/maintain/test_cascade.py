"""What rests on something that fell is suspect: still believed, and marked with the cause (CONTRACTS 1 and 7)."""

from __future__ import annotations

from typing import Any

import pytest

from tests.engine.scripted import AGENT, Store
from tur_engine.errors import BadInput, NotAllowed
from tur_engine.records import Relation, Status, Verb

ROOT = "The mesh is Istio"
NEWER = "The mesh is Linkerd"


@pytest.fixture
def grown(store: Store) -> Store:
    """root <- left, right <- top (rests on both); beside <- refines right; apart."""
    store.script.clash(ROOT, NEWER)
    root = store.known(ROOT)
    left = store.known("Retries are set in virtual services", rests_on=[root])
    right = store.known("Traffic is encrypted by sidecars", rests_on=[root])
    store.known("Timeouts need no code", rests_on=[left, right])
    store.known("Sidecars speak mTLS 1.3", relations=[Relation(type="refines", target=right)])
    store.known("The kettle is new", relations=[Relation(type="precedes", target=root)])
    return store


def suspects(store: Store) -> dict[str, set[str]]:
    """Suspect texts and the texts that are to blame."""
    texts = {b.memory.digest: b.memory.content for b in store.every()}
    return {
        texts[b.memory.digest]: {texts[d] for d in b.suspect_because}
        for b in store.every()
        if b.status is Status.SUSPECT
    }


def swap(store: Store, old: str, new: str, verb: Verb = Verb.SUPERSEDE, **draft: Any) -> None:
    store.script.clash(old, new)
    store.settle(store.held(new, **draft), verb)


def test_everything_above_is_marked_once_with_the_cause(grown: Store) -> None:
    swap(grown, ROOT, NEWER)
    above = {
        "Retries are set in virtual services",
        "Traffic is encrypted by sidecars",
        "Timeouts need no code",
        "Sidecars speak mTLS 1.3",
    }
    assert suspects(grown) == {text: {ROOT} for text in above}
    assert above <= grown.live(), "suspect, not retired"
    assert grown.engine.status().memories[Status.SUSPECT] == 4
    assert set(grown.texts("sidecars mTLS retries timeouts code")) >= above
    grown.verified()


def test_two_causes_are_kept_apart(grown: Store) -> None:
    swap(grown, "Retries are set in virtual services", "Retries are set in code")
    swap(grown, ROOT, NEWER)
    assert suspects(grown)["Timeouts need no code"] == {"Retries are set in virtual services", ROOT}
    assert suspects(grown)["Sidecars speak mTLS 1.3"] == {ROOT}
    grown.engine.undo()
    assert suspects(grown) == {"Timeouts need no code": {"Retries are set in virtual services"}}
    grown.engine.undo()
    assert suspects(grown) == {}
    grown.verified()


def test_decisions_on_different_grounds_are_undone_in_any_order(grown: Store) -> None:
    swap(grown, "Retries are set in virtual services", "Retries are set in code")
    first = grown.engine.head()
    swap(grown, ROOT, NEWER)
    grown.engine.undo(f"#{first}")
    assert suspects(grown)["Timeouts need no code"] == {ROOT}
    grown.verified()


def test_reaffirming_clears_the_mark_and_can_be_taken_back(grown: Store) -> None:
    swap(grown, ROOT, NEWER)
    (memory,) = [b for b in grown.engine.memories() if b.memory.content == "Timeouts need no code"]
    seq = grown.engine.reaffirm(memory.id, reason="the proxy does it now")
    assert grown.status(memory.id) == "active"
    entry = grown.engine.history(memory.id)[-1]
    assert (entry.seq, entry.kind, entry.reason) == (seq, "reaffirmed", "the proxy does it now")
    with pytest.raises(NotAllowed, match="is not suspect"):
        grown.engine.reaffirm(memory.id)

    undone = grown.engine.undo(f"#{seq}")
    assert grown.status(memory.id) == "suspect"
    assert undone.conflict.incumbent.memory.content == ROOT
    assert grown.engine.history()[-1].summary == 'undone: "Timeouts need no code" is suspect again'
    grown.engine.undo(f"#{undone.seq}")
    assert grown.status(memory.id) == "active"
    assert grown.engine.history()[-1].summary == 'undone: "Timeouts need no code" is reaffirmed again'
    grown.verified()


def test_what_was_reaffirmed_stands_though_the_fall_is_undone_and_restored(grown: Store) -> None:
    swap(grown, ROOT, NEWER)
    (memory,) = [b for b in grown.engine.memories() if b.memory.content == "Timeouts need no code"]
    grown.engine.reaffirm(memory.id)
    undone = grown.engine.undo()
    assert suspects(grown) == {}
    grown.engine.undo(f"#{undone.seq}")
    assert memory.memory.content not in suspects(grown)
    assert len(suspects(grown)) == 3
    grown.verified()


def test_undoing_a_reaffirmation_marks_nothing_whose_ground_is_back(grown: Store) -> None:
    swap(grown, ROOT, NEWER)
    (memory,) = [b for b in grown.engine.memories() if b.memory.content == "Timeouts need no code"]
    seq = grown.engine.reaffirm(memory.id)
    grown.engine.undo()
    with pytest.raises(NotAllowed, match=f"nothing is left of event {seq}"):
        grown.engine.undo(f"#{seq}")


def test_an_invariant_without_its_ground_is_left_to_people(store: Store) -> None:
    root = store.known(ROOT)
    law = store.approve("All traffic is encrypted", relations=[Relation(type="depends_on", target=root)])
    between = store.known("Sidecars are everywhere", AGENT, rests_on=[root])
    above = store.approve("No port is open", relations=[Relation(type="depends_on", target=between)])
    store.script.clash(ROOT, NEWER)
    store.settle(store.held(NEWER), Verb.SUPERSEDE)
    assert {store.status(each) for each in (law, between, above)} == {"suspect"}
    agent = store.seen_by(AGENT)
    for ref in (law, between):
        with pytest.raises(NotAllowed, match=r"axiom-\w+ is an invariant in force, and people alone let it stand"):
            agent.reaffirm(ref, reason="it is true all the same")
    new = store.known("Encryption is the law of the land")
    told = store.learn("All traffic is encrypted", AGENT, rests_on=[new])
    assert told.outcome == "duplicate"
    assert any("people alone say what it rests on" in sentence for sentence in told.warnings)
    assert store.status(law) == "suspect"
    with pytest.raises(BadInput, match="say why it stands without its ground"):
        store.engine.reaffirm(law)
    assert store.engine.history()[-1].kind == "confirmed", "nothing was written"
    store.engine.reaffirm(law, reason="the auditors ask for it")
    assert store.status(law) == "active"
    store.engine.reaffirm(between, reason="still so")
    assert store.status(above) == "active"
    store.verified()


def test_what_replaces_its_own_ground_is_not_suspect(grown: Store) -> None:
    (root,) = [b.id for b in grown.engine.memories() if b.memory.content == ROOT]
    swap(grown, ROOT, NEWER, relations=[Relation(type="refines", target=root)])
    assert NEWER not in suspects(grown)
    later = "The mesh is Cilium"
    swap(grown, NEWER, later)
    grown.engine.undo()
    assert NEWER not in suspects(grown)
    grown.verified()


def test_a_side_that_falls_itself_is_not_called_suspect(grown: Store) -> None:
    (root,) = [b.id for b in grown.engine.memories() if b.memory.content == ROOT]
    conflict = grown.contested(NEWER, rests_on=[root])
    above = grown.known("Linkerd needs no tuning", rests_on=[conflict.challenger.id])
    result = grown.settle(conflict, Verb.MERGE, text="The mesh is Istio for now, Linkerd next year")
    marked = [e.sentence for e in result.effects if e.change == "suspect"]
    assert not any(NEWER in sentence for sentence in marked)
    assert suspects(grown)["Linkerd needs no tuning"] == {NEWER}
    assert grown.status(above) == "suspect"


def test_what_comes_in_on_fallen_or_doubtful_ground_is_suspect_from_the_first(grown: Store) -> None:
    root, left = (
        next(b.id for b in grown.engine.memories() if b.memory.content == text)
        for text in (ROOT, "Retries are set in virtual services")
    )
    swap(grown, ROOT, NEWER)
    grown.known("Istio upgrades are monthly", rests_on=[root])
    grown.known("Retries back off", rests_on=[left])
    grown.known("Linkerd is small", relations=[Relation(type="precedes", target=root)])
    found = suspects(grown)
    assert found["Istio upgrades are monthly"] == {ROOT}
    assert found["Retries back off"] == {ROOT}
    assert "Linkerd is small" not in found
    grown.verified()


@pytest.mark.parametrize("entry", ["supersede", "allow", "moot"])
def test_a_candidate_whose_ground_fell_while_it_was_held_comes_in_suspect(grown: Store, entry: str) -> None:
    old, new = "The kettle is new", "The kettle is old"
    (left,) = [b.id for b in grown.engine.memories() if b.memory.content == "Retries are set in virtual services"]
    grown.script.clash(old, new)
    conflict = grown.held(new, rests_on=[left])
    swap(grown, "Retries are set in virtual services", "Retries are set in code")
    assert new not in suspects(grown)
    if entry == "supersede":
        grown.settle(conflict, Verb.SUPERSEDE)
    elif entry == "allow":
        grown.contested(new, rests_on=[left])
    else:
        swap(grown, old, "The kettle is broken")
    assert suspects(grown)[new] == {"Retries are set in virtual services"}
    grown.verified()


def test_what_returns_from_an_undo_is_doubted_where_its_ground_fell_meanwhile(grown: Store) -> None:
    swap(grown, "Traffic is encrypted by sidecars", "Traffic is encrypted by the kernel")
    first = grown.engine.head()
    before = set(suspects(grown))
    assert before == {"Timeouts need no code", "Sidecars speak mTLS 1.3"}
    swap(grown, ROOT, NEWER)
    assert suspects(grown)["Sidecars speak mTLS 1.3"] == {"Traffic is encrypted by sidecars"}
    grown.engine.undo(f"#{first}")
    assert suspects(grown) == {
        text: {ROOT} for text in (*before, "Retries are set in virtual services", "Traffic is encrypted by sidecars")
    }
    grown.verified()


def test_what_rests_on_a_held_candidate_is_suspect_when_that_is_dropped(grown: Store) -> None:
    conflict = grown.held(NEWER)
    grown.known("Linkerd needs no tuning", rests_on=[conflict.challenger.id])
    grown.settle(conflict, Verb.ABORT)
    assert suspects(grown) == {"Linkerd needs no tuning": {NEWER}}
