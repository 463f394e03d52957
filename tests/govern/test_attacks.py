"""What an agent with a shell tries against an invariant: refused, held or reported, never done in silence."""

from __future__ import annotations

import os
import re
import shlex
import sys
from collections.abc import Callable
from pathlib import Path

import apsw
import pexpect
import pytest

from tests.cli.conftest import Programs, Ran, store, tur
from tests.cli.test_governance import ADM, TEXT, propose, reviewer, with_passphrase

__all__ = ["reviewer", "store", "tur", "with_passphrase"]

OPPOSITE = "Service traffic must not use TLS encryption"
CLASH, DAMAGED = 4, 5


@pytest.fixture
def held(tur: Programs, with_passphrase: Callable[..., Ran], reviewer: str) -> str:
    """A store where one invariant is in force; the invariant's id."""
    proposal = propose(tur)
    assert with_passphrase("proposal", "approve", proposal).code == 0
    return proposal.replace("proposal", "core")


def stands(tur: Programs, held: str) -> None:
    """The invariant is in force and the ledger holds."""
    assert tur("verify").code == 0
    assert tur("show", held, "--json").json["status"] == "active"


@pytest.mark.parametrize(
    "more", [(), ("--allow-conflict",), ("--on-conflict", "allow"), ("--type", "preference"), ("--scope", "user")]
)
def test_an_agent_says_the_opposite(tur: Programs, held: str, more: tuple[str, ...]) -> None:
    assert tur("learn", OPPOSITE, *more).code == CLASH
    stands(tur, held)


@pytest.mark.parametrize("type", ["axiom", "core"])
def test_an_agent_learns_an_invariant_of_its_own(tur: Programs, held: str, type: str) -> None:
    tur("learn", OPPOSITE, "--type", type)
    believed = tur("list", "--json").out
    assert OPPOSITE not in believed or '"pending_approval"' in believed
    stands(tur, held)


def test_an_agent_supersedes_an_invariant(tur: Programs, held: str) -> None:
    ran = tur("learn", OPPOSITE, "--supersedes", held, "--json")
    assert ran.code == CLASH or ran.json["status"] == "proposed"
    stands(tur, held)


@pytest.mark.parametrize(
    "said", ["Service traffic must n\u200bot use TLS encryption", "Service traffic mustn't use TLS encryption"]
)
def test_the_opposite_is_disguised(tur: Programs, held: str, said: str) -> None:
    assert tur("learn", said).code != 0
    stands(tur, held)


@pytest.mark.parametrize(
    ("variable", "value"),
    [
        ("TUR_ON_CONFLICT", "allow"), ("TUR_THRESHOLD", "0.999"), ("TUR_PROFILE", "quiet"),
        ("TUR_AGENT_MAY_RESOLVE", "agents"), ("TUR_NO_JUDGE", "1"), ("TUR_HOME", "elsewhere"), ("TUR_KEYS", "mine"),
    ],
)  # fmt: skip
def test_a_variable_lifts_no_invariant(
    tur: Programs, held: str, monkeypatch: pytest.MonkeyPatch, variable: str, value: str
) -> None:
    monkeypatch.setenv(variable, value)
    assert tur("learn", OPPOSITE, "--allow-conflict").code == CLASH
    stands(tur, held)


@pytest.mark.parametrize("line", ['on_conflict = "allow"', "threshold = 0.999", 'profile = "quiet"'])
def test_the_stores_settings_lift_no_invariant(tur: Programs, held: str, store: Path, line: str) -> None:
    (store.parent / "config.toml").write_text(line + "\n", "utf-8")
    assert tur("learn", OPPOSITE).code == CLASH
    stands(tur, held)


