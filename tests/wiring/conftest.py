"""The harnesses' files of a made-up project, and what harnesses send."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.conftest import Programs

FIXTURES = Path(__file__).with_name("fixtures")


@pytest.fixture
def tur(monkeypatch: pytest.MonkeyPatch) -> Programs:
    """The programs."""
    return Programs(monkeypatch)


def sent(name: str, work: Path) -> bytes:
    """A harness's call, `harness/event`, in this working folder."""
    return (FIXTURES / f"{name}.json").read_bytes().replace(b"@WORK@", work.as_posix().encode())


def snapshot(*folders: Path) -> dict[str, bytes | None]:
    """Every file with its bytes, every folder as None."""
    return {
        path.as_posix(): path.read_bytes() if path.is_file() else None
        for folder in folders
        for path in sorted(folder.rglob("*"))
    }
