"""Speed of the workbench: `python benchmarks/workbench.py [--memories 100000] [--conflicts 500] [--keep FOLDER]`.

Fills a store below the gate, opens the installed `tur-tui` in a pseudo-terminal of 200 by 50 and prints: start to first
paint with the first conflict on it, key press to paint, another process's event to paint, and memory. Times are by the
clock; the processor time of the start stands beside its own, on a busy machine that one is to be trusted (or run all of
it with `chrt -r 5`). A key's time is told twice: to the first painting, and to the last of what the key set off.
"""

from __future__ import annotations

import argparse
import os
import random
import statistics
import subprocess
import sys
import tempfile
import time
from datetime import UTC, datetime
from pathlib import Path

import pexpect
from gate import fill

from tur_engine.engine import Engine
from tur_engine.gate.clash import Clash
from tur_engine.ledger import Encoded, NewEvent
from tur_engine.ledger.effects import arrive, conflict_id
from tur_engine.records import Author, Draft, EventKind, Evidence, Relationship, Status, Verdict

BENCH = Author.parse("agent:bench")
SIZE = (50, 200)
RATE = 50
"""Events that another process appends a second while the live update is measured."""
CALM = 0.4
"""Seconds without output after which the screen is taken to be finished."""
BURST = 0.06
"""Seconds without output after which all that a key set off is taken to be painted: more than three frames."""
RIGHT, LEFT, DOWN, TAB = "\x1b[C", "\x1b[D", "\x1b[B", "\t"
ROUTE = (
    *(("next conflict", "n"), ("another verb", RIGHT), ("another verb", RIGHT), ("another verb", LEFT), ("mark", " ")),
    *(("another pane", TAB), ("another pane", TAB), ("another pane", TAB), ("down the feed", DOWN)),
    *(("down the feed", DOWN), ("another pane", TAB), ("another pane", TAB)),
)
"""Kinds of keys and the keys, round and round; a round ends in the pane that it began in."""


def conflicts(engine: Engine, count: int) -> None:
    """Hold one newcomer against each of the newest memories."""
    events = []
    for number, incumbent in enumerate(engine.memories(limit=count)):
        draft = Draft(content=f"{incumbent.memory.content} no longer {number}", author=BENCH)
        encoded = Encoded(draft, datetime.now(UTC))
        piece = Evidence(kind="judge", weight=3.0, sentence="both name a value of one thing, and the values differ")
        verdict = Verdict(
            relationship=Relationship.CLASH, probability=0.6 + 0.39 * (number % 97) / 97, evidence=(piece,)
        )
        old, new = incumbent.memory.digest, encoded.digest
        effect, packed = Clash(0, old, conflict_id(old, new), verdict).opening(new)
        data = {"memory": encoded.data, "effects": [arrive(encoded.digest, Status.HELD), effect]}
        events.append(NewEvent(EventKind.HELD, BENCH, data, [*encoded.bodies, packed]))
    with engine._ledger.writing() as writing:
        writing.append(events)


def learn(engine: Engine, text: str) -> None:
    """Append one memory below the gate, as another process would."""
    encoded = Encoded(Draft(content=text, author=BENCH), datetime.now(UTC))
    data = {"memory": encoded.data, "effects": [arrive(encoded.digest, Status.ACTIVE)]}
    with engine._ledger.writing() as writing:
        writing.append([NewEvent(EventKind.LEARNED, BENCH, data, [*encoded.bodies])])


def append(folder: Path) -> None:
    """Be the other process: append so many events a second until killed."""
    with Engine.open(folder, actor=BENCH) as engine:
        began, number = time.perf_counter(), 0
        while True:
            learn(engine, f"one of many {number} {random.random()}")
            number += 1
            time.sleep(max(0.0, began + number / RATE - time.perf_counter()))


