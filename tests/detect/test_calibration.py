"""Figures on labelled pairs and streams: the arithmetic, the files, the refusals."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tur_engine.detect.calibration import (
    LabelledPair,
    expected_calibration_error,
    read_pairs,
    score_pairs,
    score_stream,
    weigh_pairs,
)
from tur_engine.detect.detector import Detector
from tur_engine.errors import BadInput
from tur_engine.probe.embedder import Embedder
from tur_engine.records import Relationship, Verdict


def write(path: Path, *rows: object) -> Path:
    path.write_text("".join(row if isinstance(row, str) else json.dumps(row) + "\n" for row in rows), "utf-8")
    return path


@pytest.mark.parametrize(
    ("label", "conflict"),
    [
        ("conflict", True), ("contradiction", True), (1, True), ("1", True),
        ("compatible", False), ("neutral", False), ("entailment", False), (0, False), ("0", False),
    ],
)  # fmt: skip
def test_every_way_to_label(tmp_path: Path, label: object, conflict: bool) -> None:
    (pair,) = read_pairs(write(tmp_path / "p.jsonl", {"a": "Port is 80.", "b": "Port is 81.", "label": label}))
    assert pair.conflict is conflict


def test_both_ways_to_name_the_sides(tmp_path: Path) -> None:
    one, two = read_pairs(
        write(
            tmp_path / "p.jsonl",
            {"existing": "Likes tea.", "new": "Hates tea.", "label": "conflict", "kind": "flip"},
            "\n",
            {"a": "Likes tea.", "b": "Likes jam.", "label": 0},
        )
    )
    assert (one.existing, one.new, one.kind, one.line) == ("Likes tea.", "Hates tea.", "flip", 1)
    assert (two.existing, two.new, two.kind, two.line) == ("Likes tea.", "Likes jam.", "", 3)


@pytest.mark.parametrize(
    ("row", "same"),
    [
        ({"label": "compatible", "relation": "duplicate"}, True),
        ({"label": "compatible", "relation": "refines"}, True),
        ({"label": "compatible", "relation": "complements"}, False),
        ({"label": "entailment"}, True),
        ({"label": "neutral"}, False),
        ({"label": 0}, True),
        ({"label": 1}, False),
        ({"label": "conflict", "relation": "duplicate"}, False),
    ],
)
def test_what_may_be_called_a_duplicate(tmp_path: Path, row: dict[str, object], same: bool) -> None:
    (pair,) = read_pairs(write(tmp_path / "p.jsonl", {"a": "x", "b": "y", **row}))
    assert pair.same is same


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ("{not json\n", r"p\.jsonl, line 2: not valid JSON"),
        ("[1, 2]\n", r"p\.jsonl, line 2: list instead of an object"),
        ({"a": "x", "label": 1}, r"p\.jsonl, line 2: 'b' is missing"),
        ({"existing": "x", "b": "y", "label": 1}, r"p\.jsonl, line 2: 'new' is missing"),
        ({"a": "x", "b": "y"}, r"p\.jsonl, line 2: 'label' is missing"),
        ({"a": "x", "b": "y", "label": "maybe"}, r"p\.jsonl, line 2: unknown label 'maybe'"),
        ({"a": "x", "b": "y", "label": 0.5}, r"p\.jsonl, line 2: unknown label 0\.5"),
        ({"a": "x", "b": "y", "label": None}, r"p\.jsonl, line 2: unknown label None"),
        ({"a": 3, "b": "y", "label": 1}, r"p\.jsonl, line 2: a must be text"),
        ({"a": "x", "b": "  ", "label": 1}, r"p\.jsonl, line 2: b is empty"),
        ({"a": "x\u0007", "b": "y", "label": 1}, r"p\.jsonl, line 2: a holds a control character"),
    ],
)
def test_a_bad_line_is_named(tmp_path: Path, row: object, message: str) -> None:
    good = {"a": "x", "b": "y", "label": 1}
    with pytest.raises(BadInput, match=message):
        read_pairs(write(tmp_path / "p.jsonl", good, row))


def test_a_file_that_is_not_there_or_holds_nothing(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match=r"no file .*gone\.jsonl"):
        read_pairs(tmp_path / "gone.jsonl")
    with pytest.raises(BadInput, match="holds no pairs"):
        read_pairs(write(tmp_path / "empty.jsonl", "\n\n"))
    (tmp_path / "latin.jsonl").write_bytes(b'{"a": "caf\xe9"}')
    with pytest.raises(BadInput, match="UTF-8"):
        read_pairs(tmp_path / "latin.jsonl")
    with pytest.raises(BadInput, match="cannot be read"):
        read_pairs(tmp_path)


def labelled(conflict: bool, kind: str = "k", same: bool = False) -> LabelledPair:
    return LabelledPair("old", "new", conflict, same, kind, 1)


def said(relationship: Relationship, probability: float) -> Verdict:
    return Verdict(relationship=relationship, probability=probability)


def test_the_figures_of_pairs() -> None:
    pairs = [
        labelled(True, "swap"), labelled(True, "swap"), labelled(True, "role"),
        labelled(False, "plan"), labelled(False, "same", same=True), labelled(False, "plan"),
    ]  # fmt: skip
    verdicts = [
        said(Relationship.CLASH, 0.9), said(Relationship.CLASH, 0.8), said(Relationship.COMPATIBLE, 0.3),
        said(Relationship.CLASH, 0.6), said(Relationship.DUPLICATE, 0.0), said(Relationship.DUPLICATE, 0.0),
    ]  # fmt: skip
    found = score_pairs(pairs, verdicts)
    assert list(found) == [
        "n", "precision", "recall", "f1", "false_positive_rate", "expected_calibration_error", "false_duplicates",
        "by_kind",
    ]  # fmt: skip
    assert found["n"] == 6
    assert found["precision"] == found["recall"] == found["f1"] == pytest.approx(2 / 3, abs=1e-4)
    assert found["false_positive_rate"] == pytest.approx(1 / 3, abs=1e-4)
    assert found["false_duplicates"] == 1
    assert found["by_kind"]["swap"] == {"n": 2, "conflicts": 2, "found": 2, "false": 0}
    assert found["by_kind"]["plan"] == {"n": 2, "conflicts": 0, "found": 0, "false": 1}


def test_no_call_and_no_conflict_divide_nothing() -> None:
    found = score_pairs([labelled(False)], [said(Relationship.COMPATIBLE, 0.1)])
    assert (found["precision"], found["recall"], found["f1"], found["false_positive_rate"]) == (0, 0, 0, 0)


def test_calibration_error_by_hand() -> None:
    assert expected_calibration_error([], []) == 0
    assert expected_calibration_error([1.0, 0.0], [True, False]) == 0
    # one bin: said .9 four times, so twice: a gap of .4; the other said .1 once and was right to doubt: a gap of .1
    assert expected_calibration_error([0.9] * 4 + [0.1], [True, True, False, False, False]) == pytest.approx(0.34)


def test_the_figures_of_a_stream() -> None:
    found = score_stream(
        memories=10,
        planted={3: [1], 5: [2, 4], 7: [6], 8: []},
        flagged={3: {1}, 5: [1], 9: [2], 10: []},
        wrong_duplicates=[4, 4],
        latencies_ms=[float(n) for n in range(1, 101)],
        doubts={1: 0.1, 3: 0.9},
    )
    assert found == {
        "memories": 10,
        "planted": 3,
        "recalled": 1,
        "recall": 0.3333,
        "false_interruptions": 1,
        "false_interruptions_per_100": 14.29,
        "false_duplicates": 1,
        "expected_calibration_error": 0.1,
        "latency_ms": {"p50": 50.0, "p95": 95.0},
    }


def test_a_stream_of_nothing() -> None:
    found = score_stream(memories=0, planted={}, flagged={})
    assert found["recall"] == found["false_interruptions_per_100"] == 0
    assert found["latency_ms"] == {"p50": 0.0, "p95": 0.0}


@pytest.mark.slow
def test_pairs_are_weighed_as_given_side_by_side(tmp_path: Path) -> None:
    path = write(
        tmp_path / "p.jsonl",
        {"a": "Session objects are immutable.", "b": "Session objects are mutable.", "label": 1},
        {"a": "The audit log is kept for a year.", "b": "The login page has a dark theme.", "label": 0},
        {"a": "Deploys happen on Tuesday.", "b": "As noted, deploys happen on Tuesday.", "label": 0},
    )
    pairs = read_pairs(path)
    verdicts = weigh_pairs(pairs, Detector(judge=None), Embedder.load())
    assert [v.relationship for v in verdicts] == [
        Relationship.CLASH,
        Relationship.COMPATIBLE,
        Relationship.DUPLICATE,
    ]
    found = score_pairs(pairs, verdicts)
    assert (found["precision"], found["recall"], found["false_duplicates"]) == (1, 1, 0)
