"""`tur-tui list` and `tur-tui show`: the queue and one conflict as text and as JSON, without a terminal."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.ui.stores import PAIRS, learn, store
from tur_engine.errors import UnknownId
from tur_engine.records import MemoryType
from tur_tui.__main__ import main
from tur_tui.twins import list_conflicts, show

HOSTILE = ("Tea is green", "Tea is \u202eblack[/b] {x}")


def test_list_and_show_tell_the_queue_and_one_of_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with store(tmp_path, (PAIRS[0], HOSTILE)) as engine:
        first, second = engine.conflicts()
        assert list_conflicts(engine) == 0
        told = capsys.readouterr().out
        assert told.index(PAIRS[0][1]) < told.index("Tea is green")
        assert "2 open conflicts" in told
        assert "\u202e" not in told
        assert list_conflicts(engine, as_json=True) == 0
        data = json.loads(capsys.readouterr().out)
        assert [each["conflict_id"] for each in data["conflicts"]] == [first.id, second.id]
        assert data["conflicts"][1]["challenger"]["content"] == HOSTILE[1]
        for ref in (first.id, first.id[:20], first.id.removeprefix("conflict-")[:12]):
            assert show(engine, ref) == 0
            told = capsys.readouterr().out
            assert "s supersede: " in told
            assert all(len(line) <= 100 for line in told.splitlines())
        engine._served.note([(first.incumbent.memory.digest, True)], "agent:otter", "s-\x1b", engine.head())
        assert show(engine, first.id) == 0
        assert f"{first.incumbent.memory.short_id} was served once to otter s-‹" in capsys.readouterr().out
        assert show(engine, first.id, as_json=True) == 0
        assert "was served once" in json.loads(capsys.readouterr().out)["exposed"]
        assert show(engine, second.challenger.id, as_json=True) == 0
        assert json.loads(capsys.readouterr().out)["memory"]["content"] == HOSTILE[1]
        proposed = learn(engine, "Never log passwords", type=MemoryType.AXIOM).proposal_id or ""
        for ref in (proposed, proposed.removeprefix("proposal-")[:12]):
            assert show(engine, ref) == 0
            assert "Never log passwords" in capsys.readouterr().out
        with pytest.raises(UnknownId):
            show(engine, "conflict-abcdef123456")


def test_from_the_command_line_each_ends_with_its_code(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    store(tmp_path, PAIRS[:1]).close()
    for words, code in (
        (["list", "--store", str(tmp_path)], 0),
        (["--store", str(tmp_path), "list", "--json"], 0),
        (["show", "zz", "--store", str(tmp_path)], 2),
        (["list", "--store", str(tmp_path / "none")], 1),
        (["serve", "--port", "99999"], 2),
    ):
        with pytest.raises(SystemExit) as ended:
            main(words)
        assert ended.value.code == code, words
    told = capsys.readouterr()
    assert "Alembic" in told.out
    assert "Traceback" not in told.err
