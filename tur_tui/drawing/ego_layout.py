"""Where the columns of an ego graph stand and how high their boxes are. Pure numbers, no drawing."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

from .ego import FOCUS, Ego
from .grid import widest
from .wrapping import wrapped

_NODE: Final = (24, 18, 15, 11)
_FOCUS: Final = (30, 20, 16, 11)
"""Cells that a column wishes, and the floors of the three rounds in which it is squeezed."""
_NODE_MOST: Final = 42
_FOCUS_MOST: Final = 54
_GUTTER_FLOORS: Final = (12, 5)
"""A gutter keeps its whole label in the first round of squeezing."""
_HIGHEST: Final = 6
"""Rows of the highest box: a frame and four lines of text."""


@dataclass(slots=True)
class Column:
    """A column of boxes: its place, how high a box is, and the top row of each node that is shown."""

    x: int
    width: int
    box: int = 1
    top: dict[str, int] = field(default_factory=dict)
    above: int = 0
    """Nodes scrolled out at the top."""
    below: int = 0

    def middle(self, key: str) -> int:
        """The row where edges meet the box."""
        return self.top[key] + self.box // 2


@dataclass(slots=True)
class Plan:
    """The columns that are drawn, by signed distance from the focus."""

    columns: dict[int, Column]
    left_out: int


@dataclass(slots=True)
class _Slot:
    """Cells for a column or a gutter, how far each round may squeeze it, and how far it may stretch."""

    cells: int
    floors: tuple[int, int, int]
    most: int


def plan(ego: Ego, width: int, height: int, selected: str | None) -> Plan:
    """Lay the columns out in `width` by `height` cells; the selected node is shown where its column is."""
    shown = _columns_that_fit(ego, width)
    slots = _widths(ego, shown, width)
    x = max(0, (width - sum(slot.cells for slot in slots)) // 2)
    columns: dict[int, Column] = {}
    for number, slot in zip(shown, slots[::2], strict=True):
        columns[number] = Column(x, slot.cells)
        gutter = slots[2 * len(columns) - 1].cells if len(columns) < len(shown) else 0
        x += slot.cells + gutter
    for number in sorted(shown, key=abs):
        _heights(ego, columns, number, height, selected)
    left_out = sum(len(keys) for number, keys in ego.columns.items() if number not in columns)
    return Plan(columns, left_out)


def _columns_that_fit(ego: Ego, width: int) -> list[int]:
    """The near columns where they can be drawn at all, farther ones where they leave room to read."""
    shown = [FOCUS]
    room = width - _FOCUS[-1]
    comfort = width - _FOCUS[-2]
    for number in sorted(ego.columns, key=lambda number: (abs(number), number < 0)):
        if number == FOCUS or number + (1 if number < 0 else -1) not in shown:
            continue
        room -= _NODE[-1] + _GUTTER_FLOORS[-1]
        comfort -= _NODE[-2] + _GUTTER_FLOORS[-2]
        if room < 0 or (abs(number) > 1 and comfort < 0):
            break
        shown.append(number)
    return sorted(shown)


def _widths(ego: Ego, shown: list[int], width: int) -> list[_Slot]:
    """Column, gutter, column and so on, squeezed or stretched to the width."""
    slots: list[_Slot] = []
    for at, number in enumerate(shown):
        nodes = [ego.nodes[key] for key in ego.columns[number]]
        longest = max(
            widest([node.text for node in nodes]) + 4,
            widest([f"{node.mark} {node.title}".strip() for node in nodes]) + 4,
        )
        wish, *floors = _FOCUS if number == FOCUS else _NODE
        most = max(floors[-1], min(_FOCUS_MOST if number == FOCUS else _NODE_MOST, longest))
        first, second, last = (min(floor, most) for floor in floors)
        slots.append(_Slot(min(wish, most), (first, second, last), most))
        if at + 1 < len(shown):
            slots.append(_gutter(ego, number if number < FOCUS else shown[at + 1]))
    excess = sum(slot.cells for slot in slots) - width
    for turn in range(3):
        excess = _squeeze(slots, turn, excess)
    while excess < 0 and (growing := [slot for slot in slots[::2] if slot.cells < slot.most]):
        min(growing, key=lambda slot: slot.cells).cells += 1
        excess += 1
    return slots


def _gutter(ego: Ego, outer: int) -> _Slot:
    """The gap on the inner side of a column: tracks, the longest label, the arrow."""
    inner = ego.columns[outer + (1 if outer < FOCUS else -1)]
    labels: list[str] = []
    parents = set()
    for child in ego.columns[outer]:
        for key in inner:
            if links := ego.between(key, child):
                parents.add(key)
                labels += [link.words for link in links]
    wish = widest(labels) + 5 + min(len(parents), 4)
    middle, least = (min(wish, floor) for floor in _GUTTER_FLOORS)
    return _Slot(wish, (wish, middle, least), wish)


def _squeeze(slots: list[_Slot], turn: int, excess: int) -> int:
    """Take cells from the widest slots until the excess is gone or all stand at this round's floor."""
    while excess > 0:
        slot = max(slots, key=lambda slot: slot.cells - slot.floors[turn])
        if slot.cells <= slot.floors[turn]:
            break
        slot.cells -= 1
        excess -= 1
    return excess


