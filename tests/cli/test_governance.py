"""`tur-adm key`, `policy`, `proposal`, `memory`: the passphrase comes from a terminal or an open descriptor."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pexpect
import pytest

from tests.cli.conftest import Programs, Ran
from tests.cli.test_place import COMMIT, repository
from tur_engine.cli.output import Output, Unanswered

ADM = "import sys; from tur_engine.cli.adm import main; sys.exit(main())"
WORD = "correct horse battery"
TEXT = "All service traffic must use TLS encryption"


@pytest.fixture
def with_passphrase(tur: Programs, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Ran]:
    """Run `tur-adm` with lines that wait on a descriptor."""

    def run(*arguments: str, lines: tuple[str, ...] = (WORD,)) -> Ran:
        reading, writing = os.pipe()
        os.write(writing, "".join(f"{line}\n" for line in lines).encode())
        os.close(writing)
        monkeypatch.setenv("TUR_PASSPHRASE_FD", str(reading))
        try:
            return tur.adm(*arguments)
        finally:
            os.close(reading)
            monkeypatch.delenv("TUR_PASSPHRASE_FD")

    return run


@pytest.fixture
def reviewer(with_passphrase: Callable[..., Ran], store: Path) -> str:
    """The first reviewer's key."""
    made = with_passphrase("key", "init", "--name", "mara", "--json")
    assert made.code == 0, made.err
    assert (made.json["name"], made.json["enrolled"], made.json["here"]) == ("mara", True, True)
    return str(made.json["id"])


def propose(tur: Programs, text: str = TEXT, *more: str) -> str:
    return str(tur("propose", text, "--reason", "no secrets on the wire", *more, "--json").json["proposal_id"])


def test_from_a_proposal_to_an_invariant(tur: Programs, with_passphrase: Callable[..., Ran], reviewer: str) -> None:
    proposal = propose(tur)
    [item] = tur.adm("proposal", "list", "--json").json["proposals"]
    assert (item["proposal_id"], item["kind"], item["state"], item["quorum"]) == (proposal, "adopt", "pending", 1)
    assert (item["id"], item["memory_id"]) == (proposal, proposal.replace("proposal", "core"))
    assert "0 of 1 signed" in tur.adm("proposal", "list").out
    shown = tur.adm("proposal", "show", proposal).out
    for words in (TEXT, "no secrets on the wire", "because", "Signed by 0 of 1", "A signature made now covers"):
        assert words in shown
    signed = with_passphrase("proposal", "approve", proposal[:20], "--reason", "agreed")
    assert signed.code == 0
    assert TEXT in signed.out, "what is signed is shown first"
    assert "it is in force" in signed.out
    assert tur("learn", "Service traffic must not use TLS encryption").code == 4
    [decided] = tur.adm("proposal", "list", "--all", "--json").json["proposals"]
    assert (decided["state"], decided["decided_because"]) == ("approved", "agreed")
    assert decided["signatures"][0]["valid"]
    assert tur("verify", "--json").json["checkpoints"] == 2
    log = tur.adm("key", "log", "--json").json["signed"]
    assert [(entry["act"], entry["valid"]) for entry in log] == [("enrol", True), ("approve", True)]
    assert "agreed" in tur.adm("key", "log").out


def test_a_proposal_says_where_it_was_made(tur: Programs, store: Path, workdir: Path) -> None:
    repository(workdir)
    made = tur("propose", TEXT, "--json").json
    shown = tur("show", made["id"], "--json").json
    assert shown["provenance"] == {"repository": workdir.name, "branch": "feature/x", "commit": COMMIT}


def test_what_replaces_is_shown_beside_what_goes(
    tur: Programs, with_passphrase: Callable[..., Ran], reviewer: str
) -> None:
    first = propose(tur)
    with_passphrase("proposal", "approve", first)
    core = first.replace("proposal", "core")
    resting = tur("learn", "Certificates are renewed monthly", "--relate", f"depends_on={core}", "--json").json["id"]
    second = propose(tur, "Service traffic must not use TLS encryption", "--supersedes", core)
    shown = tur.adm("proposal", "show", second, "--json").json
    assert [item["id"] for item in shown["replaces"]] == [core]
    assert [item["id"] for item in shown["dependants"]] == [resting]
    assert shown["head"]["size"] == tur("status", "--json").json["head"]["size"]
    text = tur.adm("proposal", "show", second).out
    assert text.index("must not use TLS") < text.index("In place of the invariant") < text.index(TEXT)
    assert "Certificates are renewed monthly" in text
    rejected = with_passphrase("proposal", "reject", second, "--reason", "never", "--json")
    assert (rejected.code, rejected.json["status"]) == (0, "rejected")
    assert tur("verify").code == 0


