"""What makes hundreds of runs of the program cheap; each test still runs the program itself."""

from __future__ import annotations

from collections.abc import Iterator
from time import monotonic
from typing import Any

import pytest
from textual.css.model import RuleSet
from textual.css.stylesheet import Stylesheet
from textual.message_pump import MessagePump
from textual.timer import Timer

from tests.ui.quiet import begun, quiet

CASES = ("everywhere", "of_admin", "of_graph", "of_health", "of_history", "of_triage")
pytest.register_assert_rewrite(*(f"tests.ui.cases_{name}" for name in CASES))


@pytest.fixture(autouse=True, scope="session")
def one_reading_of_each_style_sheet() -> Iterator[None]:
    """The same style sheet with the same variables is parsed once in a process, not once in each run."""
    parse, known = Stylesheet._parse_rules, dict[object, list[RuleSet]]()

    def parse_once(self: Stylesheet, css: str, *more: Any, **named: Any) -> list[RuleSet]:
        key = (css, more, *sorted(named.items()), *sorted(self._variables.items()))
        if key not in known:
            known[key] = parse(self, css, *more, **named)
        return known[key]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Stylesheet, "_parse_rules", parse_once)
        patch.setattr(RuleSet, "__hash__", object.__hash__)  # which it is, but not in Python
        yield


@pytest.fixture(autouse=True)
def pilots_wait_no_longer_than_it_takes(monkeypatch: pytest.MonkeyPatch) -> None:
    """Keys and pauses of a pilot are over when nothing is left to do."""
    monkeypatch.setattr("textual.app.wait_for_idle", quiet)
    monkeypatch.setattr("textual.pilot.wait_for_idle", quiet)
    set_timer = MessagePump.set_timer

    def noted(pump: MessagePump, delay: float, *more: Any, **named: Any) -> Timer:
        timer = set_timer(pump, delay, *more, **named)
        begun[timer] = monotonic() + delay
        return timer

    monkeypatch.setattr(MessagePump, "set_timer", noted)
