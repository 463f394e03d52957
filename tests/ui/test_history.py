"""The history screen: what is believed, lives and lineages, correcting, retiring, and the past everywhere."""

from __future__ import annotations

from pathlib import Path
from typing import cast

import pytest
from textual.widgets import Input, Static, TextArea

from tests.cli.test_place import COMMIT, repository
from tests.ui.acting import can_run
from tests.ui.historian import remembering
from tests.ui.stage import Stage, lines
from tests.ui.stores import MARA, PAIRS, TLS, guarded, kinds, learn, store
from tur_engine.engine import Engine
from tur_engine.records import Draft, MemoryType, OnConflict, Remembered, Scope, Status, Verb
from tur_tui.actions import key_table, with_keys
from tur_tui.screens.admin import AdminScreen
from tur_tui.screens.graph import GraphScreen
from tur_tui.screens.help import HelpScreen
from tur_tui.screens.history import HistoryScreen
from tur_tui.screens.history_comparing import EventsCompared, TextsCompared
from tur_tui.screens.history_correct import CorrectScreen
from tur_tui.screens.history_keys import HISTORY
from tur_tui.screens.history_retire import RetireScreen
from tur_tui.screens.triage import TriageScreen
from tur_tui.widgets.believed import BelievedList
from tur_tui.widgets.line_list import LineList
from tur_tui.widgets.timeline import PastBanner, Slider

MARK = "<!-- history keys: made from tur_tui/screens/history_keys.py, a test compares -->"
ALEMBIC, PRISMA = PAIRS[0]
SMALL = "Prefer small pull requests"


def lived(root: Path) -> Engine:
    """A decision with a reason, what rests on it, and memories of other types and scopes. Head: event 8."""
    engine = store(root, PAIRS[:1], dependants=1)
    engine.resolve(engine.conflicts()[0].id, Verb.SUPERSEDE, reason="the spike went well")
    learn(engine, SMALL, MARA, type="preference")
    learn(engine, "The API speaks JSON", scope=Scope.parse("incarnation:api"))
    assert engine.head() == 7
    return engine


def test_the_readme_shows_its_keys(repo_root: Path) -> None:
    _, mark, rest = (repo_root / "docs" / "keys.md").read_text("utf-8").partition(MARK)
    assert mark, f"docs/keys.md lost the line {MARK!r}"
    assert rest.lstrip("\n").startswith(key_table(HISTORY)), f"put this below the mark:\n\n{key_table(HISTORY)}"


def test_every_action_of_the_table_can_be_run_and_has_keys_of_its_own() -> None:
    keys = [key for each in HISTORY for key in each.keys]
    assert len(set(keys)) == len(keys)
    for each in HISTORY:
        assert can_run(HistoryScreen, each), each.id


async def test_what_is_believed_is_listed_by_scope_and_type_and_walked(tmp_path: Path) -> None:
    with lived(tmp_path) as engine:
        async with remembering(engine) as person:
            listed = person.listed
            assert [row for row in listed if row.startswith("incarnation")] == [
                *("incarnation, preferences 1", "incarnation, facts 2", "incarnation:api, facts 1")
            ]
            assert not any(ALEMBIC in row for row in listed)
            assert any(row.startswith("?") and "Step 1" in row for row in listed)
            assert person.front == SMALL
            await person.press("down")  # over a heading
            await person.front_is("Prisma")
            await person.press("up", "down", "down")
            await person.front_is("Step 1")
            await person.press("a")
            await person.until(lambda: any("superseded Database migrations" in row for row in person.listed))
            await person.press("a", "slash", *"json")
            await person.front_is("The API")
            assert len(person.listed) == 2
            await person.press("escape")
            await person.until(lambda: len(person.listed) == 7)
            await person.press("slash", *"type:fakt")
            assert "did you mean fact" in person.said


