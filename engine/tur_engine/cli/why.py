"""`tur why`, `tur what-if` and `tur reaffirm`: what a belief rests on, what rests on it, and letting it stand."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated

import typer

from ..text import counted, excerpt, visible
from .call import Call, answers

if TYPE_CHECKING:
    from ..engine import Engine
    from ..records import Belief, Defeat, Fall, Grounded, Support

DEEPEST = 12
"""Steps that are still indented."""
_REF = typer.Argument(metavar="ID", help="The memory's id, or the start of it.")
_VERB = typer.Option("--verb", metavar="supersede|refute", help="How it would fall.")


def register(app: typer.Typer) -> None:
    """Add the commands."""
    app.command("why")(answers(why))
    app.command("what-if")(answers(what_if))
    app.command("reaffirm")(answers(reaffirm))


def why(call: Call, ref: Annotated[str, _REF]) -> int:
    """Show why a memory is believed: what it rests on, down to what was said without grounds.

    Of what fell: what defeated it, who decided, and why.
    """
    from .. import payloads
    from .recall import full_id

    with call.open(read_only=True) as engine:
        found = engine.why(ref)
        if call.json:
            call.out.json(payloads.support(found, full_id(engine)))
        else:
            for depth, line in _Told(engine, found).lines():
                call.out.rows([(line,)], indent="  " * min(depth, DEEPEST))
    return 0


def what_if(call: Call, ref: Annotated[str, _REF], verb: Annotated[str, _VERB] = "supersede") -> int:
    """Show what would become suspect if a memory fell. Nothing is written."""
    from .. import payloads
    from . import words
    from .recall import full_id

    with call.open(read_only=True) as engine:
        found = engine.what_if(ref, words.verb(verb))
        if call.json:
            call.out.json(payloads.fall(found, full_id(engine)))
        else:
            for depth, line in _consequences(engine, found):
                call.out.rows([(line,)], indent="  " * depth)
    return 0


def reaffirm(
    call: Call,
    ref: Annotated[str, _REF],
    reason: Annotated[str, typer.Option("--reason", metavar="TEXT", help="Why; kept in the history.")] = "",
) -> int:
    """Let a suspect memory stand without what fell. What rests on it stands with it."""
    with call.open() as engine:
        found = engine.memory(ref)
        seq = engine.reaffirm(found.id, reason=reason)
        if call.json:
            call.out.json({"status": "reaffirmed", "id": found.id, "seq": seq})
        else:
            call.out.data(f"Reaffirmed {engine.short(found.id)} (event {seq})")
            call.out.data(f"  Undo this with: tur undo {seq}")
    return 0


def _one_line(engine: Engine, belief: Belief) -> str:
    status = f"{belief.status.value}, in force" if belief.approved else belief.status.value
    return f'{engine.short(belief.id)} ({status}) "{excerpt(belief.memory.content, 120)}"'


class _Told:
    """The support as lines with their depth; each memory in full once."""

    def __init__(self, engine: Engine, support: Support) -> None:
        self._engine = engine
        self._support = support
        self._nodes = {node.belief.memory.digest: node for node in support.nodes}

    def lines(self) -> Iterator[tuple[int, str]]:
        """Yield every line, the memory that was asked about first; depth first, without recursion."""
        told: set[str] = set()
        circles = set(self._support.circles)
        stack: list[tuple[int, str, str, str]] = [(0, "", self._support.about, "")]
        while stack:
            depth, lead, digest, parent = stack.pop()
            node = self._nodes.get(digest)
            if not digest or node is None:
                yield depth, lead if not digest else f"{lead}{self._elsewhere(digest)} (left out)"
                continue
            line = f"{lead}{_one_line(self._engine, node.belief)}"
            if (parent, digest) in circles:
                yield depth, f"{line} (a circle: it leads back here)"
            elif digest in told:
                yield depth, f"{line} (told above)"
            else:
                told.add(digest)
                yield depth, line
                for sentence in self._about(node):
                    yield depth + 1, sentence
                stack += reversed(self._below(depth, digest, node))
        if self._support.left_out:
            yield 0, f"left out: {counted(self._support.left_out, 'more ground')}; ask why of one of those above"

    def _below(self, depth: int, digest: str, node: Grounded) -> list[tuple[int, str, str, str]]:
        made = []
        for number, each in enumerate(node.justifications, 1):
            which = f" {number} of {len(node.justifications)}" if len(node.justifications) > 1 else ""
            state = "whole" if each.whole else "broken"
            head = f"rests on (justification{which}, {state}; {_who(str(each.by))}, {each.at:%Y-%m-%d}):"
            made.append((depth + 1, head, "", ""))
            made += [
                (depth + 2, "" if ground.type == "depends_on" else f"{ground.type}: ", ground.target, digest)
                for ground in each.grounds
            ]
        return made + [(depth + 1, f"{each.type}: ", each.target, digest) for each in node.beside]

    def _about(self, node: Grounded) -> Iterator[str]:
        memory = node.belief.memory
        premise = "premise, " if node.premise else ""
        yield f"{premise}said by {_who(str(memory.author))}, {memory.recorded_at:%Y-%m-%d %H:%M}"
        if node.defeat is not None:
            yield self._defeat(node.defeat)
        if node.belief.suspect_because:
            fallen = " and ".join(self._elsewhere(digest) for digest in node.belief.suspect_because)
            yield f"suspect because {fallen} fell; tur reaffirm lets it stand"
        if node.reaffirmed:
            yield f"reaffirmed in spite of {' and '.join(self._elsewhere(digest) for digest in node.reaffirmed)}"
        for other in node.belief.contested_by:
            yield f"contested by {self._elsewhere(other)}"

    def _defeat(self, defeat: Defeat) -> str:
        by = f" by {self._elsewhere(defeat.winner)}" if defeat.winner else ""
        why = f": {visible(defeat.reason, newlines=False)}" if defeat.reason else ""
        return f"{defeat.status.value}{by}; {_who(str(defeat.by))} decided it, {defeat.at:%Y-%m-%d %H:%M}{why}"

    def _elsewhere(self, digest: str) -> str:
        node = self._nodes.get(digest)
        belief = node.belief if node is not None else self._engine.memory(digest)
        return f'{self._engine.short(belief.id)} "{excerpt(belief.memory.content, 48)}"'


def _who(author: str) -> str:
    return visible(author, newlines=False)


def _consequences(engine: Engine, found: Fall) -> Iterator[tuple[int, str]]:
    done = {"supersede": "superseded", "refute": "refuted"}[found.verb.value]
    yield 0, f"If {_one_line(engine, found.belief)} were {done}:"
    if not found.allowed:
        yield 1, f"not by a verb: {found.reason}"
    if not (found.suspects or found.standing or found.effects):
        yield 1, "nothing rests on it; nothing else would change"
    for each in found.suspects:
        again = "suspect for one more cause" if each.belief.suspect_because else "suspect"
        through = [d for d in each.through if d != found.belief.memory.digest]
        via = f", through {' and '.join(engine.short(engine.memory(d).id) for d in through)}" if through else ""
        yield 1, f"{again}{via}: {_one_line(engine, each.belief)}"
    for belief in found.standing:
        yield 1, f"stands all the same: {_one_line(engine, belief)}"
    for effect in found.effects:
        yield 1, effect.sentence
    yield 0, "Nothing was written."
