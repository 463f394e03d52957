"""Cold starts of the programs: `python benchmarks/cli.py [--runs 7] [--memories 1000 5000] [--upstream [PYTHON]]`.

Whole processes, fastest and median, after one that is not counted: Python's compiled files are there then, as
installers leave them. `tur learn` learns a new sentence in stores of these sizes: few of their memories are like it, so
seldom does a model read a pair. The last line is of a store where most sentences have their like: models read pairs.
With --upstream the same is asked of Tur 0.15.1 in the same run, in an environment of its own (PYTHON: one that has
it): on a busy machine only the ratio says anything. Never with --allow-conflict: upstream checks nothing then. --ours
names an environment as users have it: one that tur-tui is installed into for working on it starts slower. Targets: at
most a quarter of upstream's for `tur --version`, half for `tur learn` at 1,000 memories, a fifth at 5,000.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import random
import statistics
import subprocess
import sys
import tempfile
import time
import venv
from collections.abc import Iterator
from pathlib import Path

from gate import fill, texts, words_of

from tur_engine.engine import Engine
from tur_engine.records import Author, Draft, OnConflict

UPSTREAM = "tur==0.15.1"
AS_INSTALLED = "from tur_engine.cli.__main__ import script; script()"
"""What the program of that name does."""
PERSONA = "e0586069-fccb-420c-8023-8fcaa400ed2f"
_PERSONA_YAML = "name: Bench\nversion: 0.1.0\nmodel: none\naleph: none\nprinciples: []\nprotocols: []\nmetadata: {}\n"
_MEMORY = """---
type: L1 Memory
title: Memory {short}
description: 'Fact: {text}'
tags: [bench]
timestamp: '2026-11-29T17:27:{second:02}.{micro:06}'
scope: INCARNATION
memory_type: FACT
hash: {digest}
status: active
---

{text}
"""


class Program:
    """One program and the place it works in."""

    def __init__(self, name: str, command: list[str], folder: Path, **environment: str) -> None:
        self.name = name
        self._command = command
        self._folder = folder
        kept = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
        compiled = {"PYTHONPYCACHEPREFIX": str(folder / "compiled")}
        self._environment = {**kept, "HOME": str(folder), "NO_COLOR": "1", **compiled, **environment}

    def seconds(self, *arguments: str) -> float:
        """Return the wall time of one run. Raises CalledProcessError where it fails; upstream's stop is no failure."""
        began = time.perf_counter()
        ran = subprocess.run(
            [*self._command, *arguments],
            check=False,
            capture_output=True,
            cwd=self._folder,
            env=self._environment,
            stdin=subprocess.DEVNULL,
        )
        took = time.perf_counter() - began
        if b"TMS Contradiction Detected" not in ran.stdout + ran.stderr:
            ran.check_returncode()
        return took


def ours(folder: Path, memories: int, python: Path) -> Program:
    """A store of ours with so many memories."""
    folder.mkdir()
    with Engine.init(folder, actor=Author.parse("agent:bench")) as engine:
        chance = random.Random(memories)
        fill(engine, memories, lambda text: bytes(32) + chance.randbytes(384), chance)
    return Program("tur", [str(python), "-c", AS_INSTALLED], folder, TUR_HOME=str(folder / "home"))


def alike(folder: Path, python: Path) -> Program:
    """A store with the memories of the labelled streams."""
    folder.mkdir()
    with Engine.init(folder, actor=Author.parse("agent:bench")) as engine:
        drafts = (Draft(content=text, author=engine.actor) for text in texts())
        engine.learn_many(drafts, on_conflict=OnConflict.ALLOW)
    return Program("tur", [str(python), "-c", AS_INSTALLED], folder, TUR_HOME=str(folder / "home"))


def theirs(folder: Path, memories: int, python: Path) -> Program:
    """A store of upstream's with so many memories, written as its own files are."""
    persona = folder / "home" / "personas" / PERSONA
    active = folder / "project" / ".tur" / "personas" / PERSONA / "memories" / "active"
    for each in (persona, active):
        each.mkdir(parents=True)
    (folder / "home" / "personas.yaml").write_text(
        f"personas:\n- id: {PERSONA}\n  name: Bench\n  version: 0.1.0\n", "utf-8"
    )
    (persona / "persona.yaml").write_text(_PERSONA_YAML, "utf-8")
    for number, text in enumerate(words_of(memories, random.Random(memories))):
        plain = text.replace("'", " ").replace(":", " ")
        digest = hashlib.sha256(plain.encode()).hexdigest()
        page = _MEMORY.format(short=digest[:8], text=plain, digest=digest, second=number % 60, micro=number)
        (active / f"20261129_172700_fact_{digest}.md").write_text(page, "utf-8")
    tur = python.with_name("tur")
    places = {"TUR_HOME": str(folder / "home"), "TUR_PROJECT_DIR": str(folder / "project")}
    return Program("upstream", [str(tur)], folder / "project", **places)


def sentences() -> Iterator[str]:
    """Things to learn: the labelled memories, each once."""
    yield from random.Random(3).sample(texts(), len(texts()))


def told(took: list[float]) -> str:
    return f"{1000 * min(took):6.0f} ms fastest, {1000 * statistics.median(took):6.0f} median"


def compare(label: str, programs: list[Program], runs: int, arguments: Iterator[list[str]]) -> None:
    """Time the programs in turns, so that both meet the same machine; print each, and the ratio."""
    took: dict[str, list[float]] = {program.name: [] for program in programs}
    for run in range(runs + 1):
        line = next(arguments)
        for program in programs:
            seconds = program.seconds(*line)
            if run:
                took[program.name].append(seconds)
    for name, each in took.items():
        print(f"{label:28} {name:9} {told(each)}", flush=True)
    if len(took) == 2:
        mine, upstream = (statistics.median(each) for each in took.values())
        print(f"{label:28} {'ratio':9} {mine / upstream:.2f} of upstream's", flush=True)


def same(*line: str) -> Iterator[list[str]]:
    while True:
        yield list(line)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=7)
    parser.add_argument("--memories", type=int, nargs="+", default=[1000, 5000])
    parser.add_argument("--ours", default=sys.executable, metavar="PYTHON", help="an environment that has ours")
    parser.add_argument("--upstream", nargs="?", const="", metavar="PYTHON", help="time Tur 0.15.1 beside ours")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        python = Path(options.upstream) if options.upstream else None
        if options.upstream == "":
            venv.create(folder / "venv", with_pip=True)
            python = folder / "venv" / "bin" / "python"
            subprocess.run([python, "-m", "pip", "install", "--quiet", UPSTREAM], check=True)
        new = sentences()
        for size in options.memories:
            mine = ours(folder / f"ours-{size}", size, Path(options.ours))
            programs = [mine, *([theirs(folder / f"theirs-{size}", size, python)] if python else [])]
            if size == options.memories[0]:
                bare = Program("python", [options.ours, "-c", "pass"], folder)
                compare("python -c pass", [bare], options.runs, same())
                compare("tur --version", programs, options.runs, same("--version"))
                for line in (("status", "--short"), ("status",), ("list",), ("recall", "filters")):
                    compare(f"tur {' '.join(line)}", [mine], options.runs, same(*line))
            lines = (["learn", text, "--type", "fact"] for text in new)
            compare(f"tur learn, {size:,} memories", programs, options.runs, lines)
        told = (["learn", f"{text.rstrip('.')} for now.", "--dry-run"] for text in new)
        compare("tur learn, beside its like", [alike(folder / "alike", Path(options.ours))], options.runs, told)


if __name__ == "__main__":
    main()
