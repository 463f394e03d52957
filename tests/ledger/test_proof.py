"""A proof convinces somebody who has nothing but the script in docs/proofs.md, and nothing else does."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.ledger.makings import MARA, draft, redact_memory
from tests.ledger.test_merkle import root_of
from tur_engine import payloads
from tur_engine.engine import Engine
from tur_engine.errors import BadInput, UnknownId
from tur_engine.ledger.merkle import Peaks, audit_path, consistency_path, leaf_hash, node_hash


@pytest.fixture
def script(repo_root: Path, tmp_path: Path) -> Path:
    """The script as the document gives it."""
    page = (repo_root / "docs" / "proofs.md").read_text("utf-8")
    [code] = [block.partition("```")[0] for block in page.split("```python\n")[1:]]
    path = tmp_path / "check.py"
    path.write_text(code, "utf-8")
    return path


def check(script: Path, proof: dict[str, Any]) -> tuple[int, str]:
    done = subprocess.run([sys.executable, str(script)], input=json.dumps(proof), capture_output=True, text=True)
    return done.returncode, done.stdout + done.stderr


def shown(engine: Engine, ref: str, since: int | None = None) -> dict[str, Any]:
    return json.loads(json.dumps(payloads.proof(engine.prove(ref, since=since))))  # type: ignore[no-any-return]


def test_a_stranger_is_convinced(story: Path, script: Path) -> None:
    with Engine.open(story, actor=MARA) as engine:
        beliefs = [belief for belief in engine.memories(limit=-1) if not belief.memory.redacted]
        for belief in (beliefs[0], beliefs[-1], beliefs[len(beliefs) // 2]):
            proof = shown(engine, belief.id, since=belief.memory.seq)
            assert proof["root"] == engine.status().head.root
            assert proof["content"] == belief.memory.content
            code, said = check(script, proof)
            assert code == 0, said
            assert said.count("holds: ") == 4 + ("details" in proof)
        for size in (1, 6, engine.head()):
            code, said = check(script, shown(engine, beliefs[0].id, since=size))
            assert code == 0, (size, said)


def test_a_node_of_a_graph_is_proved_with_its_text_and_type(story: Path, script: Path) -> None:
    with Engine.open(story, actor=MARA) as engine:
        door = next(b for b in engine.memories(limit=-1) if b.memory.content.startswith("door:"))
        proof = shown(engine, door.id)
    assert proof["memory"].startswith("concept-")
    assert proof["content"] == door.memory.content
    assert json.loads(proof["details"])["node_type"] == "Concept"
    code, said = check(script, proof)
    assert code == 0, said
    assert "holds: the record names these details" in said


def test_a_stranger_is_not_deceived(story: Path, script: Path) -> None:
    with Engine.open(story, actor=MARA) as engine:
        sound = shown(engine, next(b.id for b in engine.memories() if b.memory.content.startswith("day 7")), since=21)
    other = "ab" * 32
    for change in (
        {"event": sound["event"].replace("human:mara", "human:nora")},
        {"content": sound["content"] + "!"},
        {"details": sound["details"].replace("7", "8")},
        {"memory": f"fact-{other}"},
        {"root": other},
        {"leaf_index": sound["leaf_index"] - 1},
        {"leaf_index": sound["leaf_index"] + 64},
        {"leaf_index": 0, "tree_size": 1},
        {"tree_size": 1},
        {"audit_path": [other, *sound["audit_path"][1:]]},
        {"audit_path": sound["audit_path"][:-1]},
        {"consistency": sound["consistency"] | {"root": other}},
        {"consistency": sound["consistency"] | {"size": 20}},
        {"consistency": sound["consistency"] | {"path": []}},
        {"consistency": {"size": sound["tree_size"], "root": other, "path": []}},
        {"consistency": sound["consistency"] | {"path": [other, *sound["consistency"]["path"][1:]]}},
    ):
        code, said = check(script, sound | change)
        assert code == 1, (change, said)
        assert "FALSE" in said


def test_a_redacted_memory_is_proved_without_its_text(engine: Engine, script: Path) -> None:
    result = engine.learn(draft("the vault: in the cellar"))
    redact_memory(engine, result.id or "")
    proof = shown(engine, result.id or "")
    assert "content" not in proof
    assert check(script, proof)[0] == 0


def test_what_cannot_be_proved(engine: Engine) -> None:
    result = engine.learn(draft("a: b"))
    with pytest.raises(UnknownId):
        engine.prove("abcdef")
    with pytest.raises(BadInput, match="never held 99 events"):
        engine.prove(result.id or "", since=99)


@given(st.lists(st.binary(max_size=4), min_size=1, max_size=40), st.data())
def test_paths_are_those_of_the_definition(leaves: list[bytes], data: st.DataObject) -> None:
    hashes = [leaf_hash(leaf) for leaf in leaves]
    index = data.draw(st.integers(0, len(leaves) - 1))
    assert audit_path(hashes, index) == path_by_definition(index, leaves)
    first = data.draw(st.integers(1, len(leaves)))
    assert consistency_path(hashes, first) == sub_proof(first, leaves, True)


def path_by_definition(index: int, leaves: list[bytes]) -> list[bytes]:
    """PATH(m, D[n]) of RFC 6962, 2.1.1."""
    if len(leaves) == 1:
        return []
    split = 1 << ((len(leaves) - 1).bit_length() - 1)
    if index < split:
        return [*path_by_definition(index, leaves[:split]), root_of(leaves[split:])]
    return [*path_by_definition(index - split, leaves[split:]), root_of(leaves[:split])]


def sub_proof(size: int, leaves: list[bytes], known: bool) -> list[bytes]:
    """SUBPROOF(m, D[n], b) of RFC 6962, 2.1.2."""
    if size == len(leaves):
        return [] if known else [root_of(leaves)]
    split = 1 << ((len(leaves) - 1).bit_length() - 1)
    if size <= split:
        return [*sub_proof(size, leaves[:split], known), root_of(leaves[split:])]
    return [*sub_proof(size - split, leaves[split:], False), root_of(leaves[:split])]


@given(st.lists(st.binary(max_size=4), max_size=40), st.integers(0, 40))
def test_a_tree_grown_in_two_steps(leaves: list[bytes], cut: int) -> None:
    assert Peaks().extend(leaves[:cut]).extend(leaves[cut:]).root == root_of(leaves)
    assert node_hash(b"a", b"b") != leaf_hash(b"ab")


def test_heads_of_many_sizes_in_one_pass(story: Path) -> None:
    with Engine.open(story, actor=MARA) as engine:
        ledger = engine._ledger
        sizes = [0, 1, 7, engine.head()]
        assert ledger.tree_heads(sizes) == {size: ledger.tree_head(at=size) for size in sizes}
        assert ledger.tree_heads([]) == {}
        with pytest.raises(BadInput, match="never held"):
            ledger.tree_heads([engine.head() + 1])