def test_a_wrong_passphrase_changes_nothing(tur: Programs, with_passphrase: Callable[..., Ran], reviewer: str) -> None:
    proposal = propose(tur)
    head = tur("status", "--json").json["head"]
    for attempt in range(20):
        ran = with_passphrase("proposal", "approve", proposal, "--json", lines=(f"guess number {attempt}",))
        assert (ran.code, ran.json["code"]) == (1, "wrong_passphrase")
        assert len(ran.err.splitlines()) == 1
    assert tur("status", "--json").json["head"] == head


def test_what_cannot_be_decided_is_refused_before_it_is_shown(
    tur: Programs, with_passphrase: Callable[..., Ran], reviewer: str
) -> None:
    decided, waiting = propose(tur), propose(tur, "Logs are kept for a year")
    assert with_passphrase("proposal", "approve", decided).code == 0
    with_passphrase("key", "init", "--name", "tom")
    for verb in ("approve", "reject"):
        again = with_passphrase("proposal", verb, decided, "--reason", "sure")
        assert (again.code, again.out, "was approved already" in again.err) == (1, "", True)
        for key, why in (("nobody", "no key on this machine is named"), ("tom", "may not sign for this store")):
            ran = with_passphrase("proposal", verb, waiting, "--reason", "sure", "--key", key)
            assert (ran.code, ran.out, why in ran.err) == (1, "", True), ran.err
    with_passphrase("key", "enrol", tur.adm("key", "export-public", "tom").out.strip(), "--name", "tom")
    with_passphrase("policy", "quorum", "core=2")
    assert with_passphrase("proposal", "approve", waiting, "--key", "mara").code == 0
    twice = with_passphrase("proposal", "approve", waiting, "--key", "mara")
    assert (twice.code, twice.out, "has signed" in twice.err) == (1, "", True)
    assert with_passphrase("proposal", "reject", waiting, "--key", "mara", "--reason", "on second thoughts").code == 0


def test_no_secret_comes_in_with_a_reason(tur: Programs, with_passphrase: Callable[..., Ran], reviewer: str) -> None:
    """What is signed stays for good: texts of proposals, and every reason, are looked at."""
    secret = "the token is ghp_" + "16C7e42F292c6912E7710c838347Ae178B4a"
    proposal, plain = propose(tur), tur("learn", "The lift works", "--json").json["id"]
    head = tur("status", "--json").json["head"]
    for words in (
        ("proposal", "approve", proposal), ("proposal", "reject", proposal), ("memory", "retract", plain),
        ("memory", "redact", plain), ("memory", "retire", plain), ("quarantine", "otter"), ("key", "revoke", "mara"),
        ("proposal", "submit", "Logs are kept"), ("memory", "promote", plain, "--principle", "Lifts work"),
    ):  # fmt: skip
        ran = with_passphrase(*words, "--reason", secret)
        assert (ran.code, "reason, character" in ran.err, "ghp_" in ran.err + ran.out) == (2, True, False), words
        assert "--allow-secret" not in ran.err
    for words in (("proposal", "submit", secret), ("memory", "promote", plain, "--principle", secret)):
        assert (tur.adm(*words).code, tur.adm(*words, "--json").json["code"]) == (2, "secret_found")
    plain_refusal = tur("learn", secret).err
    assert "tur learn --allow-secret" in plain_refusal
    for ran in (
        tur("propose", secret), tur.adm("proposal", "submit", secret),
        tur.at_terminal("learn", secret, "--type", "core", "--allow-secret"),
    ):  # fmt: skip
        assert (ran.code, "what is proposed stays" in ran.err, "may store it" in ran.err) == (2, True, False), ran.err
    assert tur("status", "--json").json["head"] == head


