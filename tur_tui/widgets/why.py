"""WHY two memories clash, reason by reason; and WHAT WOULD HAPPEN for the verb under the cursor."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Final

from tur_engine.records import Conflict, Effect, Evidence, Preview, Verb
from tur_engine.text import visible

from ..actions import action, key, verb_key
from ..drawing.wording import counted
from ..drawing.wrapping import wrapped
from .painting import components
from .rows_view import Row, RowsView

JUDGE: Final = "judge"
"""The kind of evidence that only the neural judge gives."""
_SETTLED_BY: Final = frozenset({"explicit", "mechanical"})
"""Kinds that settle a pair by themselves: nobody needs to be told that no judge was asked."""

_EIGHTHS: Final = " ▏▎▍▌▋▊▉█"
_AXIS: Final = "│"
_SCALE: Final = 4.0
"""Log-odds that fill a bar at least, so that weak reasons look weak."""
_LEAST: Final = 3
"""Rows of effects that are seen without scrolling, however many reasons there are."""
_CHANGES: Final = {
    "status": ("→", "suspect"),
    "suspect": ("?", "suspect"),
    "edge": ("─", "edge"),
    "scope": ("◂", "edge"),
    "new": ("+", "settled"),
    "conflict": ("!", "conflict"),
}


class Why(RowsView):
    """Evidence as sentences with their weight as bars, then the effects of a verb."""

    PREFIX = "why"

    COMPONENT_CLASSES: ClassVar[set[str]] = components(
        "why",
        "heading", "plain", "dim", "strong", "for", "against", "axis", "conflict", "settled", "suspect", "edge",
        "key", "refused",
    )  # fmt: skip

    DEFAULT_CSS = """
    Why {
        & > .why--heading { color: $text-primary; text-style: bold; }
        & > .why--plain { color: $foreground; }
        & > .why--dim { color: $feed-dim; }
        & > .why--strong { color: $foreground; text-style: bold; }
        & > .why--for { color: $conflict; }
        & > .why--against { color: $settled; }
        & > .why--axis { color: $graph-edge; }
        & > .why--conflict { color: $conflict; text-style: bold; }
        & > .why--settled { color: $settled; text-style: bold; }
        & > .why--suspect { color: $suspect; text-style: bold; }
        & > .why--edge { color: $graph-edge; }
        & > .why--key { color: $text-accent; text-style: bold; }
        & > .why--refused { color: $suspect; }
        &:ansi > .why--heading { color: ansi_default; }
        &:ansi > .why--dim { color: ansi_default; }
        &:ansi > .why--key { color: ansi_default; }
    }
    """

    def __init__(self, *, name: str | None = None, id: str | None = None, classes: str | None = None) -> None:
        super().__init__(name=name, id=id, classes=classes)
        self._conflict: Conflict | None = None
        self._judged: bool | None = None
        self._notes: tuple[str, ...] = ()
        self._verb: Verb | None = None
        self._preview: Preview | None = None
        self._problem = ""

    def show(self, conflict: Conflict, *, judged: bool | None = None, notes: Sequence[str] = ()) -> None:
        """Show the evidence. `judged` says whether the neural judge had its say; by default the evidence tells.

        `notes` are further sentences, above the evidence; all of it is shown then, however long.
        """
        same = self._conflict is not None and self._conflict.id == conflict.id
        self._conflict, self._judged, self._notes = conflict, judged, tuple(notes)
        if not same:
            self._verb = self._preview = None
            self._problem = ""
        self.rebuild(to_top=not same)

    def show_preview(self, preview: Preview) -> None:
        """Show what a verb would change."""
        if preview is self._preview:
            return
        self._verb, self._preview, self._problem = preview.verb, preview, ""
        self.rebuild()

    def show_working(self, verb: Verb) -> None:
        """The effects of a verb are being worked out."""
        if verb is self._verb and self._preview is None and not self._problem:
            return
        self._verb, self._preview, self._problem = verb, None, ""
        self.rebuild()

    def show_problem(self, verb: Verb, sentence: str) -> None:
        """The effects of a verb could not be worked out."""
        self._verb, self._preview, self._problem = verb, None, sentence
        self.rebuild()

    def clear(self) -> None:
        """Show nothing."""
        self._conflict = self._verb = self._preview = None
        self.rebuild(to_top=True)

    def build(self, width: int, height: int) -> list[Row]:
        if self._conflict is None:
            return []
        rows = [_heading(self._conflict, width)]
        if not self._had_judge(self._conflict):
            rows += [[(line, "dim")] for line in wrapped("judged without the neural judge: symbols alone", width)]
        for note in self._notes:
            rows += _hanging([("  ", "")], visible(note, newlines=False), "plain", width)
        rows += evidence_rows(self._conflict.evidence, width)
        if self._verb is None:
            return rows
        effects = self._effects(self._verb, width)
        if self._notes:  # nothing else tells all of it
            return [*rows, [], *effects]
        return [*_cut(rows, height - 1 - min(len(effects), 1 + _LEAST)), [], *effects]

    def _had_judge(self, conflict: Conflict) -> bool:
        if self._judged is not None:
            return self._judged
        kinds = {evidence.kind for evidence in conflict.evidence}
        return JUDGE in kinds or bool(kinds & _SETTLED_BY) or conflict.detected_by.value in _SETTLED_BY

    def _effects(self, verb: Verb, width: int) -> list[Row]:
        label = action(f"conflict.{verb}").label
        rows: list[Row] = [[("WHAT WOULD HAPPEN ", "heading"), (f"{verb_key(verb)} ", "key"), (label, "strong")]]
        if self._problem:
            return rows + _hanging([("  ", "")], visible(self._problem), "refused", width)
        if self._preview is None:
            return [*rows, [("  working it out …", "dim")]]
        if not self._preview.allowed:
            return rows + _hanging([("✗ ", "conflict")], visible(self._preview.reason), "refused", width)
        if not self._preview.effects:
            return [*rows, [("  nothing changes", "dim")]]
        for effect in self._preview.effects:
            rows += _effect_rows(effect, width)
        return rows


def _cut(rows: list[Row], most: int) -> list[Row]:
    """The reasons, cut where what would happen could not be seen below them; `e` shows all."""
    most = max(most, 3)
    if len(rows) <= most:
        return rows
    return [
        *rows[: most - 1],
        [(f"  … {counted(len(rows) - most + 1, 'more line')}; {key('conflict.explain')} shows all", "dim")],
    ]


def evidence_rows(evidence: Sequence[Evidence], width: int) -> list[Row]:
    """Every reason, the strongest first, guards last: a bar, the weight, the sentence."""
    ordered = sorted(evidence, key=lambda reason: -reason.weight)
    scale = max([_SCALE, *(abs(reason.weight) for reason in ordered)])
    left, right = (3, 5) if width < 60 else (4, 8)
    rows: list[Row] = []
    for reason in ordered:
        weight = round(reason.weight, 1) + 0.0  # as it is written; and no -0.0
        bar = _bar(weight, scale, left, right)
        tone = "against" if reason.guard else "for"
        head: Row = [*bar, (f"{weight:+5.1f}  ", tone)]
        rows += _hanging(head, visible(reason.sentence, newlines=False), "plain", width)
    return rows or [[("  no evidence is recorded", "dim")]]


def _bar(weight: float, scale: float, left: int, right: int) -> Row:
    """A bar to the right of the axis for a clash, to the left (in half cells) against it."""
    if not weight:
        return [(" " * left, ""), (_AXIS, "axis"), (" " * right, "")]
    if weight < 0:
        halves = max(1, round(min(1.0, -weight / scale) * left * 2))
        blocks = "▐" * (halves % 2) + "█" * (halves // 2)
        return [(blocks.rjust(left), "against"), (_AXIS, "axis"), (" " * right, "")]
    eighths = max(1, round(min(1.0, weight / scale) * right * 8))
    blocks = "█" * (eighths // 8) + _EIGHTHS[eighths % 8].strip()
    return [(" " * left, ""), (_AXIS, "axis"), (blocks.ljust(right), "for")]


def _heading(conflict: Conflict, width: int) -> Row:
    words = f"{conflict.conflict_type}, {conflict.detected_by}"
    resting = counted(conflict.dependants, "memory rests", "memories rest")
    more = f", {resting} on the existing one" if conflict.dependants else ""
    row: Row = [("WHY ", "heading"), (f"{conflict.probability:.0%} ", "conflict")]
    full = f"likely to clash: {words}"
    row.append((full if len(full) + 8 <= width else words, "strong"))
    return [*row, (more, "dim")] if sum(len(text) for text, _ in row) + len(more) <= width else row


def _effect_rows(effect: Effect, width: int) -> list[Row]:
    glyph, tone = _CHANGES.get(effect.change, ("•", "plain"))
    return _hanging([(f"{glyph} ", tone)], visible(effect.sentence, newlines=False), "plain", width)


def _hanging(head: Row, sentence: str, tone: str, width: int) -> list[Row]:
    """A sentence beside its head, later rows under its first word; under the head where there is no room."""
    indent = sum(len(text) for text, _ in head)
    if width - indent < 16:
        indent = 2
        lines = wrapped(sentence, max(1, width - indent))
        return [head, *([(" " * indent, ""), (line, tone)] for line in lines)]
    first, *rest = wrapped(sentence, width - indent)
    return [[*head, (first, tone)], *([(" " * indent, ""), (line, tone)] for line in rest)]
