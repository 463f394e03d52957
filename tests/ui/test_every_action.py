"""Every action of every screen does what its table says. A new action without a case here fails the first test."""

from __future__ import annotations

from pathlib import Path
from typing import cast

import pytest
from textual.screen import Screen
from textual.widgets import Input

from tests.ui.acting import CASES, act, case, run_all
from tests.ui.sitting import Sitting, sitting
from tests.ui.stores import PAIRS, guarded, kinds, learn, store
from tur_engine.engine import Engine
from tur_engine.records import Verb
from tur_tui.screens.admin import AdminScreen
from tur_tui.screens.branch import BranchScreen
from tur_tui.screens.explain import ExplainScreen
from tur_tui.screens.export import ExportScreen
from tur_tui.screens.graph import GraphScreen
from tur_tui.screens.health import HealthScreen
from tur_tui.screens.held_back import HeldBackScreen
from tur_tui.screens.help import HelpScreen
from tur_tui.screens.history import HistoryScreen
from tur_tui.screens.history_correct import CorrectScreen
from tur_tui.screens.history_retire import RetireScreen
from tur_tui.screens.merge import MergeScreen
from tur_tui.screens.notices import NoticesScreen
from tur_tui.screens.palette import PaletteScreen
from tur_tui.screens.propose import ProposeScreen
from tur_tui.screens.tables import TABLES
from tur_tui.screens.triage import TriageScreen
from tur_tui.widgets.line_list import LineList
from tur_tui.widgets.neighbourhood import NeighbourhoodPane
from tur_tui.widgets.timeline import Timeline
from tur_tui.widgets.verb_bar import VerbBar

ELSEWHERE = {"scan": "test_every_action_of_scan.py"}
"""A screen of a program of its own."""


def test_every_action_has_a_case() -> None:
    for screen, actions in TABLES.items():
        if screen not in ELSEWHERE:
            assert [each.id for each in actions if each.id not in CASES[screen]] == [], screen
            assert CASES[screen].keys() - {each.id for each in actions} == set(), screen


# everywhere --------------------------------------------------------------------------


def everywhere(screen: str, *others: str) -> None:
    """What every screen has: the other screens, theme, palette, notices, help, now."""
    shown: dict[str, type[Screen[None]]] = {
        "triage": TriageScreen,
        "admin": AdminScreen,
        "history": HistoryScreen,
        "graph": GraphScreen,
        "health": HealthScreen,
    }

    def leads(name: str) -> None:
        @case(screen, f"screen.{name}")
        async def goes(person: Sitting) -> None:
            await act(person, screen, f"screen.{name}")
            assert isinstance(person.app.screen, shown[name])

    for name in others:
        leads(name)

    @case(screen, "theme.next")
    async def theme(person: Sitting) -> None:
        before = person.app.theme
        await act(person, screen, "theme.next")
        assert person.app.theme != before

    @case(screen, "palette")
    async def palette(person: Sitting) -> None:
        await act(person, screen, "palette")
        assert isinstance(person.app.screen, PaletteScreen)

    @case(screen, "notices")
    async def notices(person: Sitting) -> None:
        await act(person, screen, "notices")
        assert isinstance(person.app.screen, NoticesScreen)

    @case(screen, "store.open_anew")
    async def anew(person: Sitting) -> None:
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(person.app, "exit", lambda: None)
            await act(person, screen, "store.open_anew")
            await person.until(lambda: person.app.anew)
        person.app.anew = False

    @case(screen, "help")
    async def helps(person: Sitting) -> None:
        await act(person, screen, "help")
        assert isinstance(person.app.screen, HelpScreen)

    @case(screen, "time.now")
    async def now(person: Sitting) -> None:
        await act(person, screen, "time.now")
        assert person.app.past is None
        assert any("This is the present already" in said for said in person.toasts)

    @case(screen, "quit")
    async def leaves(person: Sitting) -> None:
        await person.pilot.press("q")
        await person.pilot.pause()
        assert not person.app.is_running


everywhere("triage", "admin", "history", "graph", "health")
everywhere("admin", "triage", "history", "graph", "health")
everywhere("history", "triage", "admin", "graph", "health")
everywhere("graph", "triage", "admin", "history", "health")
everywhere("health", "triage", "admin", "history", "graph")

