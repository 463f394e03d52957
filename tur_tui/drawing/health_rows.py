"""The health of a store as rows: what is in it, what waits, who is contradicted, where the ledger ends."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Final

from rich.cells import cell_len

from tur_engine.records import AgentRate, Health, Status
from tur_engine.text import visible

from .grid import Piece
from .reliability import reliability
from .wording import age_in_words, counted
from .wrapping import fit, pad, wrapped

Rows = list[list[Piece]]

_TONES: Final = {
    Status.HELD: "conflict",
    Status.PENDING: "invariant",
    Status.SUSPECT: "suspect",
    Status.ACTIVE: "settled",
}
_AGES: Final = (
    ("under an hour", timedelta(hours=1)),
    ("under a day", timedelta(days=1)),
    ("under a week", timedelta(weeks=1)),
    ("under a month", timedelta(days=30)),
    ("older", timedelta.max),
)
_NAME: Final = 20
_MOST_AUTHORS: Final = 8
_TWO_COLUMNS: Final = 112
"""Cells from which two columns stand side by side."""
_GAP: Final = 3
_WIDEST_BAR: Final = 40


def page(health: Health, now: datetime, width: int) -> Rows:
    """Everything for a page of this width, in one column or two."""
    if width < _TWO_COLUMNS:
        return _stacked([*_left(health, now, width), *_right(health, now, width)])
    half = (width - _GAP) // 2
    left, right = _stacked(_left(health, now, half)), _stacked(_right(health, now, width - _GAP - half))
    height = max(len(left), len(right))
    left += [[] for _ in range(height - len(left))]
    right += [[] for _ in range(height - len(right))]
    return [[*_filled(one, half + _GAP), *other] for one, other in zip(left, right, strict=True)]


def as_text(health: Health, now: datetime, width: int = 78) -> str:
    """The same in one column as plain text, to be copied."""
    return "\n".join("".join(text for text, _ in row).rstrip() for row in page(health, now, width)) + "\n"


def _left(health: Health, now: datetime, width: int) -> list[Rows]:
    return [_memories(health, width), _conflicts(health.open_since, now, width), _authors(health.agents, width)]


def _right(health: Health, now: datetime, width: int) -> list[Rows]:
    return [_pace(health, width), reliability(health.calibration, width), _ledger(health, now, width)]


def _memories(health: Health, width: int) -> Rows:
    total = sum(sum(types.values()) for types in health.counts.values())
    rows: Rows = [heading("MEMORIES", counted(total, "memory", "memories"))]
    if not total:
        return rows + said('None yet. Teach it something: tur learn "text"', width)
    for status in (each for each in Status if each in health.counts):
        types = sorted(health.counts[status].items(), key=lambda each: -each[1])
        head = f"  {pad(status.value.replace('_', ' '), 17)}{sum(n for _, n in types):>9,}  "
        told = ", ".join(f"{kind} {number:,}" for kind, number in types)
        for place, line in enumerate(wrapped(told, max(8, width - cell_len(head)))):
            mark: Piece = (" " * cell_len(head), "") if place else (head, _TONES.get(status, "plain"))
            rows.append([mark, (line, "dim")])
    return rows


def _conflicts(since: Sequence[datetime], now: datetime, width: int) -> Rows:
    rows: Rows = [heading("OPEN CONFLICTS", f"{len(since):,} by age" if since else "")]
    if not since:
        return rows + said("None is open.", width)
    young = timedelta()
    numbers = []
    for _, limit in _AGES:
        numbers.append(sum(young <= max(timedelta(), now - at) < limit for at in since))
        young = limit
    for (word, _), number in zip(_AGES, numbers, strict=True):
        rows.append([(f"  {pad(word, 17)}{number:>9,}  ", "plain"), *bar(number / max(numbers), width - 30)])
    return rows + said(f"The oldest was found {age_in_words(min(since), now)}.", width)


def _authors(agents: Sequence[AgentRate], width: int) -> Rows:
    rows: Rows = [heading("AUTHORS", "and how much of theirs was contradicted")]
    if not agents:
        return rows + said("Nobody has written anything yet.", width)
    for each in agents[:_MOST_AUTHORS]:
        share = each.clashing / each.memories if each.memories else 0.0
        name = pad(fit(visible(str(each.author), newlines=False), _NAME), _NAME)
        rows.append(
            [
                (f"  {name}", "plain"),
                (f"{each.memories:>9,}", "dim"),
                (f"{each.clashing:>7,}  {share:>4.0%}  ", "conflict" if each.clashing else "dim"),
                *bar(share, width - _NAME - 26),
            ]
        )
    more = len(agents) - _MOST_AUTHORS
    return rows + (said(f"and {more:,} more", width) if more > 0 else [])


def _pace(health: Health, width: int) -> Rows:
    whole = health.learned
    rows: Rows = [heading("THE GATE", f"last {counted(whole.answers, 'answer')} here" if whole.answers else "")]
    if not whole.answers:
        return rows + said(
            "Nothing was learned on this machine yet; each answer of the gate leaves its time here.", width
        )
    rows.append([(f"  {'milliseconds':17}{'p50':>8}{'p95':>8}{'p99':>8}{'worst':>9}", "dim")])
    for word, each in (("probe and verdict", health.weighed), ("whole answer", whole)):
        figures = "".join(f"{_ms(value):>8}" for value in (each.p50, each.p95, each.p99)) + f"{_ms(each.worst):>9}"
        rows.append([(f"  {word:17}", "plain"), (figures, "strong")])
    return rows


def _ledger(health: Health, now: datetime, width: int) -> Rows:
    disk = health.disk
    log = f", its log {_size(disk.log)}" if disk.log else ""
    checkpoint = f", the last is event {health.checkpoint:,}" if health.checkpoint else ""
    facts = (
        ("events", f"{health.head.size:,}, the last {age_in_words(health.at, now)}"),
        ("root", health.head.root[:32]),
        ("checkpoints", f"{health.checkpoints:,}{checkpoint}" if health.checkpoints else "none: nothing is signed yet"),
        ("witness", health.witness),
        ("disk", f"{_size(disk.store)}{log}; {_size(disk.free)} free"),
    )
    rows: Rows = [heading("LEDGER")]
    for word, told in facts:
        for place, line in enumerate(wrapped(visible(told, newlines=False), max(8, width - 15))):
            rows.append([(f"  {'' if place else word:13}", "dim"), (line, "plain")])
    return rows


def heading(title: str, beside: str = "") -> list[Piece]:
    """A section's first row."""
    return [(title, "heading"), (f"  {beside}" if beside else "", "dim")]


def said(sentence: str, width: int) -> Rows:
    """A sentence under a heading."""
    return [[(f"  {line}", "dim")] for line in wrapped(sentence, max(8, width - 2))]


def bar(share: float, width: int) -> list[Piece]:
    """A bar as long as the share of the room; something, however little, is never nothing."""
    room = max(0, min(width, _WIDEST_BAR))
    cells = round(share * room) or (1 if share > 0 and room else 0)
    return [("━" * cells, "bar")]


def _stacked(sections: Sequence[Rows]) -> Rows:
    rows: Rows = []
    for place, section in enumerate(sections):
        rows += [[], *section] if place else section
    return rows


def _filled(row: list[Piece], width: int) -> list[Piece]:
    return [*row, (" " * max(0, width - sum(cell_len(text) for text, _ in row)), "")]


def _ms(value: float) -> str:
    return f"{value:.1f}" if value < 10 else f"{value:,.0f}"


def _size(number: int) -> str:
    value = float(number)
    for unit in ("bytes", "kB", "MB", "GB"):
        if value < 1000:
            return f"{value:.0f} {unit}" if unit == "bytes" or value >= 10 else f"{value:.1f} {unit}"
        value /= 1000
    return f"{value:,.1f} TB"
