"""Themes of one's own, read anew while the workbench runs."""

from __future__ import annotations

import os
from pathlib import Path

from tests.ui.sitting import sitting
from tests.ui.stores import PAIRS, store
from tur_tui.resources import themes_dir, user_themes_dir
from tur_tui.theme_files import News, ThemeFiles


def write(path: Path, text: str, at: int = 1) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    os.utime(path, (at, at))


def settled(files: ThemeFiles) -> News | None:
    """What two looks say."""
    first = files.look()
    return first or files.look()


def test_a_change_is_taken_once_the_folder_is_at_rest(tmp_path: Path) -> None:
    files = ThemeFiles(themes_dir(), tmp_path / "themes")
    shipped = set(files.themes)
    assert (files.problems, settled(files)) == ([], None)
    write(tmp_path / "themes" / "plum.toml", 'primary = "#c678dd"')
    assert files.look() is None, "it may still be written"
    assert files.look() == News(frozenset({"plum"}), ())
    assert set(files.themes) == {*shipped, "plum"}
    assert settled(files) is None
    write(tmp_path / "themes" / "plum.toml", 'primary = "#c678ee"', at=2)
    assert settled(files) == News(frozenset({"plum"}), ())
    assert files.themes["plum"].primary == "#c678ee"


def test_a_broken_edit_is_told_once_and_the_last_good_one_stays(tmp_path: Path) -> None:
    write(tmp_path / "plum.toml", 'primary = "#c678dd"')
    write(tmp_path / "bad.toml", "primary = 1")
    files = ThemeFiles(themes_dir(), tmp_path)
    assert len(files.problems) == 1
    write(tmp_path / "plum.toml", 'primery = "red"', at=2)
    news = settled(files)
    assert news is not None
    assert news.changed == frozenset()
    assert news.problems == (f"{tmp_path / 'plum.toml'}: unknown key 'primery' (did you mean \"primary\"?).",)
    assert files.themes["plum"].primary == "#c678dd"
    assert settled(files) is None
    (tmp_path / "plum.toml").unlink()
    assert settled(files) == News(frozenset(), ())
    assert "plum" not in files.themes


def test_a_shipped_theme_comes_back_where_its_replacement_goes(tmp_path: Path) -> None:
    write(tmp_path / "tur-dark.toml", 'primary = "#123456"')
    files = ThemeFiles(themes_dir(), tmp_path)
    assert files.themes["tur-dark"].primary == "#123456"
    (tmp_path / "tur-dark.toml").unlink()
    assert settled(files) == News(frozenset({"tur-dark"}), ())
    assert files.themes["tur-dark"].primary != "#123456"


def test_a_file_in_place_of_the_folder_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    assert ThemeFiles(themes_dir(), tmp_path / "missing").problems == []
    files = ThemeFiles(themes_dir(), tmp_path / "file")
    assert files.problems == [f"{tmp_path / 'file'}: cannot be listed (Not a directory)."]
    assert files.themes


async def test_the_theme_on_the_screen_follows_its_file(tmp_path: Path) -> None:
    path = user_themes_dir() / "mine.toml"
    write(path, 'primary = "#c678dd"\n[variables]\nconflict = "#ff0000"\n')
    with store(tmp_path, PAIRS[:1]) as engine:
        async with sitting(engine, (80, 24), theme="mine") as person:
            app = person.app
            assert app.get_css_variables()["conflict"] == "#ff0000"
            write(path, 'primary = "#c678dd"\n[variables]\nconflict = "#00ff00"\n', at=2)
            await person.until(lambda: app.get_css_variables()["conflict"] == "#00ff00")
            await person.until(lambda: "Read anew: mine." in person.toasts)
            write(path, 'primary = "#c678dd"\n[variables]\nconflcit = "#0000ff"\n', at=3)
            await person.until(lambda: any("'conflcit' (did you mean" in said for said in person.toasts))
            assert person.toasts[-1].endswith("It stays as it was.")
            assert app.get_css_variables()["conflict"] == "#00ff00"
            path.unlink()
            await person.until(lambda: "mine" not in app._cycle)
            assert app.current_theme.name == "mine"
            await person.press("t")
            assert app.current_theme.name == app._cycle[0]