def _heights(ego: Ego, columns: dict[int, Column], number: int, height: int, selected: str | None) -> None:
    column, keys = columns[number], list(ego.columns[number])
    gap = _joint(ego, keys) if number == FOCUS else 0
    rows = max((len(wrapped(ego.nodes[key].text, max(1, column.width - 4))) for key in keys), default=1)
    column.box, step = _box_and_step(len(keys), rows, gap, height)
    room = height
    if len(keys) * step - (step - column.box) > height:
        keys, column.above, column.below = _window(keys, max(1, height - 2), selected)
        room = height - (1 if column.below else 0)
    low = 1 if column.above else 0
    wished = [y - column.box // 2 for y in _wished(ego, columns, number, keys, step, height)]
    tops: list[int] = []
    for y in wished:
        tops.append(max(low, y if not tops else max(y, tops[-1] + step)))
    ceiling = room - column.box
    for at in range(len(tops) - 1, -1, -1):
        tops[at] = min(tops[at], ceiling)
        ceiling = tops[at] - step
    column.top = dict(zip(keys, tops, strict=True))


def _joint(ego: Ego, keys: list[str]) -> int:
    """Rows that a line between two focus nodes wants."""
    return 3 if len(keys) > 1 else 0


def _box_and_step(count: int, rows: int, gap: int, height: int) -> tuple[int, int]:
    """The highest box that lets all nodes stand, and the distance of their tops."""
    least_gap = 1 if gap else 0
    for box in range(min(_HIGHEST, 2 + rows), 2, -1):
        for between in range(gap or 1, least_gap - 1, -1):
            if count * box + (count - 1) * between <= height:
                return box, box + between
    if count * 2 - 1 <= height:
        return 1, 2
    return 1, 1


def _window(keys: list[str], size: int, selected: str | None) -> tuple[list[str], int, int]:
    """The part of a column that is shown, with the selected node in it; and how many are above and below."""
    at = keys.index(selected) if selected in keys else 0
    first = max(0, min(at - size // 2, len(keys) - size))
    return keys[first : first + size], first, len(keys) - first - size


def _wished(ego: Ego, columns: dict[int, Column], number: int, keys: list[str], step: int, height: int) -> list[int]:
    """The row where each node's middle would best stand: level with its parent, brothers spread around it."""
    if number == FOCUS:
        first = (height - (len(keys) - 1) * step) // 2
        return [first + at * step for at in range(len(keys))]
    inner = columns[number + (1 if number < 0 else -1)]
    brothers: dict[str, list[str]] = {}
    for key in keys:
        brothers.setdefault(ego.parent[key], []).append(key)
    wished: dict[str, int] = {}
    for parent, group in brothers.items():
        middle = inner.middle(parent) if parent in inner.top else height // 2
        for at, key in enumerate(group):
            wished[key] = middle + round((at - (len(group) - 1) / 2) * step)
    return [wished[key] for key in keys]
