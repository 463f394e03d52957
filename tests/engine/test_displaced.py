"""The path stops naming the open store: nothing is written into a file nobody finds, and it goes on once it is back."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest

from tur_engine.engine import Engine
from tur_engine.errors import StoreError
from tur_engine.records import Author

ME = Author.parse("human:mara")


def test_a_store_that_was_moved_is_not_written_until_it_is_back(tmp_path: Path) -> None:
    with Engine.init(tmp_path / "a", actor=ME) as engine:
        assert engine.displaced() == ""
        (tmp_path / "a").rename(tmp_path / "b")
        assert str(engine.path) in engine.displaced()
        with pytest.raises(StoreError, match="moved or removed"):
            engine.note("nobody would find this")
        (tmp_path / "b").rename(tmp_path / "a")
        assert engine.displaced() == ""
        assert engine.note("this is found").seq == 2


def test_another_store_at_the_path_is_neither_written_nor_read(tmp_path: Path) -> None:
    with Engine.init(tmp_path / "a", actor=ME) as engine:
        engine.note("of the first store")
        (tmp_path / "a").rename(tmp_path / "b")
        with Engine.init(tmp_path / "a", actor=ME) as other:
            with pytest.raises(StoreError, match="replaced"):
                engine.note("meant for the first store")
            told: list[str] = []

            def look() -> None:  # a new thread opens a connection of its own
                try:
                    engine.head()
                except StoreError as error:
                    told.append(str(error))

            thread = threading.Thread(target=look)
            thread.start()
            thread.join()
            assert len(told) == 1
            assert "replaced" in told[0]
            assert other.head() == 1
