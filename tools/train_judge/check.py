"""Checks new pairs: `python -m tools.train_judge.check FILE...`. Trivial rules must not tell the labels.

Prints the shares of labels, how many texts are long, doubled pairs, and how often "a negation word on one side only"
and "word overlap of .4 or more" would tell contradiction from the rest. Exit status 1 on doubled pairs or a rule
that is right more often than .65.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections import Counter
from collections.abc import Callable
from pathlib import Path

from .pairs import CONTRADICTS, LABELS, Example, read_pairs

NEGATION = re.compile(r"\b(no|not|never|none|nobody|nothing|neither|nor|without|cannot)\b|n't\b", re.IGNORECASE)
LONG = 35
TOO_EASY = 0.65


def negated_once(example: Example) -> bool:
    """Tell whether just one side has a negation word."""
    return bool(NEGATION.search(example.existing)) != bool(NEGATION.search(example.new))


def overlap(example: Example) -> bool:
    """Tell whether the sides share at least .4 of their words."""
    a, b = (set(re.findall(r"\w+", text.lower())) for text in (example.existing, example.new))
    return len(a & b) >= 0.4 * len(a | b)


def accuracy(rule: Callable[[Example], bool], examples: list[Example]) -> float:
    """Return how often a rule is right about contradiction or not."""
    return sum(rule(e) == (e.label == CONTRADICTS) for e in examples) / len(examples)


def main() -> None:
    parser = argparse.ArgumentParser(prog="train_judge.check", description=__doc__)
    parser.add_argument("files", type=Path, nargs="+")
    examples = list(read_pairs(parser.parse_args().files))
    if not examples:
        sys.exit("no pairs in these files")
    labels = Counter(example.label for example in examples)
    doubled = [pair for pair, n in Counter((e.existing, e.new) for e in examples).items() if n > 1]
    long = sum(max(len(e.existing.split()), len(e.new.split())) > LONG for e in examples) / len(examples)
    rules = {"negation on one side": accuracy(negated_once, examples), "word overlap": accuracy(overlap, examples)}
    print(
        f"{len(examples)} pairs:", ", ".join(f"{LABELS[k]} {n / len(examples):.2f}" for k, n in sorted(labels.items()))
    )
    print(f"a side over {LONG} words: {long:.2f}; doubled pairs: {len(doubled)}")
    print("told by trivial rules:", ", ".join(f"{name} {right:.2f}" for name, right in rules.items()))
    for existing, new in doubled:
        print(f"doubled: {existing} | {new}")
    if doubled or max(rules.values()) > TOO_EASY:
        sys.exit(1)


if __name__ == "__main__":
    main()
