"""The demo: its script holds together, its agent is a process, its story ends verified."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.ui.sitting import Sitting
from tests.ui.stores import store
from tur_engine.engine import Engine
from tur_tui.app import Workbench
from tur_tui.demo.agent import rest
from tur_tui.demo.learning import learn, news
from tur_tui.demo.memories import ALEMBIC, MARA, NEWS, PRISMA, REMEMBERED
from tur_tui.demo.run import run, start_agent, stop_agent


def test_the_script_is_sound() -> None:
    texts = [line.text for line in (*REMEMBERED, *NEWS)]
    assert len(set(texts)) == len(texts)
    assert len(REMEMBERED) >= 25
    assert all(line.rests_on in texts for line in REMEMBERED if line.rests_on)
    assert NEWS[0].text == PRISMA
    assert ALEMBIC in texts
    assert sum(line.clashes for line in NEWS) >= 5


def demo(*arguments: str) -> subprocess.CompletedProcess[str]:
    """`tur-tui demo` without a terminal."""
    return subprocess.run(
        [sys.executable, "-m", "tur_tui", "demo", *arguments],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=100,
        check=False,
    )


@pytest.mark.slow
def test_the_story_is_told_and_the_gate_says_what_the_script_expects(tmp_path: Path) -> None:
    done = demo("--keep", str(tmp_path))
    assert done.returncode == 0, done.stdout + done.stderr
    in_order = [
        f"{len(REMEMBERED)} memories",
        f'claude-code learns "{PRISMA}": stopped at the gate',
        f'"{ALEMBIC}"',
        "why",
        "A person supersedes",
        "open again as conflict-",
        "supersedes after all",
        "held by agent:claude-code",
        "undone by human:",
        "hash chain and salted bodies: intact",
        "The sample store stays in",
    ]
    places = [done.stdout.find(words) for words in in_order]
    assert -1 not in places, in_order[places.index(-1)]
    assert places == sorted(places)

    with Engine.open(tmp_path, actor=MARA) as engine:
        answers = {line.text: result.outcome for line, result in news(engine, NEWS[1:])}
    assert answers == {line.text: "conflict_detected" if line.clashes else "committed" for line in NEWS[1:]}


def test_keep_leaves_the_store_and_a_second_run_says_so(tmp_path: Path) -> None:
    kept = tmp_path / "kept"
    Engine.init(kept, actor=MARA).close()
    done = demo("--keep", str(kept))
    assert done.returncode == 1
    assert "there is a store" in done.stderr
    assert (kept / ".tur" / "ledger.db").is_file()


async def test_what_is_exported_stays_where_the_person_stands(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    asked: dict[str, Path] = {}
    monkeypatch.setattr(sys.modules["tur_tui.demo.run"], "on_terminal", lambda: True)
    monkeypatch.setattr(sys.modules["tur_tui.demo.run"], "start_agent", lambda *_: None)
    monkeypatch.setattr(sys.modules["tur_tui.demo.run"], "stop_agent", lambda _: None)
    monkeypatch.setattr(sys.modules["tur_tui.demo.run"], "REMEMBERED", ())
    monkeypatch.setattr(
        sys.modules["tur_tui.demo.run"], "run_workbench", lambda _engine, theme, **folders: asked.update(folders) or 0
    )
    assert run() == 0
    assert not asked["here"].exists()
    with store(tmp_path) as engine:
        app = Workbench(engine, here=asked["here"], exports=asked["exports"])
        async with app.run_test() as pilot:
            person = Sitting(app, pilot)
            await person.until(lambda: len(app.screen_stack) > 1)
            await person.settled()
            await person.press("E", "m")
            await person.press("3", "E", "m")
    assert sorted(path.name.partition("-")[0] for path in tmp_path.glob("*.md")) == ["conflict", "fact"]


@pytest.mark.slow
def test_the_agent_is_a_process_that_ends_with_its_parent(tmp_path: Path) -> None:
    Engine.init(tmp_path, actor=MARA).close()
    code = (
        "import subprocess, sys, time\n"
        f"agent = subprocess.Popen([sys.executable, '-m', 'tur_tui.demo.agent', '--store', {str(tmp_path)!r}, "
        "'--pause', '30'], stdout=subprocess.PIPE, text=True)\n"
        "agent.stdout.readline()\n"
        "print(agent.pid, flush=True)\n"
        "time.sleep(60)\n"
    )
    parent = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True)
    assert parent.stdout is not None
    with parent, parent.stdout:
        agent = int(parent.stdout.readline())
        parent.send_signal(signal.SIGKILL)
    end = time.monotonic() + 10
    while _alive(agent) and time.monotonic() < end:
        time.sleep(0.1)
    assert not _alive(agent)
    with Engine.open(tmp_path, actor=MARA) as engine:
        assert [each.memory.content for each in engine.memories()] == [PRISMA]
        assert engine.verify().ok


def test_rest_ends_early_without_a_parent() -> None:
    before = time.monotonic()
    assert not rest(30, parent=-1)
    assert time.monotonic() - before < 5
    assert rest(0.01, parent=os.getppid())


def _alive(pid: int) -> bool:
    """Whether the process runs; one that ended and waits to be collected does not."""
    try:
        os.kill(pid, 0)
        state = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0]
    except ProcessLookupError:
        return False
    except FileNotFoundError:  # no /proc on this system
        return True
    return state != "Z"


def _at_rest(pid: int) -> None:
    """Wait until the process has computed for a while and hardly does any more."""
    stat = Path(f"/proc/{pid}/stat")
    if not stat.exists():  # no /proc on this system
        return time.sleep(8)
    spent, end = [0], time.monotonic() + 60
    while spent[-1] < 20 or spent[-1] - spent[max(0, len(spent) - 6)] > 3:
        assert time.monotonic() < end, "it never came to rest"
        time.sleep(0.1)
        spent.append(sum(map(int, stat.read_text().rsplit(")", 1)[1].split()[11:13])))  # user and system, in ticks


@pytest.mark.slow
def test_the_agent_waits_for_the_event_and_speaks_up_at_once_when_it_is_there(tmp_path: Path) -> None:
    with Engine.init(tmp_path, actor=MARA) as engine:
        agent = start_agent(engine.path, "--pause", "0", "--steps", "1", "--after", "3", told=True)
        try:
            _at_rest(agent.pid)  # it has its models now
            assert engine.head() == 1
            learn(engine, REMEMBERED[:1])
            assert agent.poll() is None
            learn(engine, REMEMBERED[1:2])
            end = time.monotonic() + 10
            while engine.head() < 4 and time.monotonic() < end:
                time.sleep(0.05)
            assert [each.memory.content for each in engine.memories(limit=1)] == [PRISMA]
        finally:
            stop_agent(agent)
