"""The triage screen: what each key does, on a real store."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.ui.sitting import sitting
from tests.ui.stores import MARA, PAIRS, guarded, kinds, learn, opened, scripted, store
from tur_engine.engine import Engine
from tur_engine.records import Author, AuthorKind, Status, Verb
from tur_tui.screens.confirm import ConfirmScreen
from tur_tui.screens.explain import ExplainScreen
from tur_tui.widgets.feed import Feed
from tur_tui.widgets.neighbourhood import NeighbourhoodPane
from tur_tui.widgets.status_line import StatusLine
from tur_tui.widgets.verb_bar import VerbBar

ALEMBIC, PRISMA = PAIRS[0]


def status_of(engine: Engine, text: str) -> Status:
    return next(each.status for each in engine.memories(status=set(Status)) if each.memory.content == text)


async def test_starts_on_the_first_of_the_queue_with_both_sides_and_reasons(tmp_path: Path) -> None:
    with store(tmp_path, dependants=1) as engine:
        async with sitting(engine) as person:
            assert person.current.id == engine.conflicts()[0].id
            text = person.text
            for words in ("1 of 3", "EXISTING", "NEW", "Alembic", "Prisma", "97%", "values differ"):
                assert words in text
            assert "is superseded by" in text
            assert "depends_on" in text


@pytest.mark.parametrize(
    ("key", "verb", "old", "new"),
    [
        ("s", "supersede", Status.SUPERSEDED, Status.ACTIVE),
        ("r", "refute", Status.ACTIVE, Status.REFUTED),
        ("f", "force", Status.ACTIVE, Status.ACTIVE),
        ("x", "dismiss", Status.ACTIVE, Status.ACTIVE),
        ("a", "abort", Status.ACTIVE, Status.RETRACTED),
    ],
)
async def test_a_verb_acts_at_once_and_moves_on(tmp_path: Path, key: str, verb: str, old: Status, new: Status) -> None:
    with store(tmp_path) as engine:
        second = engine.conflicts()[1].id
        async with sitting(engine) as person:
            await person.press(key)
            assert kinds(engine) == [f"resolved {verb}"]
            assert (status_of(engine, ALEMBIC), status_of(engine, PRISMA)) == (old, new)
            assert person.current.id == second
            assert "1 of 2, 1 settled" in person.text
            assert any("u takes it back" in said for said in person.toasts)


async def test_undo_brings_the_conflict_back_and_selects_it(tmp_path: Path) -> None:
    with store(tmp_path) as engine:
        async with sitting(engine) as person:
            await person.press("n", "s")
            await person.press("u")
            assert kinds(engine) == ["resolved supersede", "undone"]
            assert person.current.incumbent.memory.content == PAIRS[1][0]
            assert person.current.reopens is not None
            assert len(person.triage.desk.queue) == 3
            assert any("Taken back" in said for said in person.toasts)


async def test_keys_typed_ahead_are_carried_out_in_order_on_what_comes_next(tmp_path: Path) -> None:
    with store(tmp_path) as engine:
        async with sitting(engine) as person:
            await person.press("s", "r", "u", "f")
            assert kinds(engine) == ["resolved supersede", "resolved refute", "undone", "resolved force"]
            forced = [c for c in engine.conflicts(all=True) if c.settlement and c.settlement.verb is Verb.FORCE]
            assert [c.incumbent.memory.content for c in forced] == [PAIRS[1][0]]
            assert engine.verify().ok


async def test_quit_waits_for_what_is_being_written(tmp_path: Path) -> None:
    with store(tmp_path) as engine:
        async with sitting(engine) as person:
            await person.pilot.press("s", "s", "q")
            await person.until(lambda: not person.app.is_running)
        assert kinds(engine) == ["resolved supersede", "resolved supersede"]


async def test_undo_without_a_decision_of_this_sitting_takes_the_last_one(tmp_path: Path) -> None:
    with store(tmp_path) as engine:
        engine.resolve(engine.conflicts()[0].id, Verb.FORCE)
        async with sitting(engine) as person:
            await person.press("u")
            assert kinds(engine) == ["resolved force", "undone"]
            await person.press("u")
            assert kinds(engine) == ["resolved force", "undone"]
            assert any("taken back" in said for said in person.toasts)


async def test_undo_with_nothing_to_undo_is_a_sentence(tmp_path: Path) -> None:
    with store(tmp_path) as engine:
        async with sitting(engine) as person:
            await person.press("u")
            assert kinds(engine) == []
            assert person.toasts


async def test_next_previous_and_defer(tmp_path: Path) -> None:
    with store(tmp_path) as engine:
        first, second, third = (each.id for each in engine.conflicts())
        async with sitting(engine) as person:
            await person.press("n")
            assert person.current.id == second
            assert "2 of 3" in person.text
            await person.press("p", "p")
            assert person.current.id == third
            await person.press("n", "d")
            assert person.current.id == second
            assert [each.id for each in person.triage.desk.queue] == [second, third, first]
        assert kinds(engine) == []


async def test_what_reaches_further_than_one_dependant_asks_first(tmp_path: Path) -> None:
    with store(tmp_path, dependants=2) as engine:
        async with sitting(engine) as person:
            await person.press("s", "r")
            assert isinstance(person.app.screen, ConfirmScreen)
            assert "becomes suspect" in person.text
            assert kinds(engine) == []
            await person.press("n")
            assert kinds(engine) == []
            await person.press("s")
            await person.press("y")
            assert kinds(engine) == ["resolved supersede"]


async def test_one_dependant_is_not_worth_a_question(tmp_path: Path) -> None:
    with store(tmp_path, dependants=1) as engine:
        async with sitting(engine) as person:
            await person.press("s")
            assert kinds(engine) == ["resolved supersede"]
            assert any("1 memory became suspect" in said for said in person.toasts)


async def test_an_invariant_is_not_touched_and_says_why(tmp_path: Path) -> None:
    with guarded(tmp_path) as engine:
        async with sitting(engine) as person:
            bar = person.triage.query_one(VerbBar)
            assert {verb for verb in Verb if bar._refused.get(verb)} >= {Verb.SUPERSEDE, Verb.MERGE}
            for key in ("s", "m"):
                await person.press(key)
                assert person.at_desk
                assert "invariant" in person.toasts[-1]
            assert kinds(engine) == []
            await person.press("r")
            assert kinds(engine) == ["resolved refute"]


async def test_the_verb_under_the_cursor_shows_what_it_would_do_and_enter_does_it(tmp_path: Path) -> None:
    with store(tmp_path) as engine:
        async with sitting(engine) as person:
            person.triage.query_one(VerbBar).focus()
            await person.press("right")
            assert "is refuted" in person.text
            await person.press("enter")
            assert kinds(engine) == ["resolved refute"]


async def test_another_process_learns_and_it_shows(tmp_path: Path) -> None:
    with store(tmp_path, PAIRS[:1]) as engine, opened(tmp_path) as other:
        async with sitting(engine) as person:
            learn(other, "Backups are encrypted")
            await person.until(lambda: "Backups are en" in person.text)
            learn(other, PAIRS[1][0])
            learn(other, PAIRS[1][1])
            await person.until(lambda: "1 of 2" in person.text)
            assert person.current.incumbent.memory.content == ALEMBIC


async def test_the_feed_keeps_its_selection_while_others_write(tmp_path: Path) -> None:
    with store(tmp_path) as engine, opened(tmp_path) as other:
        async with sitting(engine) as person:
            feed = person.triage.query_one(Feed)
            feed.focus()
            await person.press("down", "down")
            selected = feed.seq_at(feed.cursor)
            learn(other, "Backups are encrypted")
            await person.until(lambda: feed.count == engine.head())
            assert feed.seq_at(feed.cursor) == selected
            assert "1 new" in person.text


async def test_settled_elsewhere_disappears_and_says_by_whom(tmp_path: Path) -> None:
    somebody = Author(kind=AuthorKind.HUMAN, name="noor")
    with store(tmp_path) as engine, opened(tmp_path, somebody) as other:
        gone = engine.conflicts()[0].id
        async with sitting(engine) as person:
            other.resolve(gone, Verb.SUPERSEDE)
            await person.until(lambda: "1 of 2" in person.text)
            await person.settled()
            assert person.current.id != gone
            assert any("settled elsewhere" in said and "noor" in said for said in person.toasts)


async def test_our_own_decision_is_not_told_as_somebody_elses(tmp_path: Path) -> None:
    with store(tmp_path) as engine:
        async with sitting(engine) as person:
            await person.press("s")
            await person.until(lambda: person.triage.query_one(Feed).count == engine.head())
            await person.settled()
            assert not any("elsewhere" in said for said in person.toasts)


async def test_a_decision_on_a_stale_state_is_refused_and_shown_anew(tmp_path: Path) -> None:
    with store(tmp_path) as engine, opened(tmp_path) as other:
        async with sitting(engine) as person:
            conflict = person.current
            person.triage.desk.load(
                [conflict.model_copy(update={"revision": conflict.revision - 1}), *person.triage.desk.queue[1:]]
            )
            await person.press("s")
            assert kinds(engine) == []
            assert any("changed since it was shown" in said for said in person.toasts)
            assert person.current.revision == conflict.revision
            assert other.conflicts()[0].id == conflict.id


async def test_walking_the_feed_onto_a_conflict_brings_it_in_front(tmp_path: Path) -> None:
    with store(tmp_path) as engine:
        async with sitting(engine) as person:
            person.triage.query_one(Feed).focus()
            await person.press("down")
            assert person.current.incumbent.memory.content == PAIRS[1][0]


async def test_the_filter_works_as_one_types_and_escape_clears_it(tmp_path: Path) -> None:
    with store(tmp_path) as engine:
        async with sitting(engine) as person:
            feed = person.triage.query_one(Feed)
            whole = feed.count
            await person.press("slash", *"backups")
            await person.until(lambda: feed.count == 2)
            assert person.triage.query_one(StatusLine).filter_text == "backups"
            assert kinds(engine) == []
            await person.press("enter")
            assert feed.has_focus
            assert feed.count == 2
            await person.press("escape")
            await person.until(lambda: feed.count == whole)


async def test_a_filter_holds_for_what_arrives(tmp_path: Path) -> None:
    with store(tmp_path) as engine, opened(tmp_path) as other:
        async with sitting(engine) as person:
            await person.press("slash", *"kind:held", "enter")
            feed = person.triage.query_one(Feed)
            await person.until(lambda: feed.count == 3)
            learn(other, "Backups are encrypted")
            await person.until(lambda: person.triage.desk is not None and engine.head() == 8)
            await person.settled()
            assert feed.count == 3


async def test_copy_and_explain(tmp_path: Path) -> None:
    with store(tmp_path) as engine:
        async with sitting(engine) as person:
            await person.press("y")
            assert person.app.clipboard == person.current.id
            await person.press("e")
            await person.until(lambda: isinstance(person.app.screen, ExplainScreen))
            await person.pilot.pause()
            assert person.current.id in person.text
            await person.press("escape")
            assert person.at_desk


async def test_enter_on_a_feed_entry_tells_all_about_it(tmp_path: Path) -> None:
    with store(tmp_path) as engine:
        first = engine.memories()[-1].id
        async with sitting(engine) as person:
            person.triage.query_one(Feed).focus()
            await person.press("end", "up", "enter")
            await person.until(lambda: isinstance(person.app.screen, ExplainScreen))
            await person.pilot.pause()
            assert first in person.text


async def test_the_radius_grows_and_shrinks(tmp_path: Path) -> None:
    with store(tmp_path, dependants=1) as engine:
        async with sitting(engine, (200, 50)) as person:
            pane = person.triage.query_one(NeighbourhoodPane)
            await person.press("plus")
            assert pane.radius == 2
            await person.press("plus", "plus", "minus")
            assert pane.radius == 2
            assert "radius 2" in person.text


async def test_read_only_looks_but_does_not_touch(tmp_path: Path) -> None:
    store(tmp_path).close()
    with scripted(
        Engine.open(tmp_path, actor=Author(kind=AuthorKind.HUMAN, name="x"), read_only=True), PAIRS
    ) as engine:
        async with sitting(engine) as person:
            for key in ("s", "m", "b", "u"):
                await person.press(key)
                assert "reading only" in person.toasts[-1]
                assert person.at_desk
            assert "read-only" in person.text
        assert kinds(engine) == []


async def test_an_empty_store_says_what_to_do_next(tmp_path: Path) -> None:
    with scripted(Engine.init(tmp_path, actor=MARA), ()) as engine:
        async with sitting(engine, (80, 24)) as person:
            assert "tur learn" in person.text
            for key in ("s", "m", "d", "n", "y", "e"):
                await person.press(key)
            assert person.at_desk
            assert any("nothing to decide" in said for said in person.toasts)


async def test_when_all_is_settled_it_says_so(tmp_path: Path) -> None:
    with store(tmp_path, PAIRS[:1]) as engine:
        async with sitting(engine, (80, 24)) as person:
            await person.press("x")
            assert "All settled" in person.text
            await person.press("u")
            assert "1 of 1" in person.text


async def test_an_engine_failure_is_a_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with store(tmp_path) as engine:
        async with sitting(engine) as person:

            def fail(*_: object, **__: object) -> None:
                raise RuntimeError("secret words of a memory")

            monkeypatch.setattr(engine, "resolve", fail)
            await person.press("s")
            assert any("fault of the program (RuntimeError)" in said for said in person.toasts)
            assert not any("secret words" in said for said in person.toasts)
            assert person.current.id == engine.conflicts()[0].id
            monkeypatch.undo()
            await person.press("s")
        assert kinds(engine) == ["resolved supersede"]


async def test_a_case_of_two_pairs_waits_for_both(tmp_path: Path) -> None:
    pairs = [("The port is 1", "The port is 3"), ("The port is 2", "The port is 3")]
    with store(tmp_path, pairs[:0]) as engine:
        scripted(engine, pairs)
        for text in ("The port is 1", "The port is 2", "The port is 3"):
            learn(engine, text)
        async with sitting(engine) as person:
            first = person.current
            await person.press("s")
            assert person.current.id != first.id
            assert any("Nothing changes until 1 other conflict" in said for said in person.toasts)
            await person.press("s")
            assert kinds(engine) == ["chosen", "resolved supersede"]
            assert engine.conflicts() == []


async def test_undo_names_what_brings_the_decision_back(tmp_path: Path) -> None:
    with store(tmp_path) as engine:
        async with sitting(engine) as person:
            await person.press("s")
            await person.press("u")
            undone = engine.head()
            assert f"tur undo {undone}" in person.toasts[-1]
            await person.press("u")
            assert "taken back" in person.toasts[-1]
            assert f"tur undo {undone}" in person.toasts[-1]
        engine.undo(str(undone))
        assert status_of(engine, ALEMBIC) is Status.SUPERSEDED
