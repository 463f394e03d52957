"""`tur graph`: the memories around one memory, or between two, as text or in the forms of other tools."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

import typer

from ..errors import BadInput
from .call import Call, answers


class Form(StrEnum):
    """How a part of the graph leaves the program."""

    TEXT = "text"
    MERMAID = "mermaid"
    GRAPHML = "graphml"
    JSON = "json"


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("graph")(answers(graph))


def graph(
    call: Call,
    ref: Annotated[str | None, typer.Argument(metavar="[ID]", help="The memory in the middle.")] = None,
    radius: Annotated[
        int, typer.Option("--radius", metavar="N", min=0, max=5, help="How many steps around it, 0 to 5.")
    ] = 1,
    path: Annotated[
        tuple[str, str] | None,
        typer.Option("--path", metavar="ID ID", help="How two memories are joined, instead of what is around one."),
    ] = None,
    form: Annotated[
        Form,
        typer.Option(
            "--format", metavar="text|mermaid|graphml|json", help="How to write it; json is networkx node-link."
        ),
    ] = Form.TEXT,
) -> int:
    """Show what a memory rests on, what rests on it, and what contradicts it; or the path between two.

    A path is told step by step. Exit 1 where no edges join the two.
    """
    if (ref is None) == (path is None):
        raise BadInput("name one memory, or two with --path ID ID")
    as_json = call.json or form is Form.JSON
    with call.open(read_only=True) as engine:
        if path is not None:
            found = engine.path_between(*path)
            if found is None:
                if as_json:
                    call.out.json({"joined": False, "nodes": [], "edges": []})
                call.out.say("no edges join the two")
                return 1
            if as_json:
                call.out.json({"joined": True, **engine.path_data(found)})
            else:
                call.out.data(engine.path_text(found, form=form.value).rstrip("\n"))
        elif ref is not None and as_json:
            call.out.json(engine.graph(ref, radius=radius))
        elif ref is not None:
            call.out.data(engine.graph_text(ref, radius=radius, form=form.value).rstrip("\n"))
    return 0
