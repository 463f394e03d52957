"""Speed of truth maintenance in a large belief graph: `python benchmarks/graph.py [--memories 100000] [--keep FOLDER]`.

Fills a store below the gate (short texts, random vectors) with twice as many edges as memories, mostly depends_on, each
source younger than its target; then prints, warm: one supersession with 50 dependants, planned and appended (budget
20 ms); the neighbourhood of radius 2, 40 nodes (budget 30 ms); why of a memory; a path; islands and cycles of the whole
graph. Each as wall clock and, in brackets, processor time: on a busy machine the second is the one to trust.
With --keep the filled store stays in FOLDER and is used again.
"""

from __future__ import annotations

import argparse
import random
import statistics
import tempfile
import time
from collections.abc import Callable
from datetime import UTC, datetime
from functools import partial
from pathlib import Path

from tur_engine.engine import Engine
from tur_engine.ledger import Encoded, NewEvent, Reads
from tur_engine.ledger.bodies import Body, body
from tur_engine.ledger.effects import arrive, edge
from tur_engine.maintain.plan import fall
from tur_engine.maintain.view import View
from tur_engine.records import Author, Draft, EventKind, Status, Verb

BENCH = Author.parse("agent:bench")
BATCH = 2000
DEPENDANTS = 50
KINDS = ("depends_on", "depends_on", "depends_on", "refines", "analogy_of")
SUBJECTS = ("harbour", "crane", "berth", "tide", "pilot", "cargo", "manifest", "customs", "quay", "anchor")


def fill(engine: Engine, memories: int, chance: random.Random) -> list[str]:
    """Append the graph; return the digests of ten grounds that 50 memories each rest on."""
    made: list[str] = []
    hubs: list[str] = []
    for start in range(0, memories, BATCH):
        events = []
        for number in range(start, min(memories, start + BATCH)):
            words = " ".join(chance.choices(SUBJECTS, k=4))
            encoded, packed = (
                Encoded(Draft(content=f"{words} {number}", author=BENCH), datetime.now(UTC)),
                _vector(chance),
            )
            targets = {chance.choice(made) for _ in range(2)} if made else set()
            kinds = [(target, chance.choice(KINDS)) for target in sorted(targets)]
            if number >= memories - 10 * DEPENDANTS:
                place, step = divmod(number - memories + 10 * DEPENDANTS, DEPENDANTS)
                if step == 0:
                    hubs.append(_ground(engine, chance, place))
                kinds = [(hubs[-1], "depends_on")]
            effects = [arrive(encoded.digest, Status.ACTIVE, packed.ref)]
            effects += [edge(encoded.digest, target, kind) for target, kind in kinds]
            data = {"memory": encoded.data, "effects": effects}
            events.append(NewEvent(EventKind.LEARNED, BENCH, data, [*encoded.bodies, packed]))
            if number < memories - 10 * DEPENDANTS:
                made.append(encoded.digest)
        with engine._ledger.writing() as writing:
            writing.append(events)
    return hubs


def _vector(chance: random.Random) -> Body:
    return body(bytes(32) + chance.randbytes(384))


def _ground(engine: Engine, chance: random.Random, place: int) -> str:
    encoded, packed = Encoded(Draft(content=f"ground {place}", author=BENCH), datetime.now(UTC)), _vector(chance)
    data = {"memory": encoded.data, "effects": [arrive(encoded.digest, Status.ACTIVE, packed.ref)]}
    with engine._ledger.writing() as writing:
        writing.append([NewEvent(EventKind.LEARNED, BENCH, data, [*encoded.bodies, packed])])
    return encoded.digest


def supersede(engine: Engine, digest: str) -> None:
    """Let one memory fall, as a verb does below its conflict."""
    with engine._ledger.writing() as tx, engine._ledger.reading() as db:
        effects = fall(View(Reads(db)), {digest: Status.SUPERSEDED}, Verb.SUPERSEDE).effects
        assert sum(effect["op"] == "suspect" for effect in effects) == DEPENDANTS
        tx.append([NewEvent(EventKind.RETRACTED, BENCH, {"effects": effects}, [])])


def told(what: str, calls: list[Callable[[], object]], budget: str = "") -> None:
    """Run the calls, print medians."""
    walls, processors = [], []
    for call in calls:
        wall, processor = time.perf_counter(), time.process_time()
        call()
        walls.append(1000 * (time.perf_counter() - wall))
        processors.append(1000 * (time.process_time() - processor))
    print(f"{what}: {statistics.median(walls):.1f} ms ({statistics.median(processors):.1f}){budget}, of {len(calls)}")


def measure(folder: Path, memories: int) -> None:
    """Fill the store where it is not there yet, and print all figures."""
    chance = random.Random(7)
    if not (folder / ".tur").exists():
        began = time.perf_counter()
        with Engine.init(folder, actor=BENCH) as engine:
            fill(engine, memories, chance)
        print(f"filled with {memories} memories in {time.perf_counter() - began:.0f} s")
    with Engine.open(folder, actor=BENCH) as engine:
        with engine._reads() as (db, reads):
            edges = int(db.execute("SELECT count(*) FROM edges").get)
            rows = [mid for mid, _, _, status in reads.standings() if status == "active"]
            inner = [reads.digest(mid) for mid in chance.sample(rows[: len(rows) // 2], 40)]
            hubs = [
                str(digest)
                for (digest,) in db.execute(
                    "SELECT m.digest FROM memories m JOIN standing s ON s.mid=m.mid JOIN edges e ON e.target=m.mid "
                    "WHERE s.to_seq > s.from_seq + 1000000000 AND s.status='active' "
                    "GROUP BY m.mid HAVING count(*) = ? ORDER BY m.mid DESC LIMIT 3",
                    (DEPENDANTS,),
                )
            ]
        print(f"{len(rows)} memories, {edges} edges")
        engine.neighbourhood([inner[0]], radius=2)
        told(
            f"supersession, {DEPENDANTS} dependants",
            [partial(supersede, engine, digest) for digest in hubs],
            " (budget 20)",
        )
        told(
            "neighbourhood, radius 2",
            [partial(engine.neighbourhood, [digest], radius=2) for digest in inner],
            " (budget 30)",
        )
        told("why", [partial(engine.why, digest) for digest in inner[:10]])
        told("what-if", [partial(engine.what_if, digest) for digest in inner[:3]])
        told("path", [partial(engine.path_between, *pair) for pair in zip(inner[:5], inner[5:10], strict=True)])
        told("islands", [engine.components])
        told("cycles", [engine.cycles])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--memories", type=int, default=100_000)
    parser.add_argument("--keep", type=Path)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        measure(options.keep or Path(folder), options.memories)


if __name__ == "__main__":
    main()
