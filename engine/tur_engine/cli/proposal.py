"""`tur-adm proposal`: axioms and core memories that wait for approval. Anyone may submit one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from ..errors import BadInput, UnknownId
from ..text import visible
from .call import Call, answers

if TYPE_CHECKING:
    from ..engine import Engine
    from ..records import Belief


def register(app: typer.Typer) -> None:
    """Add the family."""
    family = typer.Typer(
        help="Propose axioms and core memories, see what is pending.",
        rich_markup_mode=None,
        context_settings={"help_option_names": ["-h", "--help"]},
    )
    family.callback(invoke_without_command=True)(_alone)
    family.command("submit")(answers(submit))
    family.command("list")(answers(list_proposals))
    family.command("show")(answers(show))
    app.add_typer(family, name="proposal")


def _alone(ctx: typer.Context) -> None:
    if ctx.invoked_subcommand is None:
        raise BadInput(f"{ctx.command_path} needs a command: submit, list or show; see {ctx.command_path} --help")


def submit(
    call: Call,
    text: Annotated[str, typer.Argument(metavar="TEXT", help="What is to hold, in a sentence.")],
    type: Annotated[str, typer.Option("--type", "-t", metavar="TYPE", help="axiom or core.")] = "core",
    scope: Annotated[
        str, typer.Option("--scope", metavar="SCOPE", help="Where it is to hold: LEVEL[:PATH][@BRANCH].")
    ] = "incarnation",
    supersedes: Annotated[
        list[str] | None,
        typer.Option("--supersedes", metavar="ID", help="The invariant it replaces; repeatable."),
    ] = None,
) -> int:
    """Propose an invariant.

    Approving comes with a later version: until then it waits, and has no force. This needs neither key nor
    terminal.
    """
    from ..records import Draft, OnConflict, Scope
    from . import verdicts, words
    from .learn import exit_code

    kind = words.memory_type(type)
    if not kind.invariant_tier:
        raise BadInput(f"a {kind} needs no proposal; use tur learn, or --type axiom or core")
    draft = Draft(content=text, type=kind, scope=Scope.parse(scope), author=call.actor)
    with call.open(create=True) as engine:
        result = engine.learn(draft, on_conflict=OnConflict.HOLD, supersedes=tuple(supersedes or ()))
        verdicts.tell(call, engine, result)
    return exit_code(result)


def list_proposals(call: Call) -> int:
    """List the proposals that wait, the newest first."""
    from .. import payloads
    from .recall import full_id

    with call.open(read_only=True) as engine:
        pending = _pending(engine)
        if call.json:
            name = full_id(engine)
            call.out.json(
                {"proposals": [payloads.memory(belief, name) | {"proposal_id": _id(belief)} for belief in pending]}
            )
        elif pending:
            call.out.rows(
                [(engine.short(_id(belief)), str(belief.memory.author), belief.memory.content) for belief in pending],
                ["bold", "dim"],
            )
        else:
            call.out.say("no proposals wait")
    return 0


def show(
    call: Call,
    ref: Annotated[str, typer.Argument(metavar="ID", help="The proposal's id, or the start of it.")],
) -> int:
    """Show one proposal in full."""
    from .. import payloads
    from .recall import full_id

    with call.open(read_only=True) as engine:
        belief = _one(engine, ref)
        if call.json:
            call.out.json(payloads.memory_in_full(belief, full_id(engine)) | {"proposal_id": _id(belief)})
        else:
            call.out.data(visible(belief.memory.content))
            call.out.data()
            call.out.rows(
                [
                    ("proposal", _id(belief)),
                    ("memory", belief.id),
                    ("status", belief.status.value),
                    ("scope", str(belief.memory.scope)),
                    ("proposed by", str(belief.memory.author)),
                    ("proposed at", f"{belief.memory.recorded_at.astimezone():%Y-%m-%d %H:%M:%S %z}"),
                ],
                ["dim"],
            )
    return 0


def _pending(engine: Engine) -> list[Belief]:
    from ..records import Status

    return engine.memories(status={Status.PENDING}, limit=100_000)


def _id(belief: Belief) -> str:
    return f"proposal-{belief.memory.digest}"


def _one(engine: Engine, ref: str) -> Belief:
    from ..records import Status

    belief = engine.memory(ref if "-" in ref else f"proposal-{ref.strip()}")
    if belief.status is not Status.PENDING:
        raise UnknownId(f"{engine.short(belief.id)} is no pending proposal, it is {belief.status}; see tur show")
    return belief
