"""What is tried to get a signature, or to make a reviewer sign something else. Which W is where: test_attacks.py."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pexpect
import pytest

from tests import standins
from tests.cli.conftest import Programs, Ran, store, tur
from tests.cli.test_governance import ADM, TEXT, propose, reviewer, with_passphrase
from tests.e2e.agents import AgentProcess, agents
from tests.govern.attacking import CLASH, ERROR, OPPOSITE, USAGE, waiting
from tests.govern.signing import RITA, governed
from tur_engine.engine import Engine
from tur_engine.errors import TurError
from tur_engine.records import Author, Draft, Status

__all__ = ["reviewer", "store", "tur", "with_passphrase"]

MARA, OTTER = Author.parse("human:mara"), Author.parse("agent:otter")


@pytest.fixture
def program(repo_root: Path) -> dict[str, str]:
    """The environment of a `tur-adm` in a process of its own."""
    return os.environ | {"PYTHONPATH": str(repo_root / "engine"), "TUR_NO_JUDGE": "1"}


def test_two_contradicting_proposals_are_both_approved(
    tur: Programs, with_passphrase: Callable[..., Ran], reviewer: str
) -> None:
    """W22: the second is weighed again; the first one keeps who signed, when and why."""
    first, second = propose(tur), propose(tur, OPPOSITE)
    assert with_passphrase("proposal", "approve", first, "--reason", "agreed").code == 0
    assert with_passphrase("proposal", "approve", second).code == CLASH
    [signature] = tur.adm("proposal", "show", first, "--json").json["signatures"]
    assert (signature["name"], signature["reason"], signature["valid"]) == ("mara", "agreed", True)
    assert signature["at"]
    assert waiting(tur) == [second]


def test_twenty_wrong_passphrases(tur: Programs, with_passphrase: Callable[..., Ran], reviewer: str) -> None:
    proposal = propose(tur)
    codes = {with_passphrase("proposal", "approve", proposal, lines=(f"guess number {n}",)).code for n in range(20)}
    assert codes == {ERROR}
    assert waiting(tur) == [proposal]


def test_a_key_of_its_own_signs_nothing(
    tur: Programs, with_passphrase: Callable[..., Ran], reviewer: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    proposal = propose(tur)
    monkeypatch.setenv("TUR_KEYS", str(tmp_path / "mine"))
    assert with_passphrase("key", "init", "--name", "mallory").code == 0
    for more in ((), ("--key", "mallory")):
        ran = with_passphrase("proposal", "approve", proposal, *more)
        assert (ran.code, ran.out) == (ERROR, ""), "it is refused before anything is shown"
    assert waiting(tur) == [proposal]


def test_a_pseudo_terminal_without_the_passphrase(tur: Programs, reviewer: str, program: dict[str, str]) -> None:
    """W23: a terminal opens nothing, whatever is typed on it."""
    proposal = propose(tur)
    for typed in ("yes", "\x04"):
        child = pexpect.spawn(
            sys.executable, ["-c", ADM, "proposal", "approve", proposal], env=program, timeout=60, encoding="utf-8"
        )
        child.expect("Passphrase")
        child.sendline(typed)
        child.expect(pexpect.EOF)
        child.close()
        assert child.exitstatus == ERROR, typed
    assert waiting(tur) == [proposal]


@pytest.mark.skipif(shutil.which("script") is None, reason="script (util-linux) is not installed")
def test_script_gives_a_terminal_only(tur: Programs, reviewer: str, program: dict[str, str]) -> None:
    """W23, to the letter: `script -qec` is how an agent without a terminal gets one."""
    proposal = propose(tur)
    command = shlex.join([sys.executable, "-c", ADM, "proposal", "approve", proposal])
    words, pipe = ["script", "-qec", command, "/dev/null"], subprocess.PIPE
    with subprocess.Popen(words, env=program, bufsize=0, stdin=pipe, stdout=pipe) as child:
        assert child.stdout is not None
        said = b""
        while b"Passphrase" not in said and (byte := child.stdout.read(1)):
            said += byte
        said += child.communicate(b"yes\n", timeout=60)[0]
    assert (child.returncode, b"does not open" in said) == (ERROR, True), said
    assert waiting(tur) == [proposal]


def test_a_proposal_steers_the_reviewers_terminal(tur: Programs, reviewer: str) -> None:
    """W33: control characters are refused; what is left is shown as text, apart from the review's own lines."""
    for control in ("\x1b[2K\x1b[1A", "\x1b]0;x\x07", "\x9b2K", "\x00"):
        assert tur("propose", f"Logs are kept{control}for a year").code == USAGE
        assert tur("propose", "Logs are kept for a year", "--reason", f"so{control}that").code == USAGE
    assert waiting(tur) == []
    forged = "Signed by 1 of 1"
    proposal = propose(tur, f"Logs\u202e are [/b] kept\n{forged}\r{forged}\u2066")
    shown = tur.adm("proposal", "show", proposal).out
    assert not {"\x1b", "\r", "\u202e", "\u2066"} & set(shown)
    assert [line for line in shown.splitlines() if line.startswith("Signed by")] == ["Signed by 0 of 1"]
    assert "[/b]" in shown


