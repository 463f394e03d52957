"""The list of proposals: what is asked, how strong it would be, where it holds, who asked, how many signed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime
from typing import ClassVar

from rich.cells import cell_len

from tur_engine.records import Proposal, ProposalState
from tur_engine.text import excerpt

from ..drawing.governing import KINDS, STATES, name, tally
from ..drawing.wording import age, now, when
from ..drawing.wrapping import fit, pad
from .line_list import LineList, Row
from .painting import components

_WITH_PEOPLE = 72
"""Cells from which scope and author have a column ..."""
_WITH_DATES = 108
"""... and from which the date has one."""


class ProposalList(LineList):
    """One row a proposal; the whole text stands in the pane below."""

    PREFIX: ClassVar[str] = "proposals"

    COMPONENT_CLASSES: ClassVar[set[str]] = components(
        "proposals", "kind", "tier", "plain", "dim", "need", "suspect", "settled", "conflict"
    )

    DEFAULT_CSS = """
    ProposalList {
        & > .proposals--kind { color: $foreground; text-style: bold; }
        & > .proposals--tier { color: $invariant; text-style: bold; }
        & > .proposals--plain { color: $foreground; }
        & > .proposals--dim { color: $feed-dim; }
        & > .proposals--need { color: $text-accent; text-style: bold; }
        & > .proposals--suspect { color: $suspect; }
        & > .proposals--settled { color: $settled; }
        & > .proposals--conflict { color: $conflict; }
        &:ansi > .proposals--dim, &:ansi > .proposals--need { color: ansi_default; }
    }
    """

    def __init__(self, *, clock: Callable[[], datetime] | None = None, id: str | None = None) -> None:
        super().__init__(id=id, empty="")
        self._proposals: tuple[Proposal, ...] = ()
        self._clock = clock or now

    def show(self, proposals: Sequence[Proposal], place: int, empty: str) -> None:
        """List these, with the cursor on one of them."""
        self._proposals = tuple(proposals)
        self.show_rows(len(proposals), cursor=place, empty=empty)

    def on_mount(self) -> None:
        self.set_interval(10, self.refresh)  # ages move on

    def proposal(self, index: int) -> Proposal | None:
        """The proposal of a row."""
        return self._proposals[index] if 0 <= index < len(self._proposals) else None

    def heading(self, width: int) -> str:
        """The names of the columns at this width."""
        parts = [pad("what", 10), pad("tier", 6)]
        scope, author = _columns(width)
        if width >= _WITH_PEOPLE:
            parts += [pad("scope", scope), pad("asked by", author)]
        if width >= _WITH_DATES:
            parts.append(pad("when", 18))
        return "".join([*parts, pad("age", 5), pad("signed", 7), "text"])

    def row(self, index: int) -> Row:
        proposal = self._proposals[index]
        memory, width = proposal.memory.memory, self.scrollable_content_region.width
        glyph, kind = KINDS[proposal.kind]
        pending = proposal.state is ProposalState.PENDING
        mark, _, tone = STATES[proposal.state]
        row = [(pad(f"{glyph if pending else mark} {kind}", 10), "kind" if pending else tone)]
        row.append((pad(memory.type.value, 6), "tier"))
        if width >= _WITH_PEOPLE:
            scope, author = _columns(width)
            row.append((pad(name(str(memory.scope)), scope - 1) + " ", "plain"))
            row.append((pad(name(proposal.proposed_by.name), author - 1) + " ", "plain"))
        if width >= _WITH_DATES:
            row.append((pad(when(proposal.proposed_at), 18), "dim"))
        row.append((pad(age(proposal.proposed_at, self._clock()), 5), "dim"))
        row.append((pad(tally(proposal), 7), "need" if pending else tone))
        left = width - sum(cell_len(text) for text, _ in row)
        return [*row, (fit(excerpt(memory.content, max(20, width)), left), "plain")]


def _columns(width: int) -> tuple[int, int]:
    """Cells of scope and author."""
    share = max(0, width - _WITH_PEOPLE) // 6
    return min(12 + share, 16), min(13 + share, 18)
