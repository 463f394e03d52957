"""`tur diff`: what stands otherwise than it did."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, Annotated

import typer

from ..errors import BadInput
from ..text import visible
from . import moments
from .call import Call, answers

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ..engine import Engine
    from ..records import Change, Conflict, Difference
    from .output import Colour

_SIGNS: dict[str, tuple[str, Colour]] = {
    "learned": ("+", "green"),
    "restored": ("+", "green"),
    "superseded": ("-", "red"),
    "refuted": ("-", "red"),
    "retracted": ("-", "red"),
    "held": ("?", "yellow"),
    "proposed": ("?", "yellow"),
    "suspect": ("?", "yellow"),
    "cleared": ("=", "dim"),
}
HOW = f"an event's number (tur history lists them), now, {moments.HOW}"


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("diff")(answers(diff))


def diff(
    call: Call,
    since: Annotated[
        str, typer.Argument(metavar="A", help="The earlier moment: an event's number, a date, yesterday, 2d.")
    ],
    until: Annotated[str, typer.Argument(metavar="[B]", help="The later one; now, where it is left out.")] = "now",
) -> int:
    """Say what stands otherwise than it did: learned, fallen, come back, doubted, contested, settled.

    A moment is an event's number, a date or time, `now`, `today`, `yesterday`, or how long ago: 30m, 2h, 2d, 1w.
    What happened in between and was undone is not shown; `tur history` tells it.
    """
    from .. import payloads

    with call.open(read_only=True) as engine:
        now = datetime.now().astimezone()
        found = engine.diff(point(engine, since, now), point(engine, until, now))
        if call.json:
            call.out.json(payloads.difference(found))
        else:
            _tell(call, engine, found)
    return 0


def point(engine: Engine, text: str, now: datetime) -> int:
    """Return the event that a moment names: the last one that had happened by then. Raises BadInput."""
    word = text.strip().lower()
    number = word.removeprefix("#")
    if number.isascii() and number.isdecimal() and len(number) < 19:
        return int(number)
    if word in ("now", "head"):
        return engine.head()
    if (time := moments.time(text, now)) is None:
        raise BadInput(f"{visible(text, newlines=False)!r} is no moment; write {HOW}")
    return engine.event_at(time)


def _tell(call: Call, engine: Engine, found: Difference) -> None:
    out = call.out
    out.say(f"after event {_named(found.since, found.since_at)}, up to event {_named(found.until, found.until_at)}")
    if found.empty:
        out.say("nothing stands otherwise")
        return
    for name, group in found.memories.items():
        if group:
            out.data(out.paint(f"{name} ({len(group):,})", "bold"))
            sign, colour = _SIGNS[name]
            out.rows(
                [_row(engine, sign, each) for each in group],
                [colour, None, "dim", "dim"],
                indent="  ",
                below=[_because(each) for each in group],
            )
    for title, conflicts in (("conflicts opened", found.opened), ("conflicts settled", found.settled)):
        if conflicts:
            out.data(out.paint(f"{title} ({len(conflicts):,})", "bold"))
            _conflicts(call, engine, conflicts)


def _named(seq: int, at: datetime | None) -> str:
    return f"{seq} ({at.astimezone():%Y-%m-%d %H:%M})" if at else "0 (before the first)"


def _row(engine: Engine, sign: str, change: Change) -> tuple[str, ...]:
    memory = change.belief.memory
    return sign, engine.short(change.belief.id), f"#{change.seq}", str(change.by), memory.content


def _because(change: Change) -> list[str]:
    return [f"because: {change.reason}"] if change.reason else []


def _conflicts(call: Call, engine: Engine, conflicts: Sequence[Conflict]) -> None:
    rows, below = [], []
    for each in conflicts:
        how = each.state.value
        if each.settlement is not None:
            how = f"{each.settlement.verb.value} by {each.settlement.by}"
        rows.append((engine.short(each.id), how, each.incumbent.memory.content))
        because = [f"because: {each.settlement.reason}"] if each.settlement and each.settlement.reason else []
        below.append([f"against: {each.challenger.memory.content}", *because])
    call.out.rows(rows, [None, "dim"], indent="  ", below=below)
