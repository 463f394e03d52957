"""What the actions of the triage screen do."""

from __future__ import annotations

from typing import cast

from textual.widgets import Input

from tests.ui.acting import act, case
from tests.ui.sitting import Sitting
from tests.ui.stores import kinds
from tur_engine.records import Verb
from tur_tui.screens.branch import BranchScreen
from tur_tui.screens.explain import ExplainScreen
from tur_tui.screens.export import ExportScreen
from tur_tui.screens.graph import GraphScreen
from tur_tui.screens.held_back import HeldBackScreen
from tur_tui.screens.merge import MergeScreen
from tur_tui.widgets.neighbourhood import NeighbourhoodPane
from tur_tui.widgets.verb_bar import VerbBar


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
