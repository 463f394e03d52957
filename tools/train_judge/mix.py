"""Puts a training set together: `python -m tools.train_judge.mix OUT --new units2 --streams a3,b1`.

Three sources. The new pairs, several times over. A sample of the older pairs, so that nothing learned is forgotten.
The streams: what was planted, in both directions, and every other pair that the probe would put before the judge as
`compatible`; those that the shipped judge flags wrongly (hard negatives) count several times. OUT gets `train.json`
and `held-out.json` (a tenth of the new pairs, split by their first text).
"""

from __future__ import annotations

import argparse
import random
import tempfile
import zlib
from collections.abc import Iterator
from pathlib import Path

from tools.fit_verdict.cache import CachedEmbedder, CachedJudge
from tools.fit_verdict.candidates import Shelf
from tools.fit_verdict.corpus import Line, read_stream

from .pairs import COMPATIBLE, CONTRADICTS, DATA, SAME, Example, read_pairs, share_of_contradiction, write_mix

HARD = 0.3
"""Probability of contradiction from which a compatible pair counts as a hard negative."""


def stream_examples(path: Path, embedder: CachedEmbedder) -> Iterator[Example]:
    """Yield the pairs that the probe finds in a stream. What a planted line replaces is gone for the lines after it."""
    lines = {line.memory.seq: line for line in read_stream(path)}
    shelf, gone = Shelf(embedder), set[int]()
    for line in lines.values():
        seen = {candidate.memory.seq for candidate in shelf.near(line.memory)} | line.conflicts
        for seq in sorted(seen):
            yield _example(path.stem, lines[seq], line)
        for seq in line.conflicts - gone:
            shelf.remove(lines[seq].memory.digest)
        gone |= line.conflicts
        shelf.add(line.memory)


def _example(stream: str, incumbent: Line, challenger: Line) -> Example:
    relation = challenger.near.get(incumbent.memory.seq, "")
    planted = incumbent.memory.seq in challenger.conflicts
    label = CONTRADICTS if planted else SAME if relation == "same" else COMPATIBLE
    return Example(incumbent.memory.content, challenger.memory.content, label, relation or "stream", stream)


def hard(examples: list[Example], judge: CachedJudge) -> list[Example]:
    """Return the compatible pairs that the judge takes for contradictions."""
    return [
        example
        for example in examples
        if example.label != CONTRADICTS and share_of_contradiction(judge.read(example.existing, example.new)) >= HARD
    ]


def turned(example: Example) -> Example:
    """Return the pair read from the other side. Entailment reads one way only and stays."""
    if example.label == SAME:
        return example
    return Example(example.new, example.existing, example.label, example.kind, example.group)


def sample(chance: random.Random, examples: list[Example], count: int) -> list[Example]:
    """Return what was planted and, up to the count, some of the rest."""
    planted = [example for example in examples if example.label == CONTRADICTS]
    rest = [example for example in examples if example.label != CONTRADICTS]
    return planted + chance.sample(rest, max(0, min(count - len(planted), len(rest))))


def _stream(name: str, embedder: CachedEmbedder) -> list[Example]:
    return list(stream_examples(DATA / "streams" / f"{name}.jsonl", embedder))


def held_out(example: Example) -> bool:
    """Tell whether an example's group belongs to the tenth that is not trained on."""
    return zlib.crc32(example.group.encode()) % 10 == 0


def main() -> None:
    parser = argparse.ArgumentParser(prog="train_judge.mix", description=__doc__)
    parser.add_argument("out", type=Path)
    parser.add_argument("--new", required=True, help="files of data/pairs that the judge has not seen, with commas")
    parser.add_argument(
        "--streams", required=True, help="streams to learn from in full; name none that the verdict is fitted on"
    )
    parser.add_argument(
        "--times", type=int, default=3, help="how often new pairs, planted pairs and hard negatives count"
    )
    parser.add_argument("--old", type=int, default=4000, help="how many of the other pairs to keep")
    parser.add_argument("--met", type=int, default=10_000, help="how many compatible pairs of those streams to keep")
    parser.add_argument("--known-streams", default="", help="streams that the judge has seen, to sample from")
    parser.add_argument("--known", type=int, default=1500, help="how many of their pairs")
    parser.add_argument("--cache", type=Path, default=Path(tempfile.gettempdir()) / "fit-verdict")
    options = parser.parse_args()
    for folder in (options.out, options.cache):
        folder.mkdir(parents=True, exist_ok=True)
    embedder, judge = CachedEmbedder(options.cache / "vectors.db"), CachedJudge(options.cache / "logits.db")
    chance, names = random.Random(0), options.new.split(",")

    new = list(read_pairs(DATA / "pairs" / f"{name}.jsonl" for name in names))
    learned = [example for example in new if not held_out(example)]
    others = [path for path in sorted((DATA / "pairs").glob("*.jsonl")) if path.stem not in names]
    old = chance.sample(list(read_pairs(others)), options.old)
    known_streams = list(filter(None, options.known_streams.split(",")))
    met = [e for stream in options.streams.split(",") for e in _stream(stream, embedder)]
    planted, wrong = [e for e in met if e.label == CONTRADICTS], hard(met, judge)
    calm = [e for e in met if e not in set(planted + wrong)]
    calm = chance.sample(calm, min(options.met, len(calm)))
    known = sample(chance, [e for stream in known_streams for e in _stream(stream, embedder)], options.known)

    twice = [way for example in planted + wrong for way in (example, turned(example))]
    either = [turned(example) if chance.random() < 0.5 else example for example in calm + known]
    mix = learned * options.times + old + either + twice * options.times
    chance.shuffle(mix)
    write_mix(options.out / "train.json", mix)
    write_mix(options.out / "held-out.json", [example for example in new if held_out(example)])
    print(f"{len(mix)} examples: {len(learned)} new pairs x {options.times}, {len(old)} old;")
    print(f"of new streams {len(planted)} planted and {len(wrong)} hard negatives, both ways x {options.times},")
    print(f"and {len(calm)} other pairs; {len(known)} pairs of known streams")


if __name__ == "__main__":
    main()
