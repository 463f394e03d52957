"""Speed of the ledger: `python benchmarks/ledger.py [--memories 100000] [--keep FOLDER]`.

Fills a store below the gate (words in random order, random vectors), then prints: bytes a memory, time to open,
verify, rebuild and back up, each as wall clock and as processor time: on a busy machine the second is the one to trust.
Verifying is told twice: in one process, and with the second one that it takes from 10,000 events on; that one's time is
counted too, so its gain shows by the clock, on two free cores.
With --keep the filled store stays in FOLDER and is used again.
"""

from __future__ import annotations

import argparse
import os
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from gate import fill

from tur_engine.engine import Engine
from tur_engine.ledger import away
from tur_engine.records import Author

BENCH = Author.parse("agent:bench")
OPEN = (
    "import sys, time; began = time.perf_counter(); from pathlib import Path; from tur_engine.ledger import Ledger; "
    "imported = time.perf_counter(); Ledger(Path(sys.argv[1])).tree_head(); done = time.perf_counter(); "
    "print(f'{1000 * (imported - began):.0f} ms to import, {1000 * (done - imported):.1f} ms to open')"
)


@contextmanager
def timed(what: str, events: int) -> Iterator[None]:
    """Print what the block took, and how many events a second that is."""
    wall, processor = time.perf_counter(), sum(os.times()[:4])
    yield
    wall, processor = time.perf_counter() - wall, sum(os.times()[:4]) - processor
    rates = f"{events / wall:,.0f} events a second by the clock, {events / processor:,.0f} by processor time"
    print(f"{what}: {wall:.2f} s; {rates}")


def measure(folder: Path, memories: int) -> None:
    """Fill the store where it is not there yet, and print all figures."""
    chance = random.Random(7)
    if not (folder / ".tur").exists():
        with Engine.init(folder, actor=BENCH) as engine, timed("fill", memories):
            fill(engine, memories, lambda _: bytes(32) + chance.randbytes(384), chance)
    with Engine.open(folder, actor=BENCH) as engine:
        events = engine.head()
        print(f"bytes a memory: {engine.path.stat().st_size / max(1, events - 1):.0f}")
        opened = subprocess.run(
            [sys.executable, "-c", OPEN, str(engine.path)], capture_output=True, text=True, check=True
        )
        print(f"a new process: {opened.stdout.strip()} (budget 150 ms)")
        for how, away.WORTH in (("in one process", events + 1), ("in two processes", 1)):
            with timed(f"verify {how}", events):
                report = engine.verify()
            print(f"  {'ok' if report.ok else report.problem}")
        with timed("backup", events), tempfile.TemporaryDirectory() as beside:
            engine.backup(Path(beside) / "copy.db")
        with timed("rebuild", events):
            engine.rebuild()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--memories", type=int, default=100_000)
    parser.add_argument("--keep", type=Path)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        measure(options.keep or Path(folder), options.memories)


if __name__ == "__main__":
    main()
