"""The parts of a pass: exact neighbours, what is left to weigh, circles, refinements, remembered answers, a pool."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.engine.scripted import MARA, Store, draft_of
from tur_engine.detect.detector import Detector
from tur_engine.detect.judge import Answer, Judge
from tur_engine.engine import Engine
from tur_engine.introspect import nearest, scan
from tur_engine.introspect.answers import remembering, signature
from tur_engine.introspect.consolidation import refining
from tur_engine.introspect.nearest import Vectors
from tur_engine.introspect.partition import Plan, Shard, unmet
from tur_engine.introspect.structure import structure
from tur_engine.ledger import Encoded, NewEvent
from tur_engine.ledger.effects import edge
from tur_engine.ledger.examined import Examined, Stamp
from tur_engine.ledger.sweep import Standing, live
from tur_engine.records import EventKind, Memory, Relationship, Verdict

SCOPES = ("incarnation", "incarnation:a", "incarnation:b@main", "incarnation:b@next")


def standing(mid: int, scope: str = "incarnation", since: int = 0) -> Standing:
    return Standing(mid, f"{mid * 2654435761 % 2**32:08x}{mid:056x}", scope, since or mid, False)


@given(
    rows=st.lists(st.tuples(st.integers(0, 5), st.sampled_from(SCOPES)), min_size=1, max_size=30),
    limit=st.integers(1, 5),
    columns=st.sampled_from([1, 3, 8192]),
    newer=st.booleans(),
)
def test_the_nearest_are_the_exact_ones_however_many_are_compared_at_a_time(
    rows: list[tuple[int, str]], limit: int, columns: int, newer: bool
) -> None:
    kinds = np.random.default_rng(3).integers(-127, 128, size=(6, 384)).astype(np.int8)
    standings = [standing(10 * (place + 1), scope) for place, (_, scope) in enumerate(rows)]
    stored = [(s.mid, kinds[kind].tobytes()) for s, (kind, _) in zip(standings, rows, strict=True)]
    vectors = Vectors(standings, stored)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(nearest, "_COLUMNS", columns)
        mids = [s.mid for s in standings]
        found = (vectors.newer if newer else vectors.older)(mids, limit)
    for this in standings:
        told = vectors.cosines(this.mid, mids)
        reach = [
            other.mid
            for other in standings
            if (other.mid > this.mid if newer else other.mid < this.mid) and _overlap(this.scope, other.scope)
        ]
        assert found[this.mid] == sorted(((m, told[m]) for m in reach), key=lambda hit: (-hit[1], hit[0]))[:limit]


def _overlap(one: str, other: str) -> bool:
    from tur_engine.records import Scope

    return Scope.parse(one).overlaps(Scope.parse(other))


@given(st.sets(st.integers(1, 10_000), max_size=60), st.integers(1, 9))
def test_every_memory_is_of_one_shard(mids: set[int], of: int) -> None:
    standings = [standing(mid) for mid in sorted(mids)]
    plans = [Plan.make(standings, {}, b"", Shard.parse(f"{number}/{of}")) for number in range(1, of + 1)]
    assert sorted(mid for plan in plans for mid in plan.fresh) == sorted(mids)
    assert all(mid in plan.fresh for plan in plans for block in plan.blocks() for mid in block.mids)


def test_a_memory_is_read_again_when_it_stands_otherwise_and_the_law_alone_when_that_changed() -> None:
    standings = [standing(1), standing(2, since=9), standing(3)]
    stamps = {s.digest: Stamp(s.mid, b"old" if s.mid == 3 else b"law", 5) for s in standings}
    plan = Plan.make(standings, stamps, b"law", Shard())
    assert (plan.fresh, plan.lawful, plan.noted) == ((2,), (3,), {1: 5, 3: 5})
    assert unmet(plan.noted, 2, since=9) == {3}
    assert unmet(plan.noted, 2, since=4) == set()


def test_circles_in_old_data_are_told_the_shortest_way_round(store: Store) -> None:
    refs = [store.known(f"Reason number {n}") for n in range(5)]
    digests = [ref.rpartition("-")[2] for ref in refs]
    ways = [(0, 1), (1, 2), (2, 0), (1, 0), (3, 4), (4, 3)]
    effects = [edge(digests[a], digests[b], "depends_on" if a < 3 else "precedes") for a, b in ways]
    with store.engine._ledger.writing() as tx:
        tx.append([NewEvent(EventKind.MAPPED, MARA, {"effects": effects})])
    with store.engine._ledger.reading() as db:
        rows = {s.digest: s.mid for s in live(db, 2**40)}
        found = structure(db, live(db, 2**40))
    mids = [rows[digest] for digest in digests]
    assert found.cycles == ((mids[0], mids[1]), (mids[3], mids[4]))
    assert (found.islands, found.unlinked) == (2, 0)


def memory(text: str, mid: int = 1, **more: Any) -> Memory:
    return Encoded(draft_of(text, **more), datetime.now(UTC)).memory(mid)


GOES = Verdict(relationship=Relationship.COMPATIBLE, probability=0.01)
PLAIN = "The nightly backup copies the orders database"
MORE = "The nightly backup copies the orders database to a bucket in Frankfurt"
LIKE = "The nightly backup copies the invoices database"


@pytest.mark.parametrize(
    ("one", "other", "refines"),
    [
        (PLAIN, MORE, True),
        (MORE, PLAIN, True),
        (PLAIN, PLAIN, False),
        (PLAIN, f"{PLAIN} and the backup of the wiki unless the disk is full", False),
        (PLAIN, f"{PLAIN} hourly", False),
        (PLAIN, f"It is not true that {PLAIN} to a bucket", False),
        (PLAIN, f"{PLAIN}. In Frankfurt it rains", False),
        (PLAIN, "The nightly backup never copies the orders database to Frankfurt", False),
        ("The nightly backup copies 3 databases", "The nightly backup copies 4 databases of orders", False),
        ("The nightly", f"The nightly in {MORE}", False),
        (PLAIN, "Does the nightly backup copy the orders database to a bucket in Frankfurt?", False),
    ],
)
def test_one_refines_the_other_only_where_it_says_all_of_it_and_more(one: str, other: str, refines: bool) -> None:
    told = refining(memory(one), memory(other), GOES, 0.9)
    assert (told is not None) is refines
    if told is not None:
        assert (told[0].content, told[1].content) == (MORE, PLAIN)


def test_what_is_far_of_another_type_or_perhaps_a_clash_refines_nothing() -> None:
    one, other = memory(PLAIN), memory(MORE)
    assert refining(one, other, GOES, 0.9)
    assert not refining(one, other, GOES, 0.5)
    assert not refining(one, other, GOES.model_copy(update={"probability": 0.2}), 0.9)
    assert not refining(one, memory(MORE, type="insight"), GOES, 0.9)
    assert not refining(one, memory(MORE, scope="incarnation:docs"), GOES, 0.9)


class Reader(Judge):
    """Says of every pair that the second follows, and counts what it was asked."""

    def __init__(self) -> None:
        super().__init__()
        self.asked: list[tuple[str, str]] = []

    def read(self, existing: str, new: str) -> Answer:
        self.asked.append((existing, new))
        return 5.0, 1.0, -4.0


def test_a_refinement_is_linked_and_the_judge_is_not_asked_twice(store: Store) -> None:
    one, other = store.known(PLAIN), store.known(MORE)
    store.known(LIKE)
    reader = Reader()
    first = scan.Scan(store.engine._ledger, Detector(judge=reader)).run()
    assert [(pair.kind, pair.older.id, pair.newer.id) for pair in first.found] == [("refinement", one, other)]
    assert (MORE, "refines", PLAIN) in store.edges()
    told = store.engine.history()[-1]
    assert (told.summary.split('"')[2].strip(), set(told.memory_ids)) == ("refines", {one, other})
    asked = len(reader.asked)
    assert asked
    again = scan.Scan(store.engine._ledger, Detector("strict", reader)).run()
    assert (again.scanned, again.found, again.pairs_read) == (3, (), first.pairs_read)
    assert len(reader.asked) == asked
    assert scan.Scan(store.engine._ledger, Detector(judge=reader), anew=True).run().found == ()
    assert len(reader.asked) == 2 * asked
    store.verified()


def test_answers_are_kept_by_the_digests_of_the_pair_never_by_its_text(tmp_path: Path) -> None:
    notes, reader = Examined(tmp_path / "notes.db"), Reader()
    _, judge = remembering(Detector(judge=reader), notes)
    assert judge is not None
    pair = memory(PLAIN), memory(MORE)
    for about in ((), pair, pair):
        judge.about(about)
        judge.read(PLAIN, MORE)
    assert len(reader.asked) == 2
    notes.keep(judge.fresh, bytes(32))
    notes.close()
    kept = b"".join(file.read_bytes() for file in tmp_path.iterdir())
    assert b"nightly" not in kept
    assert remembering(Detector(judge=None), notes)[1] is None


def test_a_pool_finds_what_one_process_finds(
    store: Store, monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory
) -> None:
    monkeypatch.setenv("TUR_NO_JUDGE", "1")
    monkeypatch.setattr(scan, "WORTH_A_POOL", 1)
    for number in range(24):
        store.known(f"Queue {number % 8} of the broker keeps messages for {number % 3 + 2} days")
    with Engine.open(store.engine.path, actor=MARA) as engine:
        alone = engine.introspect(workers=1, dry_run=True)
        together = engine.introspect(workers=2)
    assert alone.found
    assert together.model_copy(update={"seconds": 0, "dry_run": True, "found": ()}) == alone.model_copy(
        update={"seconds": 0, "found": ()}
    )
    assert [(p.kind, p.older.id, p.newer.id, p.conflict_id) for p in together.found] == [
        (p.kind, p.older.id, p.newer.id, p.conflict_id) for p in alone.found
    ]


def test_a_verdict_depends_on_who_skims_too() -> None:
    alone, skimmed = Reader(), Reader()
    skimmed.skimmer = Reader()
    assert signature(Detector(judge=alone)) == signature(Detector(judge=Reader()))
    assert signature(Detector(judge=alone)) != signature(Detector(judge=skimmed))
