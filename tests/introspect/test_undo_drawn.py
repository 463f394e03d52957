"""What a graph or a pass over the whole store drew is taken back, by the rules of every undo (CONTRACTS 3)."""

from __future__ import annotations

from typing import Any

import pytest

from tests.engine.scripted import AGENT, COMPATIBLE, OTHER, Store
from tests.govern.signing import RITA, governed
from tests.introspect.test_commit import CALLS, GO, JAVA, edge, graph, node
from tur_engine.errors import NotAllowed
from tur_engine.introspect.findings import Finding, Kind
from tur_engine.introspect.recheck import Written, write
from tur_engine.records import ConflictState, Verb

WARM = "The billing cache is warmed from the replica every night"
MORE = f"{WARM} by the scheduler"
EXTRA = "Payments are in Go for its speed"


@pytest.fixture
def refined(store: Store) -> Store:
    """A pass has drawn that one memory refines another."""
    store.known(WARM)
    store.known(MORE)
    assert drawn(store) == 1
    assert store.edges() == {(MORE, "refines", WARM)}
    return store


def drawn(store: Store) -> int:
    """Let a pass find the refinement; returns how many edges it draws."""
    rows = {b.memory.content: b.memory.seq for b in store.every()}
    told: list[Written] = []
    with store.engine._ledger.writing() as tx, store.engine._ledger.reading() as db:
        write(db, tx, [Finding(Kind.REFINEMENT, rows[WARM], rows[MORE], COMPATIBLE)], told.append)
    return len(told)


def test_an_edge_that_a_pass_drew(refined: Store) -> None:
    event = refined.engine.head()
    done = refined.engine.undo(f"#{event}", reason="the scheduler is another cache's")
    assert (done.decided, done.reopened) == (None, ())
    assert refined.edges() == set()
    told = refined.engine.history()[-1]
    assert (told.kind, told.summary) == ("undone", f'undone: found that "{_cut(MORE)}" refines "{_cut(WARM)}"')
    refined.verified()
    assert drawn(refined) == 0, "what people took back is not drawn again"
    with pytest.raises(NotAllowed, match="was undone already"):
        refined.engine.undo(f"#{event}")
    refined.engine.undo(f"#{done.seq}")
    assert refined.edges() == {(MORE, "refines", WARM)}
    assert refined.engine.history()[-1].summary.startswith("restored: found that")
    refined.verified()


def test_it_clears_the_mark_that_passed_along_it(refined: Store) -> None:
    event = refined.engine.head()
    ids = {b.memory.content: b.id for b in refined.every()}
    governed(refined.engine).retract(ids[WARM], "no longer")
    assert refined.status(ids[MORE]) == "suspect"
    done = refined.engine.undo(f"#{event}")
    assert refined.status(ids[MORE]) == "active"
    refined.verified()
    refined.engine.undo(f"#{done.seq}")
    assert refined.status(ids[MORE]) == "suspect"
    refined.verified()


def test_what_became_of_its_ends_otherwise_does_not_hold_it(refined: Store) -> None:
    event = refined.engine.head()
    ids = {b.memory.content: b.id for b in refined.every()}
    refined.known("The night is long enough", rests_on=[ids[MORE]])
    with pytest.raises(NotAllowed, match="an agent takes back its own decisions only"):
        refined.seen_by(AGENT).undo(f"#{event}")
    refined.engine.undo(f"#{event}")
    assert (MORE, "refines", WARM) not in refined.edges()


def test_a_conflict_that_a_pass_found_wants_a_verb(store: Store) -> None:
    store.known("Lunch is at noon")
    store.known("Lunch is at one")
    store.script.clash("Lunch is at noon", "Lunch is at one")
    (pair,) = store.engine.introspect(workers=1).found
    assert pair.conflict_id is not None
    with pytest.raises(NotAllowed, match=f"settled by a verb: tur resolve {pair.conflict_id[:17]} dismiss"):
        store.engine.undo(f"#{store.engine.head()}")


