"""The development files through the detector itself, as the product would weigh them. Figures only."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tur_engine.detect.calibration import expected_calibration_error, read_pairs, score_pairs, score_stream, weigh_pairs
from tur_engine.detect.detector import Detector
from tur_engine.detect.judge import Judge
from tur_engine.probe.embedder import Embedder
from tur_engine.records import Relationship

from .candidates import Shelf
from .corpus import Line, read_stream

PAIRS = ("pairs-dev", "pairs-peer-study")


def check(bench: Path, embedder: Embedder, judge: Judge | None) -> None:
    """Print pairs and streams at the three profiles, and at balanced without the judge."""
    for profile, reader in (("balanced", judge), ("quiet", judge), ("strict", judge), ("balanced", None)):
        detector = Detector(profile, judge=reader)
        print(f"-- {profile}, {'judge' if reader else 'symbols alone'}")
        for name in PAIRS:
            pairs = read_pairs(bench / f"{name}.jsonl")
            found = score_pairs(pairs, weigh_pairs(pairs, detector, embedder))
            del found["by_kind"]
            print(name, found)
        recalled = planted = false = clean = 0
        said: list[float] = []
        so: list[bool] = []
        for path in sorted((bench / "streams").glob("*.jsonl")):
            found = play(read_stream(path), detector, embedder, said, so)
            print(path.stem, found)
            recalled, planted = recalled + found["recalled"], planted + found["planted"]
            false, clean = false + found["false_interruptions"], clean + found["memories"] - found["planted"]
        print(
            f"streams together: {recalled} of {planted} at {100 * false / clean:.1f} per 100, "
            f"calibration error {expected_calibration_error(said, so)}"
        )


def play(
    lines: list[Line], detector: Detector, embedder: Embedder, said: list[float], so: list[bool]
) -> dict[str, Any]:
    """Learn a stream in order, every clash settled by supersede; collects probabilities and truths of all pairs."""
    shelf = Shelf(embedder)
    flagged: dict[int, set[int]] = {}
    wrong: list[int] = []
    for line in lines:
        candidates = shelf.near(line.memory)
        verdicts = detector.weigh(line.memory, candidates)
        said += [verdict.probability for verdict in verdicts]
        so += [candidate.memory.seq in line.conflicts for candidate in candidates]
        clashes = [c.memory for c, v in zip(candidates, verdicts, strict=True) if v.relationship is Relationship.CLASH]
        copies = [
            c.memory for c, v in zip(candidates, verdicts, strict=True) if v.relationship is Relationship.DUPLICATE
        ]
        if clashes:
            flagged[line.memory.seq] = {memory.seq for memory in clashes}
            for memory in clashes:
                shelf.remove(memory.digest)
        elif copies:
            if line.conflicts:
                wrong.append(line.memory.seq)
            continue
        shelf.add(line.memory)
    planted = {line.memory.seq: line.conflicts for line in lines if line.conflicts}
    return score_stream(memories=len(lines), planted=planted, flagged=flagged, wrong_duplicates=wrong)
