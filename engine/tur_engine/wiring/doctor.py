"""Proves that a test clash is stopped through each wired surface, in a throw-away store, and names what is missing."""

from __future__ import annotations

import re
import tempfile
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import count
from pathlib import Path
from typing import Any

from ..errors import BadInput, TurError
from ..records import Author
from ..text import counted
from . import trying
from .earnest import in_earnest
from .findings import Finding
from .harnesses import HARNESSES, Harness, Piece, Reach, Role, read_here
from .server import server
from .stage import PORT, Stage
from .trust import is_plain
from .wired import Wire, data_of, text_of, wires

AT_ONCE = 2
"""Servers and hooks of one harness that are tried at a time."""


def examine(
    root: Path, store: Path | None, actor: Author, named: Sequence[Harness] = (), *, trusted: bool = False
) -> Iterator[Finding]:
    """Yield a finding on the models, the ledger, the command line, and each harness's server and hooks.

    `named` harnesses must be wired; of the others those are tried that are. One at least must be. Unless `trusted`, of
    the repository's own files only plain calls of tur are started.
    """
    yield _models()
    yield _ledger(root, store, actor)
    looked = {harness.key: wires(harness, root) for harness in HARNESSES if not named or harness in named}
    ports = count(PORT + 557)
    with tempfile.TemporaryDirectory(prefix="tur-doctor-", ignore_cleanup_errors=True) as folder:
        stage = Stage(Path(folder).resolve())
        try:
            stage.set_up()
        except TurError as error:
            yield Finding("command line", False, str(error), "reinstall tur-tui, or mend what the sentence names")
            return
        yield trying.command_line(stage, next(ports))
        for harness in HARNESSES:
            if harness.key in looked:
                found, faults = looked[harness.key]
                must = harness in named
                yield from _harness(harness, found, faults, stage, ports, root, actor, must=must, trusted=trusted)
    if not named and not any(found for found, _ in looked.values()):
        choices = "|".join(harness.key for harness in HARNESSES)
        yield Finding("harnesses", False, "no harness is wired, so nothing asks tur", f"tur setup {choices}")


def _models() -> Finding:
    from ..models import verify_models

    problems = verify_models()
    if problems:
        return Finding("models", False, "; ".join(problems), "reinstall tur-tui")
    return Finding("models", True, "the models are, by their hashes, those that were measured")


def _ledger(root: Path, store: Path | None, actor: Author) -> Finding:
    from .. import whereabouts
    from ..engine import Engine

    try:
        path = whereabouts.find(store, root)
        if not path.exists():
            return Finding("ledger", False, "there is no store here, above or of your own", "tur init")
        with Engine.open(path, actor=actor, read_only=True, to_mend=True) as engine:
            report = engine.verify()
    except TurError as error:
        return Finding("ledger", False, str(error), "tur verify")
    if not report.ok:
        return Finding("ledger", False, f"{path} does not verify: {report.problem}", "tur verify")
    if report.former:
        what, _, mend = report.former.partition("; ")
        return Finding("ledger", False, what, mend)
    return Finding("ledger", True, f"{path} verifies ({counted(report.events, 'event')})")


def _harness(
    harness: Harness,
    found: list[Wire],
    faults: list[str],
    stage: Stage,
    ports: Iterator[int],
    root: Path,
    actor: Author,
    *,
    must: bool,
    trusted: bool,
) -> Iterator[Finding]:
    for fault in faults:
        yield Finding(harness.name, False, fault, "mend that file by hand")
    if not found and not must:
        if not faults:
            yield Finding(harness.name, None, "not wired", f"tur setup {harness.key}")
        return
    for off in _switched_off(harness, root):
        yield Finding(harness.name, False, off, "take that line out of the file")
    different = {(wire.role, wire.event, wire.command, wire.args, wire.seconds): wire for wire in reversed(found)}
    wired = [(wire, next(ports)) for wire in reversed(different.values())]
    with ThreadPoolExecutor(AT_ONCE) as pool:
        yield from pool.map(lambda each: _tried(harness, each[0], each[1], stage, root, actor, trusted=trusted), wired)
    for piece in _pieces(harness):
        event = piece.path[-1] if piece.is_item else ""
        beside = [wire for wire in found if wire.role is piece.role and wire.event == event]
        if not beside:
            yield _finding_on_missing(harness, piece, root)
        elif piece.is_item and (tool := _tool(piece)) and not any(_matches(harness, wire, tool) for wire in beside):
            sentence = f"{event}: the matcher {beside[0].matcher!r} in {beside[0].file} leaves out {tool}"
            yield Finding(harness.name, False, sentence, f"write {piece.value['matcher']!r} there")


def _tried(
    harness: Harness, wire: Wire, port: int, stage: Stage, root: Path, actor: Author, *, trusted: bool
) -> Finding:
    if not trusted and not is_plain(wire, root):
        sentence = f"`{wire.command}` in {wire.file} is more than a call of tur, so it was not started"
        return Finding(
            harness.name, False, f"{wire.event or 'MCP'}: {sentence}", "tur doctor --trust, once you read it"
        )
    if (fault := in_earnest(wire, root, actor)) is not None:
        sentence, mend = fault
        told = f"`{' '.join([wire.command, *wire.args])}` in {wire.file} {sentence}"
        return Finding(harness.name, False, f"{wire.event or 'MCP'}: {told}", mend)
    return (server if wire.role is Role.SERVER else trying.hook)(harness, wire, stage, port)


def _pieces(harness: Harness) -> list[Piece]:
    return [piece for listed in harness.pieces(Reach.PROJECT).values() for piece in listed]


def _tool(piece: Piece) -> str:
    """The first tool that a hook is for; "" where it is for all."""
    return str(piece.value.get("matcher", "")).partition("|")[0]


def _matches(harness: Harness, wire: Wire, tool: str) -> bool:
    if wire.matcher in ("", "*"):
        return True
    try:
        found = (re.fullmatch if harness.key == "claude" else re.search)(wire.matcher, tool)
    except re.error:
        return False
    return found is not None


def _finding_on_missing(harness: Harness, piece: Piece, root: Path) -> Finding:
    servers, hooks = harness.files(Reach.PROJECT, root)
    mend = f"tur setup {harness.key}"
    if piece.role is Role.SERVER:
        return Finding(harness.name, False, f"no MCP server: {_near(servers, root)} names no tur-mcp", mend)
    when = "at" if piece.role is Role.START else "after" if piece.role is Role.EDITED else "before"
    sentence = f"no hook {when} {piece.words}: {_near(hooks, root)} has none under {piece.path[-1]}"
    return Finding(harness.name, False, sentence, mend)


def _near(path: Path, root: Path) -> str:
    return path.relative_to(root).as_posix() if path.is_relative_to(root) else str(path)


def _switched_off(harness: Harness, root: Path) -> Iterator[str]:
    """Yield a sentence on each switch in its files that keeps all hooks from running."""
    for reach in read_here():
        for path in dict.fromkeys([*harness.files(reach, root), *harness.read_too(root)]):
            try:
                text = text_of(path)
                data: dict[str, Any] = {} if text is None else data_of(path, text)
            except BadInput:
                continue
            features = data.get("features")
            if harness.key == "claude" and data.get("disableAllHooks") is True:
                yield f"{path} turns all hooks off (disableAllHooks)"
            if harness.key == "codex" and isinstance(features, dict):
                for name in ("hooks", "codex_hooks"):
                    if features.get(name) is False:
                        yield f"{path} turns all hooks off (features.{name})"
