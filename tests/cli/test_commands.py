"""The commands beside learn: answers in words and as JSON (CONTRACTS 4)."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from tests.akashik.conftest import envelope
from tests.cli.conftest import Programs
from tests.cli.test_rules_import import git
from tur_engine.cli.resuming import Bookmark
from tur_engine.engine import Engine
from tur_engine.records import Author, AuthorKind

ALEMBIC = "Database migrations run via Alembic"
PRISMA = "Database migrations run via Prisma Migrate"


@pytest.fixture
def conflict(tur: Programs, store: Path) -> str:
    """A held challenger against one incumbent."""
    tur("learn", ALEMBIC)
    return str(tur("learn", PRISMA, "--on-conflict", "hold", "--json").json["conflict_id"])


def recalled(tur: Programs) -> list[str]:
    return [item["content"] for item in tur("recall", "migrations", "--json").json["memories"]]


def test_the_whole_story(tur: Programs, conflict: str) -> None:
    settled = tur("resolve", conflict[:13], "supersede", "--reason", "moved to Prisma")
    assert settled.code == 0
    assert settled.out.startswith(f"Settled {conflict[:17]}: supersede (event ")
    assert recalled(tur) == [PRISMA]
    assert tur("verify").code == 0
    told = tur("history").out
    for word in ("founded", "learned", "held", "resolved", "moved to Prisma", ALEMBIC, "agent:"):
        assert word in told
    undone = tur("undo", "--reason", "not yet", "--json")
    assert undone.code == 0
    assert undone.json["verb"] == "undo"
    assert undone.json["reopened"] == [undone.json["conflict_id"]]
    assert recalled(tur) == [ALEMBIC]
    assert tur("verify").code == 0
    kinds = [event["kind"] for event in tur("history", "--json").json["events"]]
    assert kinds == ["founded", "learned", "held", "resolved", "undone"]


def test_recall_has_the_contracts_keys_and_both_sides(tur: Programs, store: Path) -> None:
    tur("learn", ALEMBIC)
    tur("learn", PRISMA, "--allow-conflict")
    memories = tur("recall", "migrations", "--json").json["memories"]
    assert {item["content"] for item in memories} == {ALEMBIC, PRISMA}
    ids = {item["id"] for item in memories}
    for item in memories:
        assert item.keys() == {
            "id", "content", "type", "scope", "status", "contested", "conflict_id", "contested_by", "suspect", "score",
        }  # fmt: skip
        assert item["contested"] is True
        assert set(item["contested_by"]) == ids - {item["id"]}
        assert item["conflict_id"].startswith("conflict-")
    assert tur("recall", "migrations").out.count("active, contested") == 2


def test_recall_finds_nothing_without_an_error(tur: Programs, store: Path) -> None:
    ran = tur("recall", "zebra crossings")
    assert (ran.code, ran.out, ran.err) == (0, "", "tur: nothing found\n")
    assert tur("recall", "zebra crossings", "--json").json == {"memories": []}


@pytest.mark.parametrize("query", ["%", "_", "*", '"', "?!", "...", " - ", "(%)"])
def test_recall_of_signs_alone_finds_nothing_and_says_why(tur: Programs, store: Path, query: str) -> None:
    for text in ("Use % for modulo", "a_b is snake case", "The port is 8080"):
        tur("learn", text)
    ran = tur("recall", "--", query)
    assert (ran.code, ran.out) == (0, "")
    assert ran.err == f"tur: nothing found: {query.strip()} holds no word to look for\n"
    assert tur("recall", "--json", "--", query).json == {"memories": []}


def test_recall_brings_back_the_superseded_when_asked(tur: Programs, conflict: str) -> None:
    tur("resolve", conflict, "s")
    found = tur("recall", "migrations", "--include-superseded", "--json").json["memories"]
    assert [(item["content"], item["status"]) for item in found] == [(PRISMA, "active"), (ALEMBIC, "superseded")]


def test_one_is_counted_as_one(tur: Programs, store: Path) -> None:
    told = [tur("status").out, tur("verify").out, tur.adm("rebuild").out]
    assert "The ledger verifies: 1 event\n" in told[1]
    assert "Rebuilt from 1 event\n" in told[2]
    told += [tur("prove", str(tur("learn", "The roof is red", "--json").json["id"]), "--since", "1").out]
    told += [tur("verify").out, tur("learn", "The roof is red").out, tur("conflicts").err, tur("export").err]
    told += [tur("introspect", "--dry-run").out, tur("import", "-", "--format", "md", stdin=b"- The gate is red\n").out]
    plurals = "memories|events|edges|nodes|pairs|lines|files|conflicts|signatures|reviewers|checks|proposals"
    assert re.findall(rf"\b1 (?:more )?(?:{plurals})\b", "".join(told)) == []


def test_list_filters_by_type_and_status(tur: Programs, conflict: str) -> None:
    tur("learn", "Anna likes dark themes", "--type", "preference")

    def contents(*flags: str) -> list[str]:
        return [item["content"] for item in tur("list", *flags, "--json").json["memories"]]

    assert contents() == ["Anna likes dark themes", ALEMBIC]
    assert contents("--all") == ["Anna likes dark themes", PRISMA, ALEMBIC]
    assert contents("--status", "held") == [PRISMA]
    assert contents("--type", "preference") == ["Anna likes dark themes"]
    assert contents("--limit", "1") == ["Anna likes dark themes"]
    assert tur("list", "--all", "--status", "held").code == 2


def test_show_tells_everything_of_a_memory(tur: Programs, store: Path) -> None:
    ref = tur("learn", "The port is 8443", "--topic", "gateway", "--field", "port=8443", "--tag", "net", "--json").json[
        "id"
    ]
    ran = tur("show", ref[:9])
    assert ran.code == 0
    for words in ("The port is 8443", ref, "gateway", "field port  8443", "net", "agent:", "event 2"):
        assert words in ran.out
    assert tur("show", ref.removeprefix("fact-")[:6], "--json").json["id"] == ref


def test_show_tells_what_each_verb_of_a_conflict_would_change(tur: Programs, conflict: str) -> None:
    answer = tur("show", conflict, "--json").json
    assert answer["conflict_id"] == conflict
    assert answer["previews"].keys() == {
        "supersede", "refute", "merge", "force", "scope_branch", "dismiss", "abort",
    }  # fmt: skip
    assert answer["evidence"]
    out = tur("show", conflict).out
    assert ALEMBIC in out
    assert "supersede" in out


def test_conflicts_have_the_contracts_keys(tur: Programs, conflict: str) -> None:
    answer = tur("conflicts", "--json").json
    assert answer["total"] == 1
    [item] = answer["conflicts"]
    assert item.keys() >= {
        "conflict_id", "revision", "state", "conflict_type", "detected_by", "probability", "incumbent", "challenger",
    }  # fmt: skip
    for side, content, status in (("incumbent", ALEMBIC, "active"), ("challenger", PRISMA, "held")):
        assert item[side].keys() == {"id", "content", "type", "scope", "status"}
        assert (item[side]["content"], item[side]["status"]) == (content, status)
    tur("resolve", conflict, "dismiss")
    assert tur("conflicts", "--json").json == {"conflicts": [], "total": 0}
    [settled] = tur("conflicts", "--all", "--json").json["conflicts"]
    assert settled["state"] == "resolved"
    assert settled["settlement"]["verb"] == "dismiss"
    assert tur("conflicts").err == "tur: no open conflicts\n"


def test_status_counts(tur: Programs, conflict: str) -> None:
    answer = tur("status", "--json").json
    assert answer.keys() >= {"memories", "open_conflicts", "invariants", "proposals_pending", "head"}
    assert answer["memories"] == {
        "held": 1, "active": 1, "suspect": 0, "superseded": 0, "refuted": 0, "retracted": 0, "pending_approval": 0,
    }  # fmt: skip
    assert (answer["open_conflicts"], answer["invariants"], answer["proposals_pending"]) == (1, 0, 0)
    assert answer["head"]["size"] == 3
    assert "open conflicts  1" in tur("status").out


def test_history_has_the_contracts_keys_and_goes_by_subject(tur: Programs, conflict: str) -> None:
    tur("learn", "The lobby has a green sofa")
    events = tur("history", "--json").json["events"]
    assert [event["seq"] for event in events] == [1, 2, 3, 4]
    for event in events:
        assert event.keys() == {"seq", "at", "actor", "kind", "subject", "reason", "summary"}
        assert event["at"].endswith("Z")
    about = tur("history", conflict, "--json").json["events"]
    assert [event["kind"] for event in about] == ["held"]
    assert [event["seq"] for event in tur("history", "--limit", "2", "--json").json["events"]] == [3, 4]


def test_verify_has_the_contracts_keys(tur: Programs, conflict: str) -> None:
    answer = tur("verify", "--json").json
    assert answer.keys() >= {"ok", "events", "head", "checkpoints", "witness", "first_bad"}
    assert (answer["ok"], answer["events"], answer["first_bad"]) == (True, 3, None)


def test_a_note_is_no_memory_and_warns(tur: Programs, store: Path) -> None:
    tur("learn", ALEMBIC)
    ran = tur("note", PRISMA, "--session", "s1", "--json")
    assert ran.code == 0
    assert ran.json["status"] == "noted"
    assert len(ran.json["warnings"]) == 1
    assert "tur: warning: this note clashes with fact-" in ran.err
    assert recalled(tur) == [ALEMBIC]


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("merge",), "merge needs the text that holds"),
        (("merge", "--text", "x", "--edit"), "merge needs the text that holds"),
        (("branch",), "scope_branch needs --side"),
        (("branch", "--side", "left", "--scope", "user"), "neither incumbent"),
        (("supersede", "--text", "x"), "belong to merge"),
        (("refute", "--side", "incumbent"), "belong to scope_branch"),
        (("overrule",), "unknown verb 'overrule'"),
    ],
)
def test_a_verb_without_what_it_needs_is_refused(
    arguments: tuple[str, ...], sentence: str, tur: Programs, conflict: str
) -> None:
    ran = tur("resolve", conflict, *arguments)
    assert ran.code == 2
    assert sentence in ran.err
    assert tur("status", "--json").json["head"]["size"] == 3


def test_merge_by_text_and_branch_by_scope(tur: Programs, conflict: str) -> None:
    merged = tur("resolve", conflict, "merge", "--text", "Migrations: Prisma now, Alembic before", "--json")
    assert merged.code == 0, merged.err
    assert recalled(tur) == ["Migrations: Prisma now, Alembic before"]
    assert merged.json["memory_id"].startswith("fact-")
    undone = tur("undo", "--json").json["conflict_id"]
    narrowed = tur("resolve", undone, "b", "--side", "challenger", "--scope", "incarnation:api", "--json")
    assert narrowed.code == 0, narrowed.err
    assert {item["content"]: item["scope"] for item in tur("list", "--json").json["memories"]} == {
        ALEMBIC: "incarnation",
        PRISMA: "incarnation:api",
    }


def test_a_merged_text_that_contradicts_another_memory_is_warned_of(tur: Programs, store: Path) -> None:
    tur("learn", "The billing service listens on port 8443")
    tur("learn", ALEMBIC)
    conflict = tur("learn", PRISMA, "--on-conflict", "hold", "--json").json["conflict_id"]
    ran = tur("resolve", conflict, "merge", "--text", "The billing service listens on port 9000")
    assert "tur: warning: the merged text contradicts fact-" in ran.err


def test_a_stale_revision_is_refused_with_the_current_one(tur: Programs, conflict: str) -> None:
    ran = tur("resolve", conflict, "s", "--revision", "0", "--json")
    assert ran.code == 1
    assert ran.json["code"] == "stale_revision"
    current = ran.json["current_revision"]
    assert tur("resolve", conflict, "s", "--revision", str(current)).code == 0


def test_an_agent_against_a_person_goes_to_people(tur: Programs, store: Path) -> None:
    tur("learn", ALEMBIC, "--as", "human:anna")
    conflict = tur("learn", PRISMA, "--on-conflict", "hold", "--json").json["conflict_id"]
    ran = tur("resolve", conflict, "supersede", "--json")
    assert ran.code == 3
    assert ran.json["status"] == "escalated"
    assert "waits for a person now: one side was written by a person (anna)" in ran.err
    assert recalled(tur) == [ALEMBIC]
    assert tur.adm("resolve", conflict, "supersede", "--reason", "she agrees").code == 0
    assert recalled(tur) == [PRISMA]


def test_undo_without_anything_to_undo(tur: Programs, store: Path) -> None:
    ran = tur("undo", "--json")
    assert ran.code == 1
    assert "no decision to undo" in ran.err
    assert ran.json["code"] == "not_allowed"


def test_init_makes_a_store_once(tur: Programs, workdir: Path) -> None:
    ran = tur("init", "--json")
    assert ran.json == {
        "status": "founded",
        "path": str(workdir / ".tur" / "ledger.db"),
        "root": str(workdir),
    }
    again = tur("init")
    assert again.code == 1
    assert "already" in again.err
    (workdir / "below").mkdir()
    assert tur("init", "below").code == 1
    assert tur("init", "below", "--nested").code == 0


def test_the_ledger_is_kept_out_of_git_and_what_people_share_is_not(tur: Programs, workdir: Path) -> None:
    git(workdir, "init", "-q")
    assert ".gitignore keeps the ledger out of git" in tur("init").err
    (workdir / ".tur" / "config.toml").write_text('profile = "strict"\n', "utf-8")
    assert tur("learn", "The lift works").code == 0
    assert tur.adm("backup", str(workdir / ".tur" / "ledger.copy.db")).code == 0
    assert tur("introspect").code == 0
    assert tur("detect", stdin=json.dumps(envelope(mode="list")).encode()).code == 0
    lines = workdir / ".tur" / "ledger-lines.jsonl"
    lines.write_text("", "utf-8")
    Bookmark(workdir / ".tur" / "ledger.db", lines).keep(1)
    assert {"introspect.db", "akashik-clock", "batches"} <= {file.name for file in (workdir / ".tur").iterdir()}
    git(workdir, "add", "--all")
    assert git(workdir, "ls-files").split() == [".tur/.gitignore", ".tur/config.toml"]


@pytest.mark.parametrize("own", [True, False])
def test_a_gitignore_that_is_there_stays_and_outside_of_git_there_is_none(
    tur: Programs, workdir: Path, own: bool
) -> None:
    (workdir / ".tur").mkdir()
    ignored = workdir / ".tur" / ".gitignore"
    if own:
        git(workdir, "init", "-q")
        ignored.write_text("mine\n", "utf-8")
    assert "git" not in tur("init").err
    assert not ignored.exists() if not own else ignored.read_text("utf-8") == "mine\n"


def test_store_may_stand_before_or_after_the_command(tur: Programs, tmp_path: Path) -> None:
    tur("init", str(tmp_path))
    for place in (tmp_path, tmp_path / ".tur", tmp_path / ".tur" / "ledger.db"):
        assert tur("--store", str(place), "status", "--json").json["path"] == str(tmp_path / ".tur" / "ledger.db")
        assert tur("status", "--store", str(place), "--json").code == 0


def test_adm_proposes_backs_up_and_rebuilds(tur: Programs, store: Path, tmp_path: Path) -> None:
    ran = tur.adm("proposal", "submit", "Never log passwords", "--type", "axiom", "--json")
    assert (ran.code, ran.json["status"]) == (0, "proposed")
    proposal = ran.json["proposal_id"]
    [item] = tur.adm("proposal", "list", "--json").json["proposals"]
    assert item["content"] == "Never log passwords"
    assert item["status"] == "pending_approval"
    assert tur.adm("proposal", "show", proposal[:18], "--json").json["author"].startswith("human:")
    assert "Never log passwords" in tur.adm("proposal", "show", proposal).out
    assert "Never log passwords" in tur("show", proposal).out
    assert [event["kind"] for event in tur("history", proposal, "--json").json["events"]] == ["proposed"]
    assert tur.adm("proposal", "submit", "x", "--type", "fact").code == 2
    copy = tmp_path / "copy.db"
    assert tur.adm("backup", str(copy)).code == 0
    assert tur("--store", str(copy), "verify").code == 0
    assert tur.adm("backup", str(copy)).code == 2
    assert tur.adm("rebuild", "--json").json == {"status": "rebuilt", "events": 2}
    assert tur("verify").code == 0


def test_adm_shows_proposals_by_the_id_it_takes(tur: Programs, store: Path) -> None:
    proposal = tur.adm("proposal", "submit", "Never log passwords", "--type", "axiom", "--json").json["proposal_id"]
    [item] = tur.adm("proposal", "list", "--json").json["proposals"]
    assert item["proposal_id"] == proposal
    shown = tur.adm("proposal", "list").out.split()[0]
    assert shown == proposal[: len("proposal-") + 8]
    for ref in (shown, proposal, shown.removeprefix("proposal-"), shown.replace("proposal", "axiom")):
        assert tur.adm("proposal", "show", ref, "--json").json["proposal_id"] == proposal
    assert proposal in tur.adm("proposal", "show", shown).out


def test_an_answered_proposal_says_what_it_waits_for(tur: Programs, store: Path) -> None:
    ran = tur("learn", "Never log passwords", "--type", "axiom")
    assert "it waits, and has no force until it is approved" in ran.out
    helps = (tur("learn", "--help"), tur("propose", "--help"), tur.adm("proposal", "submit", "--help"))
    for help_text in (ran.out for ran in helps):
        assert "It waits, and has no force until" in " ".join(help_text.split())


@pytest.mark.parametrize("form", ["text", "mermaid", "graphml"])
def test_a_graph_is_an_answer_and_goes_out_raw(form: str, tur: Programs, conflict: str, store: Path) -> None:
    ref = tur("list", "--json").json["memories"][0]["id"]
    ran = tur("graph", ref, "--format", form)
    assert (ran.code, ran.err) == (0, "")
    with Engine.open(store, actor=Author(kind=AuthorKind.AGENT, name="otter")) as engine:
        assert ran.out.rstrip("\n") == engine.graph_text(ref, form=form).rstrip("\n")


def test_undo_says_what_undoes_it_and_that_works(tur: Programs, conflict: str) -> None:
    tur("resolve", conflict, "supersede", "--reason", "moved to Prisma")
    undone = tur("undo")
    new = tur("conflicts", "--json").json["conflicts"][0]["conflict_id"]
    assert undone.out.splitlines()[0] == f"Undone {conflict[:17]} (event 5)"
    assert f"  Open again as: {new[:17]}" in undone.out.splitlines()
    assert undone.out.splitlines()[-1] == "  Undo this undo with: tur undo 5"
    twice = tur("undo")
    assert twice.code == 1
    assert "to bring back what was undone last: tur undo 5" in twice.err
    assert tur("undo", "5").code == 0
    assert recalled(tur) == [PRISMA]


@pytest.mark.parametrize("command", [("resolve", "x"), ("undo",)])
def test_a_decision_that_was_undone_is_named_by_its_new_id(
    command: tuple[str, ...], tur: Programs, conflict: str
) -> None:
    tur("resolve", conflict, "supersede")
    new = tur("undo", "--json").json["conflict_id"]
    ran = tur(command[0], conflict, *command[1:])
    assert ran.code == 1
    assert f"was undone; it is open again as {new[:17]}" in ran.err
    tur("resolve", new, "dismiss")
    assert f"it came back, and is settled by now, as {new[:17]}" in tur("resolve", conflict, "x").err


def test_recall_and_list_tell_the_other_side(tur: Programs, conflict: str) -> None:
    held = tur("list", "--status", "held", "--json").json["memories"][0]["id"]
    line = f"    contested by {held[:13]} (held): {PRISMA}; see tur show {conflict[:17]}"
    for command in (("recall", "migrations"), ("list",)):
        assert line in tur(*command).out.splitlines()
    tur("resolve", conflict, "force")
    assert f"    contested by {held[:13]} (active): {PRISMA}" in tur("list").out.splitlines()


def test_what_is_never_there_is_not_told_to_people(tur: Programs, conflict: str) -> None:
    told = tur("verify").out
    assert "root" in told
    assert "first bad" not in told
    assert not tur("status").out.rstrip().endswith("there")
