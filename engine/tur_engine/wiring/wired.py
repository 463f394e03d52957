"""What of tur a harness's files hold by now, whoever wrote it."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path, PurePath
from typing import Any

from ..errors import BadInput
from . import jsonc, toml_block
from .harnesses import Harness, Role, read_here

LARGEST = 16 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class Wire:
    """One server or hook that a file names."""

    role: Role
    file: Path
    event: str = ""
    matcher: str = ""
    """Of a hook: the tools it is for; "" for all."""
    command: str = ""
    """Of a hook: the shell line. Of a server: the program."""
    args: tuple[str, ...] = ()
    env: dict[str, str] = field(default_factory=dict)
    seconds: float | None = None
    """How long the harness waits for it; None where the file does not say."""


def text_of(path: Path) -> str | None:
    """Return what a file holds, byte for byte; None where there is none. Raises BadInput with one sentence."""
    if path.exists() and not path.is_file():
        raise BadInput(f"{path} is no file; move it away, nothing was written")
    try:
        with path.open("rb") as file:
            raw = file.read(LARGEST + 1)
    except FileNotFoundError:
        if path.is_symlink():
            raise BadInput(f"{path} is a link that leads nowhere; mend or remove it, then try again") from None
        return None
    except OSError as error:
        raise BadInput(f"{path} cannot be read ({error.strerror or error}); nothing was written") from None
    if len(raw) > LARGEST:
        raise BadInput(f"{path} is larger than {LARGEST >> 20} MB and no configuration; nothing was written")
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError:
        raise BadInput(f"{path} is not UTF-8 text; mend it first, nothing was written") from None


def data_of(path: Path, text: str) -> dict[str, Any]:
    """Return a file's content as values. Raises BadInput naming file and place."""
    try:
        data = toml_block.parse(text) if path.suffix == ".toml" else jsonc.parse(text).value
    except jsonc.NotJson as error:
        raise BadInput(f"{path} is not valid JSON ({error}); mend it first, nothing was written") from None
    except toml_block.NotToml as error:
        raise BadInput(f"{path} is not valid TOML ({error}); mend it first, nothing was written") from None
    if not isinstance(data, dict):
        raise BadInput(f"{path} holds no object in braces; mend it first, nothing was written")
    return data


def wires(harness: Harness, root: Path) -> tuple[list[Wire], list[str]]:
    """Return all that its project and user files name, and a sentence on each file that cannot be read."""
    files = [file for reach in read_here() for file in harness.files(reach, root)]
    found: list[Wire] = []
    faults: list[str] = []
    for path in dict.fromkeys([*files, *harness.read_too(root)]):
        try:
            if (text := text_of(path)) is not None:
                found += wires_in(harness, path, data_of(path, text), root)
        except BadInput as fault:
            faults.append(str(fault).removesuffix(", nothing was written").removesuffix("; nothing was written"))
    return found, faults


def wires_in(harness: Harness, file: Path, data: dict[str, Any], root: Path | None = None) -> Iterator[Wire]:
    """Yield what one file names; with `root` also what the user's file of Claude Code has for that project alone."""
    for name, server in _servers(harness, data, root):
        if isinstance(server, dict) and _is_server(name, server):
            args = server.get("args")
            yield Wire(
                Role.SERVER,
                file,
                command=str(server.get("command") or server.get("url") or server.get("httpUrl") or ""),
                args=tuple(map(str, args)) if isinstance(args, list) else (),
                env={str(key): str(value) for key, value in _items(server.get("env"))},
                seconds=_patience(harness, server),
            )
    for event, listed in _items(data.get("hooks")):
        for matcher, command, hook in _commands(listed):
            if (role := role_of(command)) is not None:
                yield Wire(role, file, event, matcher, command, seconds=_patience(harness, hook))


def _servers(harness: Harness, data: dict[str, Any], root: Path | None) -> Iterator[tuple[str, Any]]:
    yield from _items(data.get(harness.servers))
    for project, own in _items(data.get("projects")) if harness.key == "claude" and root is not None else ():
        if project == str(root) and isinstance(own, dict):
            yield from _items(own.get(harness.servers))


def role_of(command: str) -> Role | None:
    """Tell what a hook's shell line does; None where it does not run tur."""
    try:
        reader = shlex.shlex(command, posix=True, punctuation_chars=True)  # `;` and its like are words of their own
        reader.whitespace_split = True
        words = list(reader)
    except ValueError:
        words = command.split()
    for at, word in enumerate(words):
        runs = PurePath(word.replace("\\", "/")).name.removesuffix(".exe") == "tur" or (
            word == "tur_engine.cli" and words[at - 1] == "-m"
        )
        if runs:
            rest = words[at + 1 :]
            if "guard" in rest and "--hook" in rest:
                return Role.GUARD
            return next((role for role in (Role.START, Role.EDITED) if "hook" in rest and role.value in rest), None)
    return None


def _is_server(name: str, server: dict[str, Any]) -> bool:
    spoken = " ".join([str(server.get("command", "")), *map(str, server.get("args") or ())])
    return name == "tur" or re.search(r"(?:^|[\s/\\])tur-mcp\b|tur_engine\.mcp", spoken) is not None


def _items(value: Any) -> list[tuple[str, Any]]:
    return list(value.items()) if isinstance(value, dict) else []


def _patience(harness: Harness, entry: dict[str, Any]) -> float | None:
    """Return the shortest time that a hook or server is given, in seconds."""
    told = [(entry.get("timeout"), harness.seconds or 1)]
    told += [(entry.get(name), 1) for name in ("startup_timeout_sec", "tool_timeout_sec")]
    told.append((entry.get("startup_timeout_ms"), 1000))
    given = [value / unit for value, unit in told if isinstance(value, int | float) and not isinstance(value, bool)]
    return min(given, default=None)


def _commands(listed: Any) -> Iterator[tuple[str, str, dict[str, Any]]]:
    """Yield matcher and shell line of each hook of one event, and the hook itself."""
    for entry in listed if isinstance(listed, list) else ():
        if not isinstance(entry, dict):
            continue
        inner = entry.get("hooks")
        for hook in inner if isinstance(inner, list) else [entry]:
            if isinstance(hook, dict) and isinstance(hook.get("command"), str):
                yield str(entry.get("matcher") or ""), hook["command"], hook