async def test_the_life_the_lineage_and_what_lies_between(tmp_path: Path) -> None:
    with lived(tmp_path) as engine:
        async with remembering(engine) as person:
            person.history.visit(next(m.id for m in engine.memories(status=[Status.SUPERSEDED])))
            await person.front_is("Alembic")
            assert [row.split()[3] for row in person.life] == ["superseded", "challenged", "built", "learned"]
            assert "the spike went well" in person.text
            assert [" active " in row for row in person.lineage] == [True, False]
            # Two memories, word by word.
            await person.press("tab", "tab", "tab", "d")
            assert isinstance(person.app.screen, TextsCompared)
            assert "Prisma Migrate" in person.text
            await person.press("escape", "shift+tab", "space", "end", "space", "d")
            await person.until(lambda: isinstance(person.app.screen, EventsCompared))
            assert "~ superseded: fact-" in person.text
            # Enter in the lineage puts that one in front; backspace goes back.
            await person.press("escape", "escape", "tab", "up", "enter")
            await person.front_is("Prisma")
            await person.press("backspace")
            await person.front_is("Alembic")
            # A mark needs a pane with points.
            await person.press("tab", "space")
            assert "tab goes there" in person.said


async def test_a_correction_passes_the_gate_and_supersedes(tmp_path: Path, workdir: Path) -> None:
    repository(workdir)
    with lived(tmp_path) as engine:
        async with remembering(engine) as person:
            await person.press("c", "f2")
            await person.until(lambda: "as it was" in person.text)
            assert isinstance(person.app.screen, CorrectScreen)
            await person.press(*", always")
            await person.until(lambda: "contradicts nothing else" in person.text)
            await person.press("f2")
            await person.until(lambda: person.at_history)
            await person.front_is(", always")
            assert any("pull requests, alw" in row for row in person.listed)
            assert "supersedes preference-" in person.said
        new = next(each for each in engine.memories() if each.memory.content == f"{SMALL}, always")
        assert new.memory.author == MARA
        assert new.memory.type == "preference"
        assert (new.memory.provenance["branch"], new.memory.provenance["commit"]) == ("feature/x", COMMIT)
        assert [each.how for each in engine.lineage(new.id).descents] == ["superseded"]


async def test_a_correction_that_clashes_is_held_and_a_duplicate_is_refused(tmp_path: Path) -> None:
    with store(tmp_path, PAIRS) as engine:
        learn(engine, SMALL, MARA, type="preference")
        async with remembering(engine) as person:
            assert person.front == SMALL
            await person.press("c")
            person.app.screen.query_one("#text", TextArea).text = ALEMBIC
            await person.press("f2")
            await person.until(lambda: "Not saved" in person.text)
            person.app.screen.query_one("#text", TextArea).text = PAIRS[1][1]
            await person.until(lambda: "contradicts" in person.text or "says this already" in person.text)
            await person.press("escape")
            assert "Nothing was changed" in person.said


async def test_retiring_asks_for_a_reason_and_says_what_falls(tmp_path: Path) -> None:
    with store(tmp_path, (), dependants=0) as engine:
        base = learn(engine, "Releases are cut on Tuesdays", MARA, type="preference").id or ""
        learn(engine, "The release notes are written on Mondays", rests_on=base)
        async with remembering(engine) as person:
            await person.press("r")
            await person.until(lambda: "1 memory rests on it" in person.text)
            await person.press("enter")
            assert isinstance(person.app.screen, RetireScreen)
            assert "Say why" in person.text
            await person.press(*"we release daily", "enter")
            await person.until(lambda: person.at_history)
            assert "is retired" in person.said
            await person.until(lambda: any(row.startswith("?") for row in person.listed))
        assert engine.memory(base).status is Status.RETRACTED
        assert engine.history(base)[-1].reason == "we release daily"


async def test_an_invariant_is_only_proposed_otherwise_or_away(tmp_path: Path) -> None:
    with guarded(tmp_path) as engine:
        law = next(each for each in engine.memories() if each.approved)
        async with remembering(engine) as person:
            assert person.listed[0].startswith("Constitution")
            assert person.front == TLS[0]
            await person.press("r", *"we trust the mesh", "enter")
            await person.until(lambda: person.at_history)
            assert "waits for reviewers" in person.said
            await person.press("c", *" 1.3", "f2")
            await person.until(lambda: person.at_history)
            assert "Proposed in place of" in person.said
        assert engine.memory(law.id).approved
        assert {each.kind.value for each in engine.proposals()} == {"retire", "adopt"}


