"""`tur-tui keys`, `tur-tui settings`, and what each setting does."""

from __future__ import annotations

import json
import re
import stat
from pathlib import Path

import pytest

from tests.ui.sitting import sitting
from tests.ui.stores import AGENT, PAIRS, learn, opened, store
from tur_tui import configured
from tur_tui.__main__ import main
from tur_tui.actions import remap
from tur_tui.app import Workbench
from tur_tui.keymap import read_keymap
from tur_tui.resources import user_themes_dir
from tur_tui.screens.tables import TABLES
from tur_tui.settings import Settings, read_settings, settings_path


def configure(text: str) -> None:
    settings_path().parent.mkdir(parents=True, exist_ok=True)
    settings_path().write_text(text)


def run(*arguments: str) -> int:
    with pytest.raises(SystemExit) as end:
        main([*arguments])
    remap({})
    return int(str(end.value.code))


def test_keys_prints_every_action_and_marks_what_is_yours(capsys: pytest.CaptureFixture[str]) -> None:
    configure('[keys]\nconflict.defer = "D"\n')
    assert run("keys") == 0
    told = capsys.readouterr().out
    for screen, actions in TABLES.items():
        assert f"The {screen} screen\n" in told
        for each in actions:
            assert each.id in told
    assert re.search(r"^  D +\* conflict\.defer ", told, re.M)
    assert told.rstrip().endswith(f"* is yours, from {settings_path()}")
    assert max(len(line) for line in told.splitlines()) <= 100
    assert run("keys", "--json") == 0
    rows = json.loads(capsys.readouterr().out)["keys"]
    assert len(rows) == sum(len(actions) for actions in TABLES.values())
    (defer,) = (each for each in rows if each["action"] == "conflict.defer")
    assert (defer["screen"], defer["keys"], defer["yours"]) == ("triage", ["D"], True)


def test_a_key_that_cannot_be_had_is_told_and_exits_2(capsys: pytest.CaptureFixture[str]) -> None:
    configure('[keys]\nquit = "ctrl+c"\n')
    for command in ("keys", "settings"):
        assert run(command) == 2
        told = capsys.readouterr()
        assert told.out
        sentence = '[keys] "quit": "ctrl+c" cannot be had: Ctrl-C copies and leaves.'
        assert told.err == f"tur-tui: {settings_path()}: {sentence}\n"


def test_settings_prints_each_with_its_value_and_where_it_comes_from(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("settings") == 0
    told = capsys.readouterr().out
    assert "is not there: these are the defaults" in told
    configure('editor = "code --wait"\n[keys]\nhelp = "f2"\n')
    assert run("settings") == 0
    told = capsys.readouterr().out
    assert 'editor = "code --wait"\n' in told
    assert "bell = false (default)\n" in told
    assert "keys = 1 of your own\n" in told
    assert run("settings", "--json") == 0
    data = json.loads(capsys.readouterr().out)
    assert data["file"] == str(settings_path())
    assert data["settings"]["editor"] == {"value": "code --wait", "yours": True}
    assert data["settings"]["keys"] == {"value": {"help": "f2"}, "yours": True}
    assert data["settings"].keys() == Settings.told().keys()


def test_settings_counts_the_keys_that_are_in_force(capsys: pytest.CaptureFixture[str]) -> None:
    configure('[keys]\nconflict.dismiss = "X"\nconflict.next = ["n", "ctrl+n"]\nhelp = "f2"\nquit = "ctrl+c"\n')
    assert run("settings") == 2  # what cannot be had is not yours
    assert "keys = 3 of your own\n" in capsys.readouterr().out


def test_a_theme_that_nobody_has_is_told_and_exits_2(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("NO_COLOR", raising=False)
    configure('theme = "tur-ligth"\n')
    assert run("settings") == 2
    sentence = "There is no theme 'tur-ligth' (did you mean \"tur-light\"?); tur-dark is used."
    assert capsys.readouterr().err == f"tur-tui: {settings_path()}: {sentence}\n"
    user_themes_dir().mkdir(parents=True)
    (user_themes_dir() / "tur-ligth.toml").write_text('primary = "#c678dd"\n')
    assert run("settings") == 0
    configure('theme = "nord"\n')  # one of Textual's own
    assert run("settings") == 0


def test_a_file_that_cannot_be_used_is_one_sentence_and_exits_2(capsys: pytest.CaptureFixture[str]) -> None:
    configure("them = 1\n")
    assert run("settings") == 2
    assert "unknown setting 'them'" in capsys.readouterr().err
    assert configured.WRONG == 2


def test_the_page_names_every_setting(repo_root: Path) -> None:
    page = (repo_root / "docs" / "settings.md").read_text("utf-8")
    for name in Settings.told():
        assert f"`{name}`" in page, name


def test_the_example_of_the_page_can_be_used(repo_root: Path) -> None:
    page = (repo_root / "docs" / "settings.md").read_text("utf-8")
    configure(page.split("```toml\n")[1].split("```")[0])
    settings = read_settings(settings_path())
    assert settings.given == {"theme", "bell", "editor", "keys"}
    keymap, problems = read_keymap(settings.keys)
    assert problems == []
    assert keymap.keys() == {"conflict.dismiss", "conflict.next", "help"}


# what they do ------------------------------------------------------------------------


async def test_the_bell_rings_when_a_conflict_opens(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rung: list[bool] = []
    monkeypatch.setattr(Workbench, "bell", lambda _: rung.append(True))
    for bell in (True, False):
        rung.clear()
        configure(f"bell = {str(bell).lower()}\n")
        root = tmp_path / str(bell)
        root.mkdir()
        with store(root, PAIRS[:1]) as engine:
            pair = ("Releases are cut on Mondays", "Releases are cut on Fridays")
            async with sitting(engine, (80, 24)) as person:
                assert rung == []
                with opened(root, AGENT, [pair]) as other:
                    learn(other, pair[0])
                    learn(other, pair[1])
                await person.until(lambda: len(person.triage.desk.queue) == 2)
                assert rung == [True] * bell


async def test_toasts_stay_as_long_as_the_person_reads(tmp_path: Path) -> None:
    configure("toast_seconds = 20\n")
    with store(tmp_path, PAIRS[:1]) as engine:
        async with sitting(engine, (80, 24)) as person:
            person.triage.say("one")
            person.app.say("two", timeout=10)
            await person.pilot.pause()
            assert [each.timeout for each in person.app._notifications] == [20, 40]


async def test_the_editor_of_the_settings_is_asked_before_the_environments(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("VISUAL", "vi")
    monkeypatch.delenv("EDITOR", raising=False)
    with store(tmp_path, PAIRS[:1]) as engine:
        assert Workbench(engine).editor == "vi"
        configure('editor = "mine --wait"\n')
        assert Workbench(engine).editor == "mine --wait"
        monkeypatch.delenv("VISUAL")
        configure("")
        assert Workbench(engine).editor == ""


async def test_a_file_that_cannot_be_used_is_said_and_the_defaults_hold(tmp_path: Path) -> None:
    configure("radius = 9\n")
    settings_path().chmod(stat.S_IRUSR)
    with store(tmp_path, PAIRS[:1]) as engine:
        async with sitting(engine, (80, 24)) as person:
            assert any("radius must be 1, 2 or 3. It is left out." in said for said in person.toasts)
            assert person.app.settings == Settings()