class Screen:
    """The workbench in a pseudo-terminal."""

    def __init__(self, folder: Path) -> None:
        program = Path(sys.executable).with_name("tur-tui")
        environment = {**os.environ, "TERM": "xterm-256color", "COLORTERM": "truecolor"}
        self.began = time.perf_counter()
        self.process = pexpect.spawn(
            str(program), ["--store", str(folder)], dimensions=SIZE, env=environment, timeout=60
        )
        self.process.delaybeforesend = None  # 50 ms else, before every key

    def until(self, words: str, seconds: float = 60) -> float:
        """Read until the words were painted; the moment."""
        seen, end = b"", time.perf_counter() + seconds
        while words.encode() not in seen:
            if time.perf_counter() > end:
                raise SystemExit(f"waited in vain for {words!r}")
            try:
                seen = seen[-200:] + self.process.read_nonblocking(65536, timeout=0.05)
            except pexpect.TIMEOUT:
                continue
        return time.perf_counter()

    def calm(self) -> None:
        """Read until nothing more is painted."""
        while True:
            try:
                self.process.read_nonblocking(65536, timeout=CALM)
            except pexpect.TIMEOUT:
                return

    def key(self, key: str) -> tuple[float, float]:
        """Milliseconds from a key to the first painting after it, and to the last of what it set off."""
        began = time.perf_counter()
        self.process.send(key)
        self.process.read_nonblocking(65536, timeout=5)
        first = last = time.perf_counter()
        while True:
            try:
                self.process.read_nonblocking(65536, timeout=BURST)
                last = time.perf_counter()
            except pexpect.TIMEOUT:
                return 1000 * (first - began), 1000 * (last - began)

    @property
    def processor(self) -> float:
        """Seconds of processor time that it took so far."""
        words = Path(f"/proc/{self.process.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(words[11]) + int(words[12])) / os.sysconf("SC_CLK_TCK")

    @property
    def megabytes(self) -> float:
        """Memory in use."""
        lines = Path(f"/proc/{self.process.pid}/status").read_text().splitlines()
        return int(next(line for line in lines if line.startswith("VmRSS")).split()[1]) / 1024

    def close(self) -> None:
        self.process.send("q")
        self.process.expect(pexpect.EOF)
        self.process.close(force=True)


def percentiles(times: list[tuple[float, float]]) -> str:
    """Percentiles of the times of some keys, in words."""
    first, last = (sorted(each) for each in zip(*times, strict=True))
    return ", ".join(
        f"{name} p50 {statistics.median(each):.0f} ms, p95 {each[round(0.95 * (len(each) - 1))]:.0f} ms"
        for name, each in (("first painting", first), ("last", last))
    )


def measure(folder: Path, options: argparse.Namespace) -> None:
    """Print all figures."""
    chance = random.Random(7)
    if not (folder / ".tur").exists():
        with Engine.init(folder, actor=BENCH) as engine:
            fill(engine, options.memories, lambda _: bytes(32) + chance.randbytes(384), chance)
            conflicts(engine, options.conflicts)
    starts, processor = [], []
    for _ in range(options.starts):
        screen = Screen(folder)
        starts.append(screen.until("EXISTING") - screen.began)
        processor.append(screen.processor)
        screen.calm()
        screen.close()
    best, middle = 1000 * min(starts), 1000 * statistics.median(starts)
    used = 1000 * min(processor)
    print(
        f"start to first conflict: best {best:.0f} ms, median {middle:.0f} ms; processor {used:.0f} ms (budget 500 ms)"
    )
    screen = Screen(folder)
    screen.until("EXISTING")
    screen.calm()
    took: dict[str, list[tuple[float, float]]] = {}
    for number in range(options.keys):
        kind, key = ROUTE[number % len(ROUTE)]
        took.setdefault(kind, []).append(screen.key(key))
        screen.calm()
    every = [each for kind in took.values() for each in kind]
    print(f"key to paint, {len(every)} keys: {percentiles(every)} (budget 33 ms)")
    for kind, times in took.items():
        print(f"  {kind}: {percentiles(times)}")
    screen.close()
    screen = Screen(folder)  # one that follows
    screen.until("EXISTING")
    screen.calm()
    lives = []
    busy = subprocess.Popen([sys.executable, __file__, "--append", str(folder)])
    try:
        with Engine.open(folder, actor=BENCH) as engine:
            for number in range(options.live):
                word = f"zebra{chance.randrange(10**6)}"
                began = time.perf_counter()
                learn(engine, f"{word} {number}")
                lives.append(1000 * (screen.until(word) - began))
                time.sleep(CALM)
    finally:
        busy.kill()
        busy.wait()
    screen.calm()
    middle, worst = statistics.median(lives), max(lives)
    told = f"p50 {middle:.0f} ms, worst {worst:.0f} ms (budget 500 ms)"
    print(f"live update, {len(lives)} events among {RATE} a second: {told}")
    print(f"memory: {screen.megabytes:.0f} MB (budget 400 MB)")
    screen.close()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--memories", type=int, default=100_000)
    parser.add_argument("--conflicts", type=int, default=500)
    parser.add_argument("--starts", type=int, default=5)
    parser.add_argument("--keys", type=int, default=120)
    parser.add_argument("--live", type=int, default=10)
    parser.add_argument("--keep", type=Path)
    parser.add_argument("--append", type=Path, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.append:
        append(options.append)
    with tempfile.TemporaryDirectory() as folder:
        measure(options.keep or Path(folder), options)


if __name__ == "__main__":
    main()
