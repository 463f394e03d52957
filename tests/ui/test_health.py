"""The health screen, driven by keys: facts, the check of the ledger, and what it says where something is missing."""

from __future__ import annotations

import threading
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from datetime import timedelta
from pathlib import Path
from typing import Any, cast

import pytest
from textual.widgets import Static

from tests.ui.sitting import Sitting, sitting
from tests.ui.stage import HOSTILE, MOMENT
from tests.ui.stores import AGENT, MARA, PAIRS, learn, store
from tur_engine.engine import Engine
from tur_engine.errors import Stopped
from tur_engine.records import (
    AgentRate,
    Author,
    AuthorKind,
    Band,
    Calibration,
    Disk,
    Health,
    MemoryType,
    Merkle,
    Pace,
    Status,
    Verb,
    VerifyReport,
)
from tur_tui.actions import key_table
from tur_tui.desk.checking import Check, outcome
from tur_tui.drawing.health_rows import as_text, page
from tur_tui.screens.health import HealthScreen
from tur_tui.screens.health_keys import HEALTH
from tur_tui.widgets.health_page import HealthPage


class Physician(Sitting):
    """Sees the page and the line over it."""

    @property
    def health(self) -> HealthScreen:
        return cast(HealthScreen, self.app.get_screen("health"))

    @property
    def rows(self) -> list[str]:
        """The page as it is drawn."""
        page = self.health.query_one(HealthPage)
        drawn = [page.render_line(y).text for y in range(page.scrollable_content_region.height)]
        return [" ".join(line.split()) for line in drawn if line.strip()]

    @property
    def checked(self) -> str:
        return str(self.health.query_one("#checked", Static).render())

    @property
    def told(self) -> str:
        return str(self.health.query_one("#told", Static).render())


@asynccontextmanager
async def examining(engine: Engine, size: tuple[int, int] = (120, 36)) -> AsyncIterator[Physician]:
    """Open the workbench and go to the health screen."""
    async with sitting(engine, size) as made:
        person = Physician(made.app, made.pilot)
        await person.press("5")
        await person.until(lambda: person.health.health)
        await person.settled()
        yield person


def facts(**more: Any) -> Health:
    """The health of some store."""
    given: dict[str, Any] = {
        "counts": {Status.ACTIVE: {MemoryType.FACT: 1200, MemoryType.EVENT: 3}, Status.HELD: {MemoryType.FACT: 2}},
        "open_since": (MOMENT - timedelta(days=40), MOMENT - timedelta(minutes=3)),
        "agents": (AgentRate(author=AGENT, memories=1205, clashing=6),),
        "calibration": Calibration(threshold=0.25, dismissed=0, settled=0, needed=20, advice="too few"),
        "weighed": Pace(answers=9, p50=4.25, p95=40, p99=41, worst=1234),
        "learned": Pace(answers=9, p50=9, p95=50, p99=51, worst=1300),
        "head": Merkle(size=1300, root="ab" * 32),
        "at": MOMENT,
        "witness": "this machine saw 1,300 events, root abab",
        "disk": Disk(store=2_400_000, log=0, free=80_000_000_000),
    }
    return Health(**given | more)


def written(health: Health, width: int = 78) -> str:
    return as_text(health, MOMENT, width)


def test_the_page_says_what_there_is() -> None:
    text = written(facts(checkpoints=2, checkpoint=7))
    assert "MEMORIES  1,205 memories" in text
    assert "fact 1,200, event 3" in text
    assert "under an hour" in text
    assert "older" in text
    assert "The oldest was found 5 weeks ago." in text
    assert "1,205      6    0%" in text
    assert "probe and verdict     4.2" in text
    assert "1,234" in text
    assert "none yet: 20 are needed" in text
    assert "2, the last is event 7" in text
    assert "2.4 MB; 80 GB free" in text


def test_an_empty_store_says_what_is_needed() -> None:
    none = Pace(answers=0)
    text = written(facts(counts={}, open_since=(), agents=(), weighed=none, learned=none))
    assert "None yet. Teach it something" in text
    assert "None is open." in text
    assert "Nobody has written anything yet." in text
    assert "Nothing was learned on this machine yet" in text
    assert "nothing is signed yet" in text


