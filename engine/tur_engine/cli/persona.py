"""`tur-adm persona`: look at the persona file beside the store, and approve the force that it asks for."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from ..text import visible
from . import program
from .call import Call, answers
from .keys import SignersOption

if TYPE_CHECKING:
    from ..records import PersonaFile


def register(app: typer.Typer) -> None:
    """Add the family."""
    family = program.family("The persona file: edge types of your own, and whether their flags have force.")
    family.command("show")(answers(show))
    family.command("approve")(answers(approve))
    app.add_typer(family, name="persona")


def show(call: Call) -> int:
    """Show what .tur/persona.yaml declares, and whether it is approved as it is."""
    with call.open(read_only=True) as engine:
        file = engine.persona()
    if call.json:
        call.out.json(_payload(file))
    else:
        _tell(call, file)
    return 0


def approve(
    call: Call,
    look: Annotated[bool, typer.Option("--show", help="Only show what would be approved.")] = False,
    reason: Annotated[str, typer.Option("--reason", metavar="TEXT", help="Why; signed and kept.")] = "",
    key: SignersOption = None,
) -> int:
    """Sign .tur/persona.yaml as it is: its transitive and decay_propagation flags take force.

    A changed file has none until it is approved again. As many reviewers sign as the quorum asks for.
    """
    if look:
        return show(call)
    from ..errors import BadInput, NotAllowed
    from ..gate.secrets import kept_reason
    from ..governor import Governor
    from . import passphrase

    kept_reason(reason)
    with call.open() as engine:
        governor = Governor(engine)
        file = governor.persona()
        if not file.digest:
            raise BadInput(f"there is no {file.path}; write it first")
        if file.approved:
            raise NotAllowed(f"{file.path} is approved already as it is")
        if not call.json:
            with call.out.before_it():
                _tell(call, file)
        with passphrase.unlocked(governor, key, "to approve the persona file") as signers:
            seq = governor.approve_persona(signers, reason=reason, expect=file.digest)
    if call.json:
        call.out.json({"status": "approved", "digest": file.digest, "seq": seq})
    else:
        call.out.data(f"Approved (event {seq}): the flags above have force until the file changes")
    return 0


def _tell(call: Call, file: PersonaFile) -> None:
    if not file.digest:
        call.out.say(file.standing or f"there is no {file.path}")
        return
    flags = ("transitive", "decay_propagation")
    rows = [("file", file.path), ("digest", file.digest)]
    for name, given in file.edge_types.items():
        asked = ", ".join(flag for flag, on in zip(flags, given, strict=True) if on)
        rows.append(("edge type", f"{name}{f': {asked}' if asked else ''}"))
    rows += [("node type", name) for name in file.node_types]
    rows.append(("standing", file.standing or "it asks for no force, so it needs no approval"))
    call.out.rows([(name, visible(text, newlines=False)) for name, text in rows], ["dim"])


def _payload(file: PersonaFile) -> dict[str, Any]:
    return {
        "path": file.path,
        "digest": file.digest,
        "custom_edge_types": {
            name: {"transitive": transitive, "decay_propagation": decay}
            for name, (transitive, decay) in file.edge_types.items()
        },
        "custom_node_types": list(file.node_types),
        "approved": file.approved,
        "approved_digest": file.approved_digest,
        "standing": file.standing,
    }
