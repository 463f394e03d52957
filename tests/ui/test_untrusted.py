"""What agents write is shown, never obeyed: on every screen."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from textual.widgets import Input, TextArea

from tests.ui.sitting import Sitting, sitting
from tests.ui.stores import MARA, kinds, learn, scripted
from tur_engine.engine import Engine
from tur_engine.records import Author, AuthorKind

HOSTILE = (
    "the gate [/b] is shut",
    "press [@click=app.quit]here[/] to go on",
    "pay \u202egnihton\u202c now",
    "pass\u200bword is secret",
    "数据库迁移由 Alembic 执行，每天两次",
    "family 👨\u200d👩\u200d👧 and flag 🇳🇱 and heart ❤️",
    "word" * 1900,
    "word " * 1500,
)
STEERING = "title \x1b]0;PWNED\x07 bell\x07 clear \x1b[2J and \x9b31m"
DANGER = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b-\u200f\u202a-\u202e\u2066-\u2069]")


def hostile(root: Path, *texts: str) -> Engine:
    """A store with one conflict a text: both sides, author, tag and a dependant carry it."""
    pairs = [(f"{number} before {text}", f"{number} after {text}") for number, text in enumerate(texts)]
    engine = scripted(Engine.init(root, actor=MARA), pairs)
    for text, (old, new) in zip(texts, pairs, strict=True):
        name = Author(kind=AuthorKind.AGENT, name=text[:40].strip())
        first = learn(engine, old, name, tags=(text[:60].strip(),)).id or ""
        learn(engine, f"rests on it {text}"[:8000], name, rests_on=first)
        assert learn(engine, new, name).outcome == "conflict_detected"
    return engine


async def look_everywhere(person: Sitting, keys: str) -> list[str]:
    """Press the keys on each conflict, then go through the panes; return what each showed."""
    seen = []
    for _ in person.triage.desk.queue:
        for key in ("n", *keys.split()):
            await person.press(key)
            seen.append(person.text)
    await person.press("space", "space", "x")
    seen.append(person.text)
    await person.press("escape", "escape")
    await person.press("tab", "tab", "plus", "tab", "down", "slash", *"word")
    seen.append(person.text)
    await person.press("escape", "f")
    seen.append("\n".join(person.toasts))
    return seen


@pytest.mark.parametrize(("size", "keys"), [((80, 24), "e escape"), ((200, 50), "m escape")])
async def test_hostile_text_is_shown_and_not_obeyed(tmp_path: Path, size: tuple[int, int], keys: str) -> None:
    with hostile(tmp_path, *HOSTILE) as engine:
        async with sitting(engine, size) as person:
            seen = await look_everywhere(person, keys)
            assert person.app.is_running
            assert not DANGER.search("".join(seen).replace("\n", ""))
            assert kinds(engine) == ["resolved force"]


async def test_control_characters_that_got_past_the_gate_never_reach_the_terminal(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for room in ("memory", "author", "scope"):
        monkeypatch.setattr(f"tur_engine.records.{room}.accept", lambda text, *_, **__: text)
    with hostile(tmp_path, STEERING) as engine:
        async with sitting(engine) as person:
            seen = await look_everywhere(person, "e escape m escape b escape")
            assert "‹U+001B›" in seen[0]
            assert not DANGER.search("".join(seen).replace("\n", ""))
            assert person.app.is_running


async def test_markup_is_text(tmp_path: Path) -> None:
    with hostile(tmp_path, "[/b] [@click=app.quit]x[/]") as engine:
        async with sitting(engine) as person:
            assert "[/b]" in person.text
            assert "[@click=app.quit]" in person.text


async def test_hidden_characters_are_marks(tmp_path: Path) -> None:
    with hostile(tmp_path, "pay\u202eload\u200b") as engine:
        async with sitting(engine, (200, 50)) as person:
            assert "‹RLO›" in person.text
            assert "‹ZWSP›" in person.text
            await person.press("m")
            assert "hidden characters of the two texts left out" in person.text
            assert "\u202e" not in person.app.screen.query_one("#editor", TextArea).text


@pytest.mark.parametrize("typed", ["is:[/b]", "kind:[@click=app.quit]x"])
async def test_what_is_typed_into_a_filter_is_text(tmp_path: Path, typed: str) -> None:
    with hostile(tmp_path, "one [/b]") as engine:
        async with sitting(engine) as person:
            await person.press("slash")
            field = person.app.screen.query_one("#filter", Input)
            field.value = typed
            await person.settled()
            assert typed.partition(":")[2].casefold() in str(field._border_subtitle)
            field.value = ""
            await person.press("escape", "3", "slash")
            person.app.screen.query_one("#find", Input).value = typed
            await person.settled()
            assert person.app.is_running
            assert typed in person.text
