"""`tur-adm proposal`: axioms and core memories that wait for approval. Anyone may submit one, a key approves."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from ..errors import BadInput
from ..text import counted
from . import program
from .call import Call, answers
from .keys import KeyOption
from .submitting import propose

if TYPE_CHECKING:
    from ..engine import Engine
    from ..records import Proposal

_REF = typer.Argument(metavar="ID", help="The proposal's id, or the start of it.")


def register(app: typer.Typer) -> None:
    """Add the family."""
    family = program.family("Propose axioms and core memories, see what is pending, decide.", alone=True)
    family.callback(invoke_without_command=True)(_alone)
    family.command("submit")(answers(propose))
    family.command("list")(answers(list_proposals))
    family.command("show")(answers(show))
    family.command("approve")(answers(approve))
    family.command("reject")(answers(reject))
    app.add_typer(family, name="proposal")


def _alone(ctx: typer.Context) -> None:
    if ctx.invoked_subcommand is None:
        raise BadInput(
            f"{ctx.command_path} needs a command: submit, list, show, approve or reject; see {ctx.command_path} --help"
        )


def list_proposals(
    call: Call,
    all: Annotated[bool, typer.Option("--all", help="Also those that were decided.")] = False,
) -> int:
    """List the proposals that wait, the newest first."""
    from . import ruling
    from .recall import full_id

    with call.open(read_only=True) as engine:
        found = engine.proposals(all=all)[::-1]
        if call.json:
            name = full_id(engine)
            call.out.json({"proposals": [ruling.proposal(item, name) for item in found]})
        elif found:
            call.out.rows([_line(engine, item, all) for item in found], ["bold", "dim", "dim", "dim"])
        else:
            call.out.say("no proposals" if all else "no proposals wait")
    return 0


def _line(engine: Engine, item: Proposal, all: bool) -> tuple[str, ...]:
    valid = sum(signature.valid for signature in item.signatures)
    state = f"{item.state.value} " if all else ""
    return (
        engine.short(item.id),
        f"{state}{item.kind.value} {item.memory.memory.type.value}",
        f"{valid} of {item.quorum} signed",
        str(item.proposed_by),
        item.memory.memory.content,
    )


def show(call: Call, ref: Annotated[str, _REF]) -> int:
    """Show one proposal in full: its text beside what it replaces, who asks and why, what stands against it."""
    from ..governor import Governor
    from . import reviewing, ruling
    from .recall import full_id

    with call.open(read_only=True) as engine:
        review = Governor(engine).review(ref)
        if call.json:
            call.out.json(ruling.review(review, full_id(engine)))
        else:
            reviewing.tell(call.out, engine, review)
    return 0


def approve(
    call: Call,
    ref: Annotated[str, _REF],
    reason: Annotated[str, typer.Option("--reason", metavar="TEXT", help="Why; signed and kept.")] = "",
    key: KeyOption = None,
) -> int:
    """Sign a proposal with your key, after it was shown in full.

    The passphrase is asked on the terminal. With the last signature that the quorum needs it comes into force.
    """
    from ..governor import Governor
    from . import passphrase, reviewing, ruling

    with call.open() as engine:
        governor = Governor(engine)
        governor.check_decidable(ref, key, reason=reason)
        review = governor.review(ref)
        if not call.json:
            with call.out.before_it():
                reviewing.tell(call.out, engine, review)
                call.out.data()
        shown = engine.short(review.proposal.id)
        with passphrase.signer(governor, key, f"to sign {shown}") as signer:
            result = governor.approve(review.proposal.id, signer, reason=reason, expect=review)
        if call.json:
            call.out.json(ruling.approval(result))
        elif result.in_force:
            call.out.data(call.out.paint(f"Approved {shown}: it is in force (event {result.seq})", "green"))
        else:
            call.out.data(
                f"Signed {shown}: {result.signatures} of {counted(result.quorum, 'signature')} (event {result.seq})"
            )
    return 0


def reject(
    call: Call,
    ref: Annotated[str, _REF],
    reason: Annotated[str, typer.Option("--reason", metavar="TEXT", help="Why; signed and kept. Needed.")] = "",
    key: KeyOption = None,
) -> int:
    """Decline a proposal with your key. It needs a reason."""
    from ..governor import Governor
    from . import passphrase

    if not reason.strip():
        raise BadInput("a rejection needs a reason: give --reason, whoever asked will read it")
    with call.open() as engine:
        governor = Governor(engine)
        governor.check_decidable(ref, key, reason=reason, approving=False)
        proposal = governor.proposal(ref)
        shown = engine.short(proposal.id)
        with passphrase.signer(governor, key, f"to reject {shown}") as signer:
            seq = governor.reject(proposal.id, signer, reason)
        if call.json:
            call.out.json({"status": "rejected", "proposal_id": proposal.id, "seq": seq})
        else:
            call.out.data(f"Rejected {shown} (event {seq})")
    return 0
