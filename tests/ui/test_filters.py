"""What is typed behind `/`."""

from __future__ import annotations

from tur_engine.records import EventKind, FeedFilter, MemoryType
from tur_tui.desk.filters import read_filter


def test_plain_words_are_text() -> None:
    assert read_filter("  alembic  http://x ") == (FeedFilter(text="alembic http://x"), None)


def test_nothing_typed_filters_nothing() -> None:
    assert read_filter("") == (FeedFilter(), None)


def test_conditions_narrow() -> None:
    made, problem = read_filter("kind:held kind:resolved type:fact by:claude in:src/api is:open port")
    assert problem is None
    assert made == FeedFilter(
        text="port",
        kinds=frozenset({EventKind.HELD, EventKind.RESOLVED}),
        agent="claude",
        type=MemoryType.FACT,
        scope="src/api",
        open_conflicts=True,
    )


def test_a_condition_still_being_typed_says_how_it_goes_on() -> None:
    assert read_filter("kind:") == (FeedFilter(), None)
    made, problem = read_filter("kind:re")
    assert made == FeedFilter()
    assert problem == (
        "kind:re... goes on as rejected, resolved, reaffirmed, retracted, redacted, revoked, released, restored, "
        "relabelled."
    )


def test_an_unknown_word_names_the_nearest() -> None:
    assert read_filter("type:fcat")[1] == "No type is called fcat (did you mean fact?)."
    assert read_filter("is:zzz")[1] == "No is is called zzz; use one of open."


def test_kinds_that_are_no_events_are_known_too() -> None:
    assert read_filter("kind:guard kind:drift") == (FeedFilter(), None)
    assert "drift" in (read_filter("kind:dr")[1] or "")
