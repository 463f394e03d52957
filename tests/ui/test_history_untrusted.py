"""What agents write is shown on the history screen, never obeyed, and exported without what steers a terminal."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from rich.cells import cell_len

from tests.ui.chronicle import Chronicle
from tests.ui.historian import remembering
from tests.ui.test_graph_untrusted import DANGER, NASTY, hostile

_LINES = re.compile(r"[\n\t]")


@pytest.mark.parametrize(("size", "text"), [((80, 24), NASTY), ((200, 50), "word" * 2000)])
async def test_hostile_text_is_shown_and_not_obeyed(tmp_path: Path, size: tuple[int, int], text: str) -> None:
    chronicle = Chronicle(9, atlas=hostile(text), said=text)
    async with remembering(chronicle.engine, size, here=tmp_path) as person:
        seen = [person.text]
        for key in "down tab tab down tab down d escape space down d escape slash x escape c escape r escape".split():
            await person.press(key)
            seen.append(person.text)
        for key in ("m", "s"):
            await person.press("E", key)
            await person.until(lambda: "Written to" in person.said)
        await person.press("left_square_bracket")
        await person.moment(9)
        seen += [person.text, person.said, person.app.clipboard]
        seen += [path.read_text("utf-8") for path in tmp_path.iterdir()]
        assert len([*tmp_path.iterdir()]) == 2
        for each in seen:
            assert not DANGER.search(_LINES.sub("", each))
        assert all(cell_len(line) == size[0] for line in seen[0].splitlines())
        if text is NASTY:
            assert "[/b]" in seen[0]
        assert person.at_history
