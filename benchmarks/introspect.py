"""The pass over a whole store: `python benchmarks/introspect.py [--memories 500] [--texts FOLDER] [--shard 1/10] ...`.

Fills a temporary store below the gate with that many texts and their true vectors, then prints memories a second, the
share of pairs that the judge read, and how long a second run over the unchanged store takes. First come the training
streams, 25 projects where one memory in twelve contradicts another. Then sentences of FOLDER (first sides, any JSONL
with `a`); without it the sides of the training pairs, which were written to lie close and to look like clashes, less
those that contradict the other side, with --dense these too. With --shard a part of the store is passed over. With
--streams, the labelled streams instead: planted contradictions that are open after the gate (allow) and a pass, and
after a pass alone over a store filled below the gate; pairs that are open and not planted count as false.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import tempfile
import time
from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path

from tur_engine.calibrate import Line, read_stream
from tur_engine.engine import Engine
from tur_engine.ledger import Encoded, NewEvent
from tur_engine.ledger.bodies import body
from tur_engine.ledger.effects import arrive
from tur_engine.records import Author, Draft, EventKind, OnConflict, Status
from tur_engine.text import fold

HERE = Path(__file__).resolve().parent
TRAINING = HERE.parent / "tools" / "train_judge" / "data"
BATCH = 500


def texts(limit: int, folder: Path | None = None, *, dense: bool = False) -> list[str]:
    """Return texts, each once: streams of one project after the other, then others."""
    found: dict[str, str] = {}
    for line in _lines((TRAINING / "streams").glob("*.jsonl")):
        found.setdefault(fold(line["content"]), line["content"])
    others: dict[str, str] = {}
    for line in _lines((folder or TRAINING / "pairs").glob("*.jsonl")):
        both = folder is None and (dense or line["label"] != "contradiction")
        for side in ("a", "b") if both else ("a",):
            others.setdefault(fold(line[side]), line[side])
    rest = [text for key, text in others.items() if key not in found]
    found_texts = list(found.values())[:limit]
    if folder is not None:
        rest = random.Random(0).sample(rest, min(len(rest), limit - len(found_texts)))
    return [*found_texts, *rest][:limit]


def _lines(paths: Iterable[Path]) -> Iterator[dict[str, str]]:
    for path in sorted(paths):
        for line in path.read_text("utf-8").splitlines():
            yield json.loads(line)


def fill(engine: Engine, drafts: Sequence[Draft]) -> None:
    """Append memories below the gate, with their true vectors."""
    for start in range(0, len(drafts), BATCH):
        events = []
        for draft in drafts[start : start + BATCH]:
            vector = engine._minds.embed(draft.content)
            assert vector is not None
            encoded, packed = Encoded(draft, datetime.now(UTC)), body(vector)
            data = {"memory": encoded.data, "effects": [arrive(encoded.digest, Status.ACTIVE, packed.ref)]}
            events.append(NewEvent(EventKind.LEARNED, engine.actor, data, [*encoded.bodies, packed]))
        with engine._ledger.writing() as writing:
            writing.append(events)


def speed(drafted: Sequence[str], workers: int, shard: str) -> None:
    """Print how fast a first and a second pass are."""
    with tempfile.TemporaryDirectory() as folder, fresh(Path(folder)) as engine:
        began = time.perf_counter()
        fill(engine, [Draft(content=text, author=engine.actor) for text in drafted])
        print(f"filled with {len(drafted)} memories in {time.perf_counter() - began:.1f} s", flush=True)
        before = _processor_seconds()
        report = engine.introspect(workers=workers, shard=shard)
        spent = (_processor_seconds() - before) / max(1, report.scanned)
        share = 100 * report.pairs_read / max(1, report.pairs_judged)
        print(
            f"first pass, {workers} processes: {report.scanned} memories in {report.seconds:.1f} s, "
            f"{report.scanned / report.seconds:.1f} a second, {1000 * spent:.0f} ms of processor time each; "
            f"{report.pairs_judged} pairs weighed, {share:.1f} % "
            f"read by the judge ({report.pairs_read / max(1, report.scanned):.2f} a memory); "
            f"{len(report.of('contradiction'))} contradictions, {len(report.of('duplicate'))} repetitions, "
            f"{len(report.of('refinement'))} refinements"
        )
        again = engine.introspect(workers=workers, shard=shard)
        print(f"second pass: {again.seconds:.2f} s, {len(again.found)} found")


def _processor_seconds() -> float:
    """Return the processor time of this process and of those that it waited for: a busy machine does not change it."""
    spent = os.times()
    return spent.user + spent.system + spent.children_user + spent.children_system


def fresh(folder: Path) -> Engine:
    """Return a store of its own."""
    return Engine.init(folder, actor=Author.parse("human:bench"), nested=True)


def streams(workers: int) -> None:
    """Print what is open of the planted contradictions, by each of the two ways."""
    totals: dict[str, list[int]] = {}
    for path in sorted((HERE / "data" / "streams").glob("*.jsonl")):
        lines = read_stream(path)
        for way in ("gate and pass", "pass alone"):
            with tempfile.TemporaryDirectory() as folder, fresh(Path(folder)) as engine:
                if way == "pass alone":
                    fill(engine, [line.draft for line in lines])
                else:
                    for line in lines:
                        engine.learn(line.draft, on_conflict=OnConflict.ALLOW)
                at_the_gate = _score(engine, lines)
                engine.introspect(workers=workers)
                after = _score(engine, lines)
            figures = [len(lines), sum(bool(line.contradicts) for line in lines), *at_the_gate, *after]
            totals[way] = [a + b for a, b in zip(totals.get(way, [0] * 8), figures, strict=True)]
            _tell(f"{path.stem}, {way}", figures)
    for way, figures in totals.items():
        _tell(f"together, {way}", figures)


def _score(engine: Engine, lines: Sequence[Line]) -> list[int]:
    """Return how many planted memories and planted pairs are in an open conflict, and how many open pairs are false."""
    seqs = {fold(line.draft.content): line.seq for line in lines}
    opened = {
        (seqs[fold(conflict.incumbent.memory.content)], seqs[fold(conflict.challenger.memory.content)])
        for conflict in engine.conflicts()
    }
    planted = {(earlier, line.seq) for line in lines for earlier in line.contradicts}
    met = opened & planted
    return [len({newer for _, newer in met}), len(met), len(opened - planted)]


def _tell(name: str, figures: Sequence[int]) -> None:
    memories, planted, gate, gate_pairs, gate_false, found, pairs, false = figures
    print(
        f"{name}: {found} of {planted} planted open ({pairs} pairs), {false} false pairs "
        f"({100 * false / memories:.1f} per 100 memories); "
        f"before the pass {gate} ({gate_pairs} pairs), {gate_false} false",
        flush=True,
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--memories", type=int, default=500)
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--texts", type=Path, metavar="FOLDER", help="what the store holds beside the streams")
    parser.add_argument("--dense", action="store_true", help="contradicting sides of the training pairs too")
    parser.add_argument("--shard", default="1/1", metavar="I/N", help="pass over part I of N")
    parser.add_argument("--streams", action="store_true", help="count planted contradictions instead")
    options = parser.parse_args()
    if options.streams:
        streams(options.workers)
    else:
        speed(texts(options.memories, options.texts, dense=options.dense), options.workers, options.shard)


if __name__ == "__main__":
    main()
