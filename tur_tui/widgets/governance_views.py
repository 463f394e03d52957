"""Two pages to read: the reviewers with the quorum, and the signed log. Everything on them wraps, nothing is cut."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from tur_engine.records import Quorum, ReviewerKey, SignedEntry
from tur_engine.text import visible

from ..drawing.governing import name, short
from ..drawing.wording import counted, when
from ..drawing.wrapping import pad, wrapped
from .painting import components
from .rows_view import Row, RowsView

_ACT: int = 11
"""Cells of the column of acts: the longest is `quarantine`."""


class GovernancePage(RowsView):
    """What the two pages share: their tones, and rows that hang under their first word."""

    PREFIX = "page"

    COMPONENT_CLASSES: ClassVar[set[str]] = components(
        "page", "heading", "plain", "strong", "dim", "settled", "suspect", "conflict", "here"
    )

    DEFAULT_CSS = """
    GovernancePage {
        & > .page--heading { color: $text-primary; text-style: bold; }
        & > .page--plain { color: $foreground; }
        & > .page--strong { color: $foreground; text-style: bold; }
        & > .page--dim { color: $feed-dim; }
        & > .page--settled { color: $settled; text-style: bold; }
        & > .page--suspect { color: $suspect; text-style: bold; }
        & > .page--conflict { color: $conflict; text-style: bold; }
        & > .page--here { color: $text-accent; text-style: bold; }
        &:ansi > .page--heading, &:ansi > .page--dim, &:ansi > .page--here { color: ansi_default; }
    }
    """


class ReviewersPage(GovernancePage):
    """Who may sign for this store, who no longer may, whose key is on this machine, and how many must sign."""

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._keys: tuple[ReviewerKey, ...] = ()
        self._quorum = Quorum()
        self._advice = ""

    def show(self, keys: Sequence[ReviewerKey], quorum: Quorum, advice: str = "") -> None:
        """Show the enrolled keys, the revoked ones last; `advice` says what to do where none can sign here."""
        self._keys = tuple(sorted(keys, key=lambda each: (each.revoked_seq is not None, each.enrolled_seq)))
        self._quorum, self._advice = quorum, advice
        self.rebuild()

    def build(self, width: int, height: int) -> list[Row]:
        valid = sum(each.revoked_seq is None for each in self._keys)
        rows: list[Row] = [[("QUORUM", "heading")]]
        for tier, needed in (("axiom", self._quorum.axiom), ("core", self._quorum.core)):
            rows.append([(f"  {tier:6}", "dim"), (f"{needed} of {counted(valid, 'reviewer')} must sign", "plain")])
        rows += [[], [(f"REVIEWERS ({valid} may sign)", "heading")]]
        for each in self._keys:
            rows += self._reviewer(each, width)
        if not self._keys:
            rows.append([("  none is enrolled yet", "dim")])
        if self._advice:
            rows += [[], *([(f"  {line}", "strong")] for line in wrapped(self._advice, max(1, width - 2)))]
        return rows

    def _reviewer(self, key: ReviewerKey, width: int) -> list[Row]:
        if key.revoked_seq is not None:
            mark, tone = "✗ revoked", "conflict"
        else:
            mark, tone = "✓ may sign", "settled"
        row: Row = [(f"{mark:12}", tone), (name(key.name), "strong")]
        rows: list[Row] = [[*row, ("  on this machine", "here")] if key.here else row]
        names = {each.id: name(each.name) for each in self._keys}
        by = "itself, as the first key" if key.enrolled_by == key.id else names.get(key.enrolled_by, key.enrolled_by)
        facts = f"enrolled {when(key.enrolled_at)} by {by}, event {key.enrolled_seq}"
        if key.revoked_seq is not None:
            facts += f"; revoked in event {key.revoked_seq}"
        indent = _indent(12, key.id, width)
        for text in (key.id, facts):
            rows += [[(" " * indent + line, "dim")] for line in wrapped(text, max(1, width - indent))]
        return rows


class SignedLogPage(GovernancePage):
    """Who signed what, the newest first, and whether the signature holds."""

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._entries: tuple[SignedEntry, ...] = ()

    def show(self, entries: Sequence[SignedEntry]) -> None:
        """Show these entries."""
        self._entries = tuple(sorted(entries, key=lambda each: each.seq, reverse=True))
        self.rebuild()

    def build(self, width: int, height: int) -> list[Row]:
        rows: list[Row] = [[(f"SIGNED LOG ({counted(len(self._entries), 'entry', 'entries')})", "heading")]]
        for each in self._entries:
            rows += self._entry(each, width)
        if not self._entries:
            sentence = "Nothing has been signed yet: the first entry is made by tur-adm key init, which enrols a key."
            rows += [[(f"  {line}", "dim")] for line in wrapped(sentence, max(1, width - 2))]
        return rows

    def _entry(self, entry: SignedEntry, width: int) -> list[Row]:
        mark, tone = ("✓ holds   ", "settled") if entry.valid else ("✗ INVALID ", "conflict")
        row: Row = [(mark, tone), (pad(name(entry.act), _ACT), "strong")]
        row += [(f"{name(entry.name)} {short(entry.key_id)}", "plain"), (f"  {when(entry.at)} #{entry.seq}", "dim")]
        indent = _indent(10, entry.subject, width)
        told = name(entry.subject)
        if entry.reason:
            told += f": {visible(entry.reason, newlines=False)}"
        return [row, *([(" " * indent + line, "plain")] for line in wrapped(told, max(1, width - indent)))]


def _indent(wanted: int, longest: str, width: int) -> int:
    """The indent, less where a whole id would not fit beside it."""
    return wanted if wanted + len(longest) <= width else 2
