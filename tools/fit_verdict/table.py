"""The rows a verdict is fitted on: every candidate pair of a stream, with its features and what it truly is."""

from __future__ import annotations

import zlib
from dataclasses import dataclass, field

from tur_engine.detect.equivalence import duplicate
from tur_engine.detect.evidence import gather
from tur_engine.detect.features import Opinion, judge_features, symbol_features, word_features
from tur_engine.detect.judge import Judge
from tur_engine.detect.pair import Pair
from tur_engine.probe.candidate import Candidate
from tur_engine.probe.embedder import Embedder, quantise, restore

from .candidates import Shelf
from .corpus import Line, PairLine


@dataclass
class Row:
    """One pair of a stream."""

    stream: str
    challenger: int
    incumbent: int
    planted: bool
    relation: str
    rank: int
    pair: Pair
    duplicate: bool
    features: dict[str, float] = field(default_factory=dict)


def features_of(pair: Pair, cosine: float, judge: Judge | None) -> dict[str, float]:
    """Return all features of a pair; the judge reads both directions."""
    values = word_features(pair, cosine) | symbol_features(pair, gather(pair))
    if judge is not None:
        a, b = pair.incumbent.content, pair.challenger.content
        values |= judge_features(Opinion.of([judge.read(a, b), judge.read(b, a)]))
    return values


@dataclass
class Table:
    """All rows of one stream, and which newcomers were planted, hit or missed by the probe."""

    stream: str
    rows: list[Row]
    planted: dict[int, frozenset[int]]
    memories: int
    group: str = "stream"
    """`pairs` and `hard` hold pairs put side by side: they teach the reading and say nothing about a store."""

    @property
    def paired(self) -> bool:
        """Tell whether its rows were put side by side."""
        return self.group != "stream"


def stream_table(name: str, lines: list[Line], shelf: Shelf, judge: Judge | None, **probe: int) -> Table:
    """Learn a stream line by line; nothing is superseded here (the simulation in `score` does that)."""
    rows: list[Row] = []
    for line in lines:
        found: list[Candidate] = shelf.near(line.memory, **probe)
        for candidate in found:
            pair = Pair.of(candidate.memory, line.memory)
            rows.append(
                Row(
                    stream=name,
                    challenger=line.memory.seq,
                    incumbent=candidate.memory.seq,
                    planted=candidate.memory.seq in line.conflicts,
                    relation=line.near.get(candidate.memory.seq, ""),
                    rank=candidate.rank,
                    pair=pair,
                    duplicate=duplicate(pair),
                    features=features_of(pair, candidate.cosine, judge),
                )
            )
        shelf.add(line.memory)
    planted = {line.memory.seq: line.conflicts for line in lines if line.conflicts}
    return Table(name, rows, planted, len(lines))


def pair_tables(
    group: str, pairs: list[PairLine], embedder: Embedder, judge: Judge | None, folds: int = 8
) -> list[Table]:
    """Return the labelled pairs in folds; pairs that share a text stay together."""
    tables = [Table(f"{group}-{fold}", [], {}, 0, group) for fold in range(folds)]
    for number, line in enumerate(pairs):
        vectors = restore(quantise(embedder.embed([line.existing.content, line.new.content])))
        pair = Pair.of(line.existing, line.new)
        table = tables[zlib.crc32(line.existing.content.encode()) % folds]
        table.rows.append(
            Row(
                stream=table.stream,
                challenger=number,
                incumbent=-1,
                planted=line.conflict,
                relation=line.kind,
                rank=0,
                pair=pair,
                duplicate=duplicate(pair),
                features=features_of(pair, float(vectors[0] @ vectors[1]), judge),
            )
        )
    return tables
