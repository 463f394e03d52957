"""What rule files are weighed against in the ledgers: scopes as seen from the folder, invariants from elsewhere."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest

from tests.govern.signing import put_in_force
from tests.sources.conftest import Writer
from tur_engine.cli import program
from tur_engine.cli.app import app
from tur_engine.engine import Engine
from tur_engine.minds import Minds
from tur_engine.models import sha256
from tur_engine.records import Author, AuthorKind, Draft, MemoryType, OnConflict, Scope

pytestmark = pytest.mark.usefixtures("plain_minds")
ADA = Author(kind=AuthorKind.HUMAN, name="ada")


def scanned(capsys: pytest.CaptureFixture[str], root: Path) -> tuple[int, dict[str, Any], str]:
    code = program.run(app, "tur", ["scan", str(root), "--json"])
    out, err = capsys.readouterr()
    answer: dict[str, Any] = json.loads(out)
    return code, answer, err


def invariant(root: Path, text: str, scope: str = "incarnation") -> Path:
    """Found a store with one invariant in force; return its file."""
    with Engine.init(root, actor=ADA) as engine:
        proposed = engine.learn(Draft(content=text, type=MemoryType.CORE, author=ADA, scope=Scope.parse(scope)))
        assert proposed.id is not None
        put_in_force(engine, proposed.id)
        return engine.path


def test_an_invariant_of_the_users_own_store_holds_where_there_is_no_other(
    repository: Writer, capsys: pytest.CaptureFixture[str], home: Path
) -> None:
    root = repository({"AGENTS.md": "- Transport: plain\n"})
    path = invariant(home, "Transport: TLS", "user")
    code, answer, _ = scanned(capsys, root)
    (clash,) = answer["clashes"]
    assert (code, clash["invariant"], clash["a"]["text"]) == (4, True, "Transport: TLS")
    with Engine.init(root, actor=ADA) as engine:
        engine.learn(Draft(content="Port: 1", author=ADA))
    code, answer, _ = scanned(capsys, root)
    (clash,) = answer["clashes"]
    assert (code, clash["a"]["store"]) == (4, str(path))
    assert str(path) in clash["suggestion"]


def test_an_invariant_of_a_store_above_holds_in_its_folder_only(
    repository: Writer, capsys: pytest.CaptureFixture[str]
) -> None:
    root = repository({"AGENTS.md": "- Transport: plain\n", "web/CLAUDE.md": "- Quotes: double\n"})
    invariant(root, "Transport: TLS", "incarnation:api")
    with Engine.init(root / "web", actor=ADA, nested=True) as engine:
        engine.learn(Draft(content="Quotes: single", author=ADA))
    code, answer, _ = scanned(capsys, root / "web")
    assert (code, [c["a"]["text"] for c in answer["clashes"]]) == (3, ["Quotes: single"])


def test_a_store_above_that_cannot_be_read_is_one_sentence(
    repository: Writer, capsys: pytest.CaptureFixture[str]
) -> None:
    root = repository({"web/AGENTS.md": "- Transport: plain\n- Transport: TLS\n"})
    (root / ".tur").mkdir()
    (root / ".tur" / "ledger.db").write_text("no ledger")
    with Engine.init(root / "web", actor=ADA, nested=True):
        pass
    code, answer, err = scanned(capsys, root / "web")
    assert (code, len(answer["clashes"])) == (3, 1)
    assert "the store at" in err
    assert "it was left out" in err


def test_a_memory_of_another_branch_or_folder_is_not_compared(
    repository: Writer, capsys: pytest.CaptureFixture[str]
) -> None:
    root = repository({"web/AGENTS.md": "- Deploy day: Friday\n", "api/AGENTS.md": "- Port: 1\n"})
    subprocess.run(["git", "init", "-qb", "main"], cwd=root, check=True)
    with Engine.init(root, actor=ADA) as engine:
        for text, scope in (
            ("Deploy day: Monday", "incarnation@feature"),
            ("Deploy day: Tuesday", "incarnation@main"),
            ("Deploy day: Sunday", "incarnation:api"),
        ):
            draft = Draft(content=text, author=ADA, scope=Scope.parse(scope))
            engine.learn(draft, on_conflict=OnConflict.ALLOW)
    _, answer, _ = scanned(capsys, root)
    assert [c["a"]["text"] for c in answer["clashes"]] == ["Deploy day: Tuesday"]
    for target, texts in (("web/x.ts", ["Deploy day: Tuesday"]), ("api/x.ts", [])):
        program.run(app, "tur", ["scan", str(root), "--for", target, "--json"])
        told = json.loads(capsys.readouterr().out)
        assert [c["a"]["text"] for c in told["clashes"]] == texts
    (root / "AGENTS.md").write_text("- Deploy day: Friday\n")  # it holds everywhere, the memory of `api` there
    for target, days in (("web/x.ts", {"Tuesday"}), ("api/x.ts", {"Tuesday", "Sunday"})):
        program.run(app, "tur", ["scan", str(root), "--for", target, "--json"])
        told = json.loads(capsys.readouterr().out)
        assert {c["a"]["text"].removeprefix("Deploy day: ") for c in told["clashes"]} == days
    _, answer, _ = scanned(capsys, root / "api")  # the memory of `api` holds there, by another path
    assert [c["a"]["text"] for c in answer["clashes"]] == []


def test_vectors_of_the_ledger_are_not_made_anew(
    repository: Writer, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    root = repository({"AGENTS.md": "- Deploy day: Friday\n"})
    model = bytes.fromhex(sha256("embedder", "model.onnx"))
    embedded: list[str] = []
    plain = Minds._embed

    def embed(self: Minds, text: str) -> bytes | None:
        embedded.append(text)
        return model + (plain(self, text) or b"")[-384:]

    monkeypatch.setattr(Minds, "_embed", embed)
    with Engine.init(root, actor=ADA) as engine:
        engine.learn(Draft(content="Deploy day: Monday", author=ADA))
    embedded.clear()
    _, answer, _ = scanned(capsys, root)
    assert (len(answer["clashes"]), embedded) == (1, ["Deploy day: Friday"])


def test_what_codex_does_not_get_to_is_said_and_not_held_against_it(
    repository: Writer, capsys: pytest.CaptureFixture[str]
) -> None:
    long = "- Door: open\n" + "".join(f"- Rule {n}: {'x' * 60}\n" for n in range(500)) + "- Door: shut\n"
    root = repository({"AGENTS.md": long, "web/AGENTS.md": "- Door: ajar\n"})
    _, answer, err = scanned(capsys, root)
    told = {tuple(sorted((c["a"]["line"], c["b"]["line"]))): c["agents"] for c in answer["clashes"]}
    assert told[1, 502] == ["Copilot", "Cursor", "Windsurf"]
    whole, inner = answer["files"]
    line = whole["stops_at"]["Codex"]
    assert len("\n".join(long.splitlines()[: line - 1]).encode()) + 1 <= 32 * 1024
    assert len("\n".join(long.splitlines()[:line]).encode()) > 32 * 1024
    assert inner["stops_at"] == {"Codex": 1}  # the outer file has used up all of it
    assert f"AGENTS.md:{line} and what follows is not read by Codex, which takes in 32 KiB in all" in err
    code = program.run(app, "tur", ["scan", str(root), "--agent", "codex", "--json"])
    assert (code, json.loads(capsys.readouterr().out)["clashes"]) == (0, [])
    (root / ".codex").mkdir()
    (root / ".codex" / "config.toml").write_text("project_doc_max_bytes = 100000\n")
    _, answer, err = scanned(capsys, root)
    assert [file["stops_at"] for file in answer["files"]] == [{}, {}]
    assert "Codex" not in err
