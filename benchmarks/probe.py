"""Does the probe bring the incumbent in? `python benchmarks/probe.py [--memories 20000] [--texts FOLDER]`.

Fills a temporary store below the gate with that many unrelated memories and their true vectors (sentences of the
labelled pairs in FOLDER, by default those that the judge learnt from), then puts the development streams in, and asks
the probe about each planted line: is what it contradicts among the candidates, among the eight closest, and how long
did it take?
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

from tur_engine.engine import Engine
from tur_engine.ledger import Encoded, NewEvent, Reads
from tur_engine.ledger.bodies import body
from tur_engine.ledger.effects import arrive
from tur_engine.probe.embedder import Embedder, quantise
from tur_engine.probe.probe import Question, probe
from tur_engine.records import Author, Draft, EventKind, Status

HERE = Path(__file__).resolve().parent
BATCH = 500


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


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--memories", type=int, default=20000)
    parser.add_argument("--texts", type=Path, default=HERE.parent / "tools" / "train_judge" / "data" / "pairs")
    options = parser.parse_args()
    embedder = Embedder.load()
    found = close = planted = 0
    took: list[float] = []
    with tempfile.TemporaryDirectory() as folder:
        engine = Engine.init(Path(folder), actor=Author.parse("agent:bench"))
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
                    question = Question(
                        text=row["content"], scope=Draft(content="x", author=engine.actor).scope, vector=vector
                    )
                    began = time.perf_counter()
                    candidates = probe(db, reads, question, leave_out=later)
                    took.append(1000 * (time.perf_counter() - began))
                wanted = {digest[seq] for seq in row["conflicts_with"]}
                closest = sorted(candidates, key=lambda c: -c.cosine)[:8]
                planted += 1
                found += any(c.memory.digest in wanted for c in candidates)
                close += any(c.memory.digest in wanted for c in closest)
        engine.close()
    print(f"{len(filling)} unrelated memories; of {planted} planted incumbents {found} are among the candidates,")
    print(f"{close} among the eight closest; probe p50 {statistics.median(took):.0f} ms, max {max(took):.0f} ms")


if __name__ == "__main__":
    main()
