"""`tur scan` on small repositories with planted clashes: `python benchmarks/scan.py [FOLDER...] [--pairs FILE]`.

Each repository has a `planted.json`: clashes that are to be found, near misses that are not to be reported, and pairs
that are true though nobody planted them (counted neither way). Prints what was found, missed and falsely reported, with
the real models. --pairs writes every pair above a low probability with its evidence, for a look at thresholds.
--gate imports the rules of each repository into a ledger instead and counts what the gate finds.
--speed N measures N statements, cold and then from the notes of the first run.
"""

from __future__ import annotations

import argparse
import json
import shutil
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tur_engine.engine import Engine
from tur_engine.records import Author, Conflict, OnConflict
from tur_engine.sources.drafting import Desk, books
from tur_engine.sources.gated import weigh_rules
from tur_engine.sources.report import Clash, Side
from tur_engine.sources.scan import Request, scan

ROOT = Path(__file__).resolve().parents[1]
FIXTURES = ROOT / "tests" / "sources" / "fixtures"


@dataclass
class Figures:
    """What a scan of labelled repositories found."""

    planted: int = 0
    found: int = 0
    false: int = 0
    statements: int = 0
    missed: list[str] = field(default_factory=list)
    wrong: list[str] = field(default_factory=list)

    @property
    def recall(self) -> float:
        return self.found / self.planted if self.planted else 1.0

    @property
    def false_per_100(self) -> float:
        return 100 * self.false / self.statements if self.statements else 0.0


def places(root: Path, side: dict[str, str]) -> tuple[str, int]:
    """Return file and line of a labelled side."""
    for number, line in enumerate((root / side["file"]).read_text("utf-8").splitlines(), start=1):
        if side["text"].replace(" | ", "|") in line.replace(" | ", "|"):
            return side["file"], number
    raise ValueError(f"{root.name}: {side['file']} has no line with {side['text']!r}")


def labelled(root: Path, kind: str) -> list[frozenset[tuple[str, int]]]:
    """Return the labelled pairs of one kind."""
    data: dict[str, Any] = json.loads((root / "planted.json").read_text("utf-8"))
    return [frozenset((places(root, pair["a"]), places(root, pair["b"]))) for pair in data.get(kind, ())]


def pair_of(clash: Clash) -> frozenset[tuple[str, int]]:
    """Return the places of both sides."""

    def place(side: Side) -> tuple[str, int]:
        return side.file, side.line

    return frozenset((place(clash.a), place(clash.b)))


def imported(root: Path) -> tuple[dict[frozenset[tuple[str, int]], str], int]:
    """Pass a copy of a repository's rules through the gate; return the pairs that clash, and how many came in."""
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(shutil.copytree(root, Path(folder, root.name), symlinks=True))
        with Engine.init(copy, actor=Author.parse("human:benchmark")) as engine:
            weigh_rules(engine)
            (book,) = books([copy], copy)
            desk = Desk(engine.actor, book.top, copy)
            drafts = [desk.draft(statement) for rules in book.rules for statement in rules.statements]
            engine.learn_many(drafts, on_conflict=OnConflict.ALLOW)
            return dict(map(_met, engine.conflicts(all=True))), len(drafts)


def _met(conflict: Conflict) -> tuple[frozenset[tuple[str, int]], str]:
    sides = [side.memory for side in (conflict.incumbent, conflict.challenger)]
    named = [memory.provenance["imported_from"].rpartition(":") for memory in sides]
    texts = " / ".join(repr(memory.content[:70]) for memory in sides)
    return frozenset((file, int(line)) for file, _, line in named), f"{conflict.probability} {texts}"


def scanned(root: Path) -> tuple[dict[frozenset[tuple[str, int]], str], int]:
    """Scan a repository; return the pairs that clash, and how many statements there are."""
    report = scan(Request(root, cached=False))
    told = {pair_of(c): f"{c.probability} {c.a.text[:70]!r} / {c.b.text[:70]!r}" for c in report.clashes}
    return told, report.statements


def measure(root: Path, figures: Figures, *, gate: bool = False) -> None:
    """Scan one repository, or import it, and add what was found."""
    planted, also = labelled(root, "clashes"), labelled(root, "also_true")
    reported, statements = imported(root) if gate else scanned(root)
    figures.planted += len(planted)
    figures.statements += statements
    for pair in planted:
        if pair in reported:
            figures.found += 1
        else:
            figures.missed.append(f"{root.name}: {sorted(pair)}")
    for pair, told in reported.items():
        if pair not in planted and pair not in also:
            figures.false += 1
            figures.wrong.append(f"{root.name}: {told}")


def speed(count: int) -> None:
    """Print how long many statements take, cold and from the notes."""
    sources = sorted(ROOT.joinpath("tools", "train_judge", "data", "streams").glob("*.jsonl"))
    texts = dict.fromkeys(
        json.loads(row)["content"] for path in sources for row in path.read_text("utf-8").splitlines()
    )
    with tempfile.TemporaryDirectory() as folder:
        rows = [" ".join(text.split()) for text in list(texts)[:count]]
        for number in range(0, len(rows), 250):
            path = Path(folder, f"part{number // 250}", "AGENTS.md")
            path.parent.mkdir()
            path.write_text("".join(f"- {row}\n" for row in rows[number : number + 250]), "utf-8")
        for what in ("first run", "second run"):
            began, spent = time.perf_counter(), time.process_time()
            report = scan(Request(Path(folder)))
            took, spent = time.perf_counter() - began, time.process_time() - spent
            found = f"{report.statements} statements, {len(report.clashes)} clashes"
            print(f"{what}: {found}, {took:.1f} s, {spent:.1f} s of processor time", flush=True)


def main(arguments: Sequence[str] | None = None) -> None:
    """Run what the command line asks for."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("folders", nargs="*", type=Path)
    parser.add_argument("--gate", action="store_true")
    parser.add_argument("--speed", type=int, metavar="N")
    options = parser.parse_args(arguments)
    if options.speed:
        speed(options.speed)
        return
    figures = Figures()
    roots = options.folders or sorted(path.parent for path in FIXTURES.glob("*/planted.json"))
    for root in roots:
        before = (figures.found, figures.planted, figures.false, figures.statements)
        measure(root, figures, gate=options.gate)
        found, planted, false, statements = (
            now - then
            for now, then in zip(
                (figures.found, figures.planted, figures.false, figures.statements), before, strict=True
            )
        )
        print(f"{root.name:24} {statements:4} statements  found {found} of {planted}  false {false}", flush=True)
    for line in figures.missed:
        print(f"  missed {line}")
    for line in figures.wrong:
        print(f"  false  {line}")
    print(
        f"all: {figures.statements} statements, {figures.found} of {figures.planted} found ({figures.recall:.0%}), "
        f"{figures.false} false ({figures.false_per_100:.2f} per 100 statements)"
    )


if __name__ == "__main__":
    main()
