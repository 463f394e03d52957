"""A file that is replaced whole: its mode stays, and where it cannot be done nothing has happened."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from tur_engine.replacing import replace


def mode_of(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def test_a_file_that_is_there_keeps_its_mode(tmp_path: Path) -> None:
    path = tmp_path / "settings.json"
    path.write_bytes(b"old")
    path.chmod(0o640)
    replace(path, b"new\r\n")
    assert (path.read_bytes(), mode_of(path)) == (b"new\r\n", 0o640)


def test_a_new_one_has_the_usual_mode(tmp_path: Path) -> None:
    before = os.umask(0o027)
    try:
        replace(tmp_path / "new", b"")
    finally:
        os.umask(before)
    assert mode_of(tmp_path / "new") == 0o640


@pytest.mark.parametrize("fails", ["fsync", "chmod", "replace"])
def test_where_it_fails_the_old_one_stands_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, fails: str) -> None:
    (tmp_path / "page").write_bytes(b"old")

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(os, fails, full)
        with pytest.raises(OSError, match="No space"):
            replace(tmp_path / "page", b"new")
    assert [(path.name, path.read_bytes()) for path in tmp_path.iterdir() if path.is_file()] == [("page", b"old")]


def test_one_that_may_not_be_written_is_not_replaced(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "page").write_bytes(b"old")
    monkeypatch.setattr(os, "access", lambda *_: False)  # tests run as root, to whom everything is open
    with pytest.raises(PermissionError, match="read-only"):
        replace(tmp_path / "page", b"new")
    assert (tmp_path / "page").read_bytes() == b"old"
