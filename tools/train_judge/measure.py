"""Measures a judge: `python -m tools.train_judge.measure [--judge FOLDER] --pairs FILE... --streams FILE...`.

FOLDER holds model.onnx, embeddings.bin and tokenizer.json; without it the shipped judge is measured. Pairs are read in
both directions and the mean of the two probabilities counts. Streams are read as they came, six incumbents at most a
line (cosine .28), by the judge alone: no evidence, no verdict. What a planted line replaces is gone afterwards.
"""

from __future__ import annotations

import argparse
import json
import tempfile
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from tools.fit_verdict.cache import CachedEmbedder, CachedJudge
from tools.fit_verdict.candidates import Shelf
from tools.fit_verdict.corpus import read_stream
from tur_engine.detect.judge import MAX_TOKENS, Judge

from .pairs import share_of_contradiction

RATES = (1.0, 2.0, 3.0, 4.0)
"""False interruptions per 100 clean learns at which recall is told."""
CLASH = ("contradiction", "conflict", 1)


class FolderJudge(Judge):
    """A judge read from any folder, not the installed one."""

    def __init__(self, folder: Path) -> None:
        super().__init__()
        self._folder = folder

    def _ready(self) -> tuple[Any, Any]:
        if self._session is None:
            import onnxruntime
            import tokenizers

            options = onnxruntime.SessionOptions()
            options.intra_op_num_threads = 2
            self._session = onnxruntime.InferenceSession(
                str(self._folder / "model.onnx"), options, providers=["CPUExecutionProvider"]
            )
            self._tokenizer = tokenizers.Tokenizer.from_file(str(self._folder / "tokenizer.json"))
            self._tokenizer.no_padding()
            self._tokenizer.enable_truncation(MAX_TOKENS)
        return self._session, self._tokenizer


def probability(judge: Judge, existing: str, new: str) -> float:
    """Return the judge's probability of contradiction, uncalibrated."""
    return share_of_contradiction(judge.read(existing, new))


def area(scores: Sequence[float], truth: Sequence[bool]) -> float:
    """Return the area under the ROC curve: how often a clash scores above a compatible pair."""
    values, clash = np.asarray(scores), np.asarray(truth)
    above = values[clash][:, None] - values[~clash][None, :]
    return float((above > 0).mean() + 0.5 * (above == 0).mean())


def measure_pairs(judge: Judge, path: Path) -> None:
    """Print AUC, F1, precision, recall and false-positive rate at .5, and the errors by kind."""
    rows = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
    texts = [(row.get("existing", row.get("a")), row.get("new", row.get("b"))) for row in rows]
    truth = [row["label"] in CLASH for row in rows]
    scores = [(probability(judge, a, b) + probability(judge, b, a)) / 2 for a, b in texts]
    said = [score >= 0.5 for score in scores]
    hits = sum(t and s for t, s in zip(truth, said, strict=True))
    precision, recall = hits / max(1, sum(said)), hits / max(1, sum(truth))
    false = (sum(said) - hits) / max(1, len(truth) - sum(truth))
    print(
        f"{path.stem:18} AUC {area(scores, truth):.4f}  F1 {2 * precision * recall / (precision + recall):.3f}  "
        f"precision {precision:.3f}  recall {recall:.3f}  false positives {false:.3f}  ({len(rows)} pairs)"
    )
    kinds: dict[str, list[bool]] = defaultdict(list)
    for row, was, answer in zip(rows, truth, said, strict=True):
        kinds[row["kind"]].append(was != answer)
    worst = sorted(kinds.items(), key=lambda item: (-sum(item[1]), len(item[1])))
    print("  errors by kind:", ", ".join(f"{kind} {sum(e)}/{len(e)}" for kind, e in worst if any(e)))


def measure_streams(judge: Judge, paths: Sequence[Path], embedder: CachedEmbedder) -> None:
    """Print how many planted contradictions are found at each rate of false interruptions."""
    found: list[float] = []
    false: list[float] = []
    for path in paths:
        shelf, gone = Shelf(embedder), set[int]()
        lines = read_stream(path)
        digests = {line.memory.seq: line.memory.digest for line in lines}
        for line in lines:
            near = shelf.near(line.memory, closest=6, lexical=0)
            scores = {c.memory.seq: probability(judge, c.memory.content, line.memory.content) for c in near}
            if line.conflicts:
                found.append(max((scores[seq] for seq in line.conflicts if seq in scores), default=0.0))
            else:
                false.append(max(scores.values(), default=0.0))
            for seq in line.conflicts - gone:
                shelf.remove(digests[seq])
            gone |= line.conflicts
            shelf.add(line.memory)
    told = []
    for rate in RATES:
        threshold = sorted(false, reverse=True)[int(rate * len(false) / 100)]
        told.append(f"{sum(score > threshold for score in found)} at {rate:g}")
    overall = area(found + false, [True] * len(found) + [False] * len(false))
    print(
        f"{','.join(path.stem for path in paths)}: of {len(found)} planted, the judge alone finds {', '.join(told)} "
        f"false interruptions per 100 clean learns; AUC over lines {overall:.4f}"
    )


def main() -> None:
    parser = argparse.ArgumentParser(prog="train_judge.measure", description=__doc__)
    parser.add_argument("--judge", type=Path)
    parser.add_argument("--pairs", type=Path, nargs="*", default=[])
    parser.add_argument("--streams", type=Path, nargs="*", default=[])
    parser.add_argument("--cache", type=Path, default=Path(tempfile.gettempdir()) / "fit-verdict")
    options = parser.parse_args()
    options.cache.mkdir(parents=True, exist_ok=True)
    judge = FolderJudge(options.judge) if options.judge else CachedJudge(options.cache / "logits.db")
    for path in options.pairs:
        measure_pairs(judge, path)
    if options.streams:
        measure_streams(judge, options.streams, CachedEmbedder(options.cache / "vectors.db"))


if __name__ == "__main__":
    main()
