"""The program: start, themes, settings, session, faults, and what it says without a terminal."""

from __future__ import annotations

import subprocess
import sys
import threading
from pathlib import Path
from time import monotonic

import pytest
from textual.widgets._toast import Toast

from tests.ui.sitting import sitting
from tests.ui.stores import MARA, PAIRS, store
from tur_engine.engine import Engine
from tur_tui.__main__ import main
from tur_tui.app import Workbench
from tur_tui.crash import EXIT_CODE, crash_dir
from tur_tui.resources import themes_dir
from tur_tui.settings import settings_path
from tur_tui.widgets.feed import Feed
from tur_tui.widgets.neighbourhood import NeighbourhoodPane


def run(*arguments: str, code: str = "") -> subprocess.CompletedProcess[str]:
    command = ["-c", code] if code else ["-m", "tur_tui", *arguments]
    return subprocess.run(
        [sys.executable, *command], stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=60, check=False
    )


def test_version_answers_without_textual() -> None:
    code = (
        "import sys; from tur_tui.__main__ import main\n"
        "try: main(['--version'])\n"
        "except SystemExit as end: print(end.code, 'textual' in sys.modules, 'pydantic' in sys.modules)"
    )
    done = run(code=code)
    assert done.stdout.splitlines()[0].startswith("tur-tui 0.")
    assert done.stdout.splitlines()[1] == "0 False False"


def test_without_a_terminal_it_is_one_sentence() -> None:
    done = run()
    assert done.returncode == 1
    assert done.stdout == ""
    assert done.stderr.count("\n") == 1
    assert "needs a terminal" in done.stderr


def test_a_dumb_terminal_is_named_with_what_prints_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "dumb")
    done = run()
    assert done.returncode == 1
    assert 'TERM is "dumb"' in done.stderr
    assert "tur-tui list" in done.stderr


