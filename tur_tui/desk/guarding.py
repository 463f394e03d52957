"""Warnings of the guard as the workbench tells them: the action against the invariant. Plain."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from hashlib import sha256
from typing import Final

from tur_engine.records import Belief, FeedFilter, GuardNote, Memory, Scope, Status
from tur_engine.text import counted, excerpt, visible

from ..drawing.wording import Mark, content, when
from .asides import Aside, Sides, holds_words

MARK: Final = Mark("⚑", "invariant")
"""Glyph and tone in the feed; the word is `guard`. Not one of an event, nor of drift."""


@dataclass(frozen=True)
class GuardAside(Aside):
    """One action that was proposed, against one invariant or constraint."""

    note: GuardNote
    family = "guard"
    refusal = "The guard only warns: no verb is for an action. Esc goes back."

    @property
    def after(self) -> int:  # type: ignore[override]
        return self.note.after

    @property
    def key(self) -> tuple[datetime, str, str]:
        """What tells it from other warnings."""
        return self.note.at, self.note.memory_id, self.note.action

    @property
    def at(self) -> datetime:
        return self.note.at

    @property
    def mark(self) -> Mark:
        return MARK

    @property
    def word(self) -> str:
        return "guard"

    @property
    def place(self) -> str:
        return self.note.actor.name

    @property
    def sentence(self) -> str:
        against = f'"{excerpt(self._said, 200)}"' if self._said else _short(self.note.memory_id)
        return f'"{excerpt(self.note.action, 200)}" against {against}'

    @property
    def memory(self) -> Belief | None:
        return self.note.belief if not self.note.store else None

    @property
    def text(self) -> str:
        return self.note.action

    @property
    def _said(self) -> str:
        return content(self.note.belief.memory) if self.note.belief else ""

    def sides(self) -> Sides | None:
        if self.note.belief is None:
            return None
        invariant = self.note.belief
        ids = (invariant.memory.short_id, visible(str(self.note.actor), newlines=False))
        title = "INVARIANT" if self.note.binding else "CONSTRAINT"
        return Sides(invariant, self._as_belief(), (title, "▸ ACTION"), ids, self._facts())

    def _facts(self) -> list[tuple[str, str]]:
        note = self.note
        facts = [
            ("clash", f"{note.probability:.0%}"),
            ("asked by", str(note.actor)),
            ("session", note.session),
            ("at", when(note.at)),
            ("read as", note.read_as if note.read_as != note.action else ""),
            ("invariant of", note.store or ""),
        ]
        return [(label, visible(value, newlines=False)) for label, value in facts if value]

    def _as_belief(self) -> Belief:
        """The action in a memory's clothes, as the panes show a side."""
        note = self.note
        memory = Memory(
            digest=sha256(f"{note.at}{note.action}".encode("utf-8", "replace")).hexdigest(),
            content=note.action,
            type="event",
            scope=Scope(),
            declared_scope=Scope(),
            author=note.actor,
            occurred_at=note.at,
            recorded_at=note.at,
            seq=max(1, note.after),
        )
        return Belief(memory=memory, status=Status.ACTIVE)

    def in_words(self) -> str:
        where = f" of the store at {self.note.store}" if self.note.store else ""
        against = f"It clashed with {_short(self.note.memory_id)}{where}, which is not found any more."
        told = [f"{label}: {value}" for label, value in self._facts()]
        return "\n\n".join((visible(self.note.action), "\n".join(told), visible(against, newlines=False)))

    def lets_through(self, wanted: FeedFilter) -> bool:
        if wanted != FeedFilter(text=wanted.text, agent=wanted.agent):
            return False
        if wanted.agent.casefold() not in str(self.note.actor).casefold():
            return False
        return holds_words(f"guard {self.note.actor} {self.note.session} {self.note.action} {self._said}", wanted.text)


def announced(fresh: Sequence[GuardAside]) -> str:
    """A toast for warnings that were just given; "" for none."""
    if not fresh:
        return ""
    if len(fresh) > 1:
        return f"The guard gave {counted(len(fresh), 'warning')}; the feed shows which."
    note = fresh[0].note
    action = excerpt(note.action, 60)
    who = visible(note.actor.name, newlines=False)
    return f'The guard warned {who}: "{action}" clashes with {_short(note.memory_id)}.'


def as_rows(notes: Iterable[GuardNote]) -> list[GuardAside]:
    """The warnings, the oldest first."""
    return [GuardAside(note) for note in notes][::-1]


def _short(id: str) -> str:
    name, _, digest = visible(id, newlines=False).rpartition("-")
    return f"{name}-{digest[:8]}"
