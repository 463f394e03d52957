"""Quality of the verdict on the labelled files: `python benchmarks/quality.py [--data DIR] [--json]`.

Prints one row a file, and the streams together. The baseline is upstream Tur 0.15.1, measured on the same files
(`data/README.md`). The files are for measuring: nothing is fitted on them.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

from tur_engine.calibrate import score_pairs, score_stream

UPSTREAM = {
    "pairs-dev": "P .451 R .445 F1 .448, false positives .454",
    "pairs-peer-study": "P .490 R .588 F1 .534, false positives .613",
    "streams": "14 of 29 found, 23.6 false interruptions per 100",
}


def measure(data: Path) -> dict[str, Any]:
    """Return the figures of every file in the folder, by name."""
    figures: dict[str, Any] = {path.stem: score_pairs(path) for path in sorted(data.glob("pairs-*.jsonl"))}
    streams = {path.stem: score_stream(path) for path in sorted((data / "streams").glob("*.jsonl"))}
    planted = sum(f["planted"] for f in streams.values())
    recalled = sum(f["recalled"] for f in streams.values())
    false = sum(f["false_interruptions"] for f in streams.values())
    clean = sum(f["memories"] for f in streams.values()) - planted
    figures |= streams
    figures["streams"] = {
        "planted": planted,
        "recalled": recalled,
        "false_interruptions": false,
        "false_interruptions_per_100": round(100 * false / clean, 2) if clean else 0.0,
        "false_duplicates": sum(f["false_duplicates"] for f in streams.values()),
    }
    return figures


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=Path(__file__).with_name("data"))
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    figures = measure(options.data)
    if options.json:
        print(json.dumps(figures, indent=2))
        return
    print("| file | figures | upstream Tur 0.15.1 |\n|---|---|---|")
    for name, f in figures.items():
        if "f1" in f:
            told = (
                f"P {f['precision']:.3f} R {f['recall']:.3f} F1 {f['f1']:.3f}, false positives "
                f"{f['false_positive_rate']:.3f}, calibration error {f['expected_calibration_error']:.3f}"
            )
        else:
            told = f"{f['recalled']} of {f['planted']} found, {f['false_interruptions_per_100']:.1f} false per 100"
            if "expected_calibration_error" in f:
                told += f", calibration error {f['expected_calibration_error']:.3f}"
        told += f", {f['false_duplicates']} false duplicates"
        if "latency_ms" in f:
            told += f", gate p50 {f['latency_ms']['p50']:.0f} ms p95 {f['latency_ms']['p95']:.0f} ms"
        print(f"| {name} | {told} | {UPSTREAM.get(name, '')} |", flush=True)


if __name__ == "__main__":
    main()