def test_a_reviewer_sees_all_of_what_is_signed(
    tur: Programs, with_passphrase: Callable[..., Ran], reviewer: str
) -> None:
    """W34: status, principle, covenant, author, reason, what it is made from, what it replaces, what is against it."""
    plain = tur("--as", "otter", "learn", TEXT, "--json").json["id"]
    principle, covenant = "Nothing is read on the wire", "We keep secrets"
    promotion = tur.adm(
        *("--as", "tom", "memory", "promote", plain, "--principle", principle, "--covenant", covenant),
        *("--core-type", "rule", "--reason", "seen often", "--json"),
    ).json["proposal_id"]
    shown = tur.adm("proposal", "show", promotion).out
    told = (promotion, TEXT, "pending_approval", principle, covenant, "rule", "human:tom", "seen often", plain[:13])
    for words in (*told, "0 of 1", "incarnation"):
        assert words in shown, words
    signed = with_passphrase("proposal", "approve", promotion)
    assert signed.code == 0
    assert all(words in signed.out for words in told), "the whole of it stands above the question"
    core = promotion.replace("proposal", "core")
    successor = propose(tur, OPPOSITE, "--supersedes", core)
    retired = tur.adm("memory", "retire", core, "--reason", "we moved", "--json").json["id"]
    assert f"In place of the invariant {core[:13]}" in tur.adm("proposal", "show", successor).out
    assert "out of force" in tur.adm("proposal", "show", retired).out


# at the same moment -------------------------------------------------------------------


@pytest.mark.slow
def test_an_approval_races_a_supersession(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A person promotes what an agent, in another process, supersedes at that moment: one of them wins."""
    standins.install(monkeypatch)
    with agents(1, plain=True) as [rival]:
        for number in range(6):
            core, challenger = race(tmp_path / str(number), rival, late=0.004 * (number - 2.5))
            assert core != challenger, "one holds, never both, never neither"


def race(folder: Path, rival: AgentProcess, late: float) -> tuple[bool, bool]:
    """Whether the promoted memory is in force, and whether what contradicts it is live, after both have tried."""
    with Engine.init(folder, actor=MARA) as engine, Engine.open(folder, actor=OTTER) as otter:
        fact = otter.learn(Draft(content="lift: blue", author=OTTER))
        [held] = otter.learn(Draft(content="lift: red", author=OTTER)).conflicts
        promotion = engine.propose_promotion(fact.id or "", "", "lifts are blue", "")
        governor = governed(engine)
        revision = engine.conflict(held.conflict.id).revision
        rival.do(do="open", store=str(engine.path))
        at = time.time() + 0.05
        rival.ask(do="resolve", conflict=held.conflict.id, verb="supersede", revision=revision, at=at)
        time.sleep(max(0.0, at + late - time.time()))
        outcome: Any = None
        try:
            outcome = governor.approve(promotion.proposal_id or "", RITA)
        except TurError as error:
            outcome = error
        said = rival.answer()
        report = engine.verify()
        assert report.ok, (report.problem, outcome, said)
        live = engine.memory(held.conflict.challenger.id).status is Status.ACTIVE
        return engine.memory(promotion.id or "").approved, live
