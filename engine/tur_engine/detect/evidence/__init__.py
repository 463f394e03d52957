"""Evidence for and against a clash: one file a kind, each with `KIND` and `find(pair)`."""

from __future__ import annotations

from ...records import Evidence
from ..pair import Pair
from . import (
    additive,
    antonym,
    contrast,
    date,
    different,
    equivalent,
    exception,
    explicit,
    holding,
    logical,
    mechanical,
    modality,
    negation,
    number,
    past,
    plan,
    port,
    quantifier,
    replacement,
    reported,
    role,
    slot,
    temporal,
    time,
    version,
)

_FINDERS = (
    explicit,
    mechanical,
    negation,
    antonym,
    number,
    version,
    date,
    time,
    port,
    quantifier,
    modality,
    slot,
    role,
    holding,
    replacement,
    temporal,
    logical,
    contrast,
    exception,
    plan,
    past,
    reported,
    additive,
    different,
    equivalent,
)

GUARDS = ("contrast", "exception", "plan", "past", "reported", "additive", "different", "equivalent")
"""Kinds that speak against a clash."""

KINDS: tuple[str, ...] = (
    "explicit",
    "mechanical",
    "negation",
    "antonym",
    "number",
    "version",
    "date",
    "time",
    "port",
    "quantifier",
    "modality",
    "slot",
    "role",
    "holding",
    "replacement",
    "temporal",
    "logical",
    *GUARDS,
)
"""Every kind, in a fixed order: the names of the features the verdict is fitted on."""


def gather(pair: Pair) -> tuple[Evidence, ...]:
    """Return all evidence on a pair, strongest first; of equal weight, in the order of KINDS."""
    found = [piece for finder in _FINDERS for piece in finder.find(pair)]
    found.sort(key=lambda e: (-e.weight, KINDS.index(e.kind)))
    return tuple(found)
