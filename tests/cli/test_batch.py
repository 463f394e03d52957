"""`tur learn --from`: many memories, one report."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import Programs
from tur_engine.cli.batch import Progress
from tur_engine.engine import Engine

COUNTS = ("committed", "duplicates", "held", "proposed", "invariant_violations")


def lines(*records: object) -> bytes:
    return b"".join(json.dumps(record).encode() + b"\n" for record in records)


def test_a_batch_is_checked_against_itself_and_reports_counts(tur: Programs, store: Path) -> None:
    batch = (
        lines(
            {"content": "Database migrations run via Alembic"},
            {"content": "The lobby has a green sofa"},
            {"content": "Database migrations run via Alembic"},
            {"content": "Database migrations run via Prisma Migrate"},
            {"content": "Never log passwords", "type": "axiom"},
        )
        + b"\nnot json\n"
    )
    ran = tur("learn", "--from", "-", "--on-conflict", "hold", "--json", stdin=batch)
    assert ran.code == 3
    answer = ran.json
    assert [answer[name] for name in COUNTS] == [2, 1, 1, 1, 0]
    assert answer["refused"] == [{"line": 7, "reason": "not JSON: Expecting value at character 1"}]
    assert [item["existing_content"] for item in answer["conflicts"]] == ["Database migrations run via Alembic"]


def test_lines_the_engine_refuses_have_their_number_too(tur: Programs, store: Path) -> None:
    batch = b"\n" + lines({"content": "A"}, {"content": "B", "relations": ["depends_on=ffffffff"]})
    ran = tur("learn", "--from", "-", "--json", stdin=batch)
    assert ran.code == 1
    assert [item["line"] for item in ran.json["refused"]] == [3]
    assert "ffffffff" in ran.json["refused"][0]["reason"]


@pytest.mark.parametrize(
    ("extra", "code"),
    [
        ([], 0),
        (["nonsense"], 1),
        (["nonsense", "clash"], 3),
        (["nonsense", "clash", "violation"], 4),
    ],
)
def test_the_exit_code_is_the_gravest(extra: list[str], code: int, tur: Programs, invariant: str) -> None:
    kinds: dict[str, object] = {
        "nonsense": 5,
        "clash": {"content": "The billing service listens on port 9443"},
        "violation": {"content": "Service traffic must not use TLS encryption"},
    }
    batch = lines({"content": "The billing service listens on port 8443"}, *(kinds[name] for name in extra))
    assert tur("learn", "--from", "-", "--on-conflict", "hold", stdin=batch).code == code


def test_a_file_is_read_and_foreign_keys_are_named_once(tur: Programs, store: Path, workdir: Path) -> None:
    file = workdir / "memories.jsonl"
    file.write_bytes(lines({"content": "The logo is blue", "seq": 1}, {"content": "The lobby is warm", "seq": 2}))
    ran = tur("learn", "--from", str(file))
    assert (ran.code, ran.out) == (0, "2 learned\n")
    assert ran.err == "tur: warning: keys that a memory does not have were left out: seq (lines 1, 2)\n"


@pytest.mark.parametrize(
    ("source", "reason"), [("missing.jsonl", "No such file or directory"), (".", "this is a folder")]
)
def test_a_source_that_cannot_be_read_is_bad_input(source: str, reason: str, tur: Programs, store: Path) -> None:
    ran = tur("learn", "--from", source)
    assert ran.code == 2
    assert reason in ran.err


@pytest.mark.parametrize("flags", [("--json",), ()])
def test_under_fail_a_clash_refuses_its_line(flags: tuple[str, ...], tur: Programs, store: Path) -> None:
    batch = lines(
        {"content": "The billing service listens on port 8443"},
        {"content": "The billing service listens on port 9443"},
        {"content": "The lobby has a green sofa"},
    )
    ran = tur("learn", "--from", "-", "--on-conflict", "fail", *flags, stdin=batch)
    assert ran.code == 3, ran.err
    if flags:
        assert [item["line"] for item in ran.json["refused"]] == [2]
    else:
        assert ran.out == "2 learned, 1 refused\n"
    assert tur("status", "--json").json["memories"]["active"] == 2


def test_a_text_beside_a_source_is_refused(tur: Programs, store: Path) -> None:
    assert tur("learn", "text", "--from", "-").code == 2
    assert tur("learn", "--from", "-", "--dry-run").code == 2


def test_a_file_that_is_not_there_founds_no_store(tur: Programs, home: Path) -> None:
    assert tur("learn", "--from", "missing.jsonl").code == 2
    assert not (home / ".tur").exists()


def test_an_empty_batch_is_no_error(tur: Programs, store: Path) -> None:
    ran = tur("learn", "--from", "-", stdin=b"\n\n")
    assert (ran.code, ran.out) == (0, "nothing to learn\n")


def test_a_person_sees_how_far_it_is_and_a_pipe_does_not(
    tur: Programs, store: Path, workdir: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Progress, "EVERY", 0)
    batch = workdir / "lines.jsonl"
    batch.write_bytes(lines({"content": "The lobby has a green sofa"}, {"content": "Anna likes dark themes"}))
    shown = tur.at_terminal("learn", "--from", str(batch))
    assert "\rtur: 1 line, " in shown.err
    assert "\rtur: 2 lines, " in shown.err
    assert shown.err.endswith(" \r")
    assert shown.out == "2 learned\n"
    assert tur("learn", "--from", str(batch)).err == ""


@pytest.mark.parametrize("through", [0, 2])
def test_interrupted_it_says_how_many_lines_are_kept(
    through: int, tur: Programs, store: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    learn, calls = Engine.learn, iter(range(through))

    def interrupted(*given: Any, **options: Any) -> Any:
        if next(calls, None) is None:
            raise KeyboardInterrupt
        return learn(*given, **options)

    monkeypatch.setattr(Engine, "learn", interrupted)
    batch = b"\n" + lines(*({"content": text} for text in ("The lobby has a green sofa", "Anna likes tea", "Bo skis")))
    ran = tur("learn", "--from", "-", stdin=batch)
    assert ran.code == 130
    if through:
        assert "stopped after line 3; through and kept up to there: 2 lines." in ran.err
    else:
        assert "nothing was learned" in ran.err
    assert tur("status", "--json").json["head"]["size"] == 1 + through


def test_large_counts_have_their_commas(tur: Programs, store: Path) -> None:
    assert tur("learn", "--from", "-", stdin=lines({}) * 1001).out == "1,001 refused\n"
