"""Fit the weights of each kind of evidence: its SCALE, printed to be pasted into the kind's file.

    python tools/fit_evidence.py --pairs TRAINING/*.jsonl --streams TRAINING/streams/*.jsonl [--kind KIND ...]

Pairs and streams count the same; inside each, all clashes together weigh as much as all the rest. So each
kind's logit is what it adds to whatever the base rate is. Needs scipy (not a dependency).
"""

from __future__ import annotations

import argparse
import math
import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import numpy as np
from scipy.optimize import minimize

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "benchmarks"))

import evidence as bench

from tur_engine.detect.context import Context, Scale
from tur_engine.detect.evidence import GUARDS, KINDS
from tur_engine.detect.pair import Pair

RIDGE = 1.5
NAMES = ("bias", "near", "alone", "bare", "strength", "tight", "apart", "subject")


class Recorder:
    """Stands in for a Scale: weighs as it does, and remembers the context that won."""

    def __init__(self, scale: Scale, guard: bool) -> None:
        self.scale = scale
        self.guard = guard
        self.best: tuple[float, Context] | None = None

    def weight(self, context: Context) -> float:
        if self.scale.akin_only and not context.akin:
            return 0.0
        weight = self.scale.weight(context)
        if self.best is None or (weight < self.best[0] if self.guard else weight > self.best[0]):
            self.best = weight, context
        squeezed = 1 / (1 + math.exp(-weight))
        return squeezed - 2 if self.guard else squeezed + 1


def rows(pairs: list[tuple[bench.Case, Pair]], module: object) -> Iterator[tuple[int, Context]]:
    scale = module.SCALE  # type: ignore[attr-defined]
    for number, (_, pair) in enumerate(pairs):
        recorder = module.SCALE = Recorder(scale, module.KIND in GUARDS)  # type: ignore[attr-defined]
        list(module.find(pair))  # type: ignore[attr-defined]
        if recorder.best is not None:
            yield number, recorder.best[1]
    module.SCALE = scale  # type: ignore[attr-defined]


def load(paths: list[Path]) -> list[tuple[bench.Case, Pair]]:
    cases = [case for path in paths for case in bench.cases(path)]
    return [(case, Pair.of(bench.memory(case.old), bench.memory(case.new, 2))) for case in cases]


def overlap_features(pair: Pair) -> tuple[float, ...]:
    """Return what the offset is fitted on."""
    low, high = sorted(map(len, pair.rests))
    return (float(low == 0), float(high == 0), min(low, 4) / 4, min(high, 8) / 8, pair.jaccard, pair.overlap)


def logistic(x: np.ndarray, y: np.ndarray, w: np.ndarray, offset: np.ndarray, ridge: float) -> np.ndarray:
    """Return the coefficients, the bias first; the bias is not shrunk."""
    full = np.column_stack([np.ones(len(x)), x])

    def loss(beta: np.ndarray) -> tuple[float, np.ndarray]:
        z = full @ beta + offset
        p = 1 / (1 + np.exp(-z))
        shrunk = np.r_[0.0, beta[1:]]
        value = float(np.sum(w * (np.logaddexp(0, z) - y * z)) + ridge * shrunk @ shrunk / 2)
        return value, full.T @ (w * (p - y)) + ridge * shrunk

    return np.asarray(minimize(loss, np.zeros(full.shape[1]), jac=True, method="L-BFGS-B").x)


def weights(cases: list[tuple[bench.Case, Pair]]) -> np.ndarray:
    clash = np.array([case.clash for case, _ in cases])
    return np.where(clash, 1000 / max(1, clash.sum()), 1000 / max(1, (~clash).sum()))


def base(sets: list[list[tuple[bench.Case, Pair]]]) -> list[np.ndarray]:
    """Return the offset of each case, by set."""
    x = [np.array([overlap_features(pair) for _, pair in cases]) for cases in sets]
    y = [np.array([float(case.clash) for case, _ in cases]) for cases in sets]
    w = [weights(cases) for cases in sets]
    beta = logistic(np.vstack(x), np.concatenate(y), np.concatenate(w), np.zeros(sum(map(len, y))), 1.0)
    return [part @ beta[1:] + beta[0] for part in x]


def fit(kind: str, sets: list[list[tuple[bench.Case, Pair]]], offsets: list[np.ndarray]) -> None:
    module = import_module(f"tur_engine.detect.evidence.{kind}")
    if not hasattr(module, "SCALE"):
        return
    x: list[tuple[float, ...]] = []
    y: list[float] = []
    w: list[float] = []
    o: list[float] = []
    counts = []
    for cases, offset in zip(sets, offsets, strict=True):
        share = weights(cases)
        before = len(y), sum(y)
        for number, context in rows(cases, module):
            x.append(context.features[1:])
            y.append(float(cases[number][0].clash))
            w.append(share[number])
            o.append(offset[number])
        counts.append(f"{sum(y) - before[1]:.0f}/{len(y) - before[0]}")
    if len(set(y)) < 2:
        print(f"{kind}: too few hits {counts}")
        return
    beta = logistic(np.array(x), np.array(y), np.array(w), np.array(o), RIDGE)
    names = dict(zip(NAMES, map(float, beta), strict=True))
    inner = ", ".join(
        f"{n}={v:.1f}" if n != "bias" else f"{v:.1f}" for n, v in names.items() if n == "bias" or abs(v) >= 0.05
    )
    print(f"{kind:12} hits {' '.join(counts):20} SCALE = Scale({inner})")


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--pairs", nargs="*", type=Path, default=[])
    parser.add_argument("--streams", nargs="*", type=Path, default=[])
    parser.add_argument("--kind", nargs="*", default=KINDS)
    parser.add_argument("--beyond-overlap", action="store_true", help="fit what the kind adds to plain word overlap")
    args = parser.parse_args()
    sets = [s for s in (load(args.pairs), load(args.streams)) if s]
    offsets = base(sets) if args.beyond_overlap else [np.zeros(len(cases)) for cases in sets]
    for kind in args.kind:
        fit(kind, sets, offsets)


if __name__ == "__main__":
    main()
