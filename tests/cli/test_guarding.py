"""The gate's protections on the command line: quarantine, roll-back, secrets, invariants of other stores."""

from __future__ import annotations

from contextlib import nullcontext
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import Programs, approve
from tests.govern.signing import governed, signer
from tests.standins import install
from tur_engine.engine import Engine
from tur_engine.records import Author

RULE = "All service traffic must use TLS encryption"
SECRET = "password: hunter" + "2"


@pytest.fixture(autouse=True)
def plain(monkeypatch: pytest.MonkeyPatch) -> None:
    install(monkeypatch)


@pytest.fixture
def rita(monkeypatch: pytest.MonkeyPatch, store: Path) -> None:
    """Rita's key is enrolled; asking for it gives her signature."""
    from tur_engine.cli import passphrase

    with Engine.open(store, actor=Author.parse("human:rita")) as engine:
        governed(engine)
    monkeypatch.setattr(passphrase, "unlocked", lambda *_: nullcontext([signer("rita")]))


def test_a_quarantined_agent_is_held_listed_released_and_let_in(tur: Programs, rita: None, capsys: Any) -> None:
    assert tur.adm("quarantine", "otter", "--reason", "nonsense").code == 0
    held = tur("--as", "otter", "learn", "lift: it works", "--json")
    assert (held.code, held.json["status"]) == (3, "conflict_detected")
    told = tur("--as", "otter", "learn", "door: it sticks")
    assert told.code == 3
    assert "held for a person: its author agent:otter is quarantined" in told.err
    assert "tur-adm admit fact-" in told.err
    listed = tur("conflicts", "--json").json["held_back"]
    assert [item["content"] for item in listed] == ["lift: it works", "door: it sticks"]
    assert "held for a person: fact-" in tur("conflicts").err
    assert "held for people" in tur("status").out
    refused = tur.adm("admit", listed[0]["id"], "--reason", "right")
    assert (refused.code, "quarantined" in refused.err) == (1, True)
    released = tur.adm("release", "otter", "--reason", "mended", "--admit", "--json").json
    assert (len(released["admitted"]), released["kept"]) == (2, {})
    assert "held_back" not in tur("conflicts", "--json").json


def test_quarantine_needs_reason_and_key(tur: Programs, store: Path) -> None:
    assert tur.adm("quarantine", "otter").code == 2
    nobody = tur.adm("quarantine", "otter", "--reason", "nonsense")
    assert nobody.code == 1
    assert "tur-adm key init" in nobody.err


def test_a_session_is_shown_and_rolled_back(tur: Programs, store: Path) -> None:
    tur("--as", "otter", "learn", "lift: it works", "--session", "bad")
    tur("--as", "otter", "learn", "door: it sticks", "--session", "good")
    silent = tur("undo", "--agent", "otter")
    assert (silent.code, "--yes" in silent.err) == (2, True)
    preview = tur("--as", "human:anna", "undo", "--session", "bad", "--dry-run", "--json").json
    assert (preview["status"], preview["undone"], preview["events"][0]["by_seq"]) == ("previewed", 1, None)
    told = tur("--as", "human:anna", "undo", "--session", "bad", "--dry-run")
    assert told.out.startswith("Would take back 1 of 1 event, the newest first\n")
    for since in ("yesterday", "today", "2d", "1h ago", "2020-02-02"):
        assert tur("--as", "human:anna", "undo", "--session", "bad", "--since", since, "--dry-run").out == told.out
    later = tur("--as", "human:anna", "undo", "--session", "bad", "--since", "2999-01-01", "--dry-run")
    assert later.out == "nothing to take back\n"
    unknown = tur("undo", "--session", "bad", "--since", "soon", "--dry-run")
    assert (unknown.code, unknown.err) == (
        2,
        "tur: --since 'soon' is no time; write a date or time, today, yesterday, or how long ago: 30m, 2h, 2d, 1w\n",
    )
    no = tur.at_terminal("undo", "--session", "bad", keys="\n")
    assert "nothing was taken back" in no.err
    assert len(tur("list", "--json").json["memories"]) == 2
    yes = tur.at_terminal("undo", "--session", "bad", keys="y\n")
    assert "Took back 1 of 1 event," in yes.out
    done = tur("--as", "human:anna", "undo", "--agent", "otter", "--yes", "--json").json
    assert (done["status"], done["undone"]) == ("undone", 1)
    assert tur("list", "--json").json["memories"] == []
    assert tur("undo", "fact-1234", "--agent", "otter").code == 2
    assert tur("undo", "--yes").code == 2


def test_a_secret_is_refused_and_never_echoed(tur: Programs, store: Path) -> None:
    for command in ("learn", "note"):
        refused = tur(command, SECRET, "--json")
        assert (refused.code, refused.json["code"]) == (2, "secret_found")
        assert "looks like a password" in refused.err
        assert "hunter" not in refused.err + refused.out
    assert tur("learn", SECRET, "--allow-secret").code == 2
    assert tur("--as", "human:anna", "learn", SECRET, "--allow-secret").code == 2, "a pipe is no person"
    assert tur.at_terminal("learn", SECRET, "--allow-secret").code == 0
    lines = b'{"content": "' + SECRET.encode() + b'"}\n{"content": "lift: it works"}\n'
    report = tur("learn", "--from", "-", "--json", stdin=lines)
    assert (report.code, report.json["committed"], len(report.json["refused"])) == (1, 1, 1)
    assert "hunter" not in report.out


def test_an_invariant_of_the_store_above(tur: Programs, store: Path, workdir: Path, monkeypatch: Any) -> None:
    proposed = tur("learn", "traffic: TLS", "--type", "core", "--json").json
    approve(store, proposed["id"])
    (workdir / "part").mkdir()
    monkeypatch.chdir(workdir / "part")
    assert tur("init", "--nested").code == 0
    refused = tur("learn", "traffic: plain", "--allow-conflict")
    assert refused.code == 4
    short = proposed["id"][:13]
    assert refused.err.startswith(
        f"[Invariant Memory Error]: Assertion contradicts Invariant Memory '{short}'.\n"
        "Agent cannot supersede human-governed Invariant memories.\n"
        "To propose a change, submit via `tur-adm proposal`.\n"
    )
    assert f"tur-adm --store {store} proposal submit" in refused.err
    payload = tur("learn", "traffic: plain", "--json").json
    assert (payload["conflicting_memory_id"], payload["invariant_store"]) == (proposed["id"], str(store))


def test_a_verb_stopped_by_an_invariant_prints_the_seeds_text(tur: Programs, store: Path) -> None:
    tur("learn", "traffic: plain")
    conflict = tur("learn", "traffic: TLS", "--on-conflict", "hold", "--json").json["conflict_id"]
    proposed = tur("learn", "traffic: none", "--type", "core", "--json").json
    approve(store, proposed["id"])
    stopped = tur("--as", "human:anna", "resolve", conflict, "supersede")
    assert stopped.code == 4
    assert stopped.err.startswith("[Invariant Memory Error]: Assertion contradicts Invariant Memory 'core-")
