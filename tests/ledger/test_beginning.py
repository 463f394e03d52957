"""How the open file begins is looked at past SQLite, and never at the price of its locks."""

from __future__ import annotations

import subprocess
import sys
from contextlib import closing
from pathlib import Path

import apsw
import pytest

from tur_engine.engine import Engine
from tur_engine.errors import IntegrityFailure
from tur_engine.ledger.beginning import Beginning
from tur_engine.records import Author, AuthorKind

MARA = Author(kind=AuthorKind.HUMAN, name="mara")


def test_what_is_written_over_the_file_is_seen_at_the_next_look(tmp_path: Path) -> None:
    with Engine.init(tmp_path, actor=MARA) as engine:
        engine._ledger.data_version()
        with engine.path.open("r+b") as file:
            file.write(b"garbage " * 512)
        with pytest.raises(IntegrityFailure, match="overwritten"):
            engine._ledger.data_version()


SWITCH = """
import apsw, sys
try:
    print(apsw.Connection(sys.argv[1]).execute("PRAGMA journal_mode=DELETE").get)
except apsw.BusyError:
    print("locked")
"""


def switched(path: Path) -> str:
    """What another process gets that wants the file for itself."""
    done = subprocess.run([sys.executable, "-c", SWITCH, str(path)], capture_output=True, text=True, check=True)
    return done.stdout.strip()


def test_one_that_looks_no_more_leaves_the_locks_of_the_others(tmp_path: Path) -> None:
    with Engine.init(tmp_path, actor=MARA) as engine:
        found = engine.path.stat()
        file = (found.st_dev, found.st_ino)
        first, second = Beginning(engine.path, file), Beginning(engine.path, file)
        with closing(apsw.Connection(str(engine.path))) as db:
            db.execute("BEGIN; SELECT count(*) FROM sqlite_schema").fetchall()
            first.close()
            assert switched(engine.path) == "locked"
            assert not second.overwritten()
        second.close()
