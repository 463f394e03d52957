"""Ctrl-C in a batch: what is said to be kept is what is kept."""

from __future__ import annotations

import json
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests import standins
from tests.cli.conftest import Programs
from tur_engine.cli.stopping import BetweenLines
from tur_engine.engine import Engine


@pytest.fixture(autouse=True)
def minds(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    standins.install(monkeypatch)
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
@pytest.mark.parametrize("words", [("learn", "--from", "x.jsonl"), ("import", "x.jsonl", "-y")])
def test_a_line_that_is_in_is_counted(
    words: tuple[str, ...],
    number: signal.Signals,
    code: int,
    tur: Programs,
    store: Path,
    workdir: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    before = signal.getsignal(number)
    (workdir / "x.jsonl").write_text("".join(json.dumps({"content": f"key{n}: {n}"}) + "\n" for n in range(5)))
    learn, calls = Engine.learn, iter(range(2))

    def interrupted(*given: Any, **options: Any) -> Any:
        result = learn(*given, **options)
        if next(calls, None) is None:  # after the third is committed, before anybody heard of it
            signal.raise_signal(number)
        return result

    monkeypatch.setattr(Engine, "learn", interrupted)
    ran = tur(*words)
    assert ran.code == code
    assert "through and kept" in ran.err
    assert ": 3 " in ran.err
    assert len(tur("export", "--json").json["memories"]) == 3
    assert signal.getsignal(number) == before


def test_where_no_line_is_in_hand_and_at_the_second_time_it_stops_at_once() -> None:
    with BetweenLines() as between:
        with pytest.raises(KeyboardInterrupt):
            signal.raise_signal(signal.SIGINT)
        lines = between.read(["a"])
        next(lines)
        signal.raise_signal(signal.SIGINT)
        with pytest.raises(KeyboardInterrupt):
            signal.raise_signal(signal.SIGINT)
        with pytest.raises(KeyboardInterrupt):
            between.telling(lambda line: None)(1)
