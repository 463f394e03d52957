"""`tur conflicts`: the queue of what contradicts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from ..text import excerpt, visible
from .call import Call, answers

if TYPE_CHECKING:
    from ..engine import Engine
    from ..records import Belief, Conflict
    from .output import Output


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("conflicts")(answers(conflicts))


def conflicts(
    call: Call,
    every: Annotated[bool, typer.Option("--all", help="Also those that are settled.")] = False,
    limit: Annotated[
        int, typer.Option("--limit", "-n", metavar="N", min=1, max=100000, help="At most this many.")
    ] = 100,
    watch: Annotated[bool, typer.Option("--watch", "-w", help="Wait, and show new ones as they come.")] = False,
    bell: Annotated[bool, typer.Option("--bell", help="With --watch: ring the terminal's bell for each.")] = False,
) -> int:
    """List what contradicts and waits.

    The most certain first, then those that most rests on, then the oldest.
    """
    from .. import payloads

    with call.open(read_only=True) as engine:
        if watch:
            from .watching import watch as wait_for_them

            return wait_for_them(call, engine, lambda item: _row(call.out, engine, item), bell=bell)
        found = engine.conflicts(all=every)
        shown = found[:limit]
        waiting = engine.held_back()
        if call.json:
            call.out.json(payloads.conflicts(shown, len(found), waiting))
            return 0
        if not found:
            call.out.say("no conflicts" if every else "no open conflicts")
        for index, item in enumerate(shown):
            if index:
                call.out.data()
            _row(call.out, engine, item)
        for each in waiting:
            text, why = (visible(words, newlines=False) for words in (each.belief.memory.content, each.reason))
            call.out.say(f'held for a person: {engine.short(each.belief.id)} "{text}": {why}')
        if waiting:
            call.out.say("tur-adm admit ID --reason WHY lets one in")
        if len(found) > len(shown):
            call.out.say(f"{len(shown):,} of {len(found):,} shown; --limit shows more")
    return 0


def _row(out: Output, engine: Engine, item: Conflict) -> None:
    state = item.state.value
    if item.settlement is not None:
        undone = ", undone" if item.settlement.undone else ""
        state = f"{state}: {item.settlement.verb} by {visible(str(item.settlement.by), newlines=False)}{undone}"
    if item.reopened_as is not None:
        state = f"{state}; lives on as {engine.short(item.reopened_as)}"
    head = f"{engine.short(item.id)}  {item.probability:.0%} {item.conflict_type}, {item.detected_by}, {state}"
    out.data(out.paint(head, "bold"))
    out.rows(
        [
            ("existing", _label(engine, item.incumbent), item.incumbent.memory.content),
            ("new", _label(engine, item.challenger), item.challenger.memory.content),
        ],
        ["dim"],
        indent="  ",
    )
    if item.reason:
        out.data(f"  why       {excerpt(item.reason, 300)}")


def _label(engine: Engine, belief: Belief) -> str:
    return f"{engine.short(belief.id)} ({belief.status.value})"


def show_conflict(call: Call, engine: Engine, item: Conflict) -> int:
    """Both sides, the reasons, how long it stood open and who was served meanwhile, and what each verb would change."""
    from .. import payloads
    from ..records import Verb

    previews = {verb: engine.preview(item.id, verb) for verb in Verb}
    exposure = engine.exposure(item.id)
    if call.json:
        payload = payloads.conflict(item)
        payload["evidence"] = payloads.evidence(item.evidence)
        payload["previews"] = {verb.value: preview.summary for verb, preview in previews.items()}
        payload["exposure"] = payloads.exposure(exposure)
        call.out.json(payload)
        return 0
    _row(call.out, engine, item)
    if exposure.sentence:
        call.out.data(f"  exposed   {visible(exposure.sentence, newlines=False)}")
    if item.evidence:
        call.out.data()
        call.out.rows([(f"{piece.weight:+.1f}", piece.kind, piece.sentence) for piece in item.evidence], indent="  ")
    if item.state.open:
        call.out.data()
        call.out.rows(
            [(verb.key, verb.value, preview.summary) for verb, preview in previews.items() if preview.allowed],
            indent="  ",
        )
    return 0