def test_a_store_of_its_own_in_a_sub_folder(
    tur: Programs, held: str, workdir: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (workdir / "src").mkdir()
    monkeypatch.chdir(workdir / "src")
    assert tur("init").code == 1  # one is above
    assert tur("init", "--nested").code == 0
    assert tur("learn", OPPOSITE, "--allow-conflict").code == CLASH


def test_another_store_named_from_here(tur: Programs, held: str, tmp_path: Path) -> None:
    other = tmp_path / "other"
    other.mkdir()
    assert tur("init", "--store", str(other)).code == 0
    assert tur("learn", OPPOSITE, "--allow-conflict", "--store", str(other)).code == CLASH


def test_twenty_wrong_passphrases(tur: Programs, with_passphrase: Callable[..., Ran], reviewer: str) -> None:
    proposal = propose(tur)
    codes = {with_passphrase("proposal", "approve", proposal, lines=(f"guess number {n}",)).code for n in range(20)}
    assert codes == {1}
    assert len(tur.adm("proposal", "list", "--json").json["proposals"]) == 1


def test_a_key_of_its_own_signs_nothing(
    tur: Programs, with_passphrase: Callable[..., Ran], reviewer: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    proposal = propose(tur)
    monkeypatch.setenv("TUR_KEYS", str(tmp_path / "mine"))
    assert with_passphrase("key", "init", "--name", "mallory").code == 0
    for more in ((), ("--key", "mallory")):
        assert with_passphrase("proposal", "approve", proposal, *more).code == 1
    assert len(tur.adm("proposal", "list", "--json").json["proposals"]) == 1


def test_a_pseudo_terminal_without_the_passphrase(tur: Programs, reviewer: str, repo_root: Path) -> None:
    proposal = propose(tur)
    child = pexpect.spawn(
        sys.executable,
        ["-c", ADM, "proposal", "approve", proposal],
        env=os.environ | {"PYTHONPATH": str(repo_root / "engine"), "TUR_NO_JUDGE": "1"},
        timeout=60,
    )
    child.expect("Passphrase")
    child.sendline("yes")
    child.expect(pexpect.EOF)
    child.close()
    assert child.exitstatus == 1
    assert len(tur.adm("proposal", "list", "--json").json["proposals"]) == 1


def test_an_invariant_is_switched_off_by_hand(tur: Programs, held: str, store: Path) -> None:
    with apsw.Connection(str(store)) as db:
        db.execute("DELETE FROM approvals")
        assert db.changes() > 0
    assert tur("verify").code == DAMAGED


def test_the_tail_is_cut_off(tur: Programs, held: str, store: Path) -> None:
    with apsw.Connection(str(store)) as db:
        for (trigger,) in list(db.execute("SELECT name FROM sqlite_schema WHERE type='trigger'")):
            db.execute(f'DROP TRIGGER "{trigger}"')
        db.execute("PRAGMA foreign_keys = OFF")
        db.execute("DELETE FROM events WHERE seq = (SELECT max(seq) FROM events)")
    assert tur("verify").code == DAMAGED


@pytest.mark.parametrize("witnessed", [True, False])
def test_an_older_backup_takes_the_stores_place(
    tur: Programs, with_passphrase: Callable[..., Ran], reviewer: str, store: Path, tmp_path: Path, home: Path,
    witnessed: bool,
) -> None:  # fmt: skip
    copy = tmp_path / "copy.db"
    assert tur.adm("backup", str(copy)).code == 0
    assert with_passphrase("proposal", "approve", propose(tur)).code == 0
    for file in store.parent.glob("ledger.db*"):
        file.unlink()
    copy.rename(store)
    if not witnessed:
        for file in home.rglob("witness/*.json"):
            file.unlink()
    ran = tur("verify")
    assert ran.code == (DAMAGED if witnessed else 0)
    assert witnessed or "no witness" in ran.out + ran.err


def test_the_page_on_governance_runs(
    tur: Programs, with_passphrase: Callable[..., Ran], workdir: Path, repo_root: Path
) -> None:
    block = re.search(r"```sh\n(.*?)```", (repo_root / "docs" / "governance.md").read_text("utf-8"), re.DOTALL)
    assert block
    proposal = ""
    for line in block[1].splitlines():
        program, *words = shlex.split(line.replace("PROPOSAL", proposal))
        assert program in ("tur", "tur-adm"), line
        ran = tur(*words) if program == "tur" else with_passphrase(*words)
        assert ran.code == 0, (line, ran.err)
        found = re.search(r"proposal-[0-9a-f]{8,}", ran.out + ran.err)
        proposal = proposal or (found[0] if found else "")
    assert TEXT in tur("list", "--json").out
