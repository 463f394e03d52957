"""Marks and one verb for all that are marked; what leaves the screen; what no verb settles."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from tests.cli.test_place import COMMIT, repository
from tests.ui.sitting import sitting
from tests.ui.stores import AGENT, MARA, PAIRS, guarded, kinds, learn, store
from tur_engine.engine import Engine
from tur_engine.records import HeldBack, Status, Verb
from tur_tui.screens.confirm import ConfirmScreen
from tur_tui.screens.held_back import HeldBackScreen
from tur_tui.screens.propose import ProposeScreen
from tur_tui.widgets.feed import Feed
from tur_tui.widgets.line_list import LineList


async def test_one_verb_for_the_marked_ones_asks_once_and_undo_takes_them_back(tmp_path: Path) -> None:
    with store(tmp_path) as engine:
        first, second, third = (each.id for each in engine.conflicts())
        async with sitting(engine) as person:
            await person.press("space", "space")
            assert "2 marked" in person.text
            assert person.triage.query_one(Feed)._marked_conflicts == {first, second}
            await person.press("m")
            assert "one conflict at a time" in person.toasts[-1]
            await person.press("s")
            assert isinstance(person.app.screen, ConfirmScreen)
            for text in (*PAIRS[0], *PAIRS[1]):
                assert text[:20] in person.text
            await person.press("n")
            assert kinds(engine) == []
            engine.resolve(second, Verb.FORCE)  # somebody else, after it was marked and before the verb
            await person.until(lambda: len(person.triage.desk.queue) == 2)
            await person.press("escape")
            assert not person.triage.desk.marked
            await person.press("asterisk", "n", "asterisk", "r")
            await person.press("y")
            assert kinds(engine) == ["resolved force", "resolved refute", "resolved refute"]
            assert engine.conflicts() == []
            await person.press("u")
            await person.press("u")
            assert kinds(engine)[-2:] == ["undone", "undone"]
            assert len(engine.conflicts()) == 2
            assert third


async def test_texts_are_copied_and_the_conflict_is_written_to_a_new_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "a.md").write_text("prisma here\n", "utf-8")
    subprocess.run(["git", "init", "-q"], cwd=tmp_path, check=True)
    subprocess.run(["git", "add", "a.md"], cwd=tmp_path, check=True)
    monkeypatch.setenv("VISUAL", "cat")
    hostile = ("Tea is green [/b]\x1b".replace("\x1b", ""), "Tea is black \u202e|`x`")
    with store(tmp_path, (PAIRS[0], hostile)) as engine:
        async with sitting(engine, here=tmp_path) as person:
            await person.until(lambda: "prisma: a.md" in " ".join(person.text.split()))
            await person.press("o")
            assert "a.md:1" in person.toasts[-1]  # there is no terminal to hand over
            await person.press("Y")
            assert person.app.clipboard == "\n\n".join(PAIRS[0])
            await person.press("n", "E", "m")
            await person.press("E", "s")
            written = sorted(path.suffix for path in tmp_path.glob("conflict-*"))
            assert written == [".md", ".svg"]
            markdown = next(tmp_path.glob("conflict-*.md")).read_text("utf-8")
            assert "    Tea is green [/b]\n" in markdown
            assert "\u202e" not in markdown
            assert "## What each verb would do" in markdown


async def test_what_is_held_back_is_let_in_or_dropped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with store(tmp_path, PAIRS[:1]) as engine:
        texts = ("The kettle [/b] boils at \u202e98 degrees", "The oven is broken")
        held = [engine.memory(learn(engine, text).id or "") for text in texts]
        waiting = {each.id: each for each in held}
        admitted: list[str] = []

        def held_back(self: Engine) -> list[HeldBack]:
            return [HeldBack(belief=each, reason="claude-code is quarantined") for each in waiting.values()]

        def admit(self: Engine, ref: str, *, reason: str = "") -> int:
            admitted.append(ref)
            del waiting[ref]
            return 1

        monkeypatch.setattr(Engine, "held_back", held_back)
        monkeypatch.setattr(Engine, "admit", admit)
        async with sitting(engine) as person:
            await person.press("h")
            await person.until(lambda: "quarantined" in person.text)
            assert isinstance(person.app.screen, HeldBackScreen)
            assert "[/b] boils at ‹RLO›98" in person.text
            assert "\u202e" not in person.text
            await person.press("a")
            assert admitted == [held[0].id]
            assert "is let in" in person.text
            waiting.clear()
            await person.press("d")
            assert engine.memory(held[1].id).status is Status.RETRACTED
            assert person.app.screen.query_one(LineList).count == 0
            await person.press("escape")
            assert person.at_desk
    assert AGENT != MARA


async def test_a_proposal_is_filed_where_an_invariant_stands_in_the_way(tmp_path: Path, workdir: Path) -> None:
    repository(workdir)
    with guarded(tmp_path) as engine:
        async with sitting(engine) as person:
            before = engine.head()
            await person.press("P")
            assert isinstance(person.app.screen, ProposeScreen)
            await person.press("enter")
            assert "Say why" in person.text
            assert engine.head() == before
            await person.press("b", "e", "t", "t", "e", "r", "enter")
            assert person.at_desk, person.text
            (proposal,) = (each for each in engine.proposals() if each.reason)
            assert proposal.reason == "better"
            stamped = proposal.memory.memory.provenance
            assert (stamped["branch"], stamped["commit"]) == ("feature/x", COMMIT)
