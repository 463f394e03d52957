"""What setup would change in which file, worked out before a byte is written."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

from ..errors import BadInput
from . import json_edit, jsonc, toml_block
from .harnesses import Harness, Piece, Reach, Role
from .wired import Wire, data_of, text_of, wires_in


class Change(NamedTuple):
    """One file before and after; `before` None: it is made, `after` None: it is removed."""

    path: Path
    before: str | None
    after: str | None

    @property
    def word(self) -> str:
        if self.before == self.after:
            return "unchanged"
        return "made" if self.before is None else "removed" if self.after is None else "changed"


@dataclass(slots=True)
class Plan:
    """The files of one harness, and what is to be said of them."""

    harness: Harness
    reach: Reach
    files: list[Change] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    @property
    def changes(self) -> list[Change]:
        """The files that change."""
        return [file for file in self.files if file.before != file.after]


def to_wire(harness: Harness, reach: Reach, root: Path) -> Plan:
    """Work out how the harness is wired. Raises BadInput: a file that is not valid, or has another shape."""
    plan = Plan(harness, reach)
    read: list[tuple[Path, tuple[Piece, ...], str | None, dict[str, Any]]] = []
    standing: list[Wire] = []
    for path, pieces in _by_file(harness, reach, root):
        before = text_of(path)
        data = {} if before is None else data_of(path, before)
        read.append((path, pieces, before, data))
        standing += wires_in(harness, path, data)
    for path, pieces, before, data in read:
        missing = [piece for piece in pieces if not _stands(piece, standing)]
        for piece in pieces:
            if piece not in missing and not _is_ours(piece, data):
                plan.notes.append(f"{path} has {_thing(piece)} of its own already; it is left as it stands")
        plan.files.append(Change(path, before, _with(path, before, data, pieces, missing)))
    return plan


def to_unwire(harness: Harness, reach: Reach, root: Path) -> Plan:
    """Work out how everything that setup wrote is taken out again. Raises BadInput."""
    plan = Plan(harness, reach)
    for path, pieces in _by_file(harness, reach, root):
        before = text_of(path)
        after = None if before is None else _without(path, before, data_of(path, before), pieces)
        plan.files.append(Change(path, before, after))
        if after is not None:
            for wire in wires_in(harness, path, data_of(path, after)):
                what = "a server" if wire.role is Role.SERVER else f"a {wire.event} hook"
                plan.notes.append(f"{path} keeps {what} that setup did not write: {wire.command}")
    return plan


def _by_file(harness: Harness, reach: Reach, root: Path) -> list[tuple[Path, tuple[Piece, ...]]]:
    servers, hooks = harness.files(reach, root)
    pieces = harness.pieces(reach)
    if servers == hooks:
        return [(servers, (*pieces[False], *pieces[True]))]
    return [(servers, pieces[False]), (hooks, pieces[True])]


def _with(
    path: Path, before: str | None, data: dict[str, Any], pieces: tuple[Piece, ...], missing: list[Piece]
) -> str | None:
    if not missing:
        return before
    try:
        if path.suffix == ".toml":
            block = toml_block.parse(toml_block.block_of(before or ""))
            lines = _toml([piece for piece in pieces if piece in missing or _is_ours(piece, block)])
            return toml_block.made(lines) if before is None else toml_block.put(before, lines)
        if before is None:
            return _made(path, pieces)
        after = before
        for piece in missing:
            put = json_edit.add if piece.is_item else json_edit.put
            after = put(after, piece.path, piece.value)
        if _wants_version(path) and not data.keys() & {"hooks", "version"}:
            after = json_edit.put(after, ("version",), 1)
        return after
    except json_edit.WrongKind as error:
        raise BadInput(f"{path}: {error}; mend it first, nothing was written") from None
    except toml_block.NotToml as error:
        raise BadInput(
            f"{path} has hooks or servers in a form that nothing can be added to ({error}); "
            "write them as tables of their own, nothing was written"
        ) from None


def _made(path: Path, pieces: tuple[Piece, ...]) -> str:
    data: dict[str, Any] = {}
    for piece in pieces:
        holder = data
        for name in piece.path[:-1]:
            holder = holder.setdefault(name, {})
        if piece.is_item:
            holder.setdefault(piece.path[-1], []).append(piece.value)
        else:
            holder[piece.path[-1]] = piece.value
    if _wants_version(path):
        data["version"] = 1
    return json_edit.rendered(data) + "\n"


def _without(path: Path, before: str, data: dict[str, Any], pieces: tuple[Piece, ...]) -> str | None:
    if path.suffix == ".toml":
        after = toml_block.without(before)
        return None if not after and before.startswith(toml_block.BEGIN) else after
    text: str | None = before
    names = list(data)
    with_version = _wants_version(path) and {"hooks", "version"} <= data.keys()
    with_version = with_version and names.index("hooks") < names.index("version")
    for piece in reversed(pieces):
        if text is not None and _is_ours(piece, jsonc.parse(text).value):
            text = json_edit.take_out(text, piece.path, piece.value if piece.is_item else None)
    if text is not None and with_version and "hooks" not in jsonc.parse(text).value:
        text = json_edit.take_out(text, ("version",))
    return text


def _wants_version(path: Path) -> bool:
    """Cursor's hooks have a version beside them."""
    return path.name == "hooks.json" and path.parent.name == ".cursor"


def _stands(piece: Piece, standing: list[Wire]) -> bool:
    event = "" if piece.role is Role.SERVER else piece.path[-1]
    return any(wire.role is piece.role and wire.event == event for wire in standing)


def _is_ours(piece: Piece, data: dict[str, Any]) -> bool:
    there: Any = data
    for name in piece.path:
        there = there.get(name) if isinstance(there, dict) else None
    return piece.value in there if piece.is_item and isinstance(there, list) else there == piece.value


def _thing(piece: Piece) -> str:
    return "an MCP server" if piece.role is Role.SERVER else f"a {piece.path[-1]} hook"


def _toml(pieces: list[Piece]) -> list[str]:
    lines: list[str] = []
    for piece in pieces:
        name = ".".join(piece.path)
        if piece.is_item:
            outer = {key: value for key, value in piece.value.items() if key != "hooks"}
            lines += toml_block.table(name, outer, array=True)
            for hook in piece.value["hooks"]:
                lines += toml_block.table(f"{name}.hooks", hook, array=True)
        else:
            lines += toml_block.table(name, piece.value)
        lines.append("")
    return lines[:-1]
