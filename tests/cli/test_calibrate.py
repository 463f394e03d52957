"""`tur calibrate`: figures over labelled files, and what is said of files that cannot be read."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.conftest import Programs
from tur_engine.engine import Engine
from tur_engine.records import Author, AuthorKind

STREAM: list[dict[str, object]] = [
    {"seq": 1, "content": "The billing service listens on port 8443", "type": "fact", "conflicts_with": []},
    {"seq": 2, "content": "The lobby has a green sofa", "type": "core", "conflicts_with": []},
    {"seq": 3, "content": "The billing service listens on port 9000", "type": "axiom", "conflicts_with": [1]},
    {"seq": 4, "content": "The billing service listens on port 9000", "conflicts_with": []},
    {"seq": 5, "content": "The lobby does not have a green sofa", "conflicts_with": []},
]
PAIRS: list[dict[str, object]] = [
    {"existing": "The cache is enabled", "new": "The cache is disabled", "label": "conflict", "kind": "antonym"},
    {"a": "The cache is enabled", "b": "Anna plays the cello", "label": 0, "kind": "unrelated"},
    {"existing": "Tests run on Linux", "new": "The logo is blue", "label": "neutral"},
]


def written(file: Path, records: list[dict[str, object]]) -> str:
    file.write_text("".join(json.dumps(record) + "\n" for record in records))
    return str(file)


def test_a_stream_is_learned_and_counted(tur: Programs, workdir: Path) -> None:
    ran = tur("calibrate", "stream", written(workdir / "stream.jsonl", STREAM), "--json")
    assert (ran.code, ran.err) == (0, "")
    answer = ran.json
    latency = answer.pop("latency_ms")
    assert 0 < latency["p50"] <= latency["p95"]
    assert 0 <= answer.pop("expected_calibration_error") <= 1
    assert answer == {
        "memories": 5,
        "planted": 1,
        "recalled": 1,
        "recall": 1.0,
        "false_interruptions": 1,  # line 5 contradicts line 2, which its label denies
        "false_interruptions_per_100": 25.0,
        "false_duplicates": 0,
    }
    assert not (workdir / ".tur").exists()


def test_pairs_are_judged_and_counted(tur: Programs, workdir: Path) -> None:
    ran = tur("calibrate", "pairs", written(workdir / "pairs.jsonl", PAIRS), "--json")
    assert ran.code == 0, ran.err
    answer = ran.json
    assert answer.keys() == {
        "n", "precision", "recall", "f1", "false_positive_rate", "expected_calibration_error", "false_duplicates",
        "by_kind",
    }  # fmt: skip
    assert (answer["n"], answer["f1"], answer["false_duplicates"]) == (3, 1.0, 0)
    assert "f1" in tur("calibrate", "pairs", str(workdir / "pairs.jsonl")).out


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "holds no memories"),
        ("nonsense\n", "line 1: not valid JSON"),
        ('{"seq": 1}\n', "line 1: not an object with content"),
        ('{"seq": "a", "content": "x"}\n', "line 1: seq 'a' is not a whole number"),
        ('{"seq": 1, "content": ""}\n', "line 1: content is empty"),
        ('{"seq": 1, "content": "x", "type": "fcat"}\n', "line 1: unknown type 'fcat'"),
        ('{"seq": 1, "content": "x", "conflicts_with": 3}\n', "line 1: conflicts_with is a list"),
        ('{"seq": 1, "content": "x", "conflicts_with": [3]}\n', "line 1: it names seq 3"),
        ('{"seq": 1, "content": "x"}\n\n{"seq": 1, "content": "y"}\n', "line 3: seq 1 stands twice"),
    ],
)
def test_a_stream_that_cannot_be_read_names_the_line(text: str, says: str, tur: Programs, workdir: Path) -> None:
    (workdir / "stream.jsonl").write_text(text)
    ran = tur("calibrate", "stream", "stream.jsonl")
    assert ran.code == 2
    assert says in ran.err


def test_a_file_that_is_not_there(tur: Programs, workdir: Path) -> None:
    for kind in ("stream", "pairs"):
        ran = tur("calibrate", kind, "missing.jsonl")
        assert ran.code == 2
        assert "there is no file missing.jsonl" in ran.err


def test_a_stream_may_say_what_only_repeats(tur: Programs, workdir: Path) -> None:
    stream: list[dict[str, object]] = [
        {"seq": 7, "content": "The timeout is 30 seconds"},
        {"seq": 9, "content": "The timeout is 30000 ms", "repeats": [7]},
    ]
    answer = tur("calibrate", "stream", written(workdir / "stream.jsonl", stream), "--json").json
    assert answer["false_duplicates"] == 0


def test_feedback_reads_peoples_decisions_and_changes_nothing(tur: Programs, store: Path) -> None:
    tur("learn", "The cache is enabled")
    clash = tur("learn", "The cache is disabled", "--on-conflict", "hold", "--json").json["conflicts"][0]
    assert tur.adm("resolve", clash["conflict_id"], "dismiss").code == 0
    before = tur("history", "--json").json
    ran = tur("calibrate", "feedback", "--json")
    assert ran.code == 0, ran.err
    answer = ran.json
    assert (answer["dismissed"], answer["settled"], answer["proposed"]) == (1, 0, None)
    assert "too few decisions" in answer["sentence"]
    told = tur("calibrate", "feedback").out
    assert "None" not in told
    assert told.splitlines()[-1] == "too few decisions to go by: 1, and 20 are needed"
    assert tur("history", "--json").json == before


@pytest.mark.parametrize(("verb", "counted"), [("dismiss", (1, 0)), ("supersede", (0, 1))])
def test_a_decision_that_was_undone_does_not_count(
    verb: str, counted: tuple[int, int], tur: Programs, store: Path
) -> None:
    def decided() -> tuple[int, int]:
        with Engine.open(store, actor=Author.parse("human:ann", AuthorKind.HUMAN)) as engine:
            calibration = engine.health().calibration
        answer = tur("calibrate", "feedback", "--json").json
        assert (answer["dismissed"], answer["settled"]) == (calibration.dismissed, calibration.settled)
        return calibration.dismissed, calibration.settled

    tur("learn", "The cache is enabled")
    clash = tur("learn", "The cache is disabled", "--on-conflict", "hold", "--json").json["conflicts"][0]
    assert tur.adm("resolve", clash["conflict_id"], verb).code == 0
    assert decided() == counted
    undone = tur("undo", clash["conflict_id"], "--as", "human:ann", "--json").json
    assert decided() == (0, 0)
    assert tur("undo", f"#{undone['seq']}", "--as", "human:ann").code == 0
    assert decided() == counted


def test_a_local_threshold_stands_in_place_of_the_profiles(tur: Programs, store: Path) -> None:
    tur("learn", "The cache is enabled")
    (store.parent / "config.toml").write_text("threshold = 0.9999\n")
    assert tur("learn", "The cache is disabled", "--on-conflict", "hold").code == 0
    assert tur("calibrate", "feedback", "--json").json["threshold"] == 0.9999