async def test_the_whole_workbench_shows_the_past_and_one_key_comes_back(tmp_path: Path) -> None:
    with lived(tmp_path) as engine:
        head = engine.head()
        async with remembering(engine) as person:
            app = person.app
            await person.press("at", *"4", "enter")
            await person.moment(4)
            assert "THE PAST  as of event 4 of 7" in person.text
            assert any(ALEMBIC in row for row in person.listed)
            assert not any(SMALL in row for row in person.listed)
            # Writing is off, and says why.
            await person.press("r")
            assert "This is the past" in person.said
            # The triage screen of the past holds the conflict that was open then; verbs say that it is past.
            await person.press("1")
            past = cast(TriageScreen, app.screen)
            assert isinstance(past, TriageScreen)
            await person.until(lambda: past.desk.current)
            assert ALEMBIC.rpartition(" ")[2] in person.text
            assert "THE PAST" in person.text
            await person.press("s", "u")
            assert [toast for toast in person.toasts if "This is the past, as of event 4" in toast]
            assert kinds(engine) == ["resolved supersede"]
            # So do the graph and the admin screen; the graph knows nothing that came later.
            await person.press("4")
            assert isinstance(app.screen, GraphScreen)
            assert app.screen.engine.as_of == 4
            assert "THE PAST" in person.text
            assert "small pull" not in person.text
            await person.press("2")
            assert isinstance(app.screen, AdminScreen)
            assert app.screen.engine.as_of == 4
            # Back to the present from there: the same kind of screen, without the banner.
            await person.press("0")
            await person.moment(None)
            assert isinstance(app.screen, AdminScreen)
            assert app.screen.engine is engine
            assert not app.screen.query(PastBanner)
            await person.press("1")
            assert app.screen is person.triage
            assert len(app.screen_stack) == 2
        assert engine.head() == head


async def test_the_slider_moves_by_keys_and_clicks_and_follows_what_is_recorded(tmp_path: Path) -> None:
    with lived(tmp_path) as engine:
        async with remembering(engine) as person:
            slider = person.history.query_one(Slider)
            await person.press("left_square_bracket", "left_square_bracket")
            assert slider.seq == 5
            await person.moment(5)
            learn(engine, "The office closes at six", MARA)
            await person.until(lambda: slider.head == 8)
            assert slider.seq == 5
            await person.press("right_square_bracket")
            await person.moment(6)
            await person.pilot.click(Slider, offset=(slider.size.width - 2, 0))
            await person.moment(None)
            assert any("office" in row for row in person.listed)
            await person.press("at", *"soon", "enter")
            await person.until(lambda: "no moment" in person.said)
            await person.press("escape")
            # Enter on an event of the life goes to that moment.
            await person.press("tab", "tab", "end", "enter")
            await person.until(lambda: person.app.asked.as_of)
            await person.press("0")
            await person.moment(None)
            await person.press("0")
            assert "present already" in person.toasts[-1]


async def test_what_is_no_moment_is_mended_in_its_field_and_acts_on_nothing(tmp_path: Path) -> None:
    with lived(tmp_path) as engine:
        async with remembering(engine) as person:
            await person.press("at")
            for wrong in ("soon", "999"):
                await person.press(*wrong, "enter")
                await person.until(lambda: "no moment" in person.said or "no event 999" in person.said)
                field = person.app.focused
                assert isinstance(field, Input)
                assert field.value == wrong
                await person.press("ctrl+u")  # in the field; digits would go to other screens
            await person.press(*"4", "enter")
            await person.moment(4)
            assert person.at_history
            assert not isinstance(person.app.focused, Input)


async def test_a_memory_of_later_has_no_place_in_the_past(tmp_path: Path) -> None:
    with lived(tmp_path) as engine:
        async with remembering(engine) as person:
            assert person.front == SMALL
            await person.press("at", *"2", "enter")
            await person.moment(2)
            await person.until(lambda: person.history.desk.known is None or person.front != SMALL)
            assert person.app.is_running
            await person.press("d", "c", "E", "y")
            assert person.at_history


async def test_the_history_of_a_memory_is_exported(tmp_path: Path) -> None:
    out = tmp_path / "out"
    out.mkdir()
    with lived(tmp_path) as engine:
        async with remembering(engine, here=out) as person:
            for key, files in (("m", 1), ("s", 2), ("m", 3)):
                await person.press("E", key)
                await person.until(lambda: "Written to" in person.said)
                assert len([*out.iterdir()]) == files
            await person.press("E", "escape", "y")
            assert person.app.clipboard.startswith("preference-")
    begins = [(path.suffix, path.read_text()[:4]) for path in sorted(out.iterdir())]
    assert begins == [(".md", "# Hi"), (".md", "# Hi"), (".svg", "<svg")]


