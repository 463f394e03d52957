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
"""What a gutter needs to be read, and to be drawn. It keeps its whole label in the first two rounds of squeezing."""
_HIGHEST: Final = 9
"""Rows of the highest box: a frame and seven lines of text."""
_JOINT: Final = 3
"""Rows that a line between two focus nodes wants."""
_AIRY: Final = 5
"""Boxes of so many rows keep their distance before they grow any further."""


@dataclass(slots=True)
class Column:
    """A column of boxes: its place, the distance between two boxes, and height and top row of each that is shown."""

    x: int
    width: int
    gap: int = 0
    high: dict[str, int] = field(default_factory=dict)
    top: dict[str, int] = field(default_factory=dict)
    above: int = 0
    """Nodes scrolled out at the top."""
    below: int = 0

    def middle(self, key: str) -> int:
        """The row where edges meet the box."""
        return self.top[key] + self.high[key] // 2

    def ports(self, key: str) -> list[int]:
        """All rows where an edge can meet the box, from the middle outwards."""
        top, high, middle = self.top[key], self.high[key], self.middle(key)
        rows = range(top + 1, top + high - 1) if high > 2 else [top]
        return sorted(rows, key=lambda row: (abs(row - middle), row))


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
    shown = _columns_that_fit(ego, width, ego.column_of.get(selected or "", FOCUS))
    slots = _widths(ego, shown, width)
    x = max(0, (width - sum(slot.cells for slot in slots)) // 2)
    columns: dict[int, Column] = {}
    for number, slot in zip(shown, slots[::2], strict=True):
        columns[number] = Column(x, slot.cells)
        gutter = slots[2 * len(columns) - 1].cells if len(columns) < len(shown) else 0
        x += slot.cells + gutter
    for number in shown:
        _heights(ego, columns[number], number, height, selected)
    for number in sorted(shown, key=abs):
        _tops(ego, columns, number, height)
    left_out = sum(len(keys) for number, keys in ego.columns.items() if number not in columns)
    return Plan(columns, left_out)


def _columns_that_fit(ego: Ego, width: int, wanted: int) -> list[int]:
    """The near columns where they can be drawn at all, farther ones where they leave room to read.

    Where the cursor's column is not among them, the drawing moves there and leaves out what lies on the other side.
    """
    near = sorted(ego.columns, key=lambda number: (abs(number), number < 0))
    shown = _as_many(near, FOCUS, width)
    if wanted in shown:
        return sorted(shown)
    inward = sorted(ego.columns, key=lambda number: abs(number - wanted))
    return sorted(_as_many([number for number in inward if number * wanted >= 0], wanted, width))


def _as_many(order: list[int], first: int, width: int) -> list[int]:
    """Of these columns the first one, and the next ones in turn as long as they join on and fit."""
    shown = [first]
    room = width - (_FOCUS if first == FOCUS else _NODE)[-1]
    comfort = width - (_FOCUS if first == FOCUS else _NODE)[-2]
    for number in order:
        if number == first or not {number - 1, number + 1} & set(shown):
            continue
        room -= _NODE[-1] + _GUTTER_FLOORS[-1]
        comfort -= _NODE[-2] + _GUTTER_FLOORS[-2]
        if room < 0 or (abs(number - first) > 1 and comfort < 0):
            break
        shown.append(number)
    return shown


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
    tight = widest(labels) + 2 + min(len(parents), 4)
    wish = tight + 3
    return _Slot(wish, (wish, tight, min(wish, _GUTTER_FLOORS[-1])), wish)


def _squeeze(slots: list[_Slot], turn: int, excess: int) -> int:
    """Take cells from the widest slots until the excess is gone or all stand at this round's floor."""
    while excess > 0:
        slot = max(slots, key=lambda slot: slot.cells - slot.floors[turn])
        if slot.cells <= slot.floors[turn]:
            break
        slot.cells -= 1
        excess -= 1
    return excess


def _heights(ego: Ego, column: Column, number: int, height: int, selected: str | None) -> None:
    """How high each box of a column is; where not all of them can stand, which ones do."""
    keys = list(ego.columns[number])
    wishes = {key: 2 + len(wrapped(ego.nodes[key].text, max(1, column.width - 4))) for key in keys}
    joint = _JOINT if number == FOCUS and len(keys) > 1 else 0
    most, column.gap = _box_and_gap(list(wishes.values()), joint, height)
    if most == 1 and len(keys) > height:
        keys, column.above, column.below = _window(keys, max(1, height - 2), selected)
    column.high = {key: min(most, wishes[key]) for key in keys}


def _box_and_gap(wishes: list[int], joint: int, height: int) -> tuple[int, int]:
    """The highest box that lets all nodes stand, and the blank rows between them: `joint` where lines run there."""

    def fits(most: int, gap: int) -> bool:
        return sum(min(most, wish) for wish in wishes) + (len(wishes) - 1) * gap <= height

    gaps = range(joint or 1, (1 if joint else 0) - 1, -1)
    highest = min(_HIGHEST, max(wishes, default=1))
    airy = [(most, gaps[0]) for most in range(highest, _AIRY - 1, -1)]
    dense = [(most, gap) for most in range(highest, 2, -1) for gap in gaps]
    return next((each for each in (*airy, *dense, (1, 1)) if fits(*each)), (1, 0))


def _tops(ego: Ego, columns: dict[int, Column], number: int, height: int) -> None:
    """The boxes of a column as near as can be to where they would best stand."""
    column = columns[number]
    keys = list(column.high)
    tops: list[int] = []
    least = 1 if column.above else 0
    for key, middle in zip(keys, _wished(ego, columns, number, height), strict=True):
        tops.append(max(least, middle - column.high[key] // 2))
        least = tops[-1] + column.high[key] + column.gap
    most = height - (1 if column.below else 0)
    for at in range(len(keys) - 1, -1, -1):
        tops[at] = min(tops[at], most - column.high[keys[at]])
        most = tops[at] - column.gap
    column.top = dict(zip(keys, tops, strict=True))


def _window(keys: list[str], size: int, selected: str | None) -> tuple[list[str], int, int]:
    """The part of a column that is shown, with the selected node in it; and how many are above and below."""
    at = keys.index(selected) if selected in keys else 0
    first = max(0, min(at - size // 2, len(keys) - size))
    return keys[first : first + size], first, len(keys) - first - size


def _wished(ego: Ego, columns: dict[int, Column], number: int, height: int) -> list[int]:
    """The row where each node's middle would best stand: level with its parent, brothers spread around it.

    Each brother is given the rows that what hangs on it wants.
    """
    column = columns[number]
    inner = columns.get(number + (1 if number < 0 else -1))
    brothers: dict[str, list[str]] = {}
    for key in column.high:
        brothers.setdefault("" if number == FOCUS else ego.parent[key], []).append(key)
    wished: dict[str, int] = {}
    for parent, group in brothers.items():
        rows = [_rows(ego, columns, number, key) for key in group]
        share = min(1.0, height / sum(rows))
        middle = inner.middle(parent) if inner is not None and parent in inner.top else height // 2
        y = middle - share * sum(rows) / 2
        for key, wanted in zip(group, rows, strict=True):
            wished[key] = round(y + share * wanted / 2)
            y += share * wanted
    return [wished[key] for key in column.high]


def _rows(ego: Ego, columns: dict[int, Column], number: int, key: str) -> int:
    """Rows for a node, or for all the farther ones that were reached from it, where those want more."""
    column = columns[number]
    own = column.high[key] + column.gap
    outward = number + (1 if number > 0 else -1)
    if number == FOCUS or outward not in columns:
        return own
    return max(own, sum(_rows(ego, columns, outward, far) for far in columns[outward].high if ego.parent[far] == key))
