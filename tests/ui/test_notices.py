"""The log of what was said: every toast and every sentence above the keys, with time and kind."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from tests.ui.sitting import Sitting, sitting
from tests.ui.stage import HOSTILE, MOMENT
from tests.ui.stores import MARA, PAIRS, store
from tur_engine.engine import Engine
from tur_tui.said import KEPT, Log
from tur_tui.screens.notices import NoticesScreen
from tur_tui.screens.tables import TABLES
from tur_tui.widgets.notice_list import NoticeList, as_text


def rows(person: Sitting) -> list[str]:
    view = person.app.screen.query_one(NoticeList)
    drawn = [view.render_line(y).text for y in range(view.scrollable_content_region.height)]
    return [" ".join(line.split()) for line in drawn if line.strip()]


def test_the_last_sentences_are_kept_and_none_twice_in_a_row() -> None:
    log = Log()
    for number in range(KEPT + 5):
        log.take(f"sentence {number}", "information", MOMENT + timedelta(seconds=number))
    log.take(f"sentence {KEPT + 4}", "information", MOMENT)
    log.take("", "error", MOMENT)
    assert len(log) == KEPT
    assert log[0].text == "sentence 5"
    assert as_text(list(log)[-1:]).endswith(f" information: sentence {KEPT + 4}\n")


async def test_notices_can_be_read_again_and_copied(tmp_path: Path) -> None:
    with store(tmp_path, PAIRS[:1]) as engine:
        async with sitting(engine) as person:
            await person.press("N")
            assert rows(person) == ["Nothing was said yet. What appears in the corner or above the keys is kept here."]
            await person.press("escape", "P", "s")
            await person.press("3", "backspace", "N")  # what is said in place is kept, too
            assert isinstance(person.app.screen, NoticesScreen)
            told = rows(person)
            assert any("! warning The existing memory is no invariant" in row for row in told)
            assert any("takes it back" in row for row in told)
            assert "This is where you began." in told[0]
            await person.press("y")
            assert "warning: The existing memory is no invariant" in person.app.clipboard
            assert "copied 3 sentences" in person.text
            await person.press("N")
            assert not isinstance(person.app.screen, NoticesScreen)


@pytest.mark.parametrize("size", [(80, 24), (40, 12), (20, 5), (1, 1)])
async def test_untrusted_sentences_are_shown_harmless_at_any_size(tmp_path: Path, size: tuple[int, int]) -> None:
    with Engine.init(tmp_path, actor=MARA) as engine:
        async with sitting(engine, size) as person:
            person.app.said.take(HOSTILE + " " + "x" * 10_000, "error", datetime.now(UTC))
            await person.press("N")
            for key in ("end", "home", "pagedown", "y"):
                await person.press(key)
            for bad in ("\x1b", "\u202e"):
                assert bad not in person.text
                assert bad not in person.app.clipboard


def test_every_screen_has_the_key() -> None:
    for name, actions in TABLES.items():
        assert [each.keys for each in actions if each.id == "notices"] == [("N",)], name
