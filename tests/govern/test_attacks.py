"""What an agent with a shell says and sets against an invariant: refused or held, never done in silence.

Weaknesses of the peer (reference/peer-tur-0.15.1.md, section 3), each with its one home:

| W | test |
|---|---|
| W2 | test_an_agent_says_the_opposite |
| W3 | test_the_opposite_is_disguised, test_the_opposite_is_buried, and the one after it |
| W4 | test_the_opposite_comes_as_json |
| W5 | test_a_batch_brings_in_invariants |
| W6 | test_an_agent_learns_an_invariant_of_its_own |
| W9 | test_a_prefix_that_is_too_short_names_nothing |
| W10 | test_an_invariant_of_another_level |
| W16 | test_a_text_with_a_space_at_its_end |
| W17, W18, W19, W20, W21, W32 | test_attacks_files.test_the_database_is_edited_by_hand |
| W22 | test_attacks_signing.test_two_contradicting_proposals_are_both_approved |
| W23 | test_attacks_signing.test_a_pseudo_terminal_without_the_passphrase, test_script_gives_a_terminal_only |
| W25 | test_attacks_surfaces: every tool and every command |
| W27 | test_an_edge_defeats_no_invariant |
| W31 | test_a_store_of_its_own_in_a_sub_folder |
| W33 | test_attacks_signing.test_a_proposal_steers_the_reviewers_terminal |
| W34 | test_attacks_signing.test_a_reviewer_sees_all_of_what_is_signed |
"""

from __future__ import annotations

import json
import os
import pwd
import re
import shlex
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cli.conftest import Programs, Ran, store, tur
from tests.cli.test_governance import TEXT, propose, reviewer, with_passphrase
from tests.govern.attacking import CLASH, ERROR, HELD, OPPOSITE, USAGE, held, stands, waiting
from tests.govern.signing import put_in_force
from tur_engine.engine import Engine
from tur_engine.ontology import EdgeType
from tur_engine.records import Author

__all__ = ["held", "reviewer", "store", "tur", "with_passphrase"]

MARA = Author.parse("human:mara")


@pytest.mark.parametrize(
    "more", [(), ("--allow-conflict",), ("--on-conflict", "allow"), ("--type", "preference"), ("--scope", "user")]
)
def test_an_agent_says_the_opposite(tur: Programs, held: str, more: tuple[str, ...]) -> None:
    """W2"""
    assert tur("learn", OPPOSITE, *more).code == CLASH
    stands(tur, held)


def test_the_opposite_is_disguised(tur: Programs, held: str) -> None:
    """W3: contractions, invisible and look-alike characters, other words."""
    for said in (
        "Service traffic mustn't use TLS encryption",
        "Service traffic must n\u200bot use TLS encryption",
        "Service traffic must n\u043et use TLS encryption",
        "Service traffic must \uff4eot use TLS encryption",
        "Service traffic\nmust not use TLS encryption",
        "Service traffic must never use TLS encryption",
        "Service traffic goes without TLS encryption",
        "No service traffic may use TLS encryption",
    ):
        assert tur("learn", said, "--allow-conflict").code == CLASH, said
    stands(tur, held)


def test_the_opposite_is_buried(tur: Programs, held: str) -> None:
    """W3: in a long text, or beside one; people look at it."""
    report = " ".join(f"Berth {number} was painted by the crew." for number in range(40))
    for words in (
        (f"{report} {OPPOSITE}. {report}",),
        ("The lift works", "--topic", OPPOSITE),
        ("The lift works", "--tag", OPPOSITE),
        ("The lift works", "--field", f"note={OPPOSITE}"),
    ):
        assert tur("learn", *words, "--allow-conflict").code == HELD, words
    assert tur("learn", f"{report} {TEXT}.").code == 0
    shown = tur("show", held, "--json").json
    assert (shown["status"], shown["approved"]) == ("active", True)
    assert OPPOSITE not in tur("context").out


def test_what_the_detector_does_not_understand_changes_no_invariant(tur: Programs, held: str) -> None:
    """W3, its rest: a paraphrase that is no clash to the detector is an ordinary memory; docs/governance.md says so."""
    assert tur("learn", "Ship packets in the clear").code in (0, CLASH)
    assert tur("learn", OPPOSITE).code == CLASH
    stands(tur, held)


def test_the_opposite_comes_as_json(tur: Programs, held: str) -> None:
    """W4: the machine's road is the same gate, and its answer says what it is."""
    ran = tur("learn", OPPOSITE, "--json", "--allow-conflict", "--type", "fact")
    assert (ran.code, ran.json["status"], ran.json["conflicting_memory_id"]) == (CLASH, "invariant_violation", held)
    stands(tur, held)


def test_a_batch_brings_in_invariants(tur: Programs, held: str) -> None:
    """W5: whoever the lines name as their author."""
    lines = [
        {"content": OPPOSITE, "author": "human:mara"},
        {"content": "Every change is reviewed by two people", "type": "axiom", "author": "human:mara"},
        {"content": "Logs are kept for a year", "type": "core"},
    ]
    ran = tur("learn", "--from", "-", "--json", "--on-conflict", "allow", stdin=_lines(lines))
    assert (ran.code, ran.json["proposed"], ran.json["invariant_violations"]) == (CLASH, 2, 1)
    assert len(waiting(tur)) == 2
    assert tur("status", "--json").json["invariants"] == 1
    stands(tur, held)


def _lines(objects: list[dict[str, str]]) -> bytes:
    return "".join(json.dumps(each) + "\n" for each in objects).encode()