def test_a_retirement_is_shown_by_its_id(tur: Programs, with_passphrase: Callable[..., Ran], reviewer: str) -> None:
    proposal = propose(tur)
    with_passphrase("proposal", "approve", proposal)
    core = proposal.replace("proposal", "core")
    retired = tur.adm("memory", "retire", core, "--reason", "we moved", "--json").json["id"]
    assert retired.startswith("proposal-")
    shown = tur("show", retired)
    assert shown.code == 0, shown.err
    assert all(words in shown.out for words in (TEXT, "retire, pending, 0 of 1 signed", "we moved"))
    told = tur("show", retired, "--json").json
    assert (told["id"], told["proposal"]["id"], told["proposal"]["kind"]) == (core, retired, "retire")
    assert [event["kind"] for event in tur("history", retired, "--json").json["events"]] == ["proposed"]
    assert tur("show", proposal, "--json").json["proposal"]["state"] == "approved"
    assert "proposal" not in tur("show", core, "--json").json


def test_what_is_not_there_is_said_to_be_missing(tur: Programs, store: Path, tmp_path: Path) -> None:
    for place, words in ((tmp_path / "nowhere.db", "there is no file"), (tmp_path, "is no file")):
        ran = tur.adm("restore", str(place))
        assert (ran.code, words in ran.err, "tur init" in ran.err) == (1, True, False), ran.err
    for words_ in (("--session", "nothing"), ("--agent", "nobody", "--dry-run")):
        ran = tur("--as", "human:mara", "undo", *words_, "--yes", "--json")
        assert (ran.code, ran.json["code"]) == (2, "unknown_id"), ran.err
    assert "in a session named 'nothing'" in tur("--as", "human:mara", "undo", "--session", "nothing", "--yes").err


def test_what_a_quarantined_agent_says_is_told_once(
    tur: Programs, with_passphrase: Callable[..., Ran], reviewer: str
) -> None:
    assert with_passphrase("quarantine", "otter", "--reason", "nonsense").code == 0
    ran = tur("--as", "otter", "learn", "The lift works")
    assert (ran.code, ran.err.count("held for a person")) == (3, 1)
    assert tur("status", "--json").json["held_back"] == 1


@pytest.mark.parametrize("text", ["x", "-1", "99999", "1e3", ""])
def test_a_bad_descriptor_is_one_sentence(
    tur: Programs, reviewer: str, monkeypatch: pytest.MonkeyPatch, text: str
) -> None:
    proposal = propose(tur)
    monkeypatch.setenv("TUR_PASSPHRASE_FD", text)
    ran = tur.adm("proposal", "reject", proposal, "--reason", "no")
    assert (ran.code, len(ran.err.splitlines())) == (2, 1)
    assert "descriptor" in ran.err


def test_an_empty_descriptor_gives_no_passphrase(
    tur: Programs, with_passphrase: Callable[..., Ran], reviewer: str
) -> None:
    ran = with_passphrase("proposal", "reject", propose(tur), "--reason", "no", lines=())
    assert (ran.code, "no passphrase came" in ran.err) == (1, True)


def test_a_second_reviewer_and_a_quorum(
    tur: Programs, with_passphrase: Callable[..., Ran], reviewer: str, tmp_path: Path
) -> None:
    made = with_passphrase("key", "init", "--name", "tom", "--json", lines=("another passphrase",)).json
    assert not made["enrolled"]
    assert "name one: mara, tom" in tur.adm("key", "export-public").err
    public = tur.adm("key", "export-public", "tom").out.strip()
    assert public == made["public"]
    enrolled = with_passphrase("key", "enrol", public, "--name", "tom", "--json").json
    assert (enrolled["id"], enrolled["enrolled_by"]) == (made["id"], reviewer)
    assert "Quorum: axiom 2, core 1" in with_passphrase("policy", "quorum", "axiom=2").out
    assert tur.adm("policy", "quorum", "--json").json["quorum"] == {"axiom": 2, "core": 1}
    proposal = propose(tur, TEXT, "--type", "axiom")
    assert "1 of 2 signatures" in with_passphrase("proposal", "approve", proposal, "--key", "mara").out
    assert (
        with_passphrase("key", "revoke", "mara", "--reason", "x", "--key", "tom", lines=("another passphrase",)).code
        == 1
    )
    both = ("--key", "tom", "--key", "mara")
    done = with_passphrase("policy", "quorum", "axiom=1", *both, lines=("another passphrase", WORD))
    assert done.code == 0, done.err
    listed = tur.adm("key", "list").out
    assert "tom" in listed
    assert "on this machine" in listed
    log = tur.adm("key", "log").out
    assert ("policy axiom 2, core 1" in log, "policy axiom 1, core 1" in log) == (True, True)
    assert (f"enrol {made['id'][:12]}\n" in log, made["id"] in log) == (True, False)
    backup = tmp_path / "backup.db"
    assert tur.adm("backup", str(backup)).code == 0
    assert with_passphrase("key", "revoke", "tom", "--reason", "tom left").code == 0
    late = propose(tur, "Logs are kept for a year")
    assert "it was revoked" in with_passphrase("proposal", "approve", late, "--key", "tom").err
    restored = with_passphrase("restore", str(backup), "--reason", "the disk failed", "--key", "mara")
    assert f"tur-adm key revoke {made['id'][:12]} --reason WHY" in restored.err
    assert "of tom may sign in it again" in restored.err
    assert tur("verify").code == 0


