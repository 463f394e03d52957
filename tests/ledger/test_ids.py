"""Ids: full ones everywhere, prefixes for people, an ambiguous one refused with what it fits."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.ledger.makings import MARA, MOMENT, bare, draft
from tur_engine.engine import Engine
from tur_engine.errors import AmbiguousId, BadInput, UnknownId
from tur_engine.ledger import Encoded, NewEvent
from tur_engine.ledger.effects import arrive
from tur_engine.records import EventKind, Status


@pytest.fixture
def alike(engine: Engine) -> Engine:
    """Three memories whose digests start alike: two facts and a preference."""
    texts = {"abcd1": "fact", "abcd2": "fact", "abce3": "preference"}
    for start, kind in texts.items():
        encoded = Encoded(draft(f"{start}: x", type=kind), MOMENT)
        digest = start.ljust(64, "0")
        data = {"memory": encoded.data, "effects": [arrive(digest, Status.ACTIVE)]}
        with engine._ledger.writing() as tx:
            tx.append([NewEvent(EventKind.LEARNED, MARA, data, encoded.bodies)])
    return engine


@pytest.mark.parametrize("length", [4, 8, 12, 64])
@pytest.mark.parametrize("kind", ["fact-", ""])
def test_any_unique_prefix_of_four_or_more(engine: Engine, length: int, kind: str) -> None:
    id = engine.learn(draft("database: one")).id or ""
    digest = id.removeprefix("fact-")
    assert engine.memory(kind + digest[:length]).id == id
    assert engine.memory(f"  {kind}{digest[:length].upper()} ").id == id


def test_an_ambiguous_prefix_names_what_it_fits(alike: Engine) -> None:
    with pytest.raises(AmbiguousId) as refused:
        alike.memory("abcd")
    assert refused.value.exit_code == 2
    assert set(refused.value.matches) == {"fact-abcd1".ljust(69, "0"), "fact-abcd2".ljust(69, "0")}
    assert str(refused.value) == ("'abcd' fits 2 ids: fact-abcd100000000000, fact-abcd200000000000; give more digits")


def test_the_type_word_tells_apart(alike: Engine) -> None:
    assert alike.memory("abce").memory.type == "preference"
    with pytest.raises(UnknownId, match="no memory has an id that starts with 'fact-abce'"):
        alike.memory("fact-abce")


def test_the_shortest_that_is_unique_has_at_least_eight(alike: Engine) -> None:
    assert alike.short("fact-abcd1".ljust(69, "0")) == "fact-abcd1000"
    other = alike.learn(draft("queue: one")).id or ""
    assert alike.short(other) == other[: len("fact-") + 8]
    assert alike.memory(alike.short(other)).id == other


@pytest.mark.parametrize(
    "ref",
    [
        "",
        "abc",
        "fact-",
        "fact-xyz",
        "no such id",
        "fact-" + "a" * 65,
        "fact--abcd",
        "banana-abcd1234",
        "\u202eabcd",
        "abcd%",
        "٠١٢٣",
    ],
)
def test_what_is_no_id(engine: Engine, ref: str) -> None:
    with pytest.raises(BadInput, match="is not a"):
        engine.memory(ref)
    with pytest.raises(BadInput, match="is not a"):
        engine.conflict(ref)


def test_an_id_that_nothing_has(engine: Engine) -> None:
    with pytest.raises(UnknownId, match="no memory has an id that starts with 'abcd'"):
        engine.memory("abcd")
    with pytest.raises(UnknownId, match="no conflict has an id"):
        engine.conflict("conflict-abcd")


def test_conflicts_have_ids_of_their_pair(story: Path) -> None:
    with Engine.open(story, actor=MARA) as engine:
        for conflict in engine.conflicts(all=True):
            assert engine.conflict(conflict.id) == conflict
            assert engine.conflict(engine.short(conflict.id)).id == conflict.id
            assert engine.conflict(conflict.id.removeprefix("conflict-")[:16]).id == conflict.id
        with bare(story) as db:
            count = db.execute("SELECT count(*) FROM conflicts").get
        assert len({c.id for c in engine.conflicts(all=True)}) == count


def test_bare_digits_name_a_memory_a_conflict_or_a_proposal(engine: Engine) -> None:
    known = engine.learn(draft("database: one")).id or ""
    [report] = engine.learn(draft("database: two")).conflicts
    proposed = engine.learn(draft("Never log passwords", type="axiom")).proposal_id or ""
    for id in (known, report.conflict.id, proposed):
        digits = id.rpartition("-")[2]
        for ref in (id, engine.short(id), digits, digits[:8], f" {digits[:12].upper()} "):
            assert engine.full_id(ref) == id
            assert engine.history(ref) == engine.history(id)
    assert engine.full_id(engine.proposal(proposed).memory.id).startswith("axiom-"), "the word before them says which"
    with pytest.raises(UnknownId, match=r"no memory, conflict or proposal has an id that starts with 'ffffffffff'$"):
        engine.full_id("ffffffffff")
    for ref in ("abc", "banana-abcd1234", ""):
        with pytest.raises(BadInput, match="is not a"):
            engine.full_id(ref)


def test_digits_of_two_kinds_are_ambiguous(alike: Engine) -> None:
    alike.learn(draft("database: one"))
    alike.learn(draft("database: two"))
    with alike._ledger.writing(), alike._ledger.reading() as db:
        db.execute("UPDATE conflicts SET cid='abcd3' || substr(cid, 6)")
        with pytest.raises(AmbiguousId, match=r"fits 3 ids: fact-abcd1.*, fact-abcd2.*, conflict-abcd3"):
            alike.full_id("abcd")
        assert alike.full_id("abcd3").startswith("conflict-abcd3")


def test_digits_of_another_kind_are_told_where_one_kind_is_asked_for(engine: Engine) -> None:
    known = engine.learn(draft("database: one")).id or ""
    [report] = engine.learn(draft("database: two")).conflicts
    digits = report.conflict.id.removeprefix("conflict-")[:8]
    with pytest.raises(UnknownId, match=f"no memory has an id that starts with '{digits}'; conflict-{digits}.* does$"):
        engine.why(digits)
    digits = known.removeprefix("fact-")[:8]
    with pytest.raises(UnknownId, match=f"no conflict has an id that starts with '{digits}'; fact-{digits}.* does$"):
        engine.conflict(digits)


@pytest.mark.parametrize("ref", ["#²", "#9223372036854775808", "#" + "9" * 40, "#x", "#", "#-1"])
def test_event_numbers_that_are_none(engine: Engine, ref: str) -> None:
    with pytest.raises(BadInput, match="is not an event number"):
        engine.undo(ref)


def test_history_of_an_id(story: Path) -> None:
    with Engine.open(story, actor=MARA) as engine:
        conflict = engine.conflicts(all=True)[-1]
        told = engine.history(conflict.id)
        assert told
        assert [entry.seq for entry in told] == sorted({entry.seq for entry in told})
        assert engine.history(conflict.incumbent.id, limit=1) == engine.history(conflict.incumbent.id)[-1:]
        assert engine.history(conflict.incumbent.memory.digest[:12]) == engine.history(conflict.incumbent.id)
        assert engine.history(conflict.incumbent.id, limit=0) == []