# triage ------------------------------------------------------------------------------


def writes(verb: Verb) -> None:
    @case("triage", f"conflict.{verb}")
    async def decides(person: Sitting) -> None:
        before = kinds(person.triage.engine)
        await act(person, "triage", f"conflict.{verb}")
        await person.until(lambda: kinds(person.triage.engine) == [*before, f"resolved {verb}"])


for each in (Verb.SUPERSEDE, Verb.REFUTE, Verb.FORCE, Verb.DISMISS, Verb.ABORT):
    writes(each)


@case("triage", "conflict.merge")
async def merges(person: Sitting) -> None:
    await act(person, "triage", "conflict.merge")
    assert isinstance(person.app.screen, MergeScreen)


@case("triage", "conflict.scope_branch")
async def narrows(person: Sitting) -> None:
    await act(person, "triage", "conflict.scope_branch")
    assert isinstance(person.app.screen, BranchScreen)


@case("triage", "conflict.undo")
async def takes_back(person: Sitting) -> None:
    await act(person, "triage", "conflict.undo")
    await person.until(lambda: kinds(person.triage.engine)[-1] == "undone")


@case("triage", "conflict.propose")
async def proposes(person: Sitting) -> None:
    await act(person, "triage", "conflict.propose")
    assert any("no invariant" in said for said in person.toasts)


@case("triage", "conflict.next", "conflict.previous", "conflict.defer")
async def walks(person: Sitting) -> None:
    first = person.current.id
    await act(person, "triage", "conflict.next")
    assert person.current.id != first
    await act(person, "triage", "conflict.previous")
    assert person.current.id == first
    await act(person, "triage", "conflict.defer")
    assert person.triage.desk.queue[-1].id == first
    assert person.current.id != first


@case("triage", "conflict.mark", "conflict.mark_group")
async def marks(person: Sitting) -> None:
    await act(person, "triage", "conflict.mark")
    assert len(person.triage.desk.marked) == 1
    await act(person, "triage", "conflict.mark_group")
    assert len(person.triage.desk.marked) == 2
    await person.press("escape")
    assert not person.triage.desk.marked


@case("triage", "held.open")
async def holds_back(person: Sitting) -> None:
    await act(person, "triage", "held.open")
    await person.until(lambda: isinstance(person.app.screen, HeldBackScreen))


@case("triage", "verb.next", "verb.previous")
async def foresees(person: Sitting) -> None:
    bar = person.triage.query_one(VerbBar)
    before = bar.verb
    await act(person, "triage", "verb.next")
    assert bar.verb is not before
    await act(person, "triage", "verb.previous")
    assert bar.verb is before


@case("triage", "pane.next", "pane.previous")
async def tabs(person: Sitting) -> None:
    before = person.triage.pane
    await act(person, "triage", "pane.next")
    assert person.triage.pane != before
    await act(person, "triage", "pane.previous")
    assert person.triage.pane == before


@case("triage", "feed.smaller", "feed.larger")
async def shares(person: Sitting) -> None:
    before = person.triage.feed_size
    await act(person, "triage", "feed.smaller")
    assert person.triage.feed_size == before - 1
    await act(person, "triage", "feed.larger")
    assert person.triage.feed_size == before


@case("triage", "feed.filter")
async def filters(person: Sitting) -> None:
    await act(person, "triage", "feed.filter")
    assert person.triage.query_one("#filter", Input).has_focus
    await person.press("escape")


@case("triage", "conflict.explain")
async def explains(person: Sitting) -> None:
    await act(person, "triage", "conflict.explain")
    await person.until(lambda: isinstance(person.app.screen, ExplainScreen))


@case("triage", "graph.wider", "graph.closer")
async def widens(person: Sitting) -> None:
    pane = person.triage.query_one(NeighbourhoodPane)
    await act(person, "triage", "graph.wider")
    assert pane.radius == 2
    await act(person, "triage", "graph.closer")
    assert pane.radius == 1


