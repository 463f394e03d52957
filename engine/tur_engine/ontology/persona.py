"""`.tur/persona.yaml`: a domain's own edge and node types, and the force that people may give them (EP-0126, tier 3).

    compaction:
      ontology:
        custom_edge_types:
          - cites_precedent
          - overrules: {transitive: true, decay_propagation: true}
        custom_node_types: [Statute]

A flag has force only while people's approval covers the file as it is: `forces` takes the approved text, nothing else.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Final, NamedTuple

from ..errors import BadInput
from .naming import is_node_name, snake
from .types import LEGACY, EdgeType, NodeType
from .yaml_text import read_yaml

FILE: Final = "persona.yaml"
LARGEST: Final = 256 * 1024
_FLAGS: Final = ("transitive", "decay_propagation")
_SECTIONS: Final = ("compaction", "map compaction")


class Force(NamedTuple):
    """What an edge type of one's own does beside describing: `transitive` in paths, `decay` as depends_on does."""

    transitive: bool = False
    decay: bool = False


class Persona(NamedTuple):
    """What a persona file declares."""

    edge_types: Mapping[str, Force] = MappingProxyType({})
    node_types: tuple[str, ...] = ()

    @property
    def forceful(self) -> tuple[str, ...]:
        """Edge types whose flags ask for force."""
        return tuple(name for name, force in self.edge_types.items() if force != Force())


def forces(approved_text: str, where: str = FILE) -> Mapping[str, Force]:
    """Return the force of each declared edge type that has any. `approved_text` is the file as people approved it
    (`govern.persona.approved_text`); empty where no approval covers it, and then nothing has force.

    Raises BadInput where the text is no persona file.
    """
    if not approved_text:
        return {}
    declared = read_persona(approved_text, where).edge_types
    return {name: force for name, force in declared.items() if force != Force()}


def read_persona(text: str, where: str = FILE) -> Persona:
    """Return what a persona file declares; other keys are upstream's and left alone. Raises BadInput."""
    if len(text) > LARGEST:
        raise BadInput(f"{where} has {len(text):,} characters; a persona file has {LARGEST:,} at the most")
    found = read_yaml(text, where)
    if found is None:
        return Persona()
    if not isinstance(found, dict):
        raise _bad(where, "", "must be a mapping with the key compaction", found)
    edges: dict[str, Force] = {}
    nodes: dict[str, None] = {}
    for section in _SECTIONS:
        compaction = _mapping(where, section, found.get(section))
        path = f"{section}.ontology"
        ontology = _mapping(where, path, compaction.get("ontology"))
        if unknown := [str(key) for key in ontology if key not in ("custom_edge_types", "custom_node_types")]:
            raise BadInput(
                f"{where}: {path} has no key {unknown[0][:64]!r}; it takes custom_edge_types and custom_node_types"
            )
        edges |= _edges(where, f"{path}.custom_edge_types", ontology.get("custom_edge_types"))
        nodes |= dict.fromkeys(_nodes(where, f"{path}.custom_node_types", ontology.get("custom_node_types")))
    return Persona(edges, tuple(nodes))


def _mapping(where: str, path: str, value: Any) -> dict[Any, Any]:
    if value is None:
        return {}
    if not isinstance(value, dict):
        raise _bad(where, path, "must be a mapping or null", value)
    return value


def _edges(where: str, path: str, value: Any) -> dict[str, Force]:
    """Read a list of names, of `name: {flags}`, or one mapping of names to flags."""
    if value is None:
        return {}
    items: list[Any] = [{name: flags} for name, flags in value.items()] if isinstance(value, dict) else value
    if not isinstance(items, list):
        raise _bad(where, path, "must be a list of names, or of name: {transitive, decay_propagation}", value)
    found: dict[str, Force] = {}
    for item in items:
        if isinstance(item, str):
            name, flags = item, None
        elif isinstance(item, dict) and len(item) == 1:
            ((name, flags),) = item.items()
        else:
            raise _bad(where, path, "takes names, or one name: {transitive, decay_propagation} an entry", item)
        kept = snake(name) if isinstance(name, str) else ""
        if not kept:
            raise _bad(where, path, "takes names that can be lowercase snake_case", name)
        if kept in set(EdgeType):
            raise BadInput(f"{where}: {path} declares {kept}, which is canonical already; leave it out")
        if kept in found:
            raise BadInput(f"{where}: {path} declares {kept} twice; leave one out")
        found[kept] = _force(where, f"{path}.{kept}", flags)
    return found


def _force(where: str, path: str, flags: Any) -> Force:
    given = _mapping(where, path, flags)
    for key, value in given.items():
        if key not in _FLAGS:
            raise BadInput(f"{where}: {path} has no flag {str(key)[:64]!r}; it takes {' and '.join(_FLAGS)}")
        if not isinstance(value, bool):
            raise _bad(where, f"{path}.{key}", "must be true or false", value)
    return Force(given.get("transitive", False), given.get("decay_propagation", False))


def _nodes(where: str, path: str, value: Any) -> list[str]:
    if value is None:
        return []
    if not isinstance(value, list):
        raise _bad(where, path, "must be a list of names", value)
    found: list[str] = []
    for name in value:
        if not isinstance(name, str) or not is_node_name(name):
            raise _bad(where, path, "takes names of letters, digits and underscores", name)
        if name.lower() in {str(known).lower() for known in (*NodeType, LEGACY)}:
            raise BadInput(f"{where}: {path} declares {name}, which is a node type already; leave it out")
        found.append(name)
    return found


def _bad(where: str, path: str, wanted: str, value: Any) -> BadInput:
    return BadInput(f"{where}: {path + ' ' if path else ''}{wanted}, not {_shown(value)}")


def _shown(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:59]}…"
