"""Small repositories, and minds whose verdict can be foretold."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests import standins

Writer = Callable[[dict[str, str]], Path]


@pytest.fixture
def repository(tmp_path: Path) -> Writer:
    """Write files into a folder of their own; return it."""

    def write(files: dict[str, str]) -> Path:
        root = tmp_path / "repository"
        for name, text in files.items():
            path = root / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(text.encode())
        return root

    return write


@pytest.fixture
def plain_minds(monkeypatch: pytest.MonkeyPatch) -> None:
    """`subject: value`: two values of one subject clash."""
    standins.install(monkeypatch)
