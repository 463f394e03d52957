"""Whatever an agent can call, with a proposal's id wherever a text fits: the proposal waits, the invariant stands.

W25 of the peer's weaknesses: one agent's command put axioms and pending proposals out of force. The tools and commands
are asked for, not listed here, so that a new one is tried too.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
import typer
from mcp import Client

from tests import standins
from tests.cli.conftest import Programs, Ran, store, tur
from tests.cli.test_governance import propose, reviewer, with_passphrase
from tests.govern.attacking import CLASH, OPPOSITE, held, stands, waiting
from tur_engine.cli.adm_app import app as tur_adm
from tur_engine.cli.app import app as tur_app
from tur_engine.mcp.server import TurServer
from tur_engine.mcp.visit import Visit
from tur_engine.records import Verb

__all__ = ["held", "reviewer", "store", "tur", "with_passphrase"]

NOT_CALLED = {"tur-adm proposal submit", "tur propose", "tur watch"}
"""The first two file further proposals, which is what they are for: test_attacks.py tries them. The last only reads,
and goes on until it is interrupted."""
ENDLESS = {"--watch"}
"""Flags with which a command does the same."""


@pytest.fixture
def pending(tur: Programs, held: str) -> str:
    """A proposal that waits beside the invariant."""
    return propose(tur, "Logs are kept for a year")


@pytest.fixture(autouse=True)
def no_passphrase(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody sits at a terminal, whatever the tests run on."""
    monkeypatch.setattr("tur_engine.cli.passphrase._has_terminal", lambda: False)


def unchanged(tur: Programs, held: str, pending: str) -> None:
    """The proposal is as it was filed, the invariant is enforced, nothing else is in force."""
    assert pending in waiting(tur)
    assert tur("status", "--json").json["invariants"] == 1
    assert tur("learn", OPPOSITE, "--allow-conflict").code == CLASH
    stands(tur, held)


# the server ---------------------------------------------------------------------------


async def test_every_tool_is_called_with_a_proposals_id(
    tur: Programs, held: str, pending: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    called = set()
    with monkeypatch.context() as patch:
        standins.install(patch)
        async with Client(TurServer(Visit(None, "otter"))) as client:
            for tool in (await client.list_tools()).tools:
                for arguments in _calls(tool.input_schema, pending):
                    result = await client.call_tool(tool.name, arguments)
                    assert "stopped on a fault" not in str(result), (tool.name, arguments, result)
                    called.add(tool.name)
    assert called >= {"learn", "note", "propose", "recall", "resolve_conflict", "history", "status"}
    unchanged(tur, held, pending)


def _calls(schema: dict[str, Any], ref: str) -> Iterator[dict[str, Any]]:
    """Arguments for one tool: only what it needs; everything; each value of each enumeration; each text alone."""
    properties = schema.get("properties", {})
    everything = {name: _value(each, ref) for name, each in properties.items()}
    needed = {name: everything[name] for name in schema.get("required", ())}
    yield needed
    yield everything
    for name, each in properties.items():
        for word in each.get("enum", ()):
            yield everything | {name: word}
            yield needed | {name: word}
        if each.get("type") in ("string", "array") and name not in needed:
            yield needed | {name: everything[name]}


def _value(schema: dict[str, Any], ref: str) -> Any:
    """The proposal's id wherever a text fits."""
    kinds = [schema, *schema.get("anyOf", ())]
    kind: dict[str, Any] = next((each for each in kinds if "type" in each or "enum" in each), {})
    if "enum" in kind:
        return kind["enum"][-1]
    match kind.get("type"):
        case "string":
            return ref
        case "array":
            return [_value(kind.get("items", {}), ref)]
        case "object":
            return {"type": "superseded_by", "target": ref}
        case "boolean":
            return True
        case "integer":
            return max(int(kind.get("minimum", 1)), 1)
        case "number":
            return 0.5
    return ref


# the command lines --------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("program", ["tur", "tur-adm"])
def test_every_command_is_called_with_a_proposals_id(tur: Programs, held: str, pending: str, program: str) -> None:
    """As a person's name says it, for an agent may call itself so; there is neither terminal nor passphrase."""
    app, run = (tur_app, tur) if program == "tur" else (tur_adm, tur.adm)
    called = set()
    for path, command in _leaves([], typer.main.get_command(app)):
        name = " ".join([program, *path])
        for words in dict.fromkeys(map(tuple, _words(command, pending))) if name not in NOT_CALLED else ():
            ran = run("--as", "human:mara", *path, *words)
            assert "a fault in this program" not in ran.err, (name, words, ran.err)
            called.add(name)
    assert len(called) > 10
    assert called >= ({"tur learn", "tur resolve", "tur undo"} if program == "tur" else {"tur-adm proposal approve"})
    unchanged(tur, held, pending)


def _leaves(path: list[str], group: Any) -> Iterator[tuple[list[str], Any]]:
    for name, command in group.commands.items():
        if hasattr(command, "commands"):
            yield from _leaves([*path, name], command)
        else:
            yield [*path, name], command


def _words(command: Any, ref: str) -> Iterator[list[str]]:
    """Command lines for one command: every place filled, with no flag, every flag, each option, each verb."""
    own = [each for each in command.params if each.name not in ("help", "json", "store", "speaker", "version")]
    options = [each for each in own if each.param_type_name == "option"]
    flags = [each.opts[0] for each in options if each.is_flag and each.opts[0] not in ENDLESS]
    why = ["--reason", "because"] if any(each.name == "reason" for each in options) else []
    places = [each for each in own if each.param_type_name == "argument"]
    always = [word for each in options if each.required for word in (each.opts[0], ref)] + why
    filled = [*(ref for _ in places), *always]
    yield filled
    yield [*filled, *flags]
    for option in (each for each in options if not each.is_flag):
        yield [*filled, option.opts[0], ref]
        yield [*(ref for each in places if each.required), *always, option.opts[0], ref, *flags[:1]]
    for at in (at for at, each in enumerate(places) if each.name == "verb"):
        yield from ([*filled[:at], verb.value, *filled[at + 1 :]] for verb in Verb)


def test_a_session_is_swept_away(tur: Programs, with_passphrase: Callable[..., Ran], held: str, pending: str) -> None:
    """W25, as it is possible here: all that an author did is taken back; what waits, or was signed, stays."""
    author = tur("history", pending, "--json").json["events"][0]["actor"].partition(":")[2]
    assert tur("--as", author, "learn", "The lift works", "--session", "today").code == 0
    swept = tur("--as", "human:mara", "undo", "--agent", author, "--yes", "--json")
    assert swept.code == 0
    assert (swept.json["undone"], swept.json["kept"]) == (1, 2)
    unchanged(tur, held, pending)
