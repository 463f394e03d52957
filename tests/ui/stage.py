"""A small app around widgets under test, with the shipped themes."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from typing import TypeVar

from textual.app import App, ComposeResult
from textual.message import Message
from textual.widget import Widget

from tur_engine.records import (
    Author,
    Belief,
    Edge,
    EventKind,
    HistoryEntry,
    Memory,
    MemoryType,
    Neighbourhood,
    Scope,
    Status,
)
from tur_tui.resources import themes_dir
from tur_tui.themes import load_themes, variable_defaults

M = TypeVar("M", bound=Message)

MOMENT = datetime(2026, 11, 29, 12, 0, tzinfo=UTC)
SIZES = [(80, 24), (120, 36), (200, 50), (20, 5), (1, 1)]
THEMES = ["tur-dark", "tur-light", "tur-mono", "ansi-dark", "textual-dark"]
HOSTILE = (
    "tea [/b] [@click=app.quit]x[/] \u202eRLO\u202c zero\u200bwidth \x1b]0;PWNED\x07 é 田中さん 👨\u200d👩\u200d👧"
)


class Stage(App[None]):
    """Mounts the widgets in one of the themes."""

    def __init__(self, *widgets: Widget, theme: str = "tur-dark") -> None:
        super().__init__()
        self._widgets = widgets
        for each in load_themes([themes_dir()])[0]:
            self.register_theme(each)
        self.theme = theme

    def compose(self) -> ComposeResult:
        yield from self._widgets

    def get_theme_variable_defaults(self) -> dict[str, str]:
        return variable_defaults(self.current_theme)


class Heard(list[Message]):
    """A message hook that keeps each message once, however many nodes it bubbles through."""

    def __call__(self, message: Message) -> None:
        if not any(message is other for other in self):
            self.append(message)

    def of(self, kind: type[M]) -> list[M]:
        """The messages of one kind, in order."""
        return [message for message in self if isinstance(message, kind)]


def lines(widget: Widget) -> list[str]:
    """What the widget draws now, row by row."""
    return [widget.render_line(y).text for y in range(widget.size.height)]


def styled(widget: Widget, text: str) -> str:
    """The style of the first segment that holds a text."""
    for y in range(widget.size.height):
        for segment in widget.render_line(y):
            if text in segment.text:
                return str(segment.style)
    raise AssertionError(f"{text!r} is not drawn")


def belief(
    text: str,
    *,
    type: MemoryType = MemoryType.FACT,
    status: Status = Status.ACTIVE,
    author: str = "agent:claude",
    days: int = 3,
    against: Sequence[str] = (),
    fields: dict[str, str | int] | None = None,
) -> Belief:
    at = MOMENT - timedelta(days=days)
    memory = Memory(
        digest=sha256(text.encode("utf-8", "surrogatepass")).hexdigest(),
        content=text,
        type=type,
        scope=Scope(),
        declared_scope=Scope(),
        author=Author.parse(author),
        occurred_at=at,
        recorded_at=at,
        fields=dict(fields or {}),
        seq=1,
    )
    because = ("0" * 64,) if status is Status.SUSPECT else ()
    return Belief(memory=memory, status=status, contested_by=tuple(against), suspect_because=because)


def entry(seq: int, kind: EventKind = EventKind.LEARNED, summary: str = "", *, seconds: int = 90) -> HistoryEntry:
    return HistoryEntry(
        seq=seq,
        at=MOMENT - timedelta(seconds=seconds),
        actor=Author.parse("agent:claude-code"),
        kind=kind,
        subject="",
        summary=summary or f"memory number {seq}",
    )


def neighbourhood(incoming: int, outgoing: int, *, both: bool = True, clash: bool = True) -> Neighbourhood:
    """One or two memories in the middle, others around them, with edges of several types."""
    old, new = belief("Migrations run via Alembic"), belief("Migrations run via Prisma", status=Status.HELD)
    if clash and both:
        old = old.model_copy(update={"contested_by": (new.memory.digest,)})
    focus = [old, new] if both else [old]
    nodes, edges = list(focus), []
    types = ("depends_on", "refines", "precedes", "analogy_of", "superseded_by")
    for n in range(incoming):
        nodes.append(belief(f"Incoming {n} calls the migration tool"))
        edges.append((nodes[-1], focus[n % len(focus)], types[n % 5]))
    for n in range(outgoing):
        nodes.append(belief(f"Outgoing {n} 本番のデータベース", status=list(Status)[1:3][n % 2]))
        edges.append((focus[n % len(focus)], nodes[-1], types[n % 5]))
    return Neighbourhood(
        focus=tuple(each.memory.digest for each in focus),
        nodes=tuple(nodes),
        edges=tuple(Edge(source=a.memory.digest, target=b.memory.digest, type=type_, seq=1) for a, b, type_ in edges),
        hidden={nodes[-1].memory.digest: 3},
    )
