"""`tur introspect` and the tool of that name: what they answer, how they are stopped."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from tests.cli.conftest import Programs, tur
from tests.mcp.test_server import harness
from tests.standins import PlainDetector, install
from tur_engine.cli import introspect as command
from tur_engine.engine import Engine
from tur_engine.records import Author, Draft, Relationship, Verdict

__all__ = ["tur"]

COUNTS = (
    *("scanned", "pairs_judged", "conflicts_found", "duplicates_found", "refinements", "suspects", "cycles"),
    "seconds",
)


@pytest.fixture
def unseen(monkeypatch: pytest.MonkeyPatch, workdir: Path) -> None:
    """A store that took in contradictions and one repetition before the detector could see them."""
    install(monkeypatch)
    goes = Verdict(relationship=Relationship.COMPATIBLE, probability=0.01)
    with monkeypatch.context() as blind, Engine.init(workdir, actor=Author.parse("human:anna")) as engine:
        blind.setattr(PlainDetector, "weigh", lambda self, challenger, candidates: [goes] * len(candidates))
        for text in ("editor: vim", "shell: zsh", "editor: helix [/b]\u202e", "shell:  ZSH"):
            engine.learn(Draft(content=text, author=engine.actor, topic=text if "ZSH" in text else None))


def test_the_contracts_counts_come_first_and_then_the_pairs(unseen: None, tur: Programs) -> None:
    tried = tur("introspect", "--dry-run", "--json").json
    assert tried["dry_run"]
    done = tur("introspect", "--json", "--workers", "1").json
    assert tuple(done)[: len(COUNTS)] == COUNTS
    assert all(isinstance(done[name], int) for name in COUNTS[:-1])
    assert (done["scanned"], done["conflicts_found"], done["duplicates_found"]) == (4, 1, 1)
    (conflict,) = done["conflicts"]
    assert conflict["conflict_id"] == tur("conflicts", "--json").json["conflicts"][0]["conflict_id"]
    assert {k: v for k, v in tried.items() if k not in ("seconds", "dry_run")} == {
        k: v for k, v in done.items() if k not in ("seconds", "dry_run", "conflicts", "duplicates")
    } | {name: tried[name] for name in ("conflicts", "duplicates")}
    assert tur("introspect", "--json").json["scanned"] == 0


def test_in_words_nothing_of_a_memory_steers_the_screen(unseen: None, tur: Programs) -> None:
    told = tur("introspect")
    assert told.code == 0
    assert "contradicts" in told.out
    assert "says the same as" in told.out
    assert "[/b]" in told.out
    assert "\u202e" not in told.out
    assert "4 memories read" in told.out
    assert "conflicts opened: 1, repetitions noted: 1, refinements linked: 0" in told.out


def test_ctrl_c_ends_it_with_what_was_found(unseen: None, tur: Programs, monkeypatch: pytest.MonkeyPatch) -> None:
    def pressed(done: int, of: int) -> None:
        raise KeyboardInterrupt

    class Bar:
        def __enter__(self) -> object:
            return pressed

        def __exit__(self, *error: object) -> None:
            return None

    monkeypatch.setattr(command, "bar", lambda *words: Bar())
    stopped = tur("introspect", "--json")
    assert stopped.code == 130
    assert stopped.json["stopped"]
    assert stopped.json["conflicts_found"] == 1
    assert "what was found is kept" in stopped.err
    assert tur("conflicts", "--json").json["total"] == 1


@pytest.mark.parametrize(
    "options",
    [
        ("--shard", "3/2"),
        ("--workers", "0"),
        ("--scope", "user"),
        ("--commit", "graph.json", "--delegate"),
        ("--delegate", "--shard", "1/2"),
        ("--on-conflict", "hold"),
    ],
)
def test_options_that_do_not_go_together_are_refused(unseen: None, tur: Programs, options: tuple[str, ...]) -> None:
    refused = tur("introspect", *options)
    assert refused.code == 2
    assert refused.out == ""
    assert refused.err.count("\n") == 1


async def test_an_agent_may_ask_for_a_pass_and_people_settle_what_it_finds(unseen: None) -> None:
    async with harness() as call:
        answer = await call("introspect", seconds=60)
        assert (answer["conflicts_found"], answer["stopped"]) == (1, False)
        assert (await call("list_conflicts"))["total"] == 1
        assert (await call("introspect"))["scanned"] == 0
        assert (await call.refused("introspect", seconds=0))["code"] == "bad_input"


def test_a_circle_is_told_by_the_ids_that_people_see(
    tur: Programs, workdir: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    install(monkeypatch)
    nodes = [{"id": name, "type": "Fact", "content": f"lamp {name}: lit"} for name in "ab"]
    edges = [{"source": one, "target": other, "type": "depends_on"} for one, other in ("ab", "ba")]
    Path("old.json").write_text(json.dumps({"nodes": nodes, "edges": edges}))
    assert tur("import", "old.json").code == 0
    (line,) = [line for line in tur("introspect").out.splitlines() if line.startswith("a circle of reasons: ")]
    assert re.fullmatch(r"(concept-[0-9a-f]{8} -> ){2}concept-[0-9a-f]{8}", line.partition(": ")[2])