@pytest.mark.parametrize("numbers", ["axiom", "axiom=0", "axiom=x", "fact=2", "core=100", "core=-1"])
def test_what_is_no_quorum(tur: Programs, store: Path, numbers: str) -> None:
    ran = tur.adm("policy", "quorum", numbers)
    assert (ran.code, "is no quorum" in ran.err) == (2, True)


def test_without_a_key_each_says_how_to_get_one(tur: Programs, store: Path) -> None:
    ran = tur.adm("proposal", "reject", propose(tur), "--reason", "no", "--json")
    assert (ran.code, ran.json["code"]) == (1, "no_key")
    assert "tur-adm key init" in ran.err
    assert tur.adm("key", "export-public").code == 2
    assert "make the first key" in tur.adm("key", "list").err
    assert tur.adm("proposal", "reject", "ffff").code == 2


def test_what_cannot_be_shown_is_not_signed_and_that_is_said(
    tur: Programs, with_passphrase: Callable[..., Ran], reviewer: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    proposal = propose(tur)

    def full(out: Output, line: str = "") -> None:
        raise Unanswered("full", out.done)

    with monkeypatch.context() as patch:
        patch.setattr(Output, "data", full)
        ran = with_passphrase("proposal", "approve", proposal)
    assert (ran.code, "could not be written: full; nothing was changed" in ran.err) == (1, True)
    [item] = tur.adm("proposal", "list", "--json").json["proposals"]
    assert item["state"] == "pending"


def test_a_spoilt_key_file_is_named_by_every_command_that_meets_it(tur: Programs, reviewer: str, home: Path) -> None:
    proposal = propose(tur)
    [path] = home.rglob("keys/*.pem")
    path.write_bytes(b"no key")
    ran = tur.adm("proposal", "approve", proposal)
    assert ran.code == 1
    assert f"{path}, the key file of mara, is no whole key file; bring it back from a copy" in ran.err
    listed = tur.adm("key", "list")
    assert f"{path} is no whole key file" in listed.err
    assert listed.out.count("mara") == 1
    assert tur.adm("key", "list", "--json").json["unfit"] == [{"file": str(path), "problem": "is no whole key file"}]


def test_memories_are_taken_out_promoted_and_retired(
    tur: Programs, with_passphrase: Callable[..., Ran], reviewer: str
) -> None:
    wrong = tur("learn", "The lift is broken", "--json").json["id"]
    assert tur.adm("memory", "retract", wrong).code == 2
    assert tur.adm("memory", "retract", wrong, "--reason", "mended", "--json").json["status"] == "retracted"
    secret = tur("learn", "The vault stands behind the mirror", "--json").json["id"]
    assert with_passphrase("memory", "redact", secret, "--reason", "a secret").code == 0
    told = tur("show", secret).out
    assert "vault" not in told
    assert "redacted  by human:" in told
    assert ": a secret" in told
    redaction = tur("history", "--json").json["events"][-1]["seq"]
    refused = tur.adm("undo", str(redaction)).err
    assert "gone for good" in refused
    assert "retirement" not in refused
    plain = tur("learn", TEXT, "--json").json["id"]
    assert tur.adm("memory", "promote", plain).code == 2
    promoted = tur.adm(
        *("memory", "promote", plain, "--principle", "Nothing is read", "--covenant", "We keep secrets"),
        *("--core-type", "rule", "--json"),
    ).json["proposal_id"]
    shown = tur.adm("proposal", "show", promoted).out
    for words in ("Nothing is read", "We keep secrets", "core type", plain[:12]):
        assert words in shown
    assert with_passphrase("proposal", "approve", promoted).code == 0
    core = promoted.replace("proposal", "core")
    assert "propose its retirement" in tur.adm("memory", "retract", core, "--reason", "x").err
    retired = tur.adm("memory", "retire", core, "--reason", "we moved", "--json").json
    assert (retired["status"], retired["kind"]) == ("proposed", "retire")
    assert "out of force" in tur.adm("proposal", "show", retired["proposal_id"]).out
    assert with_passphrase("proposal", "approve", retired["proposal_id"]).code == 0
    assert tur("verify").code == 0


def test_untrusted_text_is_shown_and_never_interpreted(tur: Programs, store: Path) -> None:
    proposal = propose(tur, "Logs\u202e are [/b] kept \u2066for a year")
    shown = tur.adm("proposal", "show", proposal).out
    assert "\u202e" not in shown
    assert "[/b]" in shown


def test_a_script_without_a_terminal_gets_nowhere(tur: Programs, reviewer: str, repo_root: Path) -> None:
    proposal = propose(tur)
    done = subprocess.run(
        [sys.executable, "-c", ADM, "proposal", "reject", proposal, "--reason", "no"],
        input=f"{WORD}\n",
        capture_output=True,
        text=True,
        start_new_session=True,
        env=os.environ | {"PYTHONPATH": str(repo_root / "engine"), "TUR_NO_JUDGE": "1"},
        timeout=60,
        check=False,
    )
    assert done.returncode == 1
    assert "the passphrase is asked on a terminal and there is none" in done.stderr
    assert tur.adm("proposal", "list", "--json").json["proposals"] != []


def test_on_a_terminal_the_passphrase_is_asked_and_not_echoed(tur: Programs, reviewer: str, repo_root: Path) -> None:
    proposal = propose(tur)
    child = pexpect.spawn(
        sys.executable,
        ["-c", ADM, "proposal", "approve", proposal],
        env=os.environ | {"PYTHONPATH": str(repo_root / "engine"), "NO_COLOR": "1", "TUR_NO_JUDGE": "1"},
        encoding="utf-8",
        timeout=60,
    )
    child.expect(r"Passphrase to sign proposal-\w+, for the key of mara: ")
    assert TEXT in child.before
    child.sendline(WORD)
    child.expect("it is in force")
    assert WORD not in (child.before or "")
    child.expect(pexpect.EOF)
    child.close()
    assert child.exitstatus == 0


def test_a_secret_in_a_reason_is_told_before_anybody_is_asked_for_a_passphrase(
    tur: Programs, reviewer: str, store: Path, tmp_path: Path
) -> None:
    secret = "for example ghp_" + "16C7e42F292c6912E7710c838347Ae178B4a"
    lamp = str(tur("learn", "The lamp is green", "--json").json["id"])
    proposal = propose(tur)
    backup = tmp_path / "copy.db"
    assert tur.adm("backup", str(backup)).code == 0
    file = store.with_name("persona.yaml") if store.suffix else store / ".tur" / "persona.yaml"
    file.write_text("compaction: [fights_for]\n", "utf-8")
    before = tur("status", "--json").json["head"]
    for command in (
        ("restore", str(backup)),
        ("persona", "approve"),
        ("proposal", "approve", proposal),
        ("proposal", "reject", proposal),
        ("memory", "retract", lamp),
        ("memory", "redact", lamp),
        ("memory", "retire", lamp),
        ("quarantine", "agent:bot"),
        ("key", "revoke", "mara"),
    ):
        ran = tur.adm(*command, "--reason", secret)
        assert (ran.code, "reason, character 13, looks like a GitHub Token" in ran.err) == (2, True), (command, ran)
    assert tur("status", "--json").json["head"] == before
