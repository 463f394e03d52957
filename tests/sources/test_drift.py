"""Lines of rule files that came, changed or went, against what the ledger holds."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.govern.signing import put_in_force
from tests.sources.conftest import Writer
from tur_engine.cli import program
from tur_engine.cli.app import app
from tur_engine.engine import Engine
from tur_engine.errors import NoStore
from tur_engine.records import Author, AuthorKind, Draft, MemoryType, OnConflict
from tur_engine.rulebook import Drift, DriftKind, Rulebook
from tur_engine.sources.drift import MOST_FILES, MOST_LINES, Drifting
from tur_engine.sources.watching import folders_of, matters

pytestmark = pytest.mark.usefixtures("plain_minds")
ADA = Author(kind=AuthorKind.HUMAN, name="ada")
RULES = "# Rules\n\n- Port: 1\n- Deploy day: Monday\n"


@pytest.fixture
def root(repository: Writer) -> Path:
    return repository({"AGENTS.md": RULES, "web/CLAUDE.md": "- Quotes: single\n", "src/a.py": ""})


@pytest.fixture
def engine(root: Path) -> Iterator[Engine]:
    with Engine.init(root, actor=ADA) as engine:
        for line, text in ((3, "Port: 1"), (4, "Deploy day: Monday")):
            provenance = {"file": "AGENTS.md", "line": str(line)}
            engine.learn(Draft(content=text, author=ADA, provenance=provenance))
        yield engine


def told(drifts: list[Drift]) -> list[tuple[str, str]]:
    return [(drift.kind.value, drift.place) for drift in drifts]


def test_what_stood_there_and_what_only_moved_is_no_news(root: Path, engine: Engine) -> None:
    drifting = Drifting(root, engine)
    assert drifting.look() == []
    (root / "AGENTS.md").write_text("Hello there.\n\n# Rules\n\n- Deploy day: monday.\n* Port: 1\n")
    assert told(drifting.look()) == [("new line", "AGENTS.md:1")]  # the greeting alone
    (root / "AGENTS.md").rename(root / "GEMINI.md")
    assert drifting.look() == []
    os.symlink("GEMINI.md", root / "AGENTS.md")
    assert drifting.look() == []


def test_a_line_that_contradicts_one_that_is_unknown_and_one_that_is_gone(root: Path, engine: Engine) -> None:
    drifting = Drifting(root, engine)
    (root / "AGENTS.md").write_text("# Rules\n\n- Deploy day: Friday\n- Colour: red\n")
    drifts = drifting.look()
    assert told(drifts) == [("gone", "AGENTS.md:3"), ("drift", "AGENTS.md:3"), ("new line", "AGENTS.md:4")]
    gone, drift, new = drifts
    assert gone.memory is not None
    assert gone.memory.memory.content == "Port: 1"
    assert drift.memory is not None
    assert drift.clash is not None
    assert (drift.memory.memory.content, drift.clash.b.text) == ("Deploy day: Monday", "Deploy day: Friday")
    assert drift.clash.evidence
    assert "Deploy day: Friday" in drift.sentence
    assert '"Colour: red"' in new.sentence
    assert engine.head() == 3  # nothing was written
    (root / "AGENTS.md").write_text(RULES)
    assert drifting.look() == []  # as the ledger has it


def test_an_invariant_is_named_as_one(root: Path, engine: Engine) -> None:
    proposed = engine.learn(Draft(content="Transport: TLS", type=MemoryType.CORE, author=ADA))
    put_in_force(engine, proposed.id or "")
    drifting = Drifting(root, engine)
    (root / "web" / "CLAUDE.md").write_text("- Transport: plain\n")
    (drift,) = drifting.look()
    assert drift.sentence.startswith("contradicts the invariant core-")


def test_what_the_ledger_learns_meanwhile_is_known(root: Path, engine: Engine) -> None:
    drifting = Drifting(root, engine)
    (root / "web" / "CLAUDE.md").write_text("- Colour: red\n")
    assert told(drifting.look()) == [("new line", "web/CLAUDE.md:1")]
    engine.learn(Draft(content="Shape: round", author=ADA))
    (root / "web" / "CLAUDE.md").write_text("- Shape: round\n- Shape: square\n")
    assert told(drifting.look()) == [("drift", "web/CLAUDE.md:2")]


def test_a_block_that_the_ledger_wrote_is_no_drift(root: Path, engine: Engine, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(root)
    engine.learn(Draft(content="Port: 2", author=ADA), on_conflict=OnConflict.ALLOW)  # it stands as not settled
    engine.learn(Draft(content="# *Style*: `a` <b>\nand so on", author=ADA))
    drifting = Drifting(root, engine)
    (root / "web" / "AGENTS.md").write_text("")
    assert program.run(app, "tur", ["render", "web/AGENTS.md", "--yes"]) == 0
    assert "Port: 2" in (root / "web" / "AGENTS.md").read_text()
    assert drifting.look() == []


def test_many_at_once_are_one_line(root: Path, engine: Engine) -> None:
    drifting = Drifting(root, engine)
    for n in range(50):
        (root / f"part{n}").mkdir()
        (root / f"part{n}" / "AGENTS.md").write_text(f"- Port: {n}\n")
    (drift,) = drifting.look()
    assert drift.kind is DriftKind.MANY
    assert "50 rule files changed at once: 50 lines came, 0 went; tur scan" in drift.sentence
    (root / "AGENTS.md").write_text("".join(f"- Key{n}: {n}\n" for n in range(MOST_LINES)))
    assert [each.kind for each in drifting.look()] == [DriftKind.MANY]
    (root / "AGENTS.md").write_text("".join(f"- Key{n}: {n}\n" for n in range(MOST_LINES + 8)))
    (drift,) = drifting.look()
    assert (drift.kind, drift.place) == (DriftKind.NEW, f"AGENTS.md:{MOST_LINES + 1}")
    assert "8 lines are unknown to the ledger" in drift.sentence
    assert MOST_FILES < 50


def test_a_switched_branch_is_named(root: Path, engine: Engine) -> None:
    (root / ".git").mkdir()
    (root / ".git" / "HEAD").write_text("ref: refs/heads/main\n")
    drifting = Drifting(root, engine)
    (root / ".git" / "HEAD").write_text("ref: refs/heads/big\n")
    (root / "AGENTS.md").write_text("".join(f"- Key{n}: {n}\n" for n in range(MOST_LINES + 1)))
    (drift,) = drifting.look()
    assert "now on branch big" in drift.sentence


@pytest.mark.parametrize(
    "damage", [b"\0\1\2", b"\xff\xfa binary", b"x" * (1024 * 1024 + 1)], ids=["nul", "latin", "large"]
)
def test_a_file_that_is_no_text_any_more_is_one_sentence(root: Path, engine: Engine, damage: bytes) -> None:
    drifting = Drifting(root, engine)
    (root / "AGENTS.md").write_bytes(damage)
    (drift,) = drifting.look()
    assert drift.kind is DriftKind.UNREAD
    assert drift.sentence.startswith("AGENTS.md is ")
    assert drifting.look() == []
    (root / "AGENTS.md").write_text(RULES)
    assert drifting.look() == []
    (root / "AGENTS.md").unlink()
    assert told(drifting.look()) == [("gone", "AGENTS.md:3"), ("gone", "AGENTS.md:4")]


def test_only_what_can_matter_is_waited_for(root: Path, engine: Engine) -> None:
    found = Drifting(root, engine).found
    folders = [each.relative_to(root).as_posix() for each in folders_of(found)]
    assert folders[:2] == [".", "web"]  # those with rule files first
    assert set(folders) >= {"src"}
    assert matters(found, str(root / "web" / "CLAUDE.md"))
    assert matters(found, str(root / "new" / "AGENTS.md"))
    assert matters(found, str(root / "web"))  # removed, with what was in it
    assert matters(found, str(root / ".git" / "HEAD"))
    assert not matters(found, str(root / ".git" / "index"))
    assert not matters(found, str(root / "src" / "a.py"))
    assert not matters(found, str(root / ".tur" / "ledger.db"))


def test_the_system_tells_of_changes(root: Path, engine: Engine) -> None:
    stop, heard = threading.Event(), []
    ready = threading.Event()

    def follow() -> None:
        for drifts in Rulebook(root, engine).follow(stop):
            ready.set()
            heard.extend(drifts)

    thread = threading.Thread(target=follow)
    thread.start()
    assert ready.wait(8)

    def heard_of(kind: DriftKind) -> bool:
        for _ in range(160):
            if any(drift.kind is kind for drift in heard):
                return True
            stop.wait(0.05)
        return False

    try:
        (root / "web" / "CLAUDE.md").write_text("- Deploy day: Friday\n")
        assert heard_of(DriftKind.DRIFT)
        (root / "deep" / "er").mkdir(parents=True)  # a folder that was not there
        (root / "deep" / "er" / "AGENTS.md").write_text("- Colour: red\n")
        assert heard_of(DriftKind.NEW)
        (root / "AGENTS.md").unlink()
        assert heard_of(DriftKind.GONE)
    finally:
        stop.set()
        thread.join(8)
    assert not thread.is_alive()


def test_which_repository_a_store_stands_in(root: Path, engine: Engine, tmp_path: Path) -> None:
    assert Rulebook.around(engine, root) is None  # no repository
    (root / ".git").mkdir()
    book = Rulebook.around(engine, tmp_path)
    assert book is not None
    assert book.root == root
    with pytest.raises(NoStore, match="make one with `tur init`"):
        next(Rulebook(root).follow(threading.Event()))