@pytest.mark.parametrize("command", ["list", "show", "serve", "scan"])
def test_the_help_of_a_command_stands_by_itself(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main([command, "--help"])
    told = " ".join(capsys.readouterr().out.split())
    assert "--store PATH a project or .tur folder, or a ledger.db" in told


def test_a_wrong_option_is_usage() -> None:
    done = run("--teem")
    assert done.returncode == 2
    assert done.stderr == "tur-tui: unrecognized arguments: --teem; tur-tui --help lists the options\n"


def test_no_store_is_one_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from tur_tui import start
    from tur_tui.__main__ import main

    monkeypatch.setattr(start, "on_terminal", lambda: True)
    with pytest.raises(SystemExit) as end:
        main(["--store", str(tmp_path / "none")])
    assert end.value.code == 1
    told = capsys.readouterr().err
    assert told.count("\n") == 1
    assert "none" in told


async def test_it_starts_dark_and_monochrome_under_no_color(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with store(tmp_path, PAIRS[:1]) as engine:
        assert Workbench(engine).current_theme.name == "tur-dark"
        monkeypatch.setenv("NO_COLOR", "")
        async with sitting(engine) as person:
            assert person.app.current_theme.name == "tur-mono"


async def test_an_unknown_theme_is_told_and_another_used(tmp_path: Path) -> None:
    with store(tmp_path, PAIRS[:1]) as engine:
        async with sitting(engine, theme="tur-drak") as person:
            assert person.app.current_theme.name == "tur-dark"
            assert any('did you mean "tur-dark"' in said for said in person.toasts)


async def test_a_theme_chosen_by_key_is_there_at_the_next_start(tmp_path: Path) -> None:
    with store(tmp_path, PAIRS[:1]) as engine:
        async with sitting(engine) as person:
            before = person.app.current_theme.name
            await person.press("t")
            chosen = person.app.current_theme.name
            assert chosen != before
        assert settings_path().read_text() == f'theme = "{chosen}"\n'
        async with sitting(engine) as person:
            assert person.app.current_theme.name == chosen
        async with sitting(engine, theme="tur-light") as person:
            assert person.app.current_theme.name == "tur-light"


async def test_a_toast_that_is_drawn_too_late_has_a_time_to_be_up(tmp_path: Path) -> None:
    """A timer with a time that is over never ends, and with it the workbench stands still."""
    with store(tmp_path, PAIRS[:1]) as engine:
        async with sitting(engine) as person:
            person.triage.notify("Done.", timeout=600)
            await person.settled()
            notice = list(person.app._notifications)[-1]
            assert (notice.has_expired, 60 < notice.time_left <= 600) == (False, True)
            notice.raised_at -= 6000
            assert notice.has_expired
            assert Toast(notice)._timeout > 0
            assert notice not in list(person.app._notifications)


async def test_every_theme_comes_round(tmp_path: Path) -> None:
    with store(tmp_path, PAIRS[:1]) as engine:
        async with sitting(engine) as person:
            seen = set()
            for _ in person.app._cycle:
                await person.press("t")
                seen.add(person.app.current_theme.name)
            assert seen == {path.stem for path in themes_dir().glob("*.toml")}


async def test_a_bad_settings_file_is_told_and_left_out(tmp_path: Path) -> None:
    settings_path().parent.mkdir(parents=True)
    settings_path().write_text('them = "x"\n')
    with store(tmp_path, PAIRS[:1]) as engine:
        async with sitting(engine) as person:
            assert any("unknown setting 'them'" in said for said in person.toasts)


async def test_filter_and_radius_are_there_at_the_next_start(tmp_path: Path) -> None:
    with store(tmp_path) as engine:
        async with sitting(engine) as person:
            await person.press("slash", *"kind:held", "enter")
            await person.press("plus")
        async with sitting(engine) as person:
            assert person.triage.query_one(Feed).count == 3
            assert person.triage.query_one(NeighbourhoodPane).radius == 2
            assert "/ kind:held" in person.text


async def test_the_thread_that_follows_the_ledger_ends_with_the_workbench(tmp_path: Path) -> None:
    with store(tmp_path) as engine:
        async with sitting(engine) as person:
            (watcher,) = [worker for worker in person.app.workers if worker.group == "watch"]
            assert not watcher.cancelled_event.is_set()
            following = threading.active_count()
        assert watcher.cancelled_event.is_set()
        assert threading.active_count() < following


FAULT = """
import sys
from pathlib import Path
from textual.app import App
from tur_engine.engine import Engine
from tur_engine.records import Author, AuthorKind
from tur_tui.app import Workbench
from tur_tui.screens.triage import TriageScreen

def boom(self, *_):
    memory = "the cook likes " + "salt"
    raise RuntimeError("it broke")

TriageScreen.action_next = boom
engine = Engine.open(Path(sys.argv[1]), actor=Author(kind=AuthorKind.HUMAN, name="mara"))
app = Workbench(engine)

async def press(pilot):
    await pilot.press("n")

app.run(headless=True, auto_pilot=press)
print(app.parting, file=sys.stderr)
sys.exit(app.return_code)
"""


def test_a_fault_leaves_a_private_report_one_line_and_exit_70(tmp_path: Path) -> None:
    store(tmp_path, PAIRS[:1]).close()
    done = subprocess.run(
        [sys.executable, "-c", FAULT, str(tmp_path)], capture_output=True, text=True, timeout=60, check=False
    )
    assert done.returncode == EXIT_CODE
    told = done.stdout + done.stderr
    assert "Traceback" not in told
    assert "fault of its own (RuntimeError)" in told
    (report,) = crash_dir().iterdir()
    assert "RuntimeError" in report.read_text()
    assert "it broke" not in report.read_text()
    assert "the cook likes salt" not in report.read_text()
    assert report.stat().st_mode & 0o077 == 0


async def test_the_store_is_named_on_the_screen(tmp_path: Path) -> None:
    with Engine.init(tmp_path, actor=MARA) as engine:
        async with sitting(engine, (200, 50)) as person:
            assert "ledger.db" in person.text.splitlines()[0]


async def test_ctrl_c_says_how_to_leave_and_the_second_one_leaves(tmp_path: Path) -> None:
    with store(tmp_path, PAIRS[:1]) as engine:
        async with sitting(engine) as person:
            await person.press("ctrl+c")
            assert person.app._exit is False
            assert "q leaves" in person.toasts[-1]
            assert not any("ctrl+q" in said for said in person.toasts)
            await person.pilot.press("ctrl+c")
            await person.pilot.pause()
            assert person.app._exit is True
        assert person.app.return_code == 0


async def test_a_late_second_ctrl_c_is_a_first_one_again(tmp_path: Path) -> None:
    with store(tmp_path, PAIRS[:1]) as engine:
        async with sitting(engine) as person:
            await person.press("ctrl+c")
            person.app._interrupted -= 3
            await person.press("ctrl+c")
            assert person.app._exit is False
            await person.press("question_mark")
            person.app._interrupted = monotonic()  # however long help took to open
            await person.pilot.press("ctrl+c")
            await person.pilot.pause()
            assert person.app._exit is True