def test_bars_of_the_chart_stand_beside_what_was_said() -> None:
    bands = (
        Band(low=0.4, high=0.5, said=0.45, decided=2, clashes=0),
        Band(low=0.8, high=0.9, said=0.84, decided=30, clashes=9),
        Band(low=0.9, high=1.0, said=0.95, decided=10, clashes=10),
    )
    found = Calibration(threshold=0.25, dismissed=23, settled=19, needed=20, bands=bands, advice="go on")
    rows = [line for line in written(facts(calibration=found)).splitlines() if "%-" in line]
    assert [line.split("%-")[0].strip() for line in rows] == ["40", "80", "90"]
    assert "  0% of 2" in rows[0]
    assert "asks" not in rows[0]  # two decisions are chance
    assert rows[1].endswith("asks too readily")
    assert rows[1].index("│") > rows[1].rindex("━")
    assert "100% of 10" in rows[2]
    assert "asks" not in rows[2]


@pytest.mark.parametrize("width", [1, 8, 30, 58, 95, 96, 118, 198])
def test_no_row_is_wider_than_the_page_where_it_can_be(width: int) -> None:
    rows = page(
        facts(agents=(AgentRate(author=Author(kind=AuthorKind.AGENT, name="x" * 90), memories=5, clashing=5),)),
        MOMENT,
        width,
    )
    if width >= 58:
        assert max(sum(len(text) for text, _ in row) for row in rows) <= width
    assert rows


def test_a_check_tells_its_rate_and_what_is_left() -> None:
    moments = iter([0.0, 0.1, 2.0, 3.0])
    check = Check(clock=lambda: next(moments))
    assert check.words == "begins"
    check.went(500, 4000)
    assert check.words == "500 of 4,000 events"
    check.went(2000, 4000)
    assert check.words == "2,000 of 4,000 events, 1,000 a second, 2 s left"
    assert check.share == 0.5
    check.went(4000, 4000)
    assert "comparing what follows" in check.words


def test_the_outcome_of_a_check_in_words() -> None:
    head = Merkle(size=5, root="ab")
    holds = outcome(VerifyReport(ok=True, events=5, head=head, checkpoints=2, witness="agrees"))
    assert holds == "All 5 events hold, 2 signatures among them. Witness: agrees."
    bad = outcome(VerifyReport(ok=False, events=5, head=head, first_bad=3, problem="event 3 was changed"))
    assert bad == "Damaged: event 3 was changed. Restore a backup: tur-adm restore."


async def test_the_facts_are_there_and_follow_what_is_recorded(tmp_path: Path) -> None:
    with store(tmp_path) as engine:
        async with examining(engine) as person:
            assert any("OPEN CONFLICTS 3 by age" in row for row in person.rows)
            assert person.checked == "Not checked in this sitting."
            learn(engine, "Tea is served at four")
            await person.until(lambda: any(row.startswith("active 4 ") for row in person.rows))
            await person.press("y")
            assert "OPEN CONFLICTS" in person.app.clipboard
            assert "Alembic" not in person.app.clipboard
            await person.press("question_mark")
            assert "How the store fares" in person.text
            await person.press("escape", "escape")
            assert person.at_desk


async def test_every_screen_leads_there_and_it_to_every_screen(tmp_path: Path) -> None:
    with store(tmp_path, PAIRS[:1]) as engine:
        async with examining(engine) as person:
            for key in ("2", "3", "4", "1"):
                await person.press(key)
                assert not isinstance(person.app.screen, HealthScreen)
                await person.press("5")
                assert isinstance(person.app.screen, HealthScreen)


async def test_the_check_says_that_all_holds_and_what_does_not(tmp_path: Path) -> None:
    with store(tmp_path, PAIRS[:1]) as engine:
        async with examining(engine) as person:
            await person.press("v")
            await person.until(lambda: person.checked.startswith("✓"))
            assert "events hold, none is signed yet. Witness: agrees" in person.checked
            with engine._ledger.reading() as db:
                db.execute("UPDATE events SET hash=zeroblob(32) WHERE seq=2")
            await person.press("v")
            await person.until(lambda: person.checked.startswith("✗ Damaged"))
            assert "event 2" in person.checked


