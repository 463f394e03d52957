"""docs/mcp.md and SKILL.md name tools that exist, all of them, with arguments that they take."""

from __future__ import annotations

import json
import re
import tomllib
from pathlib import Path

import pytest

from tur_engine.mcp.__main__ import parser
from tur_engine.mcp.server import TurServer
from tur_engine.mcp.visit import Visit

CALL = re.compile(r"`?(\w+)\(([^()]*)\)")
FENCED = re.compile(r"```(json|toml)\n(.*?)```", re.DOTALL)


@pytest.mark.parametrize("page", ["docs/mcp.md", "SKILL.md"])
def test_the_tools_named_are_the_tools_there_are(page: str, repo_root: Path) -> None:
    text = (repo_root / page).read_text("utf-8")
    takes = TurServer(Visit(None, None)).arguments_of
    named = set(re.findall(r"`(\w+)(?:\([^`]*\))?`", text))
    assert named >= takes.keys()
    called = CALL.findall(text)
    assert called
    for tool, arguments in called:
        assert tool in takes, tool
        for argument in re.findall(r"(?:^|, )(\w+)(?==)", arguments):
            assert argument in takes[tool], (tool, argument)


def test_every_configuration_starts_the_server(repo_root: Path) -> None:
    blocks = FENCED.findall((repo_root / "docs/mcp.md").read_text("utf-8"))
    assert len(blocks) == 5
    for kind, text in blocks:
        held = json.loads(text) if kind == "json" else tomllib.loads(text)
        [(_, servers)] = held.items()
        assert servers["tur"]["command"] == "tur-mcp"
        assert parser().parse_args(servers["tur"]["args"]).speaker
