"""Fault reports: private, without locals, and never in the way."""

from __future__ import annotations

import stat
from pathlib import Path

import pytest

from tests.ui.sitting import sitting
from tests.ui.stores import PAIRS, store
from tur_engine.records import Draft
from tur_tui.__main__ import main
from tur_tui.app import Workbench
from tur_tui.crash import crash_dir, last_words, write_report


def _fault(secret: str) -> Exception:
    try:
        hidden = secret.upper()
        raise RuntimeError(f"engine exploded at {hidden}", len(hidden))
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


def _refused(text: str) -> Exception:
    try:
        Draft.model_validate({"content": text, "author": text})
    except ValueError as error:
        return error
    raise AssertionError


def test_the_words_of_no_exception_reach_a_report(tmp_path: Path) -> None:
    """A missing key, what a record refused, notes, causes, groups: all of them quote what they met."""
    secret = "the cook likes salt"
    try:
        try:
            try:
                {"": ""}[secret]
            except KeyError as missing:
                missing.add_note(secret)
                raise LookupError(secret) from missing
        except LookupError as gone:
            refused = _refused(secret)
            raise ExceptionGroup(secret, [refused, OSError(28, secret, secret)]) from gone
    except ExceptionGroup as error:
        path = write_report(error, tmp_path)
    assert path is not None
    text = path.read_text()
    assert "salt" not in text.replace(f'secret = "{secret}"', "")
    for kind in (
        "builtins.KeyError",
        "LookupError",
        "ValidationError",
        "builtins.OSError [errno 28]",
        "ExceptionGroup",
    ):
        assert kind in text
    assert text.index("KeyError") < text.index("LookupError") < text.index("builtins.ExceptionGroup")


async def test_a_fault_in_a_worker_is_one_sentence_and_a_report(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with store(tmp_path, PAIRS[:1]) as engine:
        async with sitting(engine) as person:

            def broken(*_: object, **__: object) -> None:
                raise KeyError("the cook likes salt")

            monkeypatch.setattr(engine, "held_back", broken)
            await person.press("h")
            assert "a fault of the program (KeyError); the report is in" in person.toasts[-1]
            assert person.app.return_code is None
    (report,) = crash_dir().iterdir()
    assert "salt" not in report.read_text().replace('raise KeyError("the cook likes salt")', "")


async def test_a_second_fault_while_leaving_says_no_more(tmp_path: Path) -> None:
    with store(tmp_path, PAIRS[:1]) as engine:
        app = Workbench(engine)

        async def two_faults() -> None:
            async with app.run_test() as pilot:
                await pilot.pause()
                app._handle_exception(ZeroDivisionError("the cook"))
                app._handle_exception(KeyError("likes salt"))

        with pytest.raises(ZeroDivisionError):
            await two_faults()
        assert app.return_code == 70
        assert "ZeroDivisionError" in app.parting
        assert "\n" not in app.parting
    assert len(list(crash_dir().iterdir())) == 2


def test_a_fault_before_the_screen_is_told_the_same_way(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def broken(*_: object, **__: object) -> None:
        raise KeyError("the cook likes salt")

    monkeypatch.setattr("tur_engine.engine.Engine.open", broken)
    with pytest.raises(SystemExit) as left:
        main(["list"])
    assert left.value.code == 70
    said = capsys.readouterr().err
    assert "KeyError" in said
    assert "salt" not in said
    assert said.count("\n") == 1
