"""Stores for the ledger's tests, with minds that need no model."""

from __future__ import annotations

import random
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests import standins
from tests.conftest import move_home
from tests.ledger.makings import MARA, tell
from tur_engine.engine import Engine


@pytest.fixture(autouse=True, scope="module")
def machine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """A home for each module: copies of one story go different ways, and one witness would have seen them all."""
    with pytest.MonkeyPatch.context() as patch:
        move_home(patch, tmp_path_factory.mktemp("machine"))
        yield


@pytest.fixture(autouse=True, scope="module")
def plain_minds() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        standins.install(patch)
        yield


@pytest.fixture
def engine(tmp_path: Path) -> Iterator[Engine]:
    """A fresh store."""
    with Engine.init(tmp_path, actor=MARA) as engine:
        yield engine


@pytest.fixture(scope="session")
def told_once(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A finished store with the story in it, to be copied."""
    root = tmp_path_factory.mktemp("story")
    with pytest.MonkeyPatch.context() as patch:
        standins.install(patch)
        with Engine.init(root, actor=MARA) as engine:
            tell(engine)
    return root / ".tur" / "ledger.db"


@pytest.fixture
def story(told_once: Path, tmp_path: Path) -> Path:
    """A store file with the story in it, for this test alone."""
    path = tmp_path / ".tur" / "ledger.db"
    path.parent.mkdir()
    shutil.copyfile(told_once, path)
    return path


@pytest.fixture
def reopened() -> Iterator[Callable[[Path], Engine]]:
    """Opens stores that are closed when the test ends."""
    opened: list[Engine] = []

    def open_(path: Path) -> Engine:
        opened.append(Engine.open(path, actor=MARA))
        return opened[-1]

    yield open_
    for engine in opened:
        engine.close()


@pytest.fixture
def chance(request: pytest.FixtureRequest) -> random.Random:
    """Chance that is the same in every run of one test."""
    return random.Random(request.node.nodeid)


@pytest.fixture
def sample(chance: random.Random) -> Callable[[list[Any], int], list[Any]]:
    """Picks so many of a list."""
    return lambda items, count: chance.sample(items, min(count, len(items)))
