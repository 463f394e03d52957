"""What engine calls of the graph screen answer with."""

from __future__ import annotations

from dataclasses import dataclass

from textual.message import Message

from tur_engine.records import Belief, Neighbourhood

from ..desk.exploring import Page, Route, Spot, Told


@dataclass
class Begun(Message):
    """The newest memories, where no centre was chosen yet."""

    spots: list[Spot]


@dataclass
class PartRead(Message):
    """The graph around a centre."""

    centre: tuple[str, ...]
    part: Neighbourhood


@dataclass
class PartUnread(Message):
    """The graph around a centre could not be read."""

    centre: tuple[str, ...]
    sentence: str


@dataclass
class EdgesTold(Message):
    """The edges of a memory, in words."""

    digest: str
    told: list[Told]


@dataclass
class EdgesUntold(Message):
    """The edges of a memory could not be read."""

    digest: str
    sentence: str


@dataclass
class Found(Message):
    """What is like the typed words."""

    typed: str
    newest: list[Belief]
    spots: list[Spot]


@dataclass
class Listed(Message):
    """The rows of a page."""

    page: Page
    spots: list[Spot]


@dataclass
class Unlisted(Message):
    """The rows of a page could not be read."""

    page: Page
    sentence: str


@dataclass
class Routed(Message):
    """The path between two memories; None where nothing joins them."""

    ends: tuple[str, str]
    route: Route | None
