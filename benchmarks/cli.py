"""Start-up of the programs: `python benchmarks/cli.py [--runs 10]`. Fastest and median of whole processes.

Each row also as a multiple of a bare `python -c pass` on the same machine: that is what to compare.
"""

from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path


def seconds(arguments: list[str], runs: int, folder: Path) -> list[float]:
    """Return the wall time of each run; raises CalledProcessError where the program fails."""
    took = []
    environment = {**os.environ, "HOME": str(folder), "TUR_HOME": str(folder / "home")}
    for _ in range(runs):
        began = time.perf_counter()
        subprocess.run([sys.executable, *arguments], check=True, capture_output=True, cwd=folder, env=environment)
        took.append(time.perf_counter() - began)
    return took


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=10)
    runs = parser.parse_args().runs
    tur = ["-m", "tur_engine.cli"]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        seconds([*tur, "init"], 1, folder)
        bare = min(seconds(["-c", "pass"], runs, folder))
        for label, arguments in (
            ("tur --version", [*tur, "--version"]),
            ("tur status", [*tur, "status"]),
            ("tur recall", [*tur, "recall", "migrations"]),
            ("tur learn (known)", [*tur, "learn", "Database migrations run via Alembic"]),
            ("tur-tui --version", ["-m", "tur_tui", "--version"]),
        ):
            took = seconds(arguments, runs, folder)
            fastest, median = min(took), statistics.median(took)
            told = f"{1000 * fastest:6.0f} ms fastest, {1000 * median:6.0f} median"
            print(f"{label:20} {told}, {fastest / bare:5.1f} x python")


if __name__ == "__main__":
    main()
