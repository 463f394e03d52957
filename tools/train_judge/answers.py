"""Asks the shipped judge about every pair of a mix: `python -m tools.train_judge.answers MIX/train.json OUT.json`.

What `distil` teaches a student. The judge answers as it is shipped, in 8-bit integers: a student stands before it.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
from pathlib import Path

from tur_engine.detect.judge import Judge

from .pairs import read_mix

Pair = tuple[str, str]
PORTION = 64


def _answers(pairs: list[Pair]) -> list[list[float]]:
    judge = _JUDGE[0]
    return [[round(float(x), 4) for x in judge.read(*pair)] for pair in pairs]


_JUDGE: list[Judge] = []


def _begin() -> None:
    _JUDGE.append(Judge())


def main() -> None:
    parser = argparse.ArgumentParser(prog="train_judge.answers", description=__doc__)
    parser.add_argument("mix", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--processes", type=int, default=2)
    options = parser.parse_args()
    pairs = sorted({(a, b) for a, b, _ in read_mix(options.mix)}, key=lambda pair: len(pair[0]) + len(pair[1]))
    portions = [pairs[at : at + PORTION] for at in range(0, len(pairs), PORTION)]
    rows: list[list[object]] = []
    with multiprocessing.get_context("spawn").Pool(options.processes, _begin) as pool:
        for portion, answers in zip(portions, pool.imap(_answers, portions), strict=True):
            rows += [[*pair, answer] for pair, answer in zip(portion, answers, strict=True)]
            if len(rows) % (PORTION * 25) == 0:
                print(f"{len(rows)} of {len(pairs)}", flush=True)
    options.out.parent.mkdir(parents=True, exist_ok=True)
    options.out.write_text(json.dumps(rows, ensure_ascii=False), "utf-8")
    print(f"{len(rows)} pairs answered")


if __name__ == "__main__":
    main()
