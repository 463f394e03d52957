"""A pass over the whole store finds what the gate did not see, and touches nothing that is settled."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest

from tests.engine.scripted import AGENT, DUPLICATE, Store, clash, suspicion
from tur_engine.errors import BadInput, ReadOnlyStore
from tur_engine.introspect.scan import NOTES, Scan
from tur_engine.records import ConflictState, FoundPair, Introspection, MemoryType, Scope, Verb

PORT, MOVED = "The service listens on port 8080", "The service listens on port 9090"
NIGHT, NOON = "Backups of the service run at night", "Backups of the service run at noon"


def found(report: Introspection) -> list[tuple[str, str, str]]:
    return [(pair.kind, pair.older.memory.content, pair.newer.memory.content) for pair in report.found]


def of(report: Introspection, text: str) -> FoundPair:
    (pair,) = [pair for pair in report.found if text in (pair.older.memory.content, pair.newer.memory.content)]
    return pair


def test_contradictions_that_came_in_unseen_are_opened_for_people_and_only_once(store: Store) -> None:
    for text in (PORT, NIGHT, MOVED, "Somebody waters the plants", NOON):
        store.known(text, AGENT)
    store.script.clash(PORT, MOVED)
    store.script.clash(NIGHT, NOON)
    before = store.live()
    report = store.engine.introspect(workers=1)
    assert found(report) == [("contradiction", PORT, MOVED), ("contradiction", NIGHT, NOON)]
    assert (report.scanned, report.live, report.stopped) == (5, 5, False)
    assert store.live() == before
    conflicts = store.engine.conflicts()
    assert {c.id for c in conflicts} == {pair.conflict_id for pair in report.found}
    assert {(c.state, c.incumbent.memory.content) for c in conflicts} == {
        (ConflictState.DETECTED, PORT),
        (ConflictState.DETECTED, NIGHT),
    }
    assert all(c.evidence for c in conflicts)
    told = store.engine.history()[-1]
    assert (str(told.actor), told.kind) == ("system:introspect", "detected")
    assert told.summary == f'found that "{NOON}" contradicts "{NIGHT}"'
    head = store.engine.head()
    asked = len(store.script.asked)
    again = store.engine.introspect(workers=1)
    assert (again.scanned, again.found, store.engine.head()) == (0, (), head)
    assert len(store.script.asked) == asked
    anew = store.engine.introspect(workers=1, anew=True)
    assert (anew.scanned, anew.found, store.engine.head()) == (5, (), head)
    pairs = store.script.asked[asked:]
    assert len(pairs) == len({frozenset(pair) for pair in pairs}), "a pair is weighed once"
    store.verified()


@pytest.mark.parametrize("verb", list(Verb))
def test_a_pair_that_was_decided_never_comes_back(store: Store, verb: Verb) -> None:
    store.known(PORT)
    store.script.clash(PORT, MOVED)
    store.settle(store.contested(MOVED), verb)
    assert store.engine.introspect(workers=1).found == ()
    assert store.engine.conflicts() == []


def test_nothing_is_found_across_scopes_that_do_not_overlap(store: Store) -> None:
    store.known(PORT, scope="incarnation:services/web")
    store.known(MOVED, scope="incarnation:services/api")
    store.script.clash(PORT, MOVED)
    report = store.engine.introspect(workers=1)
    assert (report.found, report.pairs_judged) == ((), 0)


def test_what_stands_against_an_invariant_goes_to_people_and_stays(store: Store) -> None:
    told = store.known("Passwords of the service are kept in plain text")
    doubted = store.known("Passwords of the service are kept for a week")
    rule = "Passwords of the service are never kept in plain text"
    invariant = store.approve(rule)
    store.script.say(store.engine.memory(told).memory.content, rule, clash())
    store.script.say(store.engine.memory(doubted).memory.content, rule, suspicion())
    report = store.engine.introspect(workers=1)
    assert {pair.kind for pair in report.found} == {"violation"}
    assert {c.state for c in store.engine.conflicts()} == {ConflictState.ESCALATED}
    assert {(c.incumbent.id, c.challenger.id) for c in store.engine.conflicts()} == {
        (invariant, told),
        (invariant, doubted),
    }
    assert {store.status(ref) for ref in (told, doubted, invariant)} == {"active"}
    later = store.approve("Plain text of the service is never kept", type=MemoryType.CORE)
    store.script.say(store.engine.memory(told).memory.content, store.engine.memory(later).memory.content, clash())
    asked = len(store.script.asked)
    again = store.engine.introspect(workers=1)
    assert [(pair.older.id, pair.newer.id) for pair in again.found] == [(later, told)]
    assert len(store.script.asked) - asked < 8, "the rest is weighed against the invariants alone"
    store.verified()


def test_repetitions_are_noted_once_and_folded_by_nobody(store: Store) -> None:
    first = store.known(NIGHT)
    second = store.known("At night the backups of the service run")
    elsewhere = store.known("Backups of the service at night they run", scope="incarnation:services/api")
    texts = [store.engine.memory(ref).memory.content for ref in (first, second, elsewhere)]
    for one, other in ((0, 1), (0, 2), (1, 2)):
        store.script.say(texts[one], texts[other], DUPLICATE)
    report = store.engine.introspect(workers=1)
    assert found(report) == [("duplicate", texts[0], texts[1])]
    assert {store.status(ref) for ref in (first, second, elsewhere)} == {"active"}
    assert not store.engine.memory(first).contested_by
    note = store.engine.history(second)[-1]
    assert note.kind == "noted"
    assert f"says the same as {first[:13]}" in note.summary
    assert store.engine.introspect(workers=1, anew=True).found == ()
    store.verified()


def test_a_dry_run_writes_nothing_at_all(store: Store) -> None:
    store.known(PORT)
    store.known(MOVED)
    store.script.clash(PORT, MOVED)
    head, files = store.engine.head(), sorted(store.engine.path.parent.iterdir())
    report = store.engine.introspect(workers=1, dry_run=True)
    assert found(report) == [("contradiction", PORT, MOVED)]
    assert report.dry_run
    assert (store.engine.head(), sorted(store.engine.path.parent.iterdir())) == (head, files)
    assert store.engine.introspect(workers=1).found[0].conflict_id == report.found[0].conflict_id


def test_what_comes_in_while_it_runs_is_not_lost_and_what_falls_is_left_alone(store: Store) -> None:
    port, moved = store.known(PORT), store.known(MOVED)
    store.script.clash(PORT, MOVED)
    store.script.clash(NIGHT, NOON)

    def meanwhile() -> None:
        store.known(NIGHT)
        store.engine.resolve(store.contested("The service listens on a socket", contradicts=[moved]).id, Verb.SUPERSEDE)

    def elsewhere() -> None:
        store.script.meanwhile = None
        other = threading.Thread(target=meanwhile)
        other.start()
        other.join()

    store.script.meanwhile = elsewhere
    assert store.engine.introspect(workers=1).found == ()
    assert {store.status(port), store.status(moved)} == {"active", "superseded"}
    assert NIGHT in store.live()
    store.engine.undo()
    report = store.engine.introspect(workers=1)
    assert ("contradiction", PORT, MOVED) in found(report)
    store.verified()


def test_a_memory_that_holds_again_is_weighed_against_those_that_came_in_meanwhile(store: Store) -> None:
    store.known(PORT)
    store.script.clash(PORT, "The service has no port")
    conflict = store.contested("The service has no port")
    store.settle(conflict, Verb.SUPERSEDE)
    store.known(MOVED)
    store.engine.introspect(workers=1)
    store.engine.undo()
    store.script.clash(PORT, MOVED)
    asked = len(store.script.asked)
    assert found(store.engine.introspect(workers=1)) == [("contradiction", PORT, MOVED)]
    assert all(PORT in pair for pair in store.script.asked[asked:])


def _many(store: Store) -> None:
    for number in range(40):
        store.known(f"Machine {number} in the rack holds {number % 7} disks of kind {number % 5}")
    store.script.rule = lambda one, other: clash() if one.split()[-1] == other.split()[-1] != "3" else None


def test_a_pass_that_is_stopped_keeps_what_it_found_and_goes_on_from_there(store: Store) -> None:
    _many(store)
    stop = threading.Event()
    stop.set()
    steps: list[tuple[int, int]] = []
    first = store.engine.introspect(workers=1, stop=stop, progress=lambda done, of: steps.append((done, of)))
    assert first.stopped
    assert 0 < first.scanned < 40
    assert steps == [(first.scanned, 40)]
    assert first.found
    assert len(store.engine.conflicts()) == len(first.found)

    def interrupted(done: int, of: int) -> None:
        raise KeyboardInterrupt

    second = store.engine.introspect(workers=1, progress=interrupted)
    assert second.stopped
    third = store.engine.introspect(workers=1)
    assert first.scanned + second.scanned + third.scanned == 40
    assert not third.stopped
    assert store.engine.introspect(workers=1, anew=True).found == ()


def test_shards_together_find_what_one_pass_finds(store: Store) -> None:
    _many(store)
    whole = store.engine.introspect(workers=1, dry_run=True)
    shards = [store.engine.introspect(workers=1, shard=f"{number}/3") for number in (2, 3, 1)]
    assert sum(shard.scanned for shard in shards) == whole.scanned == 40
    assert sum(shard.pairs_judged for shard in shards) == whole.pairs_judged
    assert all(shard.found for shard in shards)
    assert {pair for shard in shards for pair in found(shard)} == set(found(whole))
    assert sum(len(shard.found) for shard in shards) == len(whole.found)


def test_a_damaged_or_missing_note_of_what_was_read_costs_time_only(store: Store) -> None:
    store.known(PORT)
    store.known(MOVED)
    notes: Path = store.engine.path.with_name(NOTES)
    assert store.engine.introspect(workers=1).scanned == 2
    assert notes.exists()
    notes.write_bytes(b"not a database, " * 400)
    assert store.engine.introspect(workers=1).scanned == 2
    assert store.engine.introspect(workers=1).scanned == 0


def test_circles_suspects_and_islands_are_told(store: Store) -> None:
    ground = store.known("The rack has two switches")
    store.known("The rack survives a broken switch", rests_on=[ground])
    store.known("Nobody has to get up at night", rests_on=[store.known("The rack has an alarm")])
    store.known("The kettle is blue")
    report = store.engine.introspect(workers=1)
    assert (report.islands, report.unlinked, report.suspects, report.cycles) == (2, 1, 0, ())
    store.script.clash("The rack has two switches", "The rack has one switch")
    store.settle(store.contested("The rack has one switch"), Verb.SUPERSEDE)
    assert store.engine.introspect(workers=1).suspects == 1


@pytest.mark.parametrize("shard", ["", "0/3", "4/3", "1", "1/0", "a/b", "1/9999", "1/2/3", "-1/2", "١/٢"])
def test_a_shard_that_is_none_is_refused(store: Store, shard: str) -> None:
    with pytest.raises(BadInput, match="as in 2/8"):
        store.engine.introspect(shard=shard)


def test_the_past_and_a_store_opened_for_reading_are_not_written(store: Store) -> None:
    store.known(PORT, scope=str(Scope()))
    with pytest.raises(ReadOnlyStore):
        store.engine.at(2).introspect()
    with pytest.raises(BadInput, match="1 to 64"):
        store.engine.introspect(workers=0)
    assert Scan(store.engine._ledger, store.script).run().scanned == 1