def committed(store: Store, *more: dict[str, Any], by: Any = AGENT) -> int:
    """Commit two nodes and their edges to a memory; returns the event."""
    ground = next(b.id for b in store.every() if b.memory.content == GO)
    report = store.seen_by(by).commit_graph(
        graph(
            node("speed", EXTRA, "Decision", confidence=0.9, sources=[ground]),
            node("calls", CALLS),
            node("again", GO),
            edge("calls", "routes_through", ground, confidence=0.5),
            *more,
        ),
        session="s1",
    )
    assert report.seq is not None
    return report.seq


def test_a_graph_is_taken_back_as_a_whole(store: Store) -> None:
    store.known(GO)
    store.known("Java is slow to start")
    before = store.picture()
    seq = committed(store)
    after = store.picture()
    assert store.live() == {GO, CALLS, EXTRA, "Java is slow to start"}
    done = store.seen_by(AGENT).undo(f"#{seq}", reason="wrong repository")
    assert store.live() == {GO, "Java is slow to start"}
    assert store.edges() == set()
    assert {d for d, s in store.picture()["status"].items() if s != "retracted"} == set(before["status"])
    assert [e.sentence.rsplit('"', 1)[1] for e in done.effects] == [" is retracted", " is retracted"]
    assert store.engine.history()[-1].summary == "undone: a graph of 3 nodes: 2 edges"
    store.verified()
    store.seen_by(AGENT).undo(f"#{done.seq}")
    assert store.picture() == after
    store.verified()
    store.engine.undo(f"#{done.seq + 1}")
    assert store.live() == {GO, "Java is slow to start"}
    store.verified()


def test_nodes_alone_are_a_graph_too_and_nothing_new_is_none(store: Store) -> None:
    first = store.seen_by(AGENT).commit_graph(graph(node("calls", CALLS)))
    assert first.seq is not None
    assert store.seen_by(AGENT).commit_graph(graph(node("calls", CALLS))).seq is None
    store.seen_by(AGENT).undo(f"#{first.seq}")
    assert store.live() == set()


def test_what_it_held_and_what_it_claimed_goes_with_it(store: Store) -> None:
    store.script.clash(GO, JAVA)
    one, other = store.known("The lamp is lit"), store.known("The lamp glows")
    store.known(GO)
    seq = committed(store, node("java", JAVA), edge(one, "contradicts", other))
    claim, held = sorted(store.engine.conflicts(), key=lambda c: c.challenger.status == "held")
    assert (held.challenger.status, claim.state) == ("held", ConflictState.DETECTED)
    done = store.engine.undo(f"#{seq}")
    assert store.engine.conflicts() == []
    assert store.status(held.challenger.id) == "retracted"
    assert {"The lamp is lit", "The lamp glows", GO} == store.live()
    assert store.engine.conflict(claim.id).settlement.verb is Verb.DISMISS  # type: ignore[union-attr]
    store.verified()
    store.engine.undo(f"#{done.seq}")
    assert {c.reopens for c in store.engine.conflicts()} == {held.id, claim.id}
    store.verified()


def test_what_was_built_or_decided_on_it_stands_in_the_way(store: Store) -> None:
    store.script.clash(CALLS, "Checkout queues its payments")
    store.known(GO)
    seq = committed(store)
    conflict = store.held("Checkout queues its payments")
    store.engine.undo(f"#{seq}")
    assert store.status(conflict.challenger.id) == "active", "nothing stops it any more"
    redone = store.engine.undo(f"#{store.engine.head()}")
    (again,) = store.engine.conflicts()
    assert again.reopens == conflict.id
    store.verified()
    done = store.settle(again, Verb.SUPERSEDE)
    with pytest.raises(NotAllowed, match=rf"event {done.seq} \(resolved\) came later .*; undo that first"):
        store.engine.undo(f"#{redone.seq}")
    store.engine.undo()
    store.engine.undo(f"#{redone.seq}")
    built = next(b.id for b in store.every() if b.memory.content == GO)
    seq = committed(store, node("third", "Go has a race detector"))
    last = store.seen_by(OTHER).commit_graph(graph(edge(_id(store, "Go has a race detector"), "causes", built)))
    with pytest.raises(NotAllowed, match=rf"event {last.seq} \(mapped\) came later .*; undo that first"):
        store.engine.undo(f"#{seq}")
    with pytest.raises(NotAllowed, match="decided by agent:aider"):
        store.seen_by(AGENT).undo(f"#{last.seq}")


