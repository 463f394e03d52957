"""`tur prove`: a proof that a memory is in the ledger, for somebody who does not have it."""

from __future__ import annotations

from typing import Annotated

import typer

from ..text import excerpt
from .call import Call, answers


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("prove")(answers(prove))


def prove(
    call: Call,
    ref: Annotated[str, typer.Argument(metavar="ID", help="A memory.")],
    since: Annotated[
        int | None,
        typer.Option(
            "--since", metavar="SIZE", min=1, help="Prove too that the ledger of so many events is a part of this one."
        ),
    ] = None,
) -> int:
    """Prove that a memory is in the ledger.

    With --json, everything that somebody without the ledger needs to check it: docs/proofs.md has the script.
    """
    from .. import payloads

    with call.open(read_only=True) as engine:
        proof = engine.prove(ref, since=since)
        shown = engine.short(proof.memory)
    if call.json:
        call.out.json(payloads.proof(proof))
        return 0
    call.out.data(f"{shown} came in by event {proof.seq} of {proof.tree_size:,}")
    if proof.content is None:
        call.out.data("  its text was redacted: the proof shows that one with this hash came in, no longer which")
    else:
        call.out.data(f'  "{excerpt(proof.content, 300)}"')
    rows = [("details", excerpt(proof.details, 300))] if proof.details else []
    rows += [("root", proof.root), *(("path", node) for node in proof.audit_path)]
    if proof.consistency is not None:
        rows.append((f"root of {proof.consistency.size:,}", proof.consistency.root))
        rows += [("path", node) for node in proof.consistency.path]
    call.out.rows(rows, ["dim"], indent="  ")
    call.out.say("--json gives the whole proof, for somebody who does not have the ledger")
    return 0
