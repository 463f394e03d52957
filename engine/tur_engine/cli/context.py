"""`tur context`: what holds here, for the start of a prompt."""

from __future__ import annotations

from typing import Annotated

import typer

from .call import Call, answers


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("context")(answers(context))


def context(
    call: Call,
    budget: Annotated[
        int, typer.Option("--budget", "-b", metavar="N", min=50, max=100000, help="About so many tokens.")
    ] = 2000,
    path: Annotated[
        str | None,
        typer.Option("--path", metavar="PATH", help="As seen from this folder, relative to the root."),
    ] = None,
    branch: Annotated[str | None, typer.Option("--branch", metavar="NAME", help="As seen from this branch.")] = None,
    session: Annotated[
        str, typer.Option("--session", metavar="NAME", help="The session it is for; noted beside the store.")
    ] = "",
) -> int:
    """Print what holds here, for an agent to read before it starts.

    Invariants first, all of them, those of stores above too; then the newest memories, as many as the budget takes.
    Contested ones are marked and come with their other side; what was superseded is left out. Seen from the
    working directory and its git branch. A token is reckoned as four ASCII characters, or one
    other.
    """
    from .. import payloads
    from ..place import Place
    from .recall import full_id

    with call.open(read_only=True) as engine:
        here = Place.of(engine.root)
        found = engine.context(
            path=path if path is not None else here.path,
            branch=branch if branch is not None else here.branch,
            budget=budget,
            session=session,
        )
        if call.json:
            call.out.json(payloads.context(found, full_id(engine)))
        elif found.text:
            call.out.data(found.text)
        else:
            call.out.say("nothing holds here yet")
    return 0