@case("triage", "conflict.copy", "conflict.copy_text")
async def copies(person: Sitting) -> None:
    current = person.current
    await act(person, "triage", "conflict.copy")
    assert person.app.clipboard == current.id
    await act(person, "triage", "conflict.copy_text")
    assert current.incumbent.memory.content in person.app.clipboard
    assert current.challenger.memory.content in person.app.clipboard


@case("triage", "source.open")
async def opens(person: Sitting) -> None:
    await act(person, "triage", "source.open")
    assert any("No editor is named" in said for said in person.toasts)


@case("triage", "conflict.export")
async def exports(person: Sitting) -> None:
    await act(person, "triage", "conflict.export")
    assert isinstance(person.app.screen, ExportScreen)


@case("triage", "graph.open")
async def draws(person: Sitting) -> None:
    person.triage.show_pane("diff")
    await person.pilot.pause()
    sides = {person.current.incumbent.memory.digest, person.current.challenger.memory.digest}
    await act(person, "triage", "graph.open")
    assert {*cast(GraphScreen, person.app.screen).desk.centre} == sides


# admin ---------------------------------------------------------------------------------


@case("admin", "proposal.approve", "proposal.reject", "proposal.copy", "proposal.next", "proposal.previous")
async def judges(person: Sitting) -> None:
    """On an empty list each says that there is nothing; tests/ui/test_admin.py signs."""
    for name in ("proposal.approve", "proposal.reject", "proposal.copy", "proposal.next", "proposal.previous"):
        await person.press("x")
        await act(person, "admin", name)
        assert "o proposal" in person.text or "othing" in person.text, name


@case("admin", "key.unlock", "key.lock")
async def unlocks(person: Sitting) -> None:
    """Without a key both say so; tests/ui/test_admin.py unlocks and locks."""
    admin = cast(AdminScreen, person.app.screen)
    await act(person, "admin", "key.unlock")
    assert person.app.screen is admin
    assert "key" in person.text
    await act(person, "admin", "key.lock")
    assert admin.key_lock.signer is None


@case("admin", "page.waiting", "page.decided", "page.reviewers", "page.log", "page.next", "page.previous")
async def turns(person: Sitting) -> None:
    desk = cast(AdminScreen, person.app.screen).desk
    for name in ("decided", "reviewers", "log", "waiting"):
        await act(person, "admin", f"page.{name}")
        assert str(desk.view) == name
    await act(person, "admin", "page.next")
    assert str(desk.view) == "decided"
    await act(person, "admin", "page.previous")
    assert str(desk.view) == "waiting"


@case("admin", "pane.other", "text.more")
async def reads_on(person: Sitting) -> None:
    """Nothing is listed here, so the text keeps the focus; tests/ui/test_admin_views.py walks to and fro."""
    before = person.text
    await act(person, "admin", "pane.other", "text.more")
    assert person.text == before


# history -------------------------------------------------------------------------------


@case("history", "memory.correct")
async def corrects(person: Sitting) -> None:
    await act(person, "history", "memory.correct")
    assert isinstance(person.app.screen, CorrectScreen)


@case("history", "memory.retire")
async def retires(person: Sitting) -> None:
    await act(person, "history", "memory.retire")
    assert isinstance(person.app.screen, RetireScreen)


@case("history", "history.find", "history.leave")
async def finds(person: Sitting) -> None:
    await act(person, "history", "history.find")
    assert person.app.screen.query_one("#find", Input).has_focus
    await act(person, "history", "history.leave")
    assert not person.app.screen.query_one("#finding").display
    await act(person, "history", "history.leave")
    assert person.at_desk


@case("history", "history.ever")
async def ever(person: Sitting) -> None:
    desk = cast(HistoryScreen, person.app.screen).desk
    await act(person, "history", "history.ever")
    assert str(desk.page) == "ever"
    await act(person, "history", "history.ever")
    assert str(desk.page) == "believed"


