"""Draws how good the verdict is: `python benchmarks/curves.py [--out docs/pictures]`.

Two pictures from the labelled files in `benchmarks/data`: precision against recall, with the three profiles marked, and
calibration (what was said against what was so). Pairs are weighed by the detector, streams pass the whole gate: a
stream's newcomer counts with the highest probability among its candidates. Needs matplotlib (the `dev` extra).
"""

from __future__ import annotations

import argparse
from pathlib import Path

import matplotlib as mpl
import numpy as np

mpl.use("svg")
from matplotlib import pyplot as plt
from matplotlib.axes import Axes

from tur_engine.calibrate import play_stream, read_stream
from tur_engine.detect import calibration
from tur_engine.detect.detector import Detector
from tur_engine.detect.verdict import scales
from tur_engine.probe.embedder import Embedder

HERE = Path(__file__).resolve().parent
BINS = 10
STYLE = {"svg.hashsalt": "tur-tui", "font.family": "sans-serif", "axes.spines.top": False, "axes.spines.right": False}
COLOURS = {"pairs-dev": "#0072b2", "pairs-peer-study": "#009e73", "streams": "#d55e00"}
MARKS = {"quiet": "v", "balanced": "o", "strict": "^"}


Said = tuple[np.ndarray, np.ndarray]
"""Probabilities, and what was so."""


def pairs(path: Path) -> Said:
    """Weigh labelled pairs side by side."""
    labelled = calibration.read_pairs(path)
    verdicts = calibration.weigh_pairs(labelled, Detector(), Embedder.load())
    return np.array([v.probability for v in verdicts]), np.array([pair.conflict for pair in labelled])


def streams(folder: Path) -> Said:
    """Learn the streams; what a newcomer was doubted with, and whether it contradicts anything."""
    said, so = [], []
    for path in sorted(folder.glob("*.jsonl")):
        lines = read_stream(path)
        doubts = play_stream(lines).doubts
        said += [doubts[line.seq] for line in lines]
        so += [bool(line.contradicts) for line in lines]
    return np.array(said), np.array(so)


def precision_recall(axes: Axes, name: str, found: Said, thresholds: dict[str, float]) -> None:
    """Draw one curve, and where the profiles stand on it."""
    said, so = found
    order = np.argsort(-said, kind="stable")
    hits = np.cumsum(so[order])
    recall, precision = hits / so.sum(), hits / np.arange(1, len(so) + 1)
    axes.plot(recall, precision, color=COLOURS[name], label=f"{name} ({len(so)}, {int(so.sum())} clash)")
    for profile, threshold in thresholds.items():
        called = said >= threshold
        if called.any():
            at = so[called].sum() / so.sum(), so[called].mean()
            axes.plot(*at, MARKS[profile], color=COLOURS[name], markersize=8)


def calibrated(axes: Axes, name: str, found: Said) -> None:
    """Draw what was so against what was said, in ten bins; a bin of fewer than five is left out."""
    said, so = found
    bins = np.minimum(BINS - 1, (said * BINS).astype(int))
    points = [(said[bins == b].mean(), so[bins == b].mean()) for b in range(BINS) if (bins == b).sum() >= 5]
    error = calibration.expected_calibration_error(said.tolist(), so.tolist())
    axes.plot(*zip(*points, strict=True), "o-", color=COLOURS[name], label=f"{name}, error {error:.3f}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=HERE / "data")
    parser.add_argument("--out", type=Path, default=HERE.parent / "docs" / "pictures")
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    measured = {path.stem: pairs(path) for path in sorted(options.data.glob("pairs-*.jsonl"))}
    measured["streams"] = streams(options.data / "streams")
    full = scales()["full"]
    with plt.rc_context(STYLE):
        figure, axes = plt.subplots(figsize=(6.4, 4.8), layout="constrained")
        for name, found in measured.items():
            thresholds = full.thresholds(paired=name != "streams")
            precision_recall(axes, name, found, {profile: thresholds[profile] for profile in MARKS})
        axes.set(xlabel="recall", ylabel="precision", xlim=(0, 1.01), ylim=(0, 1.01))
        marks = [plt.Line2D([], [], color="grey", marker=m, linestyle="", label=p) for p, m in MARKS.items()]
        axes.legend(handles=[*axes.get_legend_handles_labels()[0], *marks], loc="lower left", frameon=False)
        figure.savefig(options.out / "precision-recall.svg", metadata={"Date": None})
        figure, axes = plt.subplots(figsize=(4.8, 4.8), layout="constrained")
        axes.plot((0, 1), (0, 1), color="lightgrey")
        for name, found in measured.items():
            calibrated(axes, name, found)
        axes.set(xlabel="probability said", ylabel="share that clashed", xlim=(0, 1), ylim=(0, 1))
        axes.legend(loc="upper left", frameon=False)
        figure.savefig(options.out / "calibration.svg", metadata={"Date": None})
    for name, (said, so) in measured.items():
        print(f"{name}: calibration error {calibration.expected_calibration_error(said.tolist(), so.tolist()):.3f}")


if __name__ == "__main__":
    main()
