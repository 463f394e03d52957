"""Threads of one process write in the order in which they came."""

from __future__ import annotations

import shutil
import threading
import time
from pathlib import Path

import apsw
import pytest

from tur_engine.ledger import Ledger, turns
from tur_engine.records import Author


def test_each_comes_in_its_order() -> None:
    queue, order, ready = turns.Turns(), list[int](), [threading.Event() for _ in range(9)]

    def write(number: int) -> None:
        ready[number].set()
        with queue.mine():
            order.append(number)

    with queue.mine():
        threads = [threading.Thread(target=write, args=(number,)) for number in range(9)]
        for thread, here in zip(threads, ready, strict=True):
            thread.start()
            here.wait()
            while len(queue._waiting) <= threads.index(thread):
                time.sleep(0.001)
    for thread in threads:
        thread.join()
    assert order == list(range(9))


def test_who_gives_up_leaves_the_queue() -> None:
    queue = turns.Turns()
    with queue.mine():
        with pytest.raises(apsw.BusyError), queue.mine(patience=0.01):
            pass
        assert not queue._waiting
    with queue.mine():
        pass


def test_a_fault_gives_the_turn_on() -> None:
    queue = turns.Turns()
    with pytest.raises(ZeroDivisionError), queue.mine():
        raise ZeroDivisionError
    with queue.mine(patience=0.01):
        pass


def test_all_who_have_a_store_open_stand_in_one_queue(tmp_path: Path) -> None:
    me = Author.parse("human:mara")
    first = Ledger.create(tmp_path / "a.db", me)
    copied = shutil.copy(tmp_path / "a.db", tmp_path / "b.db")  # of the same id, and a file of its own
    second, other = Ledger(tmp_path / "a.db"), Ledger(Path(copied))
    try:
        assert first._turns is second._turns is not other._turns
    finally:
        for each in (first, second, other):
            each.close()
