"""The parts of the history screen without a screen: order, filter, moments, words, tree and file."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from tests.ui.stage import HOSTILE, belief, entry
from tests.ui.stores import MARA, PAIRS, learn, store
from tur_engine.errors import BadInput
from tur_engine.records import (
    Descent,
    Edge,
    EventKind,
    LifeStep,
    Lineage,
    MemoryType,
    Remembered,
    Scope,
    Status,
    Verb,
)
from tur_tui.desk.as_of import event_at, locked, read_moment, track
from tur_tui.desk.exporting import write_new
from tur_tui.desk.remembering import CONSTITUTION, Heading, HistoryDesk, Page, Wanted, arranged, read_wanted
from tur_tui.desk.remembering_export import as_markdown, as_svg
from tur_tui.desk.remembering_life import branches, changes, happened, telling


def row(seq: int, kind: str, scope: str = "incarnation", *, approved: bool = False) -> Remembered:
    return Remembered(seq, MemoryType(kind), Scope.parse(scope), Status.ACTIVE, approved, False)


def test_the_constitution_stands_on_top_then_scopes_from_the_widest_and_types() -> None:
    rows = [row(1, "fact"), row(2, "axiom", approved=True), row(3, "fact", "universal"), row(4, "preference")]
    rows += [row(5, "fact", "incarnation:api"), row(6, "fact"), row(7, "core", approved=True)]
    told = [each.title if isinstance(each, Heading) else each.seq for each in arranged(rows[::-1], Page.BELIEVED)]
    assert told == [
        *(CONSTITUTION, 7, 2),
        *("universal, facts", 3),
        *("incarnation, preferences", 4),
        *("incarnation, facts", 6, 1),
        *("incarnation:api, facts", 5),
    ]
    assert arranged(rows[::-1], Page.EVER) == rows[::-1]


def test_the_search_is_read_and_what_cannot_be_used_is_named() -> None:
    assert read_wanted("alembic type:fact by:Mara scope:API is:suspect") == (
        Wanted("alembic", MemoryType.FACT, "mara", "api", "suspect"),
        "",
    )
    assert "did you mean fact" in read_wanted("type:fakt")[1]
    assert "use one of" in read_wanted("is:zzzzz")[1]
    kept = Wanted(scope="api", standing="invariant")
    assert kept.lets_through(row(1, "core", "incarnation:api", approved=True))
    assert not kept.lets_through(row(1, "core", "incarnation:api"))
    assert not kept.lets_through(row(1, "core", approved=True))


def test_the_way_back_is_kept_of_jumps_and_not_of_steps() -> None:
    desk = HistoryDesk()
    assert desk.step("1")
    assert desk.go("2")
    assert not desk.go("2")
    assert desk.go("3")
    assert desk.behind == 2
    assert desk.back()
    assert desk.wanted == "2"
    assert desk.step("9")
    assert not desk.back()


NOON = datetime(2026, 3, 4, 12, 0, tzinfo=UTC)


def test_moments_are_read_in_every_form() -> None:
    assert read_moment("now", NOON) is read_moment("  ", NOON) is None
    assert read_moment("#12", NOON) == read_moment("12", NOON) == 12
    assert read_moment("2d", NOON) == NOON - timedelta(days=2)
    assert read_moment("3 h ago", NOON) == NOON - timedelta(hours=3)
    day = read_moment("2026-03-01", NOON)
    assert isinstance(day, datetime)
    assert (day.astimezone().hour, day.astimezone().minute) == (23, 59)
    assert read_moment("2026-03-01T10:00:00Z", NOON) == datetime(2026, 3, 1, 10, tzinfo=UTC)
    yesterday = read_moment("yesterday", NOON)
    assert isinstance(yesterday, datetime)
    assert yesterday < NOON
    for wrong in ("soon", "2026-13-01", "25:70", "\x1b]0;x\x07"):
        with pytest.raises(BadInput, match="no moment") as refused:
            read_moment(wrong, NOON)
        assert "\x1b" not in str(refused.value)


@given(st.text(max_size=30))
def test_whatever_is_typed_is_a_moment_or_refused(typed: str) -> None:
    try:
        moment = read_moment(typed, NOON)
    except BadInput:
        return
    assert moment is None or isinstance(moment, int | datetime)


@given(st.integers(0, 200), st.integers(1, 10**6), st.integers(1, 10**6))
def test_the_rail_is_as_wide_as_it_is_asked_to_be(width: int, seq: int, head: int) -> None:
    pieces = track(width, min(seq, head), head)
    assert sum(cell_len(text) for text, _ in pieces) == width


def test_a_store_is_asked_for_the_event_of_a_moment_and_for_what_changed(tmp_path: Path) -> None:
    with store(tmp_path, PAIRS[:1], dependants=1) as engine:
        at = [each.at for each in engine.entries(range(1, engine.head() + 1))]
        assert [event_at(engine, moment) for moment in at] == list(range(1, engine.head() + 1))
        assert event_at(engine, at[1] + timedelta(microseconds=1)) == 2
        with pytest.raises(BadInput, match="founded later"):
            event_at(engine, at[0] - timedelta(seconds=1))
        with pytest.raises(BadInput, match="holds 1 to"):
            event_at(engine, 99)
        before = engine.head()
        engine.resolve(engine.conflicts()[0].id, Verb.SUPERSEDE)
        learn(engine, "Prefer small pull requests", MARA, type="preference")
        told = changes(engine, engine.head(), before)
        assert any(line.startswith("+ learned: preference-") and "small pull" in line for line in told)
        assert any(line.startswith("~ superseded: ") and "Alembic" in line and "human:mara" in line for line in told)
        assert any(line.startswith("~ suspect: ") and "Step 1" in line for line in told)
        assert any(line.startswith("= conflict settled: ") and " against " in line for line in told)
        assert changes(engine, 2, 2) == []
        assert "the past, as of event 2" in locked(engine.at(2), "decided")


@pytest.mark.parametrize(
    ("kind", "before", "after", "word"),
    [
        (EventKind.LEARNED, None, Status.ACTIVE, "learned"),
        (EventKind.HELD, None, Status.HELD, "held"),
        (EventKind.RESOLVED, Status.ACTIVE, Status.SUPERSEDED, "superseded"),
        (EventKind.UNDONE, Status.SUPERSEDED, Status.ACTIVE, "restored"),
        (EventKind.RESOLVED, Status.HELD, Status.ACTIVE, "admitted"),
        (EventKind.RESOLVED, Status.ACTIVE, Status.ACTIVE, "upheld"),
        (EventKind.RESOLVED, Status.ACTIVE, Status.SUSPECT, "doubted"),
        (EventKind.REAFFIRMED, Status.SUSPECT, Status.ACTIVE, "reaffirmed"),
        (EventKind.RETRACTED, Status.ACTIVE, Status.RETRACTED, "retracted"),
        (EventKind.UNDONE, Status.ACTIVE, Status.HELD, "held again"),
        (EventKind.CONFIRMED, Status.ACTIVE, Status.ACTIVE, "confirmed"),
    ],
)
def test_each_event_has_its_word(kind: EventKind, before: Status | None, after: Status, word: str) -> None:
    assert happened(LifeStep(entry=entry(3, kind), before=before, after=after))[1] == word


def test_an_invariant_is_approved_and_retired_and_an_incumbent_challenged() -> None:
    step = LifeStep(entry=entry(3, EventKind.APPROVED), before=Status.PENDING, after=Status.ACTIVE, approved=True)
    assert happened(step)[1] == "approved"
    gone = LifeStep(entry=entry(4), before=Status.ACTIVE, after=Status.RETRACTED, approved_before=True)
    assert happened(gone)[1] == "retired"
    clash = entry(5, EventKind.HELD).model_copy(update={"conflict_id": "conflict-1"})
    assert happened(LifeStep(entry=clash, before=Status.ACTIVE, after=Status.ACTIVE))[1] == "challenged"


def family(*pairs: tuple[str, str, str], focus: str) -> Lineage:
    names = dict.fromkeys(name for older, newer, _ in pairs for name in (older, newer))
    made = {name: belief(name) for name in names}
    descents = tuple(
        Descent(
            older=made[older].memory.digest,
            newer=made[newer].memory.digest,
            how=how,
            edge=Edge(source=made[older].memory.digest, target=made[newer].memory.digest, type="superseded_by", seq=n),
        )
        for n, (older, newer, how) in enumerate(pairs, 2)
    )
    return Lineage(focus=made[focus].memory.digest, memories=tuple(made.values()), descents=descents)


def test_the_tree_begins_with_what_holds_and_draws_what_came_before_below_it() -> None:
    lineage = family(("a", "b", "superseded"), ("b", "m", "merged"), ("c", "m", "merged"), focus="a")
    told = [(each.stem, each.how, each.belief.memory.content) for each in branches(lineage)]
    assert told == [
        ("", "", "m"),
        ("├─ ", "merged", "c"),
        ("└─ ", "merged", "b"),
        ("   └─ ", "superseded", "a"),
    ]


def test_a_circle_and_a_shared_ancestor_are_drawn_once() -> None:
    circle = branches(family(("a", "b", "superseded"), ("b", "a", "superseded"), focus="a"))
    assert len(circle) == 3
    assert circle[-1].again
    shared = branches(family(("a", "b", "superseded"), ("a", "c", "superseded"), focus="a"))
    assert [each.again for each in shared] == [False, False, False, True]


def test_the_file_holds_the_whole_life_and_hostile_text_stays_text(tmp_path: Path) -> None:
    old = belief(f"# not a heading | <script>\n{HOSTILE}")
    step = LifeStep(entry=entry(2, summary="learned | [x](http://evil) <b>"), before=None, after=Status.ACTIVE)
    alone = Lineage(focus=old.memory.digest, memories=(old,), descents=())
    text = as_markdown(old, [step], alone)
    assert "    # not a heading | <script>" in text
    assert r"learned \| \[x\](http://evil) \<b\>" in text
    assert "\x1b" not in text
    assert "\u202e" not in text
    svg = as_svg(old, [step], alone)
    assert svg.startswith("<svg")
    assert "<script>" not in svg
    assert "\x1b" not in svg
    assert "\x1b" not in "".join(telling(old, [step], alone))
    first, second = (write_new(tmp_path, "fact-history", "md", each) for each in ("one", "two"))
    assert (first.read_text(), second.read_text()) == ("one", "two")
