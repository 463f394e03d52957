"""Fault reports: private, without locals, and never in the way."""

from __future__ import annotations

import stat
from pathlib import Path

from tur_tui.crash import crash_dir, last_words, write_report


def _fault(secret: str) -> Exception:
    try:
        hidden = secret.upper()
        raise RuntimeError("engine exploded", len(hidden))
    except RuntimeError as error:
        return error


def test_the_report_is_private_and_without_locals(tmp_path: Path) -> None:
    path = write_report(_fault("the cook likes salt"), tmp_path / "crashes")
    assert path is not None
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    text = path.read_text()
    assert "RuntimeError" in text
    assert "test_crash.py" in text
    assert "THE COOK" not in text
    assert "the cook" not in text


def test_the_last_words_quote_nothing() -> None:
    words = last_words(ValueError("the cook likes salt"), Path("/x/crash.txt"))
    assert "salt" not in words
    assert "ValueError" in words
    assert "/x/crash.txt" in words
    assert "\n" not in words


def test_a_folder_that_cannot_be_made_is_no_second_fault(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    assert write_report(_fault("x"), tmp_path / "file" / "crashes") is None
    assert "no report" in last_words(ValueError(), None)


def test_reports_go_to_the_state_folder(home: Path) -> None:
    assert crash_dir().is_relative_to(home)
