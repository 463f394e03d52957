"""Warnings of the guard among the events of the feed: the rows, plain, and the screen that follows them."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from unicodedata import east_asian_width

import pytest
from rich.cells import cell_len

from tests.ui.sitting import Sitting, sitting
from tests.ui.stage import HOSTILE, MOMENT, belief, lines
from tests.ui.stores import kinds, store
from tur_engine.engine import Engine
from tur_engine.ledger.guarded import Warned
from tur_engine.records import Author, EventKind, FeedFilter, GuardNote
from tur_tui.desk.drifting import MARKS as DRIFT
from tur_tui.desk.filters import families, only_families, read_filter
from tur_tui.desk.guarding import MARK, GuardAside, announced, as_rows
from tur_tui.drawing.wording import MARKS as EVENTS
from tur_tui.widgets.diff_view import DiffView
from tur_tui.widgets.why import Why
from tur_tui.widgets.woven_feed import aside_row

OTTER = Author.parse("agent:otter")
RULE = belief("Never force-push to main.")
NOTE = GuardNote(
    at=MOMENT,
    after=7,
    actor=OTTER,
    session="s-1",
    memory_id=RULE.id,
    belief=RULE,
    binding=True,
    probability=0.95,
    action="git push -f origin main",
    read_as="We force-push to main.",
)
GONE = NOTE.model_copy(update={"belief": None, "store": "/elsewhere/ledger.db"})
ANGRY = NOTE.model_copy(update={"action": HOSTILE, "read_as": HOSTILE, "session": HOSTILE, "store": HOSTILE})


# the desk and the rows, plain -----------------------------------------------------------


def test_the_glyph_is_one_cell_and_nobody_elses() -> None:
    assert MARK.glyph not in {mark.glyph for mark in (*EVENTS.values(), *DRIFT.values())}
    assert (cell_len(MARK.glyph), east_asian_width(MARK.glyph) in "AWF") == (1, False)
    assert "guard" not in set(EventKind)


@pytest.mark.parametrize("width", [1, 12, 20, 34, 60, 120])
@pytest.mark.parametrize("note", [NOTE, GONE, ANGRY])
def test_rows_fit_and_are_harmless(note: GuardNote, width: int) -> None:
    row = "".join(text for text, _ in aside_row(GuardAside(note), width, MOMENT))
    assert cell_len(row) <= max(width, 12)
    assert not any(sign in row for sign in "\x1b\x07\u202e\n")
    if width >= 34:
        assert row.split()[:2] == [MARK.glyph, "guard"]


def test_the_action_stands_against_the_invariant() -> None:
    sides = GuardAside(NOTE).sides()
    assert sides is not None
    assert (sides.memory, sides.other.memory.content) == (RULE, NOTE.action)
    assert (sides.titles, sides.ids) == (("INVARIANT", "▸ ACTION"), (RULE.memory.short_id, "agent:otter"))
    facts = dict(sides.facts)
    assert (facts["clash"], facts["session"], facts["read as"]) == ("95%", "s-1", NOTE.read_as)
    assert GuardAside(GONE).sides() is None
    words = GuardAside(GONE).in_words()
    assert NOTE.action in words
    assert f"{RULE.memory.short_id} of the store at /elsewhere/ledger.db, which is not found" in words
    assert "\x1b" not in GuardAside(ANGRY.model_copy(update={"belief": None})).in_words()


def test_filter_toast_and_order() -> None:
    aside = GuardAside(NOTE)
    for wanted in (FeedFilter(), FeedFilter(text="guard main"), FeedFilter(agent="otter"), FeedFilter(text="never")):
        assert aside.lets_through(wanted), wanted
    for wanted in (FeedFilter(text="yellow"), FeedFilter(agent="heron"), FeedFilter(open_conflicts=True)):
        assert not aside.lets_through(wanted), wanted
    assert announced([]) == ""
    assert announced([aside]) == (
        f'The guard warned otter: "git push -f origin main" clashes with {RULE.memory.short_id}.'
    )
    assert announced([aside, aside]) == "The guard gave 2 warnings; the feed shows which."
    later = NOTE.model_copy(update={"at": MOMENT + timedelta(hours=1)})
    assert [row.note for row in as_rows([later, NOTE])] == [NOTE, later]
    assert read_filter("kind:guard") == (FeedFilter(), None)
    assert (families("kind:guard x"), families("guard")) == (frozenset({"guard"}), frozenset())
    assert [only_families(typed) for typed in ("kind:guard", "kind:guard kind:held", "x")] == [True, False, False]


# the screen -------------------------------------------------------------------------------


@pytest.fixture
def engine(tmp_path: Path) -> Iterator[Engine]:
    with store(tmp_path) as engine:
        yield engine


def warn(engine: Engine, action: str) -> None:
    invariant = engine.conflicts()[0].incumbent.id
    engine._guarded.note([Warned(invariant, "", True, 0.9, action, "We do.")], "agent:otter", "s-1", engine.head())


async def asides(person: Sitting, number: int) -> list[int]:
    """The rows of the feed that are warnings, once there are so many."""
    feed = person.triage.woven

    def rows() -> list[int]:
        return [index for index in range(feed.count) if feed.aside_at(index) is not None]

    await person.until(lambda: len(rows()) == number)
    return rows()


async def test_among_the_events_by_time_and_in_front(engine: Engine) -> None:
    warn(engine, "rm -rf migrations")
    engine.note("after the first warning")
    async with sitting(engine) as person:
        feed, conflict, events = person.triage.woven, person.current.id, kinds(engine)
        assert await asides(person, 1) == [1]  # below what was recorded later
        assert not [toast for toast in person.toasts if "guard" in toast]  # it was given before
        warn(engine, "git push -f")
        assert await asides(person, 2) == [0, 2]
        await person.until(lambda: any('warned otter: "git push -f" clashes with' in each for each in person.toasts))
        assert lines(feed)[0].split()[:2] == [MARK.glyph, "guard"]
        assert person.triage.aside is None  # an arrival takes nothing away from the person
        engine.note("after the second")
        await person.until(lambda: feed.count and feed.aside_at(1) is not None)
        feed.focus()
        await person.press("home", "down")
        diff = "\n".join(lines(person.triage.query_one(DiffView)))
        assert "▸ ACTION agent:otter" in diff
        assert "git push -f" in diff
        assert not person.triage.query_one(Why).display  # there are no reasons
        await person.press("s")
        assert "no verb is for an action" in person.toasts[-1]
        await person.press("Y")
        assert person.app.clipboard == "git push -f"
        await person.press("escape")
        assert (person.triage.aside, person.current.id) == (None, conflict)
        assert person.triage.query_one(Why).display
        person.triage.typed = "kind:guard"
        person.triage.read_feed()
        await person.until(lambda: feed.count == 2)
        person.triage.typed = "kind:held"
        person.triage.read_feed()
        await person.until(lambda: feed.count > 2)
        await asides(person, 0)
        person.triage.typed = ""
        person.triage.read_feed()
        await asides(person, 2)
        engine._guarded.path.unlink()
        await asides(person, 0)
        assert kinds(engine) == events


async def test_a_warning_told_before_the_event_that_it_came_after(engine: Engine) -> None:
    async with sitting(engine, (80, 24)) as person:
        feed = person.triage.woven
        head = engine.head()
        feed.weave([GuardAside(NOTE.model_copy(update={"after": head + 1}))])
        entry = engine.entries([head])[0]
        feed.prepend([entry.model_copy(update={"seq": head + 1})])
        assert [feed.seq_at(index) for index in (0, 1, 2)] == [None, head + 1, head]
