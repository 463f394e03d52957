"""Settings and session files: read, kept, and harmless when damaged."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tur_tui.plain_files import LARGEST
from tur_tui.session import Session, read_session, session_path, write_session
from tur_tui.settings import Settings, SettingsError, keep_theme, read_settings


def test_no_file_means_defaults(tmp_path: Path) -> None:
    assert read_settings(tmp_path / "config.toml") == Settings()


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ('them = "tur-light"', "unknown setting 'them' (did you mean \"theme\"?)"),
        ("theme = 3", "theme must be text in quotes"),
        ("theme = ", "not valid TOML"),
        ("auto_lock_minutes = 0", "auto_lock_minutes must be a number above 0, 60 at most"),
        ("auto_lock_minutes = 61", "must be a number above 0"),
        ("auto_lock_minutes = nan", "must be a number above 0"),
        ("auto_lock_minutes = true", "must be a number above 0"),
        ('auto_lock_minutes = "5"', "must be a number above 0"),
        ("toast_seconds = 0", "toast_seconds must be a number above 0, 60 at most"),
        ("radius = 4", "radius must be 1, 2 or 3"),
        ("radius = true", "radius must be 1, 2 or 3"),
        ('bell = "yes"', "bell must be true or false"),
        ("restore = 1", "restore must be true or false"),
        ("editor = 1", "editor must be text in quotes"),
        ('keys = "x"', "keys must be a table, [keys]"),
    ],
)
def test_a_bad_file_is_one_sentence_that_names_it(tmp_path: Path, text: str, sentence: str) -> None:
    path = tmp_path / "config.toml"
    path.write_text(text)
    with pytest.raises(SettingsError) as caught:
        read_settings(path)
    assert str(path) in str(caught.value)
    assert sentence in str(caught.value)


def test_the_time_to_the_lock_may_be_a_fraction(tmp_path: Path) -> None:
    path = tmp_path / "config.toml"
    path.write_text("auto_lock_minutes = 0.5")
    assert read_settings(path).auto_lock_minutes == 0.5
    assert Settings().auto_lock_minutes == 5


def test_bytes_that_are_no_text(tmp_path: Path) -> None:
    path = tmp_path / "config.toml"
    path.write_bytes(b"\xff\xfe")
    with pytest.raises(SettingsError, match="not UTF-8"):
        read_settings(path)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("", 'theme = "tur-light"\n'),
        ('theme = "tur-dark"\n', 'theme = "tur-light"\n'),
        ("# mine\n", '# mine\ntheme = "tur-light"\n'),
        ('# mine\ntheme="x" # why\n# end\n', '# mine\ntheme = "tur-light"\n# end\n'),
        ("[keys]\na = 1\n", 'theme = "tur-light"\n\n[keys]\na = 1\n'),
        ('[keys]\ntheme = "no"\n', 'theme = "tur-light"\n\n[keys]\ntheme = "no"\n'),
    ],
)
def test_the_theme_is_kept_and_the_rest_left_alone(tmp_path: Path, before: str, after: str) -> None:
    path = tmp_path / "deep" / "config.toml"
    path.parent.mkdir()
    path.write_text(before)
    keep_theme(path, "tur-light")
    assert path.read_text() == after
    assert [each.name for each in path.parent.iterdir()] == ["config.toml"]


def test_a_theme_is_kept_behind_a_link_and_with_the_mode_that_was_there(tmp_path: Path) -> None:
    real, path = tmp_path / "dotfiles.toml", tmp_path / "config.toml"
    real.write_text("bell = true\n")
    real.chmod(0o644)
    path.symlink_to(real.name)
    keep_theme(path, "tur-light")
    assert path.is_symlink()
    assert real.read_text() == 'bell = true\ntheme = "tur-light"\n'
    assert real.stat().st_mode & 0o777 == 0o644


def test_the_session_comes_back(tmp_path: Path) -> None:
    path = session_path(tmp_path / "ledger.db")
    assert read_session(path) == Session()
    write_session(path, Session(filter="kind:held", radius=2))
    assert read_session(path) == Session(filter="kind:held", radius=2)
    assert session_path(tmp_path / "other.db") != path


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        '{"version": 9, "filter": "", "radius": 1}',
        '{"version": 1, "filter": "", "radius": 1}',
        '{"version": 2, "filter": "", "radius": 99}',
        '{"version": 2, "filter": "' + "x" * 70_000 + '"}',
        '["version"',
    ],
)
def test_a_damaged_session_is_a_fresh_one(tmp_path: Path, text: str) -> None:
    path = tmp_path / "session.json"
    path.write_text(text)
    assert read_session(path) == Session()


@pytest.mark.parametrize("kind", ["pipe", "folder", "device"])
def test_what_is_no_file_is_said_and_never_waited_for(tmp_path: Path, kind: str) -> None:
    path = tmp_path / "config.toml"
    if kind == "pipe":
        os.mkfifo(path)
    elif kind == "folder":
        path.mkdir()
    else:
        path.symlink_to("/dev/zero")
    with pytest.raises(SettingsError, match="it is not a file"):
        read_settings(path)
    with pytest.raises(OSError, match="not a file"):
        keep_theme(path, "tur-light")
    assert read_session(path) == Session()
    assert not path.is_file()


def test_a_file_of_other_bytes_keeps_no_theme(tmp_path: Path) -> None:
    path = tmp_path / "config.toml"
    path.write_bytes(b"\xff\xfe")
    with pytest.raises(OSError, match="not UTF-8"):
        keep_theme(path, "tur-light")
    assert path.read_bytes() == b"\xff\xfe"


def test_a_file_that_goes_on_and_on_is_not_read_whole(tmp_path: Path) -> None:
    path = tmp_path / "config.toml"
    path.write_bytes(b"#" * (LARGEST + 1))
    with pytest.raises(SettingsError, match="larger than 1024 KiB"):
        read_settings(path)