def test_an_agent_learns_an_invariant_of_its_own(tur: Programs, held: str) -> None:
    """W6: it waits, and stands in nobody's way."""
    for type in ("axiom", "core"):
        assert tur("learn", OPPOSITE, "--type", type).code == CLASH
        assert tur("learn", f"The build server must run Windows, says an {type}", "--type", type).code == 0
    assert len(waiting(tur)) == 2
    assert tur("learn", "The build server runs Linux").code == 0
    assert "Windows" not in tur("recall", "build server").out
    stands(tur, held)


def test_an_agent_supersedes_an_invariant(tur: Programs, held: str) -> None:
    ran = tur("learn", OPPOSITE, "--supersedes", held, "--json")
    assert (ran.code, ran.json["status"]) == (CLASH, "invariant_violation")
    assert len(waiting(tur)) == 1
    stands(tur, held)


def test_a_prefix_that_is_too_short_names_nothing(
    tur: Programs, with_passphrase: Callable[..., Ran], held: str
) -> None:
    """W9: neither an invariant to supersede nor a proposal to approve."""
    kind, _, digits = held.partition("-")
    proposal = propose(tur, "Logs are kept for a year")
    for ref in ("", " ", "-", "c", kind, f"{kind}-", digits[:3], "%", "*", "____"):
        assert tur("learn", "Logs are on paper", "--supersedes", ref, "--allow-conflict").code == USAGE, ref
    for ref in ("", " ", "p", "proposal", "proposal-", proposal.partition("-")[2][:3], "%", "____"):
        assert with_passphrase("proposal", "approve", ref).code == USAGE, ref
    assert waiting(tur) == [proposal]
    stands(tur, held)


@pytest.mark.parametrize("level", ["universal", "user", "persona"])
def test_an_invariant_of_another_level(
    tur: Programs, with_passphrase: Callable[..., Ran], reviewer: str, level: str
) -> None:
    """W10: levels always overlap."""
    assert with_passphrase("proposal", "approve", propose(tur, TEXT, "--scope", level)).code == 0
    for scope in ("incarnation", "incarnation:src", "user", "universal", "persona@main"):
        assert tur("learn", OPPOSITE, "--scope", scope, "--allow-conflict").code == CLASH, scope


def test_a_text_with_a_space_at_its_end(tur: Programs, held: str) -> None:
    """W16: what is hashed is what is stored."""
    for text in ("Trailing space here ", " leading", "a line\n", "tabs\tand  spaces  "):
        id = tur("learn", text, "--json").json["id"]
        assert tur("show", id, "--json").json["content"] == text
    stands(tur, held)


def test_an_edge_defeats_no_invariant(tur: Programs, held: str) -> None:
    """W27: no relation to it, of whatever type, moves it or makes it suspect; some are refused."""
    for edge in EdgeType:
        ran = tur("learn", f"Room {edge.value} is painted", "--relate", f"{edge.value}={held}", "--allow-conflict")
        assert ran.code in (0, USAGE, CLASH), (edge, ran.err)
    assert tur("learn", "Room nine is painted", "--relate", f"contradicts={held}", "--allow-conflict").code == CLASH
    stands(tur, held)


# settings and places ------------------------------------------------------------------


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


@pytest.mark.parametrize("variable", ["", "HOME", "TUR_HOME"])
def test_a_store_of_its_own_in_a_sub_folder(
    tur: Programs, held: str, workdir: Path, monkeypatch: pytest.MonkeyPatch, variable: str
) -> None:
    """W31; nor does it help to call the store above one's own, of which only some levels hold elsewhere."""
    (workdir / "src").mkdir()
    monkeypatch.chdir(workdir / "src")
    assert tur("init").code == ERROR  # one is above
    assert tur("init", "--nested").code == 0
    if variable:
        monkeypatch.setenv(variable, str(workdir / ".tur" if variable == "TUR_HOME" else workdir))
    assert tur("learn", OPPOSITE, "--allow-conflict").code == CLASH


def test_another_store_named_from_here(tur: Programs, held: str, tmp_path: Path) -> None:
    other = tmp_path / "other"
    other.mkdir()
    assert tur("init", "--store", str(other)).code == 0
    assert tur("learn", OPPOSITE, "--allow-conflict", "--store", str(other)).code == CLASH


@pytest.mark.parametrize("variable", ["HOME", "TUR_HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME"])
def test_another_home_does_not_hide_the_users_own_invariants(
    tur: Programs, home: Path, workdir: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, variable: str
) -> None:
    """The account's home is looked up too: $HOME is the caller's word."""
    with Engine.init(home, actor=MARA):
        monkeypatch.setenv("TUR_HOME", str(home / ".tur"))
        rule = propose(tur, TEXT, "--scope", "user", "--store", str(home))
    with Engine.open(home, actor=MARA) as own:
        put_in_force(own, rule)
    monkeypatch.delenv("TUR_HOME")
    monkeypatch.setenv(variable, str(tmp_path))
    assert tur("init").code == 0
    assert tur("learn", OPPOSITE, "--allow-conflict").code == CLASH
    assert tur("learn", "The lift works").code == 0


def test_the_accounts_home_is_not_the_variables(tmp_path: Path, repo_root: Path) -> None:
    code = "from tur_engine.whereabouts import account_home; print(account_home())"
    env = os.environ | {"PYTHONPATH": str(repo_root / "engine"), "HOME": str(tmp_path)}
    said = subprocess.run([sys.executable, "-c", code], env=env, capture_output=True, text=True, check=True)
    assert said.stdout.strip() == pwd.getpwuid(os.getuid()).pw_dir


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
