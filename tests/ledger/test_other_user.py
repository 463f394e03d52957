"""A store of another user, with the file system's own permissions: one sentence, and not a byte of it changes."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import pytest

from tests.ledger.makings import MARA
from tur_engine import whereabouts
from tur_engine.engine import Engine
from tur_engine.errors import TurError

pytestmark = pytest.mark.skipif(
    not hasattr(os, "geteuid") or os.geteuid() != 0, reason="only root can be somebody else for a while"
)
NOBODY = 65534


@pytest.fixture
def open_folder() -> Iterator[Path]:
    """A folder that everybody may look into: pytest's own may not be."""
    place = Path(tempfile.mkdtemp())
    place.chmod(0o755)
    yield place
    shutil.rmtree(place)


def told_as_nobody(work: Callable[[], str]) -> str:
    """Do it in a child that is another user; what it says, or the error's sentence."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            os.setgroups([])
            os.setgid(NOBODY)
            os.setuid(NOBODY)
            try:
                said = work()
            except TurError as error:
                said = f"{type(error).__name__}: {error}"
            os.write(writing, said.encode())
        finally:
            os._exit(0)
    os.close(writing)
    with os.fdopen(reading, "rb") as answer:
        said = answer.read().decode()
    os.waitpid(child, 0)
    return said


def write(root: Path) -> str:
    with Engine.open(root, actor=MARA) as engine:
        engine.note("mine now")
    return "written"


def read(root: Path) -> str:
    with Engine.open(root, actor=MARA, read_only=True) as engine:
        return f"{engine.head()} events, ok {engine.verify().ok}"


@pytest.mark.parametrize(
    ("mode", "reads", "writes"),
    [
        (0o644, "2 events, ok True", "ReadOnlyStore: {} cannot be written: it or its folder is read-only"),
        (0o600, *["StoreError: {} cannot be opened; check that the folder exists and may be read"] * 2),
    ],
)
def test_a_store_of_another_user(open_folder: Path, mode: int, reads: str, writes: str) -> None:
    with Engine.init(open_folder, actor=MARA) as engine:
        path = engine.path
    write(open_folder)  # what is loaded late is loaded: the other user may not read Python's own files
    read(open_folder)
    path.chmod(mode)
    before = path.read_bytes()
    assert told_as_nobody(lambda: read(open_folder)) == reads.format(path)
    assert told_as_nobody(lambda: write(open_folder)) == writes.format(path)
    assert path.read_bytes() == before
    path.parent.chmod(0o700)
    said = "may not be looked into; ask whose it is, or name another store with --store"
    for at in (open_folder, path.parent, path):
        assert told_as_nobody(partial(read, at)) == f"StoreError: {path.parent} {said}"
    assert told_as_nobody(lambda: str(whereabouts.nearest(open_folder))).endswith(said)
    path.parent.chmod(0o755)
    assert read(open_folder) == "2 events, ok True"
