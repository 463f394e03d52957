"""Runs the command line inside the test's process, with streams of its own."""

from __future__ import annotations

import io
import json
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from tests.cli.ruled import RULE, weigh_by_what_is_known
from tests.govern.signing import put_in_force
from tur_engine.cli import __main__ as tur_program
from tur_engine.cli import adm as adm_program
from tur_engine.engine import Engine
from tur_engine.records import Author, AuthorKind


class Terminal(io.StringIO):
    """A stream that says it is a terminal."""

    def isatty(self) -> bool:
        return True


@dataclass(frozen=True)
class Ran:
    """One command's exit code and output."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> dict[str, Any]:
        answer = json.loads(self.out)
        assert isinstance(answer, dict)
        return answer


class Programs:
    """Calls `tur` and `tur-adm`."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self._monkeypatch = monkeypatch

    def __call__(self, *arguments: str, stdin: bytes | None = None) -> Ran:
        """Run `tur` without a terminal."""
        return self._run(tur_program.main, arguments, io.TextIOWrapper(io.BytesIO(stdin or b""), "utf-8"), io.StringIO)

    def adm(self, *arguments: str) -> Ran:
        """Run `tur-adm` without a terminal."""
        return self._run(adm_program.main, arguments, io.TextIOWrapper(io.BytesIO(), "utf-8"), io.StringIO)

    def at_terminal(self, *arguments: str, keys: str = "") -> Ran:
        """Run `tur` on a terminal where these lines are typed."""
        return self._run(tur_program.main, arguments, Terminal(keys), Terminal)

    def _run(
        self,
        main: Callable[[Sequence[str]], int],
        arguments: Sequence[str],
        stdin: Any,
        stream: Callable[[], io.StringIO],
    ) -> Ran:
        out, err = stream(), stream()
        with self._monkeypatch.context() as patch:
            patch.setattr(sys, "stdin", stdin)
            patch.setattr(sys, "stdout", out)
            patch.setattr(sys, "stderr", err)
            patch.setenv("NO_COLOR", "1")
            code = main(list(arguments))
        return Ran(code, out.getvalue(), err.getvalue())


@pytest.fixture
def tur(monkeypatch: pytest.MonkeyPatch) -> Programs:
    """The programs."""
    return Programs(monkeypatch)


@pytest.fixture
def store(tur: Programs, workdir: Path) -> Path:
    """A fresh store in the working folder."""
    assert tur("init").code == 0
    return workdir / ".tur" / "ledger.db"


def approve(store: Path, memory_id: str) -> None:
    """Put a proposed axiom or core in force, as an approval does."""
    with Engine.open(store, actor=Author(kind=AuthorKind.HUMAN, name="anna")) as engine:
        put_in_force(engine, memory_id)


@pytest.fixture
def invariant(tur: Programs, store: Path) -> str:
    """The id of an approved core memory: what a person has laid down."""
    proposed = tur("learn", "All service traffic must use TLS encryption", "--type", "core", "--json").json
    assert proposed["status"] == "proposed"
    approve(store, proposed["id"])
    return str(proposed["id"])


@pytest.fixture
def known(monkeypatch: pytest.MonkeyPatch) -> None:
    """What clashes is known without a model."""
    weigh_by_what_is_known(monkeypatch)


@pytest.fixture
def rule(tur: Programs, store: Path) -> str:
    """The id of an axiom in force, `ruled.RULE`."""
    proposed = tur("learn", RULE, "--type", "axiom", "--json").json
    approve(store, proposed["id"])
    return str(proposed["id"])
