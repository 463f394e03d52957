"""Does the probe bring the incumbent in? `python benchmarks/probe.py [--memories 20000] [--texts FOLDER]`.

Fills a temporary store below the gate with that many unrelated memories and their true vectors (sentences of the
labelled pairs in FOLDER, by default those that the judge learnt from), then puts the development streams in, and asks
the probe about each planted line: is what it contradicts among the candidates, and among those that the detector reads?
How near does it come by vector alone, and how long did it take? What is missed is printed. The default texts are about
much the same matters as the streams: among sentences of everyday life (any `*.jsonl` with `a` and `b`) more is found.
"""

from __future__ import annotations

import argparse
import json
import random
import statistics
import tempfile
import time
from datetime import UTC, datetime
from pathlib import Path

from tur_engine.detect.detector import shortlist
from tur_engine.detect.nets import nets
from tur_engine.engine import Engine
from tur_engine.ledger import Encoded, NewEvent, Reads, search
from tur_engine.ledger.bodies import body
from tur_engine.ledger.effects import arrive
from tur_engine.probe.embedder import Embedder, quantise
from tur_engine.probe.probe import Question, probe
from tur_engine.records import Author, Draft, EventKind, Status

HERE = Path(__file__).resolve().parent
BATCH = 500
NEAREST = (3, 8, 24, 100, 300)


def unrelated(folder: Path, count: int) -> list[str]:
    """Return sentences of the labelled pairs, each once, in random order."""
    texts: dict[str, None] = {}
    for path in sorted(folder.glob("*.jsonl")):
        for line in path.read_text("utf-8").splitlines():
            row = json.loads(line)
            texts |= {row["a"]: None, row["b"]: None}
    return random.Random(0).sample(list(texts), min(count, len(texts)))


def put(engine: Engine, embedder: Embedder, texts: list[str]) -> list[str]:
    """Append memories below the gate; return their digests."""
    digests = []
    for start in range(0, len(texts), BATCH):
        part = texts[start : start + BATCH]
        events = []
        for text, vector in zip(part, quantise(embedder.embed(part)), strict=True):
            encoded = Encoded(Draft(content=text, author=engine.actor), datetime.now(UTC))
            packed = body(bytes.fromhex(embedder.model_sha256) + vector)
            effects = [arrive(encoded.digest, Status.ACTIVE, packed.ref)]
            data = {"memory": encoded.data, "effects": effects}
            events.append(NewEvent(EventKind.LEARNED, engine.actor, data, [*encoded.bodies, packed]))
            digests.append(encoded.digest)
        with engine._ledger.writing() as writing:
            writing.append(events)
    return digests


def rank(engine: Engine, vector: bytes, wanted: set[str], mine: int) -> int:
    """Return how many older memories are nearer than the nearest that is wanted; beyond the last step, that."""
    with engine._reads() as (db, reads):
        assert isinstance(reads, Reads)
        near = [mid for mid, _ in search.by_vector(db, vector, NEAREST[-1], scope_ids=None) if mid < mine]
        return next((place for place, mid in enumerate(near) if reads.digest(mid) in wanted), NEAREST[-1])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--memories", type=int, default=20000)
    parser.add_argument("--texts", type=Path, default=HERE.parent / "tools" / "train_judge" / "data" / "pairs")
    options = parser.parse_args()
    embedder = Embedder.load()
    found = read = netted = planted = 0
    ranks: list[int] = []
    took: list[float] = []
    worked: list[float] = []
    with tempfile.TemporaryDirectory() as folder:
        engine = Engine.init(Path(folder), actor=Author.parse("agent:bench"))
        scope = Draft(content="x", author=engine.actor).scope
        filling = unrelated(options.texts, options.memories)
        put(engine, embedder, filling)
        for path in sorted((HERE / "data" / "streams").glob("*.jsonl")):
            lines = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
            digests = put(engine, embedder, [row["content"] for row in lines])
            digest = {row["seq"]: digest for row, digest in zip(lines, digests, strict=True)}
            for row in lines:
                if not row.get("conflicts_with"):
                    continue
                (vector,) = quantise(embedder.embed([row["content"]]))
                with engine._reads() as (db, reads):
                    assert isinstance(reads, Reads)
                    mine = reads.mid(digest[row["seq"]])
                    assert mine is not None
                    later = range(mine, reads.last_event() + 1)
                    began, busy = time.perf_counter(), time.process_time()
                    question = Question(row["content"], scope, vector=vector, nets=nets(row["content"]))
                    candidates = probe(db, reads, question, leave_out=later)
                    took.append(1000 * (time.perf_counter() - began))
                    worked.append(1000 * (time.process_time() - busy))
                wanted = {digest[seq] for seq in row["conflicts_with"]}
                there = [place for place, c in enumerate(candidates) if c.memory.digest in wanted]
                planted += 1
                found += bool(there)
                read += not shortlist(candidates).isdisjoint(there)
                netted += any(candidates[place].met for place in there)
                if not there:
                    old = " / ".join(line["content"] for line in lines if line["seq"] in row["conflicts_with"])
                    print(f'missed: "{row["content"]}" against "{old}"')
                ranks.append(rank(engine, vector, wanted, mine))
        engine.close()
    print(f"{len(filling)} other memories; of {planted} planted incumbents {found} are among the candidates,")
    print(f"{read} among those that the detector reads, {netted} brought in by a net;")
    curve = ", ".join(f"{sum(place < n for place in ranks)} among the {n} nearest" for n in NEAREST)
    print(f"by vector alone {curve};")
    times = f"probe p50 {statistics.median(took):.0f} ms, max {max(took):.0f} ms"
    print(f"{times}; of the processor p50 {statistics.median(worked):.0f} ms")


if __name__ == "__main__":
    main()
