"""The workbench's run: its threads."""

from __future__ import annotations

import asyncio
import threading
from pathlib import Path

import pytest

from tests.ui.stores import store
from tur_tui.app import Workbench
from tur_tui.start import THREADS, run_workbench


def test_threads_that_only_wait_leave_room_for_calls_on_any_machine(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    done: list[str] = []

    async def run_async(self: Workbench) -> None:
        loop, stop = asyncio.get_running_loop(), threading.Event()
        waiting = [loop.run_in_executor(None, stop.wait, 10) for _ in range(THREADS - 1)]
        done.append(await asyncio.wait_for(loop.run_in_executor(None, lambda: "called"), 5))
        stop.set()
        await asyncio.gather(*waiting)

    monkeypatch.setattr(Workbench, "run_async", run_async)
    with store(tmp_path) as engine:
        assert run_workbench(engine) == 0
    assert done == ["called"]