async def test_a_check_shows_how_far_it_is_and_stops_at_a_key(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    further, stopped = threading.Event(), threading.Event()

    def slow(progress: Callable[[int, int], None], *, stop: threading.Event) -> VerifyReport:
        progress(40, 40_000)
        while not stop.wait(0.01):
            if further.is_set():
                progress(20_000, 40_000)
        stopped.set()
        raise Stopped("stopped at event 20,000 of 40,000; a check changes nothing")

    with store(tmp_path, PAIRS[:1]) as engine:
        async with examining(engine) as person:
            monkeypatch.setattr(engine, "verify", slow)
            before = engine.head()
            await person.pilot.press("v")
            further.set()
            await person.until(lambda: "20,000 of 40,000 events" in person.text)
            await person.pilot.press("v")
            await person.until(lambda: "goes on already" in person.told)
            await person.pilot.press("1")  # it goes on while another screen is in front
            await person.until(lambda: person.at_desk)
            assert not stopped.is_set()
            await person.pilot.press("5", "escape")
            await person.until(lambda: "a check changes nothing" in person.checked)
            assert stopped.is_set()
            assert isinstance(person.app.screen, HealthScreen)
            assert engine.head() == before


async def test_leaving_the_program_stops_the_check(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    stopped = threading.Event()

    def endless(progress: Callable[[int, int], None], *, stop: threading.Event) -> VerifyReport:
        if stop.wait(30):
            stopped.set()
        raise Stopped("stopped")

    with store(tmp_path, PAIRS[:1]) as engine:
        monkeypatch.setattr(engine, "verify", endless)
        async with examining(engine) as person:
            await person.pilot.press("v", "q")
            await person.until(lambda: person.app.return_code is not None or not person.app.is_running)
        assert stopped.wait(5)


async def test_the_past_has_a_health_of_its_own(tmp_path: Path) -> None:
    with store(tmp_path, PAIRS[:1]) as engine:
        async with sitting(engine) as made:
            person = Physician(made.app, made.pilot)
            await person.press("3", "at", *"2", "enter")
            await person.until(lambda: person.app.asked.as_of == 2)
            await person.press("5")
            await person.until(lambda: "THE PAST" in person.text and "1 memory" in person.text)
            assert "None is open." in person.text
            await person.press("0")
            await person.until(lambda: "THE PAST" not in person.text and "1 by age" in person.text)


async def test_untrusted_names_are_shown_harmless(tmp_path: Path) -> None:
    with store(tmp_path, ()) as engine:
        name = Author.model_construct(kind=AuthorKind.AGENT, name=HOSTILE)
        hostile = facts(agents=(AgentRate.model_construct(author=name, memories=1, clashing=1),))
        async with examining(engine, (80, 24)) as person:
            person.health.query_one(HealthPage).show(hostile, MOMENT)
            await person.settled()
            text = person.text + written(hostile)
            assert "\x1b" not in text
            assert "\u202e" not in text


@pytest.mark.parametrize("size", [(20, 5), (1, 1), (60, 15), (200, 50)])
async def test_any_size_is_survived_and_the_small_ones_do_nothing(tmp_path: Path, size: tuple[int, int]) -> None:
    with store(tmp_path, PAIRS[:1]) as engine:
        async with examining(engine, size) as person:
            for key in ("v", "y", "down", "pagedown", "end", "N"):
                await person.press(key)
            if size[0] < 60:
                assert person.checked == "Not checked in this sitting."
            await person.press("escape")


def test_the_docs_show_its_keys(repo_root: Path) -> None:
    docs = (repo_root / "docs" / "keys.md").read_text("utf-8")
    mark = "<!-- health keys: made from tur_tui/screens/health_keys.py, a test compares -->"
    _, found, rest = docs.partition(mark)
    assert found
    assert rest.lstrip("\n").startswith(key_table(HEALTH)), key_table(HEALTH)


def test_decisions_of_people_reach_the_chart(tmp_path: Path) -> None:
    with store(tmp_path) as engine:
        for each in engine.conflicts():
            engine.resolve(each.id, Verb.DISMISS)
        found = engine.health().calibration
        assert (found.dismissed, found.settled) == (3, 0)
        assert engine.actor == MARA