async def test_a_folder_that_cannot_be_written_is_said(tmp_path: Path) -> None:
    with lived(tmp_path) as engine:
        async with remembering(engine, here=tmp_path / "gone") as person:
            await person.press("E", "m")
            await person.until(lambda: "nothing was exported" in person.said)


async def test_what_another_process_learns_appears(tmp_path: Path) -> None:
    with lived(tmp_path) as engine, Engine.open(tmp_path, actor=MARA) as other:
        async with remembering(engine) as person:
            other.note("only a note")
            draft = Draft(content="Lunch is at noon", type="preference", author=MARA)
            other._minds, other._gate = engine._minds, engine._gate
            engine.learn(draft, on_conflict=OnConflict.HOLD)
            await person.until(lambda: any("Lunch" in row for row in person.listed))
            assert person.front == SMALL
            assert person.history.query_one("#list", LineList).cursor > 1


async def test_a_proposal_that_waits_is_told_from_a_memory_that_fell(tmp_path: Path) -> None:
    with lived(tmp_path) as engine:
        learn(engine, "Lint runs in CI", MARA)
        asked = Draft(content="Nobody pushes to main", type=MemoryType.AXIOM, author=MARA)
        assert engine.propose(asked, reason="it was broken twice").outcome == "proposed"
        async with remembering(engine) as person:
            await person.press("a")
            await person.until(lambda: any("Nobody pushes" in row for row in person.listed))
            assert any(row.startswith("✧ axiom-") and "pending" in row for row in person.listed)
            assert any(row.startswith("✗ ") and "superseded" in row for row in person.listed)
            await person.press("question_mark")
            told = [str(each.render()) for each in person.app.screen.query(Static)]
            assert any("✧ a proposal that waits for signatures" in each for each in told)


@pytest.mark.parametrize("theme", ["tur-dark", "tur-mono"])
async def test_where_a_memory_stands_has_a_glyph_of_its_own_in_every_theme(theme: str) -> None:
    standing = (Status.ACTIVE, Status.SUSPECT, Status.PENDING, Status.HELD, Status.SUPERSEDED)
    rows = [
        Remembered(seq, MemoryType.FACT, Scope(), status, False, False) for seq, status in enumerate(standing, start=1)
    ]
    made = BelievedList()
    async with Stage(made, theme=theme).run_test(size=(40, 10)) as pilot:
        made.show(rows, keep=0, empty="")
        await pilot.pause()
        assert [line[1] for line in lines(made)[: len(rows)]] == [" ", "?", "✧", "!", "✗"]


async def test_help_and_leaving(tmp_path: Path) -> None:
    with lived(tmp_path) as engine:
        async with remembering(engine) as person:
            await person.press("question_mark")
            assert isinstance(person.app.screen, HelpScreen)
            told = "\n".join(str(each.render()) for each in person.app.screen.query(Static))
            assert all(with_keys(each.help) in told for each in HISTORY)
            await person.press("escape", "g")
            assert isinstance(person.app.screen, GraphScreen)
            await person.press("3", "escape")
            assert person.at_desk
            assert len(person.app.screen_stack) == 2


@pytest.mark.parametrize("size", [(200, 50), (60, 15), (59, 15), (1, 1)])
async def test_every_key_at_every_size_and_none_acts_where_one_cannot_see(
    tmp_path: Path, size: tuple[int, int]
) -> None:
    with lived(tmp_path) as engine:
        head = engine.head()
        alive = size[0] >= 60 and size[1] >= 15
        async with remembering(engine, size) as person:
            await person.press("r", "c", "left_square_bracket", "d", "E", "at", "slash", "a")
            screen = person.app.screen
            assert isinstance(screen, HistoryScreen) is not alive
            await person.press("escape", "escape", "escape")
            person.app.screen.set_focus(None)
            for keys in ("tab tab tab space d", "escape", "enter", "shift+tab", "question_mark", "escape", "0", "3"):
                await person.press(*keys.split())
            assert person.app.is_running
            assert all(len(row) <= size[0] for row in person.text.splitlines())
        assert engine.head() == head


async def test_no_key_acts_while_the_search_is_typed(tmp_path: Path) -> None:
    with lived(tmp_path) as engine:
        async with remembering(engine) as person:
            await person.press("slash", *"crdaE0123q?")
            assert person.history.query_one("#find", Input).value == "crdaE0123q?"
            assert person.at_history
