"""Filing proposals: `tur propose` and `tur-adm proposal submit`. Needs no key, loads nothing that signs."""

from __future__ import annotations

from typing import Annotated

import typer

from ..errors import BadInput
from .call import Call, answers

TextArgument = Annotated[str, typer.Argument(metavar="TEXT", help="What is to hold, in a sentence.")]
TypeOption = Annotated[str, typer.Option("--type", "-t", metavar="TYPE", help="axiom or core.")]
ScopeOption = Annotated[
    str, typer.Option("--scope", metavar="SCOPE", help="Where it is to hold: LEVEL[:PATH][@BRANCH].")
]
SupersedesOption = Annotated[
    list[str] | None,
    typer.Option("--supersedes", metavar="ID", help="The invariant it replaces; repeatable."),
]
ReasonOption = Annotated[str, typer.Option("--reason", metavar="TEXT", help="Why; the reviewers read it.")]


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("propose")(answers(propose))


def propose(
    call: Call,
    text: TextArgument,
    type: TypeOption = "core",
    scope: ScopeOption = "incarnation",
    supersedes: SupersedesOption = None,
    reason: ReasonOption = "",
) -> int:
    """Propose an axiom or core memory for people to approve.

    It waits, and has no force until enough reviewers have signed it. This needs neither key nor terminal.
    """
    from ..records import Draft, Scope
    from . import verdicts, words
    from .learn import exit_code

    kind = words.memory_type(type)
    if not kind.invariant_tier:
        raise BadInput(f"a {kind} needs no proposal; use tur learn, or --type axiom or core")
    where = Scope.parse(scope)
    with call.open(create=True) as engine:
        draft = Draft(content=text, type=kind, scope=where, author=call.actor, provenance=engine.stamp())
        result = engine.propose(draft, replaces=tuple(supersedes or ()), reason=reason)
        verdicts.tell(call, engine, result)
    return exit_code(result)
