"""A disk without a free byte: what is there is still read, a write is one sentence, and nothing is lost."""

from __future__ import annotations

from pathlib import Path

import apsw
import pytest

from tests.disks import filled
from tests.ledger.makings import MARA, draft
from tur_engine.engine import Engine
from tur_engine.errors import DiskFull
from tur_engine.ledger.connection import translated


def test_a_disk_without_a_free_byte(small: Path) -> None:
    with Engine.init(small, actor=MARA) as engine:
        engine.learn(draft("The lamp is lit"))
        head = engine.head()
    filling = filled(small)
    with pytest.raises(DiskFull, match=r"no room left on the disk of .*; nothing was written"):
        Engine.open(small, actor=MARA)
    with Engine.open(small, actor=MARA, read_only=True) as reader:
        assert [belief.memory.content for belief in reader.memories()] == ["The lamp is lit"]
        assert reader.verify().ok
    filling.unlink()
    with Engine.open(small, actor=MARA) as engine:
        engine.note("There is room again")
        assert engine.head() == head + 1
        assert engine.verify().ok


def test_a_log_that_cannot_be_read_is_not_passed_over(small: Path) -> None:
    """Its index has no room: without it the store would look as it did before the last writes."""
    with Engine.init(small, actor=MARA) as engine:
        engine.note("in the store")
        path = engine.path
        log = path.with_name("ledger.db-wal").read_bytes()
    path.with_name("ledger.db-wal").write_bytes(log)
    assert log
    filling = filled(small)
    with pytest.raises(DiskFull):
        Engine.open(small, actor=MARA, read_only=True)
    filling.unlink()
    with Engine.open(small, actor=MARA, read_only=True) as reader:
        assert reader.verify().ok


def test_no_room_for_the_index_of_the_log_is_a_full_disk(tmp_path: Path) -> None:
    error = apsw.IOError("disk I/O error")
    error.extendedresult = apsw.SQLITE_IOERR_SHMSIZE  # type: ignore[attr-defined]
    with pytest.raises(DiskFull, match="no room left"), translated(tmp_path):
        raise error
