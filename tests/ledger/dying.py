"""Learns in child processes that are killed at their first, second, third ... write. Run as a script: STORE FOLDER.

A script, because only a process with one thread is safely forked.
"""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path

import pytest

from tests import standins
from tests.ledger.frail import frail_disk
from tests.ledger.makings import MARA, draft
from tur_engine.engine import Engine
from tur_engine.records import Status

TEXT = "database: a fourth choice"


def learn(path: Path, at: int) -> int:
    """Learn with a disk that kills at write number `at`; return what is left to tell: 0 for done."""
    with frail_disk() as disk:
        engine = Engine.open(path, actor=MARA)
        engine.status()
        disk.arm(at, None)
        engine.learn(draft(TEXT))
        survived = disk.writes < at
        engine.close()
    return 0 if survived else 3


def look(path: Path) -> tuple[bool, int]:
    """Open what is left: does it verify, how often is the text there?"""
    with Engine.open(path, actor=MARA) as engine:
        held = [b for b in engine.memories(status=[Status.HELD]) if b.memory.content == TEXT]
        return engine.verify().ok, len(held)


def main(store: Path, folder: Path) -> None:
    """Print one line a death: the write, whether the store verified, how often the text was there."""
    standins.install(pytest.MonkeyPatch())
    for at in (*range(1, 8), *range(8, 500, 5)):
        path = folder / str(at) / "ledger.db"
        path.parent.mkdir()
        shutil.copyfile(store, path)
        os.environ["XDG_STATE_HOME"] = str(path.parent / "state")  # the copies are one store: each has its own witness
        child = os.fork()
        if child == 0:
            os._exit(learn(path, at))
        told = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        print(at, told, *map(int, look(path)), flush=True)
        if told == 0:
            break


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
