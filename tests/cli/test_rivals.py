"""What users of other memory systems reported, on the command line: reference/rivals.md, section 3, by number."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from tests import standins
from tests.cli.conftest import Programs

OLD, NEW = "Ship date: 3 June", "Ship date: 9 July"


@pytest.fixture(autouse=True)
def minds(monkeypatch: pytest.MonkeyPatch) -> None:
    standins.install(monkeypatch)


@pytest.fixture
def shipped(tur: Programs, store: Path) -> None:
    assert tur("learn", OLD).code == 0


def test_10_every_way_in_passes_the_same_gate(shipped: None, tur: Programs, workdir: Path) -> None:
    (workdir / "new.jsonl").write_text(json.dumps({"content": NEW}), "utf-8")
    (workdir / "new.md").write_text(f"- {NEW}\n", "utf-8")
    for way in (
        ("learn", NEW),
        ("learn", "--from", "new.jsonl"),
        ("import", "new.jsonl", "--yes"),
        ("import", "new.md", "--yes"),
    ):
        ran = tur(*way, "--on-conflict", "fail")
        assert ran.code == 3, way
    assert [each["content"] for each in tur("list", "--json").json["memories"]] == [OLD]


def test_14_before_anything_is_kept_the_caller_sees_what_each_verb_would_do(shipped: None, tur: Programs) -> None:
    head = tur("status", "--json").json["head"]
    answer = tur("learn", NEW, "--dry-run", "--on-conflict", "hold", "--json").json
    assert answer["dry_run"]
    assert all(answer["conflicts"][0]["previews"].values())
    assert tur("status", "--json").json["head"] == head


def test_32_33_a_correction_says_so_and_the_older_text_is_read_by_its_id(shipped: None, tur: Programs) -> None:
    (old,) = tur("list", "--json").json["memories"]
    tur("learn", NEW, "--supersedes", old["id"])
    assert tur("show", old["id"], "--json").json["content"] == OLD
    (fell,) = tur("diff", "2", "--json").json["superseded"]
    assert fell["id"] == old["id"]
    assert tur("undo").code == 0
    assert [each["content"] for each in tur("diff", "2", "--json").json["superseded"]] == []


def test_42_bare_digits_are_taken_wherever_an_id_is(shipped: None, tur: Programs) -> None:
    held = tur("learn", NEW, "--on-conflict", "hold", "--json").json
    axiom = tur("learn", "Never log passwords", "--type", "axiom", "--json").json
    digits = {kind: held[kind].rpartition("-")[2][:10] for kind in ("id", "conflict_id")}
    assert tur("show", digits["conflict_id"], "--json").json["conflict_id"] == held["conflict_id"]
    assert tur("show", digits["id"], "--json").json["id"] == held["id"]
    assert tur("show", axiom["digest"][:10], "--json").json["proposal"]["state"] == "pending"
    assert tur("show", axiom["id"], "--json").json.keys() & {"proposal"} == set()
    ran = tur("why", digits["conflict_id"])
    assert (ran.code, f"; conflict-{digits['conflict_id']}" in ran.err) == (2, True)


def test_42_every_id_that_is_printed_is_taken_everywhere(shipped: None, tur: Programs) -> None:
    tur("learn", NEW, "--on-conflict", "hold")
    printed = "".join(tur(*command).out for command in (("list",), ("conflicts",), ("history",), ("diff", "0")))
    ids = set(re.findall(r"\b(?:fact|conflict)-[0-9a-f]{8,}", printed))
    assert len(ids) >= 3
    for each in ids:
        assert tur("history", each).code == 0, each
        assert tur("show", each).code == 0, each


def test_44_the_warning_carries_ids_reason_and_verbs(shipped: None, tur: Programs) -> None:
    ran = tur("learn", NEW, "--on-conflict", "hold")
    assert re.search(r"fact-[0-9a-f]{8}", ran.err)
    assert re.search(r"tur resolve conflict-[0-9a-f]{8} VERB", ran.err)
    assert '"3 june" or "9 july"' in ran.err
    assert "supersede" in ran.err


def test_45_a_decision_names_the_conflict_and_the_revision_it_was_made_on(shipped: None, tur: Programs) -> None:
    tur("learn", NEW, "--on-conflict", "hold")
    (seen,) = tur("conflicts", "--json").json["conflicts"]
    stale = tur("resolve", seen["conflict_id"], "supersede", "--revision", str(seen["revision"] + 1), "--json")
    assert stale.code == 1
    assert stale.json["current_revision"] == seen["revision"]
    assert tur("resolve", "1", "supersede").code == 2
    assert tur("resolve", seen["conflict_id"], "supersede", "--revision", str(seen["revision"])).code == 0


def test_43_what_was_dismissed_stays_so_however_often_it_is_scanned(shipped: None, tur: Programs) -> None:
    tur("learn", NEW, "--allow-conflict")
    (seen,) = tur("conflicts", "--json").json["conflicts"]
    assert tur("resolve", seen["conflict_id"], "dismiss", "--reason", "two ships").code == 0
    for _ in range(2):
        assert tur("introspect").code == 0
        assert tur("conflicts", "--json").json["total"] == 0


def test_47_writer_and_reader_both_see_that_it_waits(shipped: None, tur: Programs) -> None:
    written = tur("learn", NEW, "--allow-conflict", "--json").json
    conflict = written["conflicts"][0]["conflict_id"]
    read = tur("recall", "ship date", "--json").json["memories"]
    assert [(each["contested"], each["conflict_id"]) for each in read] == [(True, conflict)] * 2
    assert tur("status", "--short").out == "1 open · 0 waits · 2\n"
