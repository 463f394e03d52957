"""What agents write is shown on the graph screen, never obeyed, and copied without what steers a terminal."""

from __future__ import annotations

import re

import pytest
from rich.cells import cell_len

from tests.ui.atlas import Atlas
from tests.ui.explorer import exploring
from tests.ui.stage import HOSTILE
from tur_engine.records import Author, AuthorKind

DANGER = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b-\u200f\u202a-\u202e\u2066-\u2069]")
NASTY = "title \x1b]0;x\x07 bell [/b] [@click=app.quit]here[/] \u202egnihton\u202c pass\u200bword 数据库迁移 " + HOSTILE


def hostile(text: str) -> Atlas:
    """A graph whose every text, author, edge type and reason says it; past the gate's own checks."""
    atlas = Atlas(9, texts=[f"{number} {text}" for number in range(9)])
    name = Author.model_construct(kind=AuthorKind.AGENT, name=text[:300])
    atlas.beliefs = [
        each.model_copy(update={"memory": each.memory.model_copy(update={"author": name, "node_type": text[:60]})})
        for each in atlas.beliefs
    ]
    odd = [each.model_copy(update={"reason": text, "actor": name, "scope": text}) for each in atlas.links]
    atlas.links = [each if at % 3 else each.model_copy(update={"type": text[:80]}) for at, each in enumerate(odd)]
    return atlas


@pytest.mark.parametrize(("size", "text"), [((80, 24), NASTY), ((200, 50), "word" * 2000)])
async def test_hostile_text_is_shown_and_not_obeyed(size: tuple[int, int], text: str) -> None:
    async with exploring(hostile(text), size) as person:
        seen = [person.text]
        keys = "plus plus o o left p right p c c f slash x escape y"
        for key in keys.split():
            await person.press(key)
            seen.append(person.text)
        seen += [person.said, person.app.clipboard.replace("\n", "")]
        await person.press("Y")
        seen.append(person.app.clipboard.replace("\n", ""))
        assert person.at_graph
        for each in seen:
            assert not DANGER.search(each.replace("\n", ""))
        assert all(cell_len(line) == size[0] for line in seen[0].splitlines())
        if text is NASTY:
            assert "[/b]" in seen[0]