@case("history", "history.mark", "history.diff", "history.open", "pane.next", "pane.previous")
async def points(person: Sitting) -> None:
    history = cast(HistoryScreen, person.app.screen)
    await act(person, "history", "pane.next", "pane.next")
    assert history.focused is history.query_one(Timeline)
    await act(person, "history", "history.mark")
    assert len(history.query_one(Timeline).marked) == 1
    await act(person, "history", "history.diff")
    assert "two points" in person.text or "Mark" in person.text or person.app.screen is not history
    while person.app.screen is not history:
        await person.press("escape")
    await act(person, "history", "history.mark", "history.open")
    await person.until(lambda: person.app.past)
    await act(person, "history", "time.now", "pane.previous")
    assert person.app.past is None
    assert history.focused is not history.query_one(Timeline)


@case("history", "history.back")
async def goes_back(person: Sitting) -> None:
    await act(person, "history", "history.back")
    await person.until(lambda: "where you began" in person.text)


async def at(person: Sitting, seq: int) -> None:
    await person.until(lambda: person.app.asked.as_of == seq)


@case("history", "time.earlier", "time.later", "time.much_earlier", "time.much_later", "time.go")
async def slides(person: Sitting) -> None:
    app = person.app
    head = app.engine.head()
    for name, seq in (("earlier", head - 1), ("much_earlier", head - 2), ("later", head - 1)):
        await act(person, "history", f"time.{name}")
        await at(person, seq)
    await act(person, "history", "time.much_later")
    await person.until(lambda: app.past is None)
    await act(person, "history", "time.go")
    assert app.screen.query_one("#moment", Input).has_focus
    await person.press("escape")


@case("history", "history.export")
async def exports_history(person: Sitting) -> None:
    await act(person, "history", "history.export")
    assert person.app.screen is not person.app.get_screen("history")


@case("history", "history.copy")
async def copies_id(person: Sitting) -> None:
    known = cast(HistoryScreen, person.app.screen).desk.known
    await act(person, "history", "history.copy")
    assert known is not None
    assert person.app.clipboard == known.belief.id


@case("history", "graph.open")
async def draws_it(person: Sitting) -> None:
    known = cast(HistoryScreen, person.app.screen).desk.known
    await act(person, "history", "graph.open")
    assert known is not None
    assert cast(GraphScreen, person.app.screen).desk.centre == (known.belief.memory.digest,)


# graph ---------------------------------------------------------------------------------


@case("graph", "graph.find", "graph.leave", "row.next", "row.previous")
async def finds_node(person: Sitting) -> None:
    graph = cast(GraphScreen, person.app.screen)
    await act(person, "graph", "graph.find")
    assert graph.query_one("#find", Input).has_focus
    rows = cast(LineList, graph.query_one("#list"))
    await person.until(lambda: rows.count > 1)
    await act(person, "graph", "row.next")
    assert rows.cursor == 1
    await act(person, "graph", "row.previous")
    assert rows.cursor == 0
    await act(person, "graph", "graph.leave")
    assert not graph.query_one("#finding").display
    await act(person, "graph", "graph.leave")
    assert person.at_desk


@case("graph", "graph.centre", "graph.back")
async def centres(person: Sitting) -> None:
    graph = cast(GraphScreen, person.app.screen)
    rested_on = person.app.engine.find(PAIRS[0][0])[0].memory.digest
    person.app.show_graph((rested_on,))
    await person.until(lambda: graph.desk.drawn == (rested_on,))
    before = graph.desk.centre
    await person.press("left")
    await act(person, "graph", "graph.centre")
    await person.until(lambda: graph.desk.centre != before)
    await act(person, "graph", "graph.back")
    await person.until(lambda: graph.desk.centre == before)


@case("graph", "graph.wider", "graph.closer")
async def widens_graph(person: Sitting) -> None:
    graph = cast(GraphScreen, person.app.screen)
    await act(person, "graph", "graph.wider")
    assert graph.desk.radius == 2
    await act(person, "graph", "graph.closer")
    assert graph.desk.radius == 1


@case("graph", "graph.path")
async def path(person: Sitting) -> None:
    graph = cast(GraphScreen, person.app.screen)
    await act(person, "graph", "graph.path")
    assert graph.desk.start
    await act(person, "graph", "graph.path")
    assert not graph.desk.start


