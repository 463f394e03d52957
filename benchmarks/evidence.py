"""How good is each kind of evidence? Hits, precision, lift and log-odds on labelled pairs or streams.

    python benchmarks/evidence.py PAIRS.jsonl [STREAM.jsonl ...] [--show KIND] [--errors]

A pairs file has `a, b` or `existing, new` and a label; a stream has `content, conflicts_with`. Of a stream every
    planted
pair, every pair named as near, and the closest earlier memories by shared rare words are taken.
"""

from __future__ import annotations

import argparse
import json
import math
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from tur_engine.detect.equivalence import duplicate
from tur_engine.detect.evidence import KINDS, gather
from tur_engine.detect.pair import Pair
from tur_engine.detect.reading import read
from tur_engine.records import Author, AuthorKind, Evidence, Memory, MemoryType, Scope

CLASH = {"conflict", "contradiction", "1", 1}
SAME = {"entailment", "same", "duplicate", "refines"}
_AUTHOR = Author(kind=AuthorKind.AGENT, name="bench")
_EPOCH = datetime(2026, 1, 1, tzinfo=UTC)


@dataclass(frozen=True)
class Case:
    """Two texts with what people say of them."""

    old: str
    new: str
    clash: bool
    same: bool
    kind: str


def memory(content: str, seq: int = 1, kind: str = "fact") -> Memory:
    """Return a memory with nothing but content."""
    return Memory(
        digest=f"{seq:064x}", content=content, type=MemoryType(kind), scope=Scope(), declared_scope=Scope(),
        author=_AUTHOR, occurred_at=_EPOCH, recorded_at=_EPOCH, seq=seq,
    )  # fmt: skip


def cases(path: Path, closest: int = 5) -> Iterator[Case]:
    """Read a pairs file or a stream."""
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]
    if rows and "conflicts_with" in rows[0]:
        yield from _stream(rows, closest)
        return
    for row in rows:
        label = row["label"]
        relation = row.get("relation", label)
        yield Case(
            row["a"] if "a" in row else row["existing"],
            row["b"] if "b" in row else row["new"],
            label in CLASH,
            relation in SAME,
            row.get("kind", ""),
        )


def _stream(rows: list[dict], closest: int) -> Iterator[Case]:  # type: ignore[type-arg]
    by_seq = {row["seq"]: row for row in rows}
    frequency = Counter(s for row in rows for s in read(row["content"]).stems)
    for i, row in enumerate(rows):
        planted = set(row["conflicts_with"])
        near = {n["seq"]: n["rel"] for n in row.get("near", [])}
        mine = read(row["content"]).stems
        scored = sorted(
            (-sum(1 / frequency[s] for s in mine & read(other["content"]).stems), other["seq"]) for other in rows[:i]
        )
        for seq in sorted(planted | near.keys() | {s for score, s in scored[:closest] if score < -0.1}):
            rel = "planted" if seq in planted else near.get(seq, "close")
            yield Case(by_seq[seq]["content"], row["content"], seq in planted, rel == "same", rel)


@dataclass
class Tally:
    """Counts of one kind."""

    clash: int = 0
    rest: int = 0

    def log_odds(self, clashes: int, rests: int) -> float:
        return math.log((self.clash + 0.5) / (clashes + 1)) - math.log((self.rest + 0.5) / (rests + 1))


def main(argv: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("files", nargs="+", type=Path)
    parser.add_argument("--show", metavar="KIND", help="print the pairs on which this kind fires")
    parser.add_argument("--wrong", action="store_true", help="with --show: only where the label disagrees")
    parser.add_argument(
        "--missed", metavar="KIND", help="print the pairs whose label kind holds this word, with no evidence"
    )
    parser.add_argument("--limit", type=int, default=60)
    args = parser.parse_args(argv)

    tallies: dict[str, Tally] = defaultdict(Tally)
    fine: dict[tuple[str, float], Tally] = defaultdict(Tally)
    clashes = rests = sames = found_same = shown = 0
    false_duplicates: list[Case] = []
    spent = 0.0
    for path in args.files:
        for case in cases(path):
            pair = Pair.of(memory(case.old), memory(case.new, 2))
            start = time.perf_counter()
            evidence = gather(pair)
            spent += time.perf_counter() - start
            clashes += case.clash
            rests += not case.clash
            sames += case.same
            if duplicate(pair):
                found_same += case.same
                if not case.same:
                    false_duplicates.append(case)
            for kind in {e.kind for e in evidence}:
                _count(tallies[kind], case)
            for key in {(e.kind, round(e.weight, 1)) for e in evidence}:
                _count(fine[key], case)
            if shown < args.limit and _wanted(args, case, evidence):
                shown += 1
                _print(case, evidence)
    total = clashes + rests
    if not total:
        print("no pairs", file=sys.stderr)
        return 2
    base = clashes / total
    print(f"{total} pairs, {clashes} clashes ({base:.1%}); {1000 * spent / total:.2f} ms a pair")
    print(f"{'kind':12} {'hits':>6} {'clash':>6} {'precision':>9} {'lift':>6} {'log-odds':>8}")
    for kind in KINDS:
        if tally := tallies.get(kind):
            _line(kind, tally, base, clashes, rests)
            for (name, weight), part in sorted(fine.items()):
                if name == kind:
                    _line(f"  {weight:+.1f}", part, base, clashes, rests)
    print(f"duplicates: {found_same} of {sames} same, {len(false_duplicates)} false")
    for case in false_duplicates:
        print(f"  FALSE {case.kind}: {case.old!r} / {case.new!r}")
    return 1 if false_duplicates else 0


def _count(tally: Tally, case: Case) -> None:
    if case.clash:
        tally.clash += 1
    else:
        tally.rest += 1


def _wanted(args: argparse.Namespace, case: Case, evidence: tuple[Evidence, ...]) -> bool:
    if args.missed:
        return args.missed in case.kind and case.clash and not any(e.weight > 0 for e in evidence)
    if args.show:
        pieces = [e for e in evidence if e.kind == args.show]
        return bool(pieces) and (not args.wrong or any((e.weight > 0) != case.clash for e in pieces))
    return False


def _print(case: Case, evidence: tuple[Evidence, ...]) -> None:
    print(f"[{'CLASH' if case.clash else 'ok'} {case.kind}]\n   {case.old}\n   {case.new}")
    for e in evidence:
        print(f"      {e.kind} {e.weight:+.1f} {e.sentence}")


def _line(name: str, tally: Tally, base: float, clashes: int, rests: int) -> None:
    hits = tally.clash + tally.rest
    precision = tally.clash / hits
    print(
        f"{name:12} {hits:6} {tally.clash:6} {precision:9.2f} {precision / base if base else 0:6.2f} "
        f"{tally.log_odds(clashes, rests):8.2f}"
    )


if __name__ == "__main__":
    sys.exit(main())
