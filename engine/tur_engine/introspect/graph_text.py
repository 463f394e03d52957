"""Graph files as text: JSON, or YAML of old. Read with a limit, refused with the line (CONTRACTS 9)."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from ..errors import BadInput
from ..ontology.yaml_text import read_yaml

LARGEST = 4 * 1024 * 1024
"""Bytes of a graph; one of 2,000 nodes has less than half of it."""
LARGEST_YAML = 1024 * 1024
"""YAML is read fifty times as slowly."""


def open_graph(source: str | Path, where: str = "") -> tuple[str, str]:
    """Return (text, where it is from) of a path, or of the text itself. Raises BadInput.

    What others send is text, whatever it looks like: only a Path is opened.
    """
    if isinstance(source, str):
        _small(len(source.encode(errors="surrogatepass")), where or "the graph")
        return source, where or "the graph"
    path = source
    try:
        with path.open("rb") as file:
            data = file.read(LARGEST + 1)
    except OSError as e:
        raise BadInput(f"{path} cannot be read: {e.strerror or e}") from e
    except ValueError as e:
        raise BadInput(f"{str(source)[:80]!r} is no path: {e}") from e
    _small(len(data), str(path))
    try:
        return data.decode("utf-8-sig"), str(path)
    except UnicodeDecodeError as e:
        raise BadInput(f"{path} is not UTF-8 at byte {e.start + 1}; save it as UTF-8") from e


def read_graph(text: str, where: str, faults: list[str], *, yaml: bool = False) -> dict[str, Any]:
    """Return the mapping that a graph's text holds. `yaml`: it may be YAML. Raises BadInput with the line.

    What is no JSON and can still be read goes into `faults`, so that it does not hide the others.
    """
    if yaml and not text.lstrip().startswith("{"):
        if len(text) > LARGEST_YAML:
            raise BadInput(f"{where} is larger than {LARGEST_YAML // 1024} kB of YAML; save it as JSON")
        found = read_yaml(text, where)
    else:
        found = _json(text, where, faults)
    if not isinstance(found, dict):
        raise BadInput(f'{where} is no object; write one with nodes and edges, as {{"nodes": [], "edges": []}}')
    return found


def _small(size: int, where: str) -> None:
    if size > LARGEST:
        raise BadInput(f"{where} is larger than {LARGEST // 1024 // 1024} MB; commit it in parts")


def _json(text: str, where: str, faults: list[str]) -> Any:
    def constant(name: str) -> None:
        if (fault := f"it holds {name}, which is no JSON; write a number") not in faults:
            faults.append(fault)

    try:
        return json.loads(text, parse_constant=constant)
    except json.JSONDecodeError as e:
        raise BadInput(f"{where} is not valid JSON in line {e.lineno}, column {e.colno}: {e.msg}") from e
    except (RecursionError, ValueError) as e:
        raise BadInput(f"{where} is not valid JSON: it nests too deep, or a number is too long") from e
