"""All or nothing, and going on where a batch stopped."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from tests import standins
from tests.cli.conftest import Programs, approve
from tur_engine.cli.output import Output, Unanswered
from tur_engine.engine import Engine


@pytest.fixture(autouse=True)
def minds(monkeypatch: pytest.MonkeyPatch) -> None:
    standins.install(monkeypatch)


def lines(*texts: str) -> bytes:
    return b"".join(json.dumps({"content": text}).encode() + b"\n" for text in texts)


@pytest.fixture
def full(monkeypatch: pytest.MonkeyPatch) -> None:
    """Standard output is on a disk that is full."""

    def refuse(out: Output, line: object = "") -> None:
        raise Unanswered("full", out.done)

    monkeypatch.setattr(Output, "data", refuse)
    monkeypatch.setattr(Output, "json", refuse)


@pytest.mark.parametrize(
    ("flags", "done"),
    [
        (("learn", "--from", "a.jsonl", "--all-or-nothing", "--on-conflict", "hold"), "nothing was changed"),
        (("learn", "--from", "a.jsonl", "--all-or-nothing", "--on-conflict", "hold", "--json"), "nothing was changed"),
        (("import", "a.jsonl", "--dry-run"), "nothing was changed"),
        (("import", "a.jsonl", "--json"), "nothing was changed"),
        (("learn", "--from", "a.jsonl"), "what was asked for is done and kept"),
        (("import", "a.jsonl", "--yes"), "what was asked for is done and kept"),
    ],
)
def test_where_the_answer_cannot_be_written_what_is_kept_is_said(
    flags: tuple[str, ...], done: str, tur: Programs, store: Path, full: None
) -> None:
    Path("a.jsonl").write_bytes(lines("port: 1", "port: 2"))
    ran = tur(*flags)
    assert (ran.code, f"could not be written: full; {done}" in ran.err) == (1, True), ran.err


def size(tur: Programs) -> int:
    return int(tur("status", "--json").json["head"]["size"])


def test_all_come_in_together(tur: Programs, store: Path) -> None:
    ran = tur("learn", "--from", "-", "--all-or-nothing", stdin=lines("port: 1", "host: x", "port: 1"))
    assert (ran.code, ran.out) == (0, "2 learned, 1 already known\n")
    assert size(tur) == 4
    assert tur("verify").code == 0


@pytest.mark.parametrize(
    ("extra", "code", "said"),
    [
        ("port: 2", 3, 'line 3 ("port: 2") contradicts "port: 1"'),
        ("rule: never", 4, "line 3 contradicts the invariant"),
        ("", 1, "line 3 refused: content is empty"),
    ],
)
def test_one_that_must_not_come_in_keeps_all_of_them_out(
    extra: str, code: int, said: str, tur: Programs, store: Path
) -> None:
    approve(store, tur("learn", "rule: always", "--type", "core", "--json").json["id"])
    before = size(tur)
    batch = lines("port: 1", "host: x", extra, "lamp: on")
    ran = tur("learn", "--from", "-", "--all-or-nothing", "--on-conflict", "hold", stdin=batch)
    assert ran.code == code
    assert ran.out.startswith("nothing was learned, for it is all or nothing")
    assert said in ran.err
    assert size(tur) == before
    answer = tur("learn", "--from", "-", "--all-or-nothing", "--on-conflict", "hold", "--json", stdin=batch).json
    assert (answer["committed"], answer["held"], answer["nothing_kept"]) == (0, 0, True)
    assert {item["line"] for name in ("refused", "conflicts", "violations") for item in answer[name]} == {3}
    assert size(tur) == before
    assert not list(store.parent.glob("batches/*"))


@pytest.mark.parametrize("flags", [("learn", "--all-or-nothing", "--on-conflict", "hold"), ("import", "--dry-run")])
def test_what_is_not_kept_has_no_id(flags: tuple[str, ...], tur: Programs, store: Path, workdir: Path) -> None:
    known = tur("learn", "port: 1", "--json").json["id"]
    (workdir / "c.jsonl").write_bytes(lines("port: 2", "host: x", "host: y"))
    given = ["--from", "c.jsonl"] if flags[0] == "learn" else ["c.jsonl", "--on-conflict", "hold"]
    ran = tur(*flags, *given)
    assert ran.code == 3
    assert set(re.findall(r"\b(?:fact|conflict)-\w+", ran.err)) == {known[: len("fact-") + 8]}
    assert f'("port: 2") contradicts {known[: len("fact-") + 8]} ("port: 1"): "port" has one value' in ran.err
    assert '("host: y") contradicts "host: x"' in ran.err
    port, host = tur(*flags, *given, "--json").json["conflicts"]
    assert (port["conflicting_memory_id"], host["conflicting_memory_id"]) == (known, None)
    for each in (port, host):
        assert not each.keys() & {"conflict_id", "candidate_id", "revision"}


@pytest.mark.parametrize("mode", ["", "allow", "hold", "fail", "ask"])
def test_no_mode_lets_a_clash_in(
    mode: str, tur: Programs, store: Path, workdir: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TUR_ON_CONFLICT", mode)
    (workdir / "c.jsonl").write_bytes(lines("port: 1", "host: x", "port: 2"))
    before = size(tur)
    for words in (["learn", "--from", "c.jsonl"], ["import", "c.jsonl", "-y"]):
        ran = tur(*words, "--all-or-nothing")
        assert ran.code in (1, 3), words
        assert ran.out.startswith("nothing was learned, for it is all or nothing")
    assert size(tur) == before


@pytest.mark.parametrize("words", [["--allow-conflict"], ["--on-conflict", "allow"]])
def test_allow_and_all_or_nothing_contradict_each_other(words: list[str], tur: Programs, store: Path) -> None:
    ran = tur("learn", "--from", "-", "--all-or-nothing", *words, stdin=lines("port: 1"))
    assert ran.code == 2
    assert f"{' '.join(words)} keeps what clashes; give one of the two" in ran.err
    assert size(tur) == 1


def test_what_comes_in_meanwhile_is_seen(tur: Programs, store: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    kept = Engine._kept
    came: list[int] = []

    def meanwhile(engine: Engine, *given: Any) -> Any:
        if not came:
            came.append(1)
            assert tur("learn", "port: 2").code == 0
        return kept(engine, *given)

    monkeypatch.setattr(Engine, "_kept", meanwhile)
    ran = tur("learn", "--from", "-", "--all-or-nothing", "--on-conflict", "hold", stdin=lines("host: x", "port: 1"))
    assert ran.code == 3
    assert '("port: 2"): "port" has one value' in ran.err
    assert [each["content"] for each in tur("list", "--json").json["memories"]] == ["port: 2"]


def test_a_batch_goes_on_after_the_last_line_that_is_through(
    tur: Programs, store: Path, workdir: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = workdir / "many.jsonl"
    file.write_bytes(b"\n" + lines(*(f"key{n}: {n}" for n in range(6))))
    learn, left = Engine.learn, iter(range(3))

    def interrupted(*given: Any, **options: Any) -> Any:
        if next(left, None) is None:
            raise KeyboardInterrupt
        return learn(*given, **options)

    with monkeypatch.context() as patch:
        patch.setattr(Engine, "learn", interrupted)
        stopped = tur("learn", "--from", "many.jsonl")
    assert stopped.code == 130
    assert "stopped after line 4" in stopped.err
    assert "`tur learn --from many.jsonl --resume` goes on" in stopped.err
    before = size(tur)
    went_on = tur("learn", "--from", "many.jsonl", "--resume")
    assert (went_on.code, went_on.out) == (0, "3 learned\n")
    assert "going on after line 4" in went_on.err
    assert size(tur) == before + 3
    assert not (store.parent / "batches").exists()
    again = tur("learn", "--from", "many.jsonl", "--resume")
    assert "starting at line 1" in again.err
    assert again.out == "6 already known\n"


def test_a_file_that_changed_is_another_file(
    tur: Programs, store: Path, workdir: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = workdir / "many.jsonl"
    file.write_bytes(lines("a: 1", "b: 2"))
    with monkeypatch.context() as patch:
        patch.setattr("tur_engine.cli.resuming.Bookmark.drop", lambda self: None)
        tur("learn", "--from", "many.jsonl")
    assert "--resume goes on from there" in tur("learn", "--from", "many.jsonl").err
    file.write_bytes(lines("c: 1", "b: 2"))
    assert tur("learn", "--from", "many.jsonl", "--resume").out == "1 learned, 1 already known\n"
    (store.parent / "batches").mkdir(exist_ok=True)
    for bookmark in (store.parent / "batches").glob("*.json"):
        bookmark.write_text("nonsense")
    assert tur("learn", "--from", "many.jsonl", "--resume").code == 0


@pytest.mark.parametrize(
    "arguments",
    [
        ("--from", "-", "--resume"),
        ("--from", "a.jsonl", "--resume", "--all-or-nothing"),
        ("text", "--resume"),
        ("text", "--all-or-nothing"),
    ],
)
def test_what_does_not_go_together(arguments: tuple[str, ...], tur: Programs, store: Path) -> None:
    assert tur("learn", *arguments).code == 2
    assert size(tur) == 1


WAYS = [
    ("learn", "--from"),
    ("learn", "--all-or-nothing", "--from"),
    ("import", "--yes"),
    ("import", "--yes", "--all-or-nothing"),
]


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("mode", ["hold", "fail"])
def test_a_line_supersedes_what_it_names(
    way: tuple[str, ...], mode: str, tur: Programs, store: Path, workdir: Path
) -> None:
    known = tur("learn", "port: 1", "--json").json["id"]
    line = {"content": "port: 2", "supersedes": [known[:13]]}
    (workdir / "a.jsonl").write_text(json.dumps(line) + '\n{"content": "host: x"}\n', "utf-8")
    ran = tur(*way, "a.jsonl", "--on-conflict", mode)
    assert (ran.code, ran.out, ran.err) == (0, "2 learned\n", "")
    assert tur("show", known, "--json").json["status"] == "superseded"
    assert {each["content"] for each in tur("list", "--json").json["memories"]} == {"port: 2", "host: x"}
    assert tur("conflicts", "--json").json["total"] == 0


@pytest.mark.parametrize("way", WAYS)
def test_a_line_that_supersedes_what_cannot_be_is_refused(
    way: tuple[str, ...], tur: Programs, store: Path, workdir: Path
) -> None:
    fallen = tur("learn", "port: 1", "--json").json["id"]
    tur("learn", "port: 2", "--supersedes", fallen)
    rows = [
        {"content": "host: x"},
        {"content": "lamp: on", "supersedes": [fallen]},
        {"content": "door: shut", "supersedes": ["fact-00000000"]},
    ]
    (workdir / "a.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    ran = tur(*way, "a.jsonl", "--on-conflict", "hold")
    assert (ran.code, "1 learned, 2 refused" in ran.out) == (1, True)
    assert f"{fallen[:13]} is superseded, not live" in ran.err
    assert "no memory has an id that starts with 'fact-00000000'" in ran.err
    kept = {each["content"] for each in tur("list", "--json").json["memories"]}
    assert kept == {"port: 2"} | (set() if "--all-or-nothing" in way else {"host: x"})


def test_a_line_of_an_import_supersedes_by_the_id_of_its_file(tur: Programs, store: Path, workdir: Path) -> None:
    old = "fact-" + "a" * 64
    rows = [{"content": "port: 1", "id": old}, {"content": "port: 2", "supersedes": old}]
    (workdir / "a.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    assert tur("import", "a.jsonl", "--dry-run", "--on-conflict", "hold").out == "would be: 2 learned\n"
    assert tur("import", "a.jsonl", "--yes", "--all-or-nothing", "--on-conflict", "hold").out == "2 learned\n"
    assert [each["content"] for each in tur("list", "--json").json["memories"]] == ["port: 2"]


def test_a_key_that_is_left_out_is_told_with_its_lines(tur: Programs, store: Path, workdir: Path) -> None:
    (workdir / "a.jsonl").write_text('{"content": "a"}\n' + '{"content": "b", "supercedes": []}\n' * 7, "utf-8")
    told = "keys that a memory does not have were left out: supercedes (lines 2, 3, 4, 5, 6 and 2 more)\n"
    assert tur("learn", "--from", "a.jsonl").err == f"tur: warning: {told}"
    assert tur("import", "a.jsonl", "--yes").err == f"tur: warning: a.jsonl: {told}"
