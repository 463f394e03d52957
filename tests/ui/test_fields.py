"""Fields take keys in the order they were typed, however fast, and however deep they lie."""

from __future__ import annotations

import pytest
from textual import events
from textual.app import App, ComposeResult
from textual.containers import Vertical
from textual.widget import Widget
from textual.widgets import Input, TextArea

from tur_tui.widgets.fields import PlainInput, PlainTextArea
from tur_tui.widgets.passphrase import Passphrase


@pytest.mark.parametrize("make", [PlainInput, PlainTextArea, Passphrase])
async def test_letters_do_not_overtake_the_keys_that_edit(make: type[Widget]) -> None:
    class Form(App[None]):
        def compose(self) -> ComposeResult:
            with Vertical(), Vertical():
                yield make()

    async with Form().run_test() as pilot:
        field = pilot.app.query_one(make)
        field.focus()
        await pilot.pause()
        for key in ("a", "backspace", "b", "c", "left", "x", "delete", "home", "y", "end", "z"):
            pilot.app.post_message(events.Key(key, key if len(key) == 1 else None))
        await pilot.pause()
        assert isinstance(field, Input | TextArea)
        assert (field.value if isinstance(field, Input) else field.text) == "ybxz"
