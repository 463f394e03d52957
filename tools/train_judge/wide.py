"""Puts a wide training set together for a small reader: `python -m tools.train_judge.wide OUT [--nli FILE]`.

OUT gets `train.json`: every labelled pair, what the probe finds in the streams that the verdict is not fitted on (half
of both turned round), and texts that lie close to one another without a label, as a pass over a store meets them: there
only the judge's answer teaches. `held-out.json` is a sixtieth of the labelled ones, split by their first text. With
--nli (JSONL of `a, b, label`, gzip or not) also `nli.json`, public pairs for a first stage of `train`.
"""

from __future__ import annotations

import argparse
import gzip
import json
import random
import tempfile
import zlib
from collections.abc import Iterable, Sequence
from pathlib import Path

import numpy as np

from tools.fit_verdict.cache import CachedEmbedder
from tools.fit_verdict.corpus import read_stream

from .mix import stream_examples, turned
from .pairs import DATA, LABELS, UNKNOWN, Example, read_pairs, write_mix

FITTED = ("d5", "d6", "d7", "d8", "e1", "e2", "e3", "e4")
"""Streams that the verdict is fitted on: no reader may have seen them."""
CLOSE = 0.3
"""Cosine from which two texts may meet in a pass."""
NEIGHBOURS = 5


def labelled(embedder: CachedEmbedder) -> list[Example]:
    """Return every labelled pair, and what the probe finds in the streams."""
    streams = [path for path in sorted((DATA / "streams").glob("*.jsonl")) if path.stem not in FITTED]
    pairs = list(read_pairs(sorted((DATA / "pairs").glob("*.jsonl"))))
    return pairs + [example for path in streams for example in stream_examples(path, embedder)]


def close(texts: Sequence[str], embedder: CachedEmbedder, chance: random.Random) -> Iterable[tuple[str, str]]:
    """Yield pairs of texts that lie close to one another."""
    vectors = embedder.embed(texts)
    order = chance.sample(range(len(texts)), len(texts))
    for start in range(0, len(order), 500):
        rows = order[start : start + 500]
        cosines = vectors[rows] @ vectors.T
        cosines[np.arange(len(rows)), rows] = -1
        for row, near in zip(rows, np.argsort(-cosines)[:, :NEIGHBOURS], strict=True):
            yield from ((texts[row], texts[at]) for at in near if float(vectors[row] @ vectors[at]) > CLOSE)


def unlabelled(examples: Sequence[Example], count: int, embedder: CachedEmbedder, without: set[str]) -> list[Example]:
    """Return so many pairs of close texts that no label is known of."""
    chance = random.Random(5)
    known = {frozenset((example.existing, example.new)) for example in examples}
    fitted = {line.memory.content for name in FITTED for line in read_stream(DATA / "streams" / f"{name}.jsonl")}
    texts = sorted({side for example in examples for side in (example.existing, example.new)} - fitted - without)
    found: list[Example] = []
    for a, b in close(texts, embedder, chance):
        if len(found) == count:
            break
        if (pair := frozenset((a, b))) not in known:
            known.add(pair)
            found.append(Example(a, b, UNKNOWN, "close", a))
    return found


def public(path: Path) -> list[Example]:
    """Return the pairs of a public NLI file."""
    data = gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()
    rows = [json.loads(line) for line in data.decode().splitlines()]
    return [Example(row["a"], row["b"], LABELS.index(row["label"]), "nli", row["a"]) for row in rows]


def main() -> None:
    parser = argparse.ArgumentParser(prog="train_judge.wide", description=__doc__)
    parser.add_argument("out", type=Path)
    parser.add_argument("--close", type=int, default=18_000, help="how many pairs without a label")
    parser.add_argument("--nli", type=Path, help="public pairs, for a first stage")
    parser.add_argument("--cache", type=Path, default=Path(tempfile.gettempdir()) / "fit-verdict")
    options = parser.parse_args()
    for folder in (options.out, options.cache):
        folder.mkdir(parents=True, exist_ok=True)
    embedder, chance = CachedEmbedder(options.cache / "vectors.db"), random.Random(0)
    examples = labelled(embedder)
    held = [example for example in examples if zlib.crc32(example.group.encode()) % 60 == 0]
    learned = [example for example in examples if zlib.crc32(example.group.encode()) % 60]
    kept = [turned(example) if chance.random() < 0.5 else example for example in learned]
    away = {side for example in held for side in (example.existing, example.new)}
    near = unlabelled(kept, options.close, embedder, away)
    write_mix(options.out / "train.json", kept + near)
    write_mix(options.out / "held-out.json", held)
    print(f"{len(kept)} pairs with a label, {len(near)} without, {len(held)} held out")
    if options.nli:
        write_mix(options.out / "nli.json", examples := public(options.nli))
        print(f"{len(examples)} public pairs")


if __name__ == "__main__":
    main()
