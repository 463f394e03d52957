"""Everything a reviewer must see before signing, from top to bottom in one scroll; nothing of it is cut."""

from __future__ import annotations

from typing import ClassVar, Final

from tur_engine.records import Belief, Objection, Proposal, ProposalKind, ProposalState, Review, Signature
from tur_engine.text import visible

from ..drawing.governing import PROMOTION, STATES, asks, name, short, signed, stands_against, still_needed
from ..drawing.wording import age_in_words, content, counted, standing, when
from ..drawing.wrapping import wrapped
from .belief_facts import belief_facts, in_short
from .diff_view import DiffView
from .painting import components
from .rows_view import Row, cell

_TITLES: Final = {
    ProposalState.PENDING: ("IN FORCE, WOULD GO", "PROPOSED"),
    ProposalState.APPROVED: ("WENT OUT OF FORCE", "APPROVED"),
    ProposalState.REJECTED: ("WOULD HAVE GONE", "NOT ADOPTED"),
}
"""What stands over the text that goes and over the one that comes."""


class ReviewView(DiffView):
    """A proposal, what it replaces word by word, what speaks against it, what rests on it, who signed."""

    COMPONENT_CLASSES: ClassVar[set[str]] = components(
        "diff", "heading", "strong", "plain", "settled", "suspect", "conflict", "tier"
    )

    DEFAULT_CSS = """
    ReviewView {
        & > .diff--heading { color: $text-primary; text-style: bold; }
        & > .diff--strong { color: $foreground; text-style: bold; }
        & > .diff--plain { color: $foreground; }
        & > .diff--tier { color: $invariant; text-style: bold; }
        & > .diff--settled { color: $settled; text-style: bold; }
        & > .diff--suspect { color: $suspect; text-style: bold; }
        & > .diff--conflict { color: $conflict; text-style: bold; }
        &:ansi > .diff--heading { color: ansi_default; }
    }
    """

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id, empty="")
        self._proposal: Proposal | None = None
        self._review: Review | None = None
        self._problem = ""

    def show_proposal(self, proposal: Proposal, review: Review | None = None, problem: str = "") -> None:
        """Show a proposal, and what the engine found out about it once that is known; `problem` says why it is not."""
        same = self._proposal is not None and self._proposal.id == proposal.id
        self._proposal, self._review, self._problem = proposal, review, problem
        self.rebuild(to_top=not same)

    def clear(self, sentence: str | None = None) -> None:
        self._proposal = self._review = None
        super().clear(sentence)

    @property
    def seen_to_the_end(self) -> bool:
        """Whether the last row is in view."""
        return bool(self._rows) and self.scroll_offset.y >= self.max_scroll_y

    def _ages_now(self) -> tuple[str, ...]:
        moment = self._clock()
        return (age_in_words(self._proposal.proposed_at, moment),) if self._proposal else ()

    # rows ----------------------------------------------------------------------

    def build(self, width: int, height: int) -> list[Row]:
        proposal = self._proposal
        if proposal is None:
            self._pair = None
            return super().build(width, height)
        self._ages = self._ages_now()
        changes: list[int] = []
        rows = self._head(proposal, width)
        for part, marks in self._texts(proposal, width):
            changes += [len(rows) + 1 + at for at in marks]
            rows += [[], *part]
        rows += self._promotion(proposal, width)
        rows += self._findings(width)
        rows += self._signatures(proposal, width)
        self._changes = changes
        return rows

    def _head(self, proposal: Proposal, width: int) -> list[Row]:
        mark, word, tone = STATES[proposal.state]
        rows = _hang([(f"{mark} {word}  ", tone)], asks(proposal), "strong", width)
        if self._review:
            sentence, tone = stands_against(self._review)
            rows += _hang([("! " if tone != "settled" else "✓ ", tone)], sentence, tone, width)
        elif self._problem:
            rows += _hang([("! ", "conflict")], visible(self._problem, newlines=False), "conflict", width)
        elif proposal.state is ProposalState.PENDING:
            rows.append([("  working out what speaks against it …", "label")])
        who = f"{name(str(proposal.proposed_by))}, {age_in_words(proposal.proposed_at, self._clock())}"
        rows += _hang([("asked by ", "label")], f"{who} ({when(proposal.proposed_at)})", "plain", width)
        why = visible(proposal.reason) if proposal.reason.strip() else "no reason was given"
        rows += _hang([("because  ", "label")], why, "plain" if proposal.reason.strip() else "label", width)
        if proposal.decided_at is not None:
            because = f": {visible(proposal.decided_because)}" if proposal.decided_because else ""
            rows += _hang([(f"{word} ", "label")], f"{when(proposal.decided_at)}{because}", "plain", width)
        return rows

    def _texts(self, proposal: Proposal, width: int) -> list[tuple[list[Row], list[int]]]:
        """Each text that goes against the one that comes; the rows that differ stand beside the rows."""
        going, coming = _TITLES[proposal.state]
        if proposal.kind is ProposalKind.RETIRE:
            return [(self._alone(proposal.memory, going, "-", "removed", width), [])]
        olds = [(each, going) for each in proposal.replaces]
        if proposal.promotes is not None:
            olds.insert(0, (proposal.promotes, "MEMORY AS IT IS"))
        if not olds:
            return [(self._alone(proposal.memory, coming, "+", "added", width), [])]
        parts: list[tuple[list[Row], list[int]]] = []
        for number, (old, title) in enumerate(olds, 1):
            self._pair, self._evidence = (old, proposal.memory), ()
            self._titles = (f"{title} ({number} of {len(olds)})" if len(olds) > 1 else title, coming)
            self._ids = (old.memory.short_id, proposal.memory.memory.short_id)
            rows = super().build(width, 0)
            parts.append((rows, list(self._changes)))
        return parts

    def _alone(self, belief: Belief, title: str, gutter: str, side: str, width: int) -> list[Row]:
        rows: list[Row] = [[(title, "title"), (f" {belief.memory.short_id}", "id")]]
        for line in wrapped(content(belief.memory), max(1, width - 2)):
            rows.append(cell([(f"{gutter} ", f"{side} {side}-gutter"), (line, side)], width, side))
        facts = " · ".join(words for words, _ in in_short(belief_facts(belief, None, self._clock())))
        return rows + [[(f"  {line}", "label")] for line in wrapped(facts, max(1, width - 2))]

    def _promotion(self, proposal: Proposal, width: int) -> list[Row]:
        if proposal.kind is not ProposalKind.PROMOTE:
            return []
        kept = proposal.memory.memory.provenance
        rows: list[Row] = [[], [("AS A CORE MEMORY", "heading")]]
        for label in PROMOTION:
            if value := kept.get(label, ""):
                rows += _hang([(f"  {label.replace('_', ' ')}  ", "label")], visible(value), "plain", width)
        return rows if len(rows) > 2 else [*rows, [("  nothing is said about it", "label")]]

    def _findings(self, width: int) -> list[Row]:
        if self._review is None:
            return []
        rows: list[Row] = [[], [(f"WHAT SPEAKS AGAINST IT ({len(self._review.objections)})", "heading")]]
        ordered = sorted(self._review.objections, key=lambda each: (not each.blocks, -each.probability))
        for objection in ordered:
            rows += self._objection(objection, width)
        if not ordered:
            rows.append([("  no active memory contradicts it", "label")])
        rows += [[], [(f"WHAT RESTS ON WHAT WOULD GO ({len(self._review.dependants)})", "heading")]]
        for each in self._review.dependants:
            rows += _hang([("? becomes suspect  ", "suspect"), (each.memory.short_id, "id")], "", "plain", width)
            rows += _indented(content(each.memory), "plain", width)
        if not self._review.dependants:
            rows.append([("  nothing", "label")])
        return rows

    def _objection(self, objection: Objection, width: int) -> list[Row]:
        belief = objection.belief
        blocks = objection.blocks
        head = "! BLOCKS   " if blocks else "? objects  "
        likely = f"{objection.probability:.0%} {belief.memory.short_id}, {standing(belief)}"
        rows = _hang([(head, "conflict" if blocks else "suspect")], likely, "strong", width)
        rows += _indented(content(belief.memory), "plain", width)
        rows += _indented(visible(objection.sentence, newlines=False), "label", width)
        facts = " · ".join(words for words, _ in in_short(belief_facts(belief, None, self._clock())))
        return rows + _indented(facts, "label", width)

    def _signatures(self, proposal: Proposal, width: int) -> list[Row]:
        have = f"SIGNATURES ({signed(proposal)} of {proposal.quorum})"
        rows: list[Row] = [[], [(have, "heading")]]
        for each in proposal.signatures:
            rows += self._signature(each, width)
        if proposal.state is ProposalState.PENDING:
            rows += _indented(still_needed(proposal), "strong", width)
        elif not proposal.signatures:
            rows.append([("  nobody signed it", "label")])
        if self._review:
            head = f"A signature made now covers the ledger at {counted(self._review.head_size, 'event')}, root "
            rows += _indented(head + self._review.head_root, "label", width)
        return rows + [[(line, "label")] for line in wrapped(proposal.id, width)]

    def _signature(self, each: Signature, width: int) -> list[Row]:
        mark, tone = ("✓ holds    ", "settled") if each.valid else ("✗ INVALID  ", "conflict")
        who = f"{name(each.name)}, {short(each.key_id)}, {when(each.at)}, event {each.seq}"
        reason = f": {visible(each.reason, newlines=False)}" if each.reason else ""
        return _hang([(mark, tone)], who + reason, "plain", width)


def _hang(head: Row, sentence: str, tone: str, width: int) -> list[Row]:
    """A sentence beside its head, later rows under its first word; under the head where there is no room."""
    indent = sum(len(text) for text, _ in head)
    if not sentence:
        return [head]
    if width - indent < 16:
        return [head, *([(f"  {line}", tone)] for line in wrapped(sentence, max(1, width - 2)))]
    first, *rest = wrapped(sentence, width - indent)
    return [[*head, (first, tone)], *([(" " * indent + line, tone)] for line in rest)]


def _indented(text: str, tone: str, width: int) -> list[Row]:
    return [[(f"  {line}", tone)] for line in wrapped(text, max(1, width - 2))]
