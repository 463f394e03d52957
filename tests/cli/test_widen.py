"""`tur widen`: what was learned for a branch holds everywhere once the branch was merged."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests import standins
from tests.cli.conftest import Programs, approve
from tests.cli.test_rules_import import git, known


@pytest.fixture(autouse=True)
def minds(monkeypatch: pytest.MonkeyPatch) -> None:
    standins.install(monkeypatch)


@pytest.fixture
def repository(tur: Programs, store: Path, workdir: Path) -> Path:
    """A repository with a branch that was merged, and one that was not."""
    (workdir / ".gitignore").write_text(".tur\n")
    git(workdir, "init", "-q")
    git(workdir, "add", ".")
    git(workdir, "commit", "-qm", "one")
    for branch in ("done", "open"):
        git(workdir, "checkout", "-q", "-b", branch, "main")
        (workdir / f"{branch}.txt").write_text(branch)
        git(workdir, "add", ".")
        git(workdir, "commit", "-qm", branch)
    git(workdir, "checkout", "-q", "main")
    return workdir


def learn(tur: Programs, *words: str) -> dict[str, Any]:
    ran = tur("learn", *words, "--json")
    assert ran.code == 0, ran.err
    return ran.json


def merge(root: Path, branch: str) -> None:
    git(root, "merge", "-q", "--no-ff", "-m", "in", branch)


def test_memories_of_a_merged_branch_are_offered_shown_and_widened(tur: Programs, repository: Path) -> None:
    learn(tur, "port: 1", "--scope", "user:src@done", "--topic", "net", "--tag", "a", "--as", "agent:ada")
    learn(tur, "lamp: on", "--scope", "incarnation@done")
    learn(tur, "host: x", "--scope", "incarnation@open")
    learn(tur, "fan: slow", "--scope", "incarnation@main")
    assert tur("status", "--json").json["of_merged_branches"] == 0
    assert "no branch with memories of its own was merged into main" in tur("widen").err
    merge(repository, "done")
    assert tur("status", "--json").json["of_merged_branches"] == 2
    assert "of merged branches  2: tur widen lists them" in tur("status").out
    learn(tur, "lamp: off", "--scope", "incarnation@open")
    before = tur("status", "--json").json["head"]

    shown = tur("widen")
    assert shown.code == 3
    assert shown.out.startswith("done (merged):\n")
    assert "would be widened  port: 1" in shown.out
    assert "clashes           lamp: on\n      against: lamp: off" in shown.out
    assert "open is not merged yet: 2 memories; `tur widen open` widens them all the same" in shown.err
    assert tur("status", "--json").json["head"] == before

    done = tur("widen", "--yes", "--on-conflict", "hold", "--json")
    assert (done.code, done.json["into"], done.json["dry_run"]) == (3, "main", False)
    assert [(each["branch"], each["state"]) for each in done.json["branches"]] == [
        ("done", "merged"),
        ("open", "open"),
    ]
    outcomes = {each["content"]: each["outcome"] for each in done.json["branches"][0]["memories"]}
    assert outcomes == {"port: 1": "committed", "lamp: on": "conflict_detected"}
    found = known(tur)
    port = found["port: 1"]
    assert (port["scope"], port["topic"], port["tags"]) == ("user:src", "net", ["a"])
    assert port["provenance"]["author"] == "agent:ada"
    narrow = tur("show", port["provenance"]["widened_from"], "--json").json
    assert (narrow["status"], narrow["scope"]) == ("superseded", "user:src@done")
    assert found["lamp: on"]["scope"] == "incarnation@done"  # its wide form is held
    assert tur("status", "--json").json["of_merged_branches"] == 1
    assert tur("verify").code == 0


def test_what_a_person_wrote_is_left_to_people(tur: Programs, repository: Path) -> None:
    learn(tur, "port: 1", "--scope", "incarnation@done", "--as", "human:anna")
    merge(repository, "done")
    shown = tur("widen", "--on-conflict", "hold")
    assert shown.code == 3
    assert "clashes  port: 1\n      " in shown.out
    assert tur("widen", "--yes", "--on-conflict", "hold").code == 3
    assert known(tur)["port: 1"]["scope"] == "incarnation@done"
    assert tur.at_terminal("widen", "--yes", "--as", "human:anna").code == 0
    assert known(tur)["port: 1"]["scope"] == "incarnation"


def test_a_branch_that_is_named_is_widened_merged_or_not(tur: Programs, repository: Path) -> None:
    learn(tur, "host: x", "--scope", "incarnation@open")
    learn(tur, "host: y", "--scope", "incarnation@away")
    assert "away is gone, and nothing tells that it was merged: 1 memory" in tur("widen").err
    assert tur("widen", "open", "--yes", "--on-conflict", "hold").code == 3
    refused = tur("widen", "nowhere")
    assert (refused.code, "branches with memories: away, open" in refused.err) == (2, True)
    failed = tur("widen", "away", "--yes", "--on-conflict", "fail")
    assert (failed.code, "refused" in failed.out) == (3, True)


def test_what_holds_everywhere_already_is_not_offered(tur: Programs, repository: Path) -> None:
    learn(tur, "host: x", "--scope", "incarnation@done")
    learn(tur, "host: x")
    merge(repository, "done")
    assert tur("status", "--json").json["of_merged_branches"] == 0


def test_a_person_is_asked(tur: Programs, repository: Path) -> None:
    learn(tur, "host: x", "--scope", "incarnation@done")
    merge(repository, "done")
    assert "nothing was widened" in tur.at_terminal("widen", keys="n\n").err
    assert known(tur)["host: x"]["scope"] == "incarnation@done"
    assert "widened" in tur.at_terminal("widen", keys="y\n").out
    assert known(tur)["host: x"]["scope"] == "incarnation"


def test_of_an_invariant_a_proposal_is_filed(tur: Programs, repository: Path, store: Path) -> None:
    proposed = tur("learn", "traffic: encrypted", "--type", "core", "--scope", "incarnation@done", "--json").json
    approve(store, proposed["id"])
    merge(repository, "done")
    assert "would be proposed" in tur("widen").out
    assert "proposed" in tur("widen", "--yes").out
    assert tur("status", "--json").json["proposals_pending"] == 1
    assert tur("status", "--json").json["invariants"] == 1


def test_memories_of_another_repository_are_not_this_ones(tur: Programs, repository: Path, workdir: Path) -> None:
    learn(tur, "host: x", "--scope", "incarnation@done")
    merge(repository, "done")
    line = '{"content": "lamp: on", "scope": "incarnation@done", "provenance": {"repository": "elsewhere"}}\n'
    (workdir / "more.jsonl").write_text(line)
    assert tur("import", "more.jsonl", "--yes").code == 0
    assert tur("status", "--json").json["of_merged_branches"] == 1


def test_what_was_narrowed_in_a_settlement_meets_its_other_side_again(tur: Programs, repository: Path) -> None:
    learn(tur, "host: x")
    held = tur("learn", "host: y", "--on-conflict", "hold", "--json").json
    conflict = held["conflicts"][0]["conflict_id"]
    settled = tur("resolve", conflict, "scope_branch", "--side", "challenger", "--scope", "incarnation@done")
    assert settled.code == 0, settled.err
    merge(repository, "done")
    shown = tur("widen")
    assert (shown.code, "clashes  host: y\n      against: host: x" in shown.out) == (3, True)
    assert tur("widen", "--yes", "--on-conflict", "hold").code == 3
    assert {text: row["scope"] for text, row in known(tur).items()} == {
        "host: x": "incarnation",
        "host: y": "incarnation@done",
    }
