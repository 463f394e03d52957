"""`tur learn`: outcomes, policies, exit codes, what goes to stdout and what to stderr."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from tests.cli.conftest import Programs

ALEMBIC = "Database migrations run via Alembic"
PRISMA = "Database migrations run via Prisma Migrate"
SEED_KEYS = {
    "status",
    "conflicting_memory_id",
    "existing_content",
    "new_content",
    "suggested_action",
    "resolution_options",
}


@pytest.fixture
def alembic(tur: Programs, store: Path) -> str:
    return str(tur("learn", ALEMBIC, "--json").json["id"])


def count(tur: Programs, status: str) -> int:
    number = tur("status", "--json").json["memories"][status]
    assert isinstance(number, int)
    return number


def test_a_memory_without_a_clash_is_committed_with_its_stamp(tur: Programs, store: Path) -> None:
    ran = tur("learn", ALEMBIC, "--json")
    assert (ran.code, ran.err) == (0, "")
    answer = ran.json
    assert answer["status"] == "committed"
    assert answer["id"] == f"fact-{answer['digest']}"
    assert answer["merkle"]["size"] == answer["seq"] == 2
    assert len(answer["merkle"]["root"]) == 64
    assert (answer["warnings"], answer["conflicts"]) == ([], [])


def test_hold_gives_the_seeds_six_keys_and_more_and_commits_nothing(tur: Programs, alembic: str) -> None:
    ran = tur("learn", PRISMA, "--on-conflict", "hold", "--json")
    assert ran.code == 3
    answer = ran.json
    assert answer.keys() >= SEED_KEYS
    assert answer["status"] == "conflict_detected"
    assert answer["conflicting_memory_id"] == alembic
    assert (answer["existing_content"], answer["new_content"]) == (ALEMBIC, PRISMA)
    assert answer["resolution_options"] == [
        "supersede",
        "refute",
        "scope_branch",
        "abort",
        "merge",
        "force",
        "dismiss",
    ]
    assert answer["suggested_action"] in answer["resolution_options"]
    assert answer["conflict_id"].startswith("conflict-")
    assert answer["candidate_id"] == answer["id"]
    assert answer["revision"] >= 1
    assert 0.5 < answer["probability"] <= 1
    assert answer["conflict_type"] == "factual"
    assert answer["detected_by"] == "semantic"
    assert all(
        piece.keys() == {"kind", "weight", "incumbent_words", "challenger_words", "sentence"}
        for piece in answer["evidence"]
    )
    assert answer["previews"].keys() == set(answer["resolution_options"])
    assert [item["conflict_id"] for item in answer["conflicts"]] == [answer["conflict_id"]]
    assert (count(tur, "active"), count(tur, "held")) == (1, 1)


def test_the_default_without_a_terminal_commits_both_and_warns(tur: Programs, alembic: str) -> None:
    ran = tur("learn", PRISMA)
    assert ran.code == 0
    assert ran.out.startswith("Learned fact-")
    assert "contested" in ran.out
    assert f'tur: warning: this contradicts {alembic[:13]} ("{ALEMBIC}"), and both are active' in ran.err
    assert "--on-conflict hold" in ran.err
    assert (count(tur, "active"), count(tur, "held")) == (2, 0)
    assert tur("conflicts", "--json").json["total"] == 1


def test_allow_is_committed_and_its_conflicts_listed(tur: Programs, alembic: str) -> None:
    ran = tur("learn", PRISMA, "--allow-conflict", "--json")
    assert ran.code == 0
    assert ran.json["status"] == "committed"
    assert [item["conflicting_memory_id"] for item in ran.json["conflicts"]] == [alembic]
    assert "this contradicts" in ran.err
    assert "instead" not in ran.err


def test_fail_records_nothing(tur: Programs, alembic: str) -> None:
    head = tur("status", "--json").json["head"]
    ran = tur("learn", PRISMA, "--on-conflict", "fail", "--json")
    assert ran.code == 3
    assert ran.json["status"] == "conflict_detected"
    assert ran.json["conflicting_memory_id"] == alembic
    assert "nothing was recorded" in ran.err
    assert tur("status", "--json").json["head"] == head


SETTLING = {
    "conflict_id",
    "candidate_id",
    "revision",
    "previews",
    "resolution_options",
    "suggested_action",
    "for_people",
}


@pytest.mark.parametrize(
    "flags", [("--from", "-"), (PRISMA,), (PRISMA, "--dry-run"), ("--from", "-", "--all-or-nothing")]
)
def test_fail_names_what_stands_and_why_and_nothing_that_was_not_recorded(
    tur: Programs, alembic: str, flags: tuple[str, ...]
) -> None:
    line = json.dumps({"content": PRISMA}).encode()
    ran = tur("learn", *flags, "--on-conflict", "fail", stdin=line)
    assert (ran.code in (1, 3), f"{alembic[:13]} " in ran.err, "Action required" in ran.err) == (True, True, False)
    assert set(re.findall(r"\b(?:fact|conflict)-\w+", ran.out + ran.err)) == {alembic[:13]}
    answer = tur("learn", *flags, "--on-conflict", "fail", "--json", stdin=line).json
    (clash,) = answer["conflicts"]
    assert (clash["conflicting_memory_id"], bool(clash["evidence"])) == (alembic, True)
    assert not SETTLING & (clash.keys() | answer.keys())
    assert answer.get("id") is None
    assert set(re.findall(r"\b(?:fact|conflict)-\w+", json.dumps(answer))) == {alembic}


def test_a_dry_run_tells_what_each_verb_would_do_and_no_id_that_is_none(tur: Programs, alembic: str) -> None:
    answer = tur("learn", PRISMA, "--dry-run", "--on-conflict", "hold", "--json").json
    assert answer["previews"].keys() == set(answer["resolution_options"])
    assert set(re.findall(r"\b(?:fact|conflict)-\w+", json.dumps(answer))) == {alembic, alembic[:13]}
    held = tur("learn", PRISMA, "--on-conflict", "hold", "--json").json
    again = tur("learn", PRISMA, "--dry-run", "--on-conflict", "hold", "--json").json
    refused = tur("learn", PRISMA, "--on-conflict", "fail", "--json").json
    for each in (again, refused):
        assert (each["id"], each["conflict_id"], each["revision"]) == (
            held["id"],
            held["conflict_id"],
            held["revision"],
        )


@pytest.mark.parametrize(
    ("mode", "line"),
    [
        ("hold", "Would be held; nothing written\n"),
        ("allow", "Would be learned, contested; nothing written\n"),
        ("fail", "Would be refused (on-conflict is fail); nothing written\n"),
        ("ask", "Would be held, for there is no terminal to ask on; nothing written\n"),
    ],
)
@pytest.mark.parametrize("where", ["flag", "variable", "setting"])
def test_a_dry_run_says_what_the_mode_in_force_would_do(
    tur: Programs, alembic: str, store: Path, monkeypatch: pytest.MonkeyPatch, mode: str, line: str, where: str
) -> None:
    flag = ["--on-conflict", mode] if where == "flag" else []
    if where == "variable":
        monkeypatch.setenv("TUR_ON_CONFLICT", mode)
    elif where == "setting":
        store.with_name("config.toml").write_text(f'on_conflict = "{mode}"\n')
    head = tur("status", "--json").json["head"]
    ran = tur("learn", PRISMA, "--dry-run", *flag)
    tried = tur("learn", PRISMA, "--dry-run", "--json", *flag)
    assert (ran.out, tur("status", "--json").json["head"]) == (line, head)
    assert (tried.json["dry_run"], tried.json["on_conflict"]) == (True, mode)
    real = tur("learn", PRISMA, "--json", *flag)
    assert ran.code == tried.code == real.code
    assert tried.json["status"] == real.json["status"]


def test_a_dry_run_by_default_is_contested_without_a_terminal_and_asked_about_on_one(
    tur: Programs, alembic: str
) -> None:
    ran = tur("learn", PRISMA, "--dry-run")
    assert (ran.code, ran.out) == (0, "Would be learned, contested; nothing written\n")
    assert "both would be active" in ran.err
    asked = tur.at_terminal("learn", PRISMA, "--dry-run")
    assert (asked.code, asked.out) == (3, "Would be held until you answer what to do with it; nothing written\n")
    assert tur("learn", "The logo is blue", "--dry-run").out == "Would be learned; nothing written\n"
    assert count(tur, "active") == 1


def test_a_dry_run_founds_no_store(tur: Programs, home: Path) -> None:
    assert tur("learn", ALEMBIC, "--dry-run").code == 1
    assert not (home / ".tur").exists()


def test_the_held_message_shows_the_seeds_line_and_how_to_settle(tur: Programs, alembic: str) -> None:
    ran = tur("learn", PRISMA, "--on-conflict", "hold")
    first = ran.err.splitlines()[0]
    assert first == (
        "\u26a0\ufe0f TMS Contradiction Detected: New assertion conflicts with existing memory "
        f'{alembic[:13]} ("{ALEMBIC}"). Action required:'
    )
    [conflict] = tur("conflicts", "--json").json["conflicts"]
    assert ran.err.splitlines()[-2:] == [
        f"  Settle it with: tur resolve {conflict['conflict_id'][:17]} VERB --reason WHY",
        "  VERB is supersede (suggested), refute, scope_branch --side challenger --scope SCOPE, abort, "
        "merge --text TEXT, force or dismiss",
    ]
    assert ran.out.startswith("Held fact-")


@pytest.mark.parametrize(
    ("flag", "variable", "setting", "code"),
    [
        (None, None, None, 0),
        (None, None, "hold", 3),
        (None, "allow", "hold", 0),
        (None, "hold", "allow", 3),
        ("allow", "hold", "hold", 0),
        ("hold", "allow", "allow", 3),
        ("ask", None, None, 3),
    ],
)
def test_flag_then_variable_then_setting_then_default(
    flag: str | None,
    variable: str | None,
    setting: str | None,
    code: int,
    tur: Programs,
    alembic: str,
    store: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    if setting:
        store.with_name("config.toml").write_text(f'on_conflict = "{setting}"\n')
    if variable:
        monkeypatch.setenv("TUR_ON_CONFLICT", variable)
    ran = tur("learn", PRISMA, *(["--on-conflict", flag] if flag else []))
    assert ran.code == code
    assert ("instead" in ran.err) == (flag is variable is setting is None)


def test_ask_without_a_terminal_holds_and_says_so(tur: Programs, alembic: str) -> None:
    ran = tur("learn", PRISMA, "--on-conflict", "ask")
    assert ran.code == 3
    assert "no terminal to ask on" in ran.err


def test_relearning_is_a_confirmation(tur: Programs, alembic: str) -> None:
    ran = tur("learn", ALEMBIC, "--json")
    assert (ran.code, ran.json["status"], ran.json["duplicate_of"]) == (0, "duplicate", alembic)
    assert tur("learn", ALEMBIC).out.startswith(f"Already known as {alembic[:13]}; confirmed")
    assert count(tur, "active") == 1


def test_supersedes_settles_what_it_names(tur: Programs, alembic: str) -> None:
    ran = tur("learn", PRISMA, "--supersedes", alembic[:12], "--on-conflict", "hold", "--json")
    assert (ran.code, ran.json["status"]) == (0, "committed")
    assert (count(tur, "active"), count(tur, "superseded")) == (1, 1)


def test_an_agent_that_names_a_persons_memory_hears_that_people_decide(tur: Programs, store: Path) -> None:
    old = tur("learn", ALEMBIC, "--as", "human:anna", "--json").json["id"]
    tried = tur("learn", PRISMA, "--supersedes", old, "--dry-run", "--json").json
    ran = tur("learn", PRISMA, "--supersedes", old)
    shown = tur("conflicts", "--json").json["conflicts"][0]["conflict_id"][:17]
    assert f"whether it supersedes {old[:13]} is left to people ({shown})" in ran.err
    assert f"it waits for a person: tur-tui, or tur-adm resolve {shown} VERB" in ran.err
    assert tried["warnings"] == [f"whether it supersedes {old[:13]} is left to people"]


def test_relearning_the_loser_says_how_it_was_settled(tur: Programs, alembic: str) -> None:
    held = tur("learn", PRISMA, "--on-conflict", "hold", "--json").json
    assert tur("resolve", held["conflict_id"], "supersede", "--reason", "moved to Prisma").code == 0
    ran = tur("learn", ALEMBIC, "--on-conflict", "hold", "--json")
    assert ran.code == 3
    settled = ran.json["settled_before"]
    assert settled.keys() >= {"conflict_id", "at", "by", "reason"}
    assert (settled["conflict_id"], settled["reason"]) == (held["conflict_id"], "moved to Prisma")
    again = tur("learn", "  " + ALEMBIC + " ", "--on-conflict", "hold")
    assert again.code == 3


def test_an_invariant_clash_prints_the_seeds_text_and_exits_4(tur: Programs, invariant: str) -> None:
    ran = tur("learn", "Service traffic must not use TLS encryption", "--allow-conflict")
    assert ran.code == 4
    assert ran.out == ""
    assert ran.err == (
        f"[Invariant Memory Error]: Assertion contradicts Invariant Memory '{invariant[:13]}'.\n"
        "Agent cannot supersede human-governed Invariant memories.\n"
        "To propose a change, submit via `tur-adm proposal`.\n"
    )
    assert count(tur, "active") == 1


def test_an_invariant_clash_as_json(tur: Programs, invariant: str) -> None:
    ran = tur("learn", "Service traffic must not use TLS encryption", "--supersedes", invariant, "--json")
    assert ran.code == 4
    answer = ran.json
    assert answer["status"] == "invariant_violation"
    assert answer["conflicting_memory_id"] == invariant
    assert answer["resolution_options"] == ["refute", "abort", "propose"]
    assert answer["how_to_propose"] == "To propose a change, submit via `tur-adm proposal`."
    assert answer["error"].startswith("[Invariant Memory Error]: Assertion contradicts Invariant Memory 'core-")
    assert answer["proposal_id"].startswith("proposal-")


def test_every_flag_reaches_the_memory(tur: Programs, store: Path) -> None:
    first = tur("learn", "The gateway is written in Rust", "--json").json["id"]
    ran = tur(
        "--as", "agent:otter", "learn", "The gateway listens on port 8443", "--type", "insight",
        "--scope", "user:services/gateway@main", "--topic", "gateway", "--field", "port=8443", "--field", "tls=true",
        "--tag", "net", "--tag", "gateway", "--relate", f"depends_on={first[:12]}", "--session", "s1",
        "--occurred-at", "2026-11-01T10:00:00+01:00", "--confidence", "0.8", "--json",
    )  # fmt: skip
    assert ran.code == 0, ran.err
    shown = tur("show", ran.json["id"], "--json").json
    assert shown["type"] == "insight"
    assert shown["scope"] == "user:services/gateway@main"
    assert shown["topic"] == "gateway"
    assert shown["fields"] == {"port": 8443, "tls": True}
    assert shown["tags"] == ["gateway", "net"]
    assert shown["relations"] == [{"type": "depends_on", "target": first.removeprefix("fact-")}]
    assert shown["author"] == "agent:otter"
    assert shown["session"] == "s1"
    assert shown["occurred_at"] == "2026-11-01T09:00:00Z"
    assert shown["confidence"]["score"] == 0.8


def test_the_author_is_an_agent_without_a_terminal_and_a_person_on_one(tur: Programs, store: Path) -> None:
    agent = tur("learn", "The logo is blue", "--as", "otter", "--json").json["id"]
    person = tur.at_terminal("learn", "The lobby has a green sofa", "--as", "anna", "--json").json["id"]
    assert tur("show", agent, "--json").json["author"] == "agent:otter"
    assert tur("show", person, "--json").json["author"] == "human:anna"


def test_the_first_learn_founds_the_users_store_and_says_so(tur: Programs, home: Path) -> None:
    ran = tur("learn", "The logo is blue")
    assert ran.code == 0
    assert f"so your own was made: {home / '.tur' / 'ledger.db'}" in ran.err
    assert "made" not in tur("learn", "The lobby has a green sofa").err


@pytest.mark.parametrize("arguments", [(" ",), ("x", "--on-conflict", "explode"), ("x", "--type", "fcat")])
def test_bad_input_founds_nothing(arguments: tuple[str, ...], tur: Programs, home: Path) -> None:
    assert tur("learn", *arguments).code == 2
    assert not (home / ".tur").exists()


def test_allow_conflict_and_another_policy_contradict_each_other(tur: Programs, alembic: str) -> None:
    ran = tur("learn", PRISMA, "--allow-conflict", "--on-conflict", "hold")
    assert ran.code == 2
    assert "give one of the two" in ran.err