@case("graph", "graph.lists", "graph.types", "page.next", "page.previous")
async def lists(person: Sitting) -> None:
    graph = cast(GraphScreen, person.app.screen)
    await act(person, "graph", "graph.lists")
    assert str(graph.desk.page) == "contradictions"
    await act(person, "graph", "page.next")
    assert str(graph.desk.page) == "cycles"
    await act(person, "graph", "page.previous")
    assert str(graph.desk.page) == "contradictions"
    await act(person, "graph", "graph.types")
    assert str(graph.desk.page) == "types"


@case("graph", "pane.next", "pane.previous")
async def tabs_graph(person: Sitting) -> None:
    graph = cast(GraphScreen, person.app.screen)
    graph.show_pane("graph")
    await act(person, "graph", "pane.next")
    assert graph.focused is graph.query_one("#list")
    await act(person, "graph", "pane.previous")
    assert graph.focused is graph.query_one("#graph")


@case("graph", "graph.outline")
async def outlines(person: Sitting) -> None:
    before = person.text
    await act(person, "graph", "graph.outline")
    assert person.text != before
    await act(person, "graph", "graph.outline")
    assert person.text == before


@case("graph", "graph.copy", "graph.mermaid")
async def copies_drawing(person: Sitting) -> None:
    await act(person, "graph", "graph.copy")
    assert "fact-" in person.app.clipboard
    await act(person, "graph", "graph.mermaid")
    assert person.app.clipboard.startswith("graph LR")


# health ----------------------------------------------------------------------------------


@case("health", "health.check")
async def checks(person: Sitting) -> None:
    await person.until(lambda: cast(HealthScreen, person.app.screen).health)
    await act(person, "health", "health.check")
    await person.until(lambda: "✓" in person.text)


@case("health", "health.copy")
async def copies_page(person: Sitting) -> None:
    await person.until(lambda: cast(HealthScreen, person.app.screen).health)
    await act(person, "health", "health.copy")
    assert "active" in person.app.clipboard


@case("health", "health.leave")
async def leaves_health(person: Sitting) -> None:
    await act(person, "health", "health.leave")
    assert person.at_desk


# the sittings ----------------------------------------------------------------------------

MORE = (
    *PAIRS,
    ("The cache holds 100 entries", "The cache holds 200 entries"),
    ("Logs are kept in Loki", "Logs are kept in Elastic"),
    ("The gateway times out after 5 s", "The gateway times out after 9 s"),
    ("Builds run on Linux", "Builds run on Windows"),
    ("Reviews take one day", "Reviews take two days"),
)


def lived(root: Path) -> Engine:
    """Eight open conflicts and what rests on one side."""
    return store(root, MORE, dependants=1)


@pytest.mark.parametrize("screen", ["triage", "admin", "history", "graph", "health"])
async def test_every_key_does_what_its_table_says(tmp_path: Path, screen: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("VISUAL", raising=False)
    monkeypatch.delenv("EDITOR", raising=False)
    with lived(tmp_path) as engine:
        async with sitting(engine, (100, 30), here=tmp_path) as person:
            leaves = CASES[screen].pop("quit")
            try:
                await run_all(person, screen)
            finally:
                CASES[screen]["quit"] = leaves
            getattr(person.app, f"show_{screen}")()
            await person.settled()
            await leaves(person)


async def test_a_proposal_begins_where_an_invariant_stands_in_the_way(tmp_path: Path) -> None:
    with guarded(tmp_path) as engine:
        async with sitting(engine) as person:
            await act(person, "triage", "conflict.propose")
            assert isinstance(person.app.screen, ProposeScreen)


@pytest.mark.parametrize("size", [(20, 5), (1, 1)])
async def test_in_a_window_too_small_to_see_no_key_writes(tmp_path: Path, size: tuple[int, int]) -> None:
    with store(tmp_path) as engine:
        learn(engine, "Reviews take one day")
        before = engine.head()
        async with sitting(engine, size) as person:
            for screen in ("triage", "admin", "history", "graph"):
                getattr(person.app, f"show_{screen}")()
                await person.settled()
                for each in TABLES[screen]:
                    if each.danger:
                        await person.press(each.keys[0], "enter", "y", "escape")
        assert engine.head() == before
