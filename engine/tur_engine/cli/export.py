"""`tur export`: what holds, as JSON lines that `tur import` takes, or as Markdown for people."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ..errors import BadInput
from ..text import counted
from .call import Call, answers
from .output import is_terminal, json_text
from .target import write

if TYPE_CHECKING:
    from ..engine import Engine
    from ..records import Belief

FORMATS = ("jsonl", "md")


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("export")(answers(export))


def export(
    call: Call,
    target: Annotated[str, typer.Argument(metavar="[FILE|-]", help="Where to; - is standard output.")] = "-",
    format: Annotated[
        str | None,
        typer.Option("--format", "-f", metavar="jsonl|md", help="Default: by the file's name, else jsonl."),
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Write over a file that is there, through a link.")] = False,
) -> int:
    """Write down every memory that holds, the oldest first.

    JSON lines carry all there is of a memory; `tur import` takes them into another store. Markdown is a list for
    people, of texts, types and scopes, that `tur import` takes too; what nobody sees in a text stands there as a
    reference (&#x202E;).
    """
    form = _form(target, format)
    with call.open(read_only=True) as engine:
        left_out = sum(belief.memory.type.value == "concept" for belief in engine.live())
        written = 0
        if target == "-" and call.json:
            rows = [exported(belief) for belief in _memories(engine)]
            call.out.json({"memories": rows})
        elif target == "-":
            for line in _lines(engine, form, joined=not is_terminal(sys.stdout)):
                call.out.data(line)
        else:
            written = write(target, _lines(engine, form), force=force)
            count = sum(1 for _ in _memories(engine)) if form == "md" else written
            if call.json:
                call.out.json({"file": target, "format": form, "memories": count})
            else:
                call.out.say(f"{counted(count, 'memory', 'memories')} written to {target}")
    if left_out:
        were = "was" if left_out == 1 else "were"
        call.out.say(f"{counted(left_out, 'concept')} of the graph {were} left out; tur graph writes those")
    return 0


def _form(target: str, named: str | None) -> str:
    if named is None:
        return "md" if Path(target).suffix.lower() in (".md", ".markdown") else "jsonl"
    if named.lower() not in FORMATS:
        raise BadInput(f"unknown format {named!r}; use one of {', '.join(FORMATS)}")
    return named.lower()


def _memories(engine: Engine) -> Iterator[Belief]:
    return (b for b in engine.live() if b.memory.type.value != "concept" and not b.memory.redacted)


def _lines(engine: Engine, form: str, *, joined: bool = True) -> Iterator[str]:
    if form == "md":
        from . import listed

        return listed.written(_memories(engine), joined=joined)
    return (json_text(exported(belief)) for belief in _memories(engine))


def exported(belief: Belief) -> dict[str, Any]:
    """One memory as an import reads it; what is empty is left out."""
    from ..payloads import stamp

    memory = belief.memory
    certain = memory.confidence.model_dump(mode="json", exclude_defaults=True)
    row: dict[str, Any] = {
        "content": memory.content,
        "type": memory.type.value,
        "scope": str(memory.scope),
        "topic": memory.topic,
        "fields": dict(memory.fields),
        "tags": list(memory.tags),
        "relations": [{"type": each.type, "target": each.target} for each in memory.relations],
        "node_type": memory.node_type,
        "author": str(memory.author),
        "occurred_at": stamp(memory.occurred_at),
        "recorded_at": stamp(memory.recorded_at),
        "confidence": certain,
        "session": memory.session,
        "provenance": dict(memory.provenance),
        "id": memory.id,
        "status": belief.status.value,
    }
    return {name: value for name, value in row.items() if value not in (None, {}, [])}
