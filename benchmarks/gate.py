"""Speed of the gate in a filled store: `python benchmarks/gate.py [--memories 20000] [--learns 60] [--real]`.

Fills a temporary store below the gate (words in random order and random vectors; with --real, the labelled texts and
their true vectors first), then learns real sentences through the gate and prints percentiles, warm. Also: bytes a
memory, time to open, time to verify. The first figure to trust is the ratio between two runs on one machine.
"""

from __future__ import annotations

import argparse
import json
import random
import statistics
import subprocess
import tempfile
import time
import venv
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

from tur_engine.engine import Engine
from tur_engine.ledger import Encoded, NewEvent
from tur_engine.ledger.bodies import body
from tur_engine.ledger.effects import arrive
from tur_engine.records import Author, Draft, EventKind, OnConflict, Status

DATA = Path(__file__).with_name("data")
BATCH = 2000
UPSTREAM_LEARNS = 10
"""It reads every file of the store each time."""


def texts() -> list[str]:
    """Return the memories of the labelled streams."""
    return [
        json.loads(line)["content"]
        for path in sorted((DATA / "streams").glob("*.jsonl"))
        for line in path.read_text("utf-8").splitlines()
    ]


def words_of(count: int, chance: random.Random) -> list[str]:
    """Return made-up memories: words of the labelled ones in random order, common ones more often."""
    words = sorted({word for text in texts() for word in text.split()})
    weights = [1 / (rank + 3) for rank in range(len(words))]
    return [" ".join(chance.choices(words, weights, k=16)) for _ in range(count)]


def upstream(filling: list[str], offered: list[str]) -> list[float]:
    """Return the milliseconds that each learn takes upstream, after `filling` was saved."""
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        venv.create(home / "venv", with_pip=True)
        python = home / "venv" / "bin" / "python"
        subprocess.run([python, "-m", "pip", "install", "--quiet", "tur==0.15.1"], check=True)
        ran = subprocess.run(
            [python, Path(__file__).with_name("upstream.py"), home / "store"],
            input=json.dumps({"fill": filling, "offered": offered}),
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            check=True,
        )
    took: list[float] = json.loads(ran.stdout)
    return took


def told(name: str, took: list[float]) -> str:
    """Return percentiles in words."""
    p95 = statistics.quantiles(took, n=20)[-1]
    return f"{name}, warm, {len(took)} learns: p50 {statistics.median(took):.0f} ms, p95 {p95:.0f} ms"


def fill(engine: Engine, count: int, vector: Callable[[str], bytes], chance: random.Random) -> None:
    """Append memories below the gate, in batches."""
    made = words_of(count, chance)
    for start in range(0, count, BATCH):
        events = []
        for text in made[start : start + BATCH]:
            draft = Draft(content=text, author=engine.actor)
            encoded, packed = Encoded(draft, datetime.now(UTC)), body(vector(draft.content))
            effects = [arrive(encoded.digest, Status.ACTIVE, packed.ref)]
            data = {"memory": encoded.data, "effects": effects}
            events.append(NewEvent(EventKind.LEARNED, engine.actor, data, [*encoded.bodies, packed]))
        with engine._ledger.writing() as writing:
            writing.append(events)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--memories", type=int, default=20000)
    parser.add_argument("--learns", type=int, default=60)
    parser.add_argument(
        "--real", action="store_true", help="learn the first half of the labelled texts before measuring"
    )
    parser.add_argument("--upstream", action="store_true", help="time Tur 0.15.1 on the same work")
    options = parser.parse_args()
    chance = random.Random(7)
    with tempfile.TemporaryDirectory() as folder:
        engine = Engine.init(Path(folder), actor=Author.parse("agent:bench"))
        began = time.perf_counter()
        fill(engine, options.memories, lambda _: bytes(32) + chance.randbytes(384), chance)
        print(f"filled with {options.memories} memories in {time.perf_counter() - began:.1f} s")
        print(f"bytes a memory: {engine.path.stat().st_size / max(1, options.memories):.0f}")
        began = time.perf_counter()
        with Engine.open(Path(folder), actor=engine.actor) as again:
            again.status()
        print(f"open and status: {1000 * (time.perf_counter() - began):.0f} ms")
        offered = texts()
        half = len(offered) // 2
        warm_up = offered[:half] if options.real else offered[:5]
        for text in warm_up:
            engine.learn(Draft(content=text, author=engine.actor), on_conflict=OnConflict.ALLOW)
        took = []
        for text in offered[half : half + options.learns]:
            began = time.perf_counter()
            engine.learn(Draft(content=text, author=engine.actor), on_conflict=OnConflict.ALLOW)
            took.append(1000 * (time.perf_counter() - began))
        print(told("gate", took))
        if options.upstream:
            filling = words_of(options.memories, random.Random(7)) + warm_up
            theirs = upstream(filling, offered[half : half + UPSTREAM_LEARNS])
            ratio = statistics.median(theirs) / statistics.median(took)
            print(f"{told('upstream', theirs)}: {ratio:.1f} times ours")
        began = time.perf_counter()
        report = engine.verify()
        rate = report.events / (time.perf_counter() - began)
        print(f"verify: {'ok' if report.ok else report.problem}, {rate:.0f} events a second")
        engine.close()


if __name__ == "__main__":
    main()
