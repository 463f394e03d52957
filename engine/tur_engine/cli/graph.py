"""`tur graph`: the memories around one memory, as text or in the forms of other tools."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

import typer

from .call import Call, answers


class Form(StrEnum):
    """How a neighbourhood leaves the program."""

    TEXT = "text"
    MERMAID = "mermaid"
    GRAPHML = "graphml"
    JSON = "json"


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("graph")(answers(graph))


def graph(
    call: Call,
    ref: Annotated[str, typer.Argument(metavar="ID", help="The memory in the middle.")],
    radius: Annotated[int, typer.Option("--radius", metavar="N", min=0, max=5, help="How many steps around it.")] = 1,
    form: Annotated[
        Form,
        typer.Option(
            "--format", metavar="text|mermaid|graphml|json", help="How to write it; json is networkx node-link."
        ),
    ] = Form.TEXT,
) -> int:
    """Show what a memory rests on, what rests on it, and what contradicts it."""
    with call.open(read_only=True) as engine:
        if call.json or form is Form.JSON:
            call.out.json(engine.graph(ref, radius=radius))
        else:
            call.out.data(engine.graph_text(ref, radius=radius, form=form.value).rstrip("\n"))
    return 0