def test_what_another_confirmed_since_is_not_the_first_ones_alone(store: Store) -> None:
    store.known(GO)
    seq = committed(store)
    own = store.learn("The lamp is lit", AGENT).seq
    store.learn(CALLS, AGENT)
    store.learn("The lamp is lit", AGENT)
    before = store.picture()
    done = store.seen_by(AGENT).undo(f"#{seq}")
    store.seen_by(AGENT).undo(f"#{done.seq}")
    assert store.picture() == before, "its own confirmation does not hold it"
    said = store.learn(CALLS, OTHER).seq
    lamp = store.learn("The lamp is lit", OTHER).seq
    with pytest.raises(NotAllowed, match=rf"event {said} \(confirmed\) by agent:aider confirmed concept-\w+ since"):
        store.seen_by(AGENT).undo(f"#{done.seq + 1}")
    steps = {step.seq: step for step in store.seen_by(AGENT).undo_session(agent=AGENT).steps}
    assert own is not None
    assert not steps[own].done
    assert f"event {lamp} (confirmed)" in steps[own].reason
    assert {CALLS, "The lamp is lit"} <= store.live()
    assert store.engine.undo_session(agent=AGENT).steps
    assert CALLS not in store.live(), "people take it back all the same"
    store.verified()


def test_an_agent_does_not_take_back_what_waits_for_people(store: Store) -> None:
    lamp = store.known("The lamp is lit")
    law = store.approve("Lamps are dark at night")
    store.known(GO)
    seq = committed(store, edge(lamp, "contradicts", law))
    assert [c.state for c in store.engine.conflicts()] == [ConflictState.ESCALATED]
    with pytest.raises(NotAllowed, match="waits for people"):
        store.seen_by(AGENT).undo(f"#{seq}")
    store.engine.undo(f"#{seq}")
    assert store.engine.conflicts() == []
    store.verified()


def test_a_circle_that_was_closed_meanwhile_keeps_it_out(store: Store) -> None:
    one, other = store.known("One holds"), store.known("The other holds")
    store.engine.commit_graph(graph(edge(one, "depends_on", other)))
    back = store.engine.undo(f"#{store.engine.head()}")
    store.engine.commit_graph(graph(edge(other, "depends_on", one)))
    with pytest.raises(NotAllowed, match=r"cannot return beside what was drawn since: depends_on must not run in a"):
        store.engine.undo(f"#{back.seq}")


def test_a_session_is_rolled_back_with_its_graph(store: Store) -> None:
    store.known(GO)
    seq = committed(store)
    steps = store.engine.undo_session(session="s1").steps
    assert [(step.seq, step.done) for step in steps] == [(seq, True)]
    assert store.live() == {GO}
    store.verified()


def test_a_graph_with_a_redacted_node_stays(store: Store) -> None:
    store.known(GO)
    seq = committed(store)
    governed(store.engine).redact(_id(store, CALLS), [RITA], "private")
    with pytest.raises(NotAllowed, match=r"\(redacted\) came later .* cannot be undone"):
        store.engine.undo(f"#{seq}")
    steps = store.engine.undo_session(agent=AGENT).steps
    assert EXTRA not in store.live()
    assert not next(step for step in steps if step.seq == seq).done


def _id(store: Store, text: str) -> str:
    return next(b.id for b in store.every() if b.memory.content == text)


def _cut(text: str) -> str:
    return text[:39].rstrip() + "…"
