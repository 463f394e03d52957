"""Drift between rule files and the ledger in the feed, and in the place of the conflict."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from unicodedata import east_asian_width

import pytest
from rich.cells import cell_len

from tests.ui.making import belief
from tests.ui.sitting import Sitting, sitting
from tests.ui.stage import HOSTILE, MOMENT, lines
from tests.ui.stores import kinds, store
from tur_engine.engine import Engine
from tur_engine.errors import NoStore
from tur_engine.records import EventKind, Evidence, FeedFilter
from tur_engine.rulebook import Clash, Drift, DriftKind, Rulebook, Side
from tur_tui.desk.drifting import MARKS, DriftAside, announced
from tur_tui.drawing.wording import KIND_WIDTH
from tur_tui.drawing.wording import MARKS as EVENTS
from tur_tui.screens.drifting import Drifted
from tur_tui.widgets.diff_view import DiffView
from tur_tui.widgets.verb_bar import VerbBar
from tur_tui.widgets.why import Why
from tur_tui.widgets.woven_feed import WovenFeed, aside_row

LINE = Side("AGENTS.md", 12, "Migrations run via Prisma", subject="Database")
KNOWN = belief("Migrations run via Alembic")
PIECE = Evidence(kind="slot", weight=2.0, sentence='"Prisma" stands where the other has "Alembic".')
CLASH = Clash(
    Side("", 0, KNOWN.memory.content, KNOWN.id), LINE, 0.9, "factual", "semantic", "", "change it", (PIECE,), ("Codex",)
)
AGAINST = Drift(DriftKind.DRIFT, 'contradicts fact-1: "Prisma" against "Alembic"', LINE, CLASH, KNOWN, MOMENT)
NEW = Drift(DriftKind.NEW, f'the ledger does not know it: "{LINE.text}"', LINE, at=MOMENT)
GONE = Drift(DriftKind.GONE, "fact-1 was imported from it, and the line is gone", LINE, memory=KNOWN, at=MOMENT)
MANY = Drift(DriftKind.MANY, "50 rule files changed at once; tur scan weighs them against the ledger", at=MOMENT)
ANGRY = replace(NEW, sentence=HOSTILE, side=Side(HOSTILE, 1, "x"))


# the desk and the rows, plain -----------------------------------------------------------


def test_words_and_glyphs_are_told_apart_and_one_cell_wide() -> None:
    glyphs = [mark.glyph for mark in (*MARKS.values(), *EVENTS.values())]
    assert len(set(glyphs)) == len(glyphs)
    assert [glyph for glyph in glyphs if cell_len(glyph) != 1 or east_asian_width(glyph) in "AWF"] == []
    assert max(len(kind) for kind in DriftKind) <= KIND_WIDTH
    assert not {str(kind) for kind in DriftKind} & {str(kind) for kind in EventKind}


@pytest.mark.parametrize("width", [1, 12, 20, 34, 60, 120])
@pytest.mark.parametrize(
    "drift", [AGAINST, NEW, GONE, MANY, replace(NEW, sentence=HOSTILE, side=Side(HOSTILE, 1, "x"))]
)
def test_rows_fit_and_are_harmless(drift: Drift, width: int) -> None:
    row = "".join(text for text, _ in aside_row(DriftAside(drift), width, MOMENT))
    assert cell_len(row) <= max(width, 12)
    assert not any(sign in row for sign in "\x1b\x07\u202e\n")
    if width >= 34:
        assert MARKS[drift.kind].glyph in row.split()
        assert drift.kind.value in row


def test_what_stands_in_the_place_of_the_texts(tmp_path: Path) -> None:
    sides = DriftAside(AGAINST).sides()
    assert sides is not None
    assert (sides.memory, sides.other.memory.content) == (KNOWN, LINE.text)
    assert sides.facts == [("line", "AGENTS.md:12"), ("under", "Database"), ("read by", "Codex")]
    assert DriftAside(NEW).sides() is None
    assert "tur import AGENTS.md" in DriftAside(NEW).in_words()
    assert KNOWN.memory.short_id in DriftAside(GONE).in_words().split("To do")[1]
    assert "tur scan" in DriftAside(MANY).in_words().split("To do")[1]
    assert DriftAside(AGAINST).source(tmp_path) is None
    (tmp_path / "AGENTS.md").write_text("x")
    assert DriftAside(AGAINST).source(tmp_path) == (tmp_path / "AGENTS.md", 12)
    assert DriftAside(MANY).source(tmp_path) is None


def test_filter_and_toast() -> None:
    assert DriftAside(AGAINST).lets_through(FeedFilter())
    assert DriftAside(AGAINST).lets_through(FeedFilter(text="drift prisma agents"))
    assert not DriftAside(AGAINST).lets_through(FeedFilter(text="yellow"))
    assert not DriftAside(AGAINST).lets_through(FeedFilter(agent="claude"))
    assert announced([NEW, GONE]) == ""
    assert announced([AGAINST]) == "AGENTS.md:12 contradicts the ledger; the feed shows how."
    assert announced([AGAINST, AGAINST]).startswith("2 lines of rule files")


# the screen -------------------------------------------------------------------------------


@pytest.fixture
def engine(tmp_path: Path) -> Iterator[Engine]:
    with store(tmp_path) as engine:
        yield engine


def seen(person: Sitting, *drifts: Drift, root: Path) -> None:
    person.triage.post_message(Drifted(list(drifts), root))


async def test_in_the_feed_and_in_front(engine: Engine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    opened: list[tuple[Path, int]] = []
    monkeypatch.setattr(
        "tur_tui.screens.aside.open_in_editor", lambda app, path, line, cwd: opened.append((path, line))
    )
    (tmp_path / "AGENTS.md").write_text("x")
    async with sitting(engine) as person:
        conflict = person.current.id
        events = kinds(engine)
        feed = person.triage.woven
        before = feed.count
        seen(person, NEW, AGAINST, root=tmp_path)
        await person.until(lambda: feed.count == before + 2)
        assert "AGENTS.md:12 contradicts the ledger; the feed shows how." in person.toasts
        shown = lines(feed)
        assert "⇄ drift" in shown[0]
        assert "◦ new line" in shown[1]
        assert "held" in shown[2]
        assert person.triage.aside is None  # an arrival takes nothing away from the person
        feed.focus()
        await person.press("down", "up")
        diff = "\n".join(lines(person.triage.query_one(DiffView)))
        assert "▸ FILE AGENTS.md:12" in diff
        assert f"MEMORY {KNOWN.memory.short_id}" in diff
        assert "To do: change it." in "\n".join(lines(person.triage.query_one(Why)))
        await person.press("s")
        assert "no verb is for it" in person.toasts[-1]
        assert kinds(engine) == events
        await person.press("o", "y")
        assert opened == [(tmp_path / "AGENTS.md", 12)]
        assert person.app.clipboard == "AGENTS.md:12"
        await person.press("Y")
        assert person.app.clipboard == LINE.text
        await person.press("down")
        assert "The ledger does not know it" in person.text
        await person.press("e")
        assert "no memory here to explain" in person.toasts[-1]
        await person.press("n")  # the first key comes back
        assert person.triage.aside is None
        assert person.current.id == conflict
        assert "EXISTING" in person.text
        await person.press("up")
        assert person.triage.aside == DriftAside(AGAINST)
        await person.press("escape")
        assert person.triage.aside is None
        await person.press("up", "down", "down")  # onto an event: the conflict is back
        assert person.triage.aside is None
        conflict = person.current.id  # that of the event
        for key in ("p", "d", "space", "asterisk", "P", "E"):
            person.triage.show_aside(DriftAside(GONE))
            assert not person.triage.query_one(VerbBar)._ready
            await person.press(key)
            assert person.triage.aside is None, key
            assert person.current.id == conflict
        assert not person.triage.desk.marked


async def test_what_arrives_meanwhile_and_the_filter(engine: Engine, tmp_path: Path) -> None:
    async with sitting(engine, (80, 24)) as person:
        feed = person.triage.woven
        before = feed.count
        seen(person, MANY, root=tmp_path)
        await person.until(lambda: feed.count == before + 1)
        engine.note("Tests run on port 6001")
        await person.until(lambda: feed.count == before + 2)
        assert [feed.aside_at(index) for index in (0, 1)] == [None, DriftAside(MANY)]  # newer events stand above
        person.triage.typed = "at once"
        person.triage.read_feed()
        await person.until(lambda: feed.count == 1)
        assert feed.aside_at(0) == DriftAside(MANY)
        person.triage.typed = "by:mara"
        person.triage.read_feed()
        await person.until(lambda: feed.count and feed.aside_at(0) is None)
        seen(person, NEW, root=tmp_path)
        person.triage.typed = ""
        person.triage.read_feed()
        await person.until(lambda: feed.count == before + 3)
        assert sum(feed.aside_at(index) is not None for index in range(feed.count)) == 2


async def test_files_around_a_store_are_watched(
    engine: Engine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / ".git" / "HEAD").write_text("ref: refs/heads/main\n")
    monkeypatch.setattr("tur_tui.screens.drifting.LATER", 0.01)
    ready, plain = threading.Event(), Rulebook.follow

    def follow(book: Rulebook, stop: threading.Event) -> Iterator[list[Drift]]:
        for drifts in plain(book, stop):
            ready.set()
            yield drifts

    monkeypatch.setattr(Rulebook, "follow", follow)
    head = engine.head()
    async with sitting(engine) as person:
        feed = person.triage.woven
        before = feed.count
        await person.until(ready.is_set)
        (tmp_path / "AGENTS.md").write_bytes(b"\0")
        await person.until(lambda: feed.count == before + 1)
        assert "⊗ unread" in lines(feed)[0]
    assert engine.head() == head


@pytest.mark.parametrize("gone", [True, False])
async def test_why_files_are_not_watched_is_told_once_and_not_where_the_store_is_gone(
    engine: Engine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, gone: bool
) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / ".git" / "HEAD").write_text("ref: refs/heads/main\n")
    monkeypatch.setattr("tur_tui.screens.drifting.LATER", 0.01)
    monkeypatch.setattr("tur_tui.screens.drifting.AGAIN", 0.01)
    away, tried = threading.Event(), 0

    def follow(book: Rulebook, stop: threading.Event) -> Iterator[list[Drift]]:
        nonlocal tried
        while not away.wait(0.02) and not stop.is_set():
            pass
        tried += 1
        raise NoStore("the store cannot be watched")
        yield []

    monkeypatch.setattr(Rulebook, "around", lambda engine, here: Rulebook(tmp_path, engine))
    monkeypatch.setattr(Rulebook, "follow", follow)
    async with sitting(engine) as person:
        if gone:
            (tmp_path / ".tur").rename(tmp_path / "away")
            await person.until(lambda: person.triage.lost)
        away.set()
        await person.until(lambda: tried > 2)
        told = [said for said in person.toasts if "rule files" in said]
        assert told == [] if gone else told == ["Changes of rule files are not followed: the store cannot be watched"]
        if gone:
            (tmp_path / "away").rename(tmp_path / ".tur")


async def test_no_repository_no_watch(engine: Engine, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tur_tui.screens.drifting.DriftingScreen._watch_files", lambda self: pytest.fail("watched"))
    monkeypatch.setattr("tur_tui.screens.drifting.LATER", 0.01)
    async with sitting(engine) as person:
        await person.pilot.pause(0.05)
        assert isinstance(person.triage.woven, WovenFeed)
