"""`tur-adm memory`: what people do with single memories: retract, redact, promote, retire."""

from __future__ import annotations

from typing import Annotated

import typer

from . import program, words
from .call import Call, answers
from .keys import SignersOption

_REF = typer.Argument(metavar="ID", help="The memory's id, or the start of it.")
_WHY = typer.Option("--reason", metavar="TEXT", help="Why; kept in the history. Needed.")


def register(app: typer.Typer) -> None:
    """Add the family."""
    family = program.family("Take memories out; propose what becomes of invariants.")
    family.command("retract")(answers(retract))
    family.command("redact")(answers(redact))
    family.command("promote")(answers(promote))
    family.command("retire")(answers(retire))
    app.add_typer(family, name="memory")


def retract(call: Call, ref: Annotated[str, _REF], reason: Annotated[str, _WHY] = "") -> int:
    """Withdraw an ordinary memory. What rests on it becomes suspect; the text stays in the history."""
    from ..governor import Governor

    words.reason(reason, "a retraction")
    with call.open() as engine:
        found = engine.memory(ref)
        seq = Governor(engine).retract(found.id, reason)
        _told(call, "retracted", found.id, engine.short(found.id), seq)
    return 0


def redact(call: Call, ref: Annotated[str, _REF], reason: Annotated[str, _WHY] = "", key: SignersOption = None) -> int:
    """Take the text of a memory out for good, with your key. A tombstone and the signed reason stay."""
    from ..governor import Governor
    from . import passphrase

    words.reason(reason, "a redaction")
    with call.open() as engine:
        governor = Governor(engine)
        found = engine.memory(ref)
        shown = engine.short(found.id)
        with passphrase.unlocked(governor, key, f"to redact {shown}") as signers:
            seq = governor.redact(found.id, signers, reason)
        _told(call, "redacted", found.id, shown, seq)
        if engine.lingers:
            call.out.warn(
                f"{engine.path.name}-wal still holds the text, for another program reads an older moment of the store; "
                "it goes when the last program closes the store"
            )
    return 0


def _told(call: Call, word: str, id: str, shown: str, seq: int) -> None:
    if call.json:
        call.out.json({"status": word, "id": id, "seq": seq})
    else:
        call.out.data(f"{word.capitalize()} {shown} (event {seq})")


def promote(
    call: Call,
    ref: Annotated[str, _REF],
    principle: Annotated[str, typer.Option("--principle", metavar="TEXT", help="What follows from it. Needed.")] = "",
    covenant: Annotated[str, typer.Option("--covenant", metavar="TEXT", help="What is promised with it.")] = "",
    core_type: Annotated[str, typer.Option("--core-type", metavar="WORD", help="What sort of core memory.")] = "",
    reason: Annotated[str, typer.Option("--reason", metavar="TEXT", help="Why; the reviewers read it.")] = "",
) -> int:
    """Propose that a memory becomes a core memory. It waits until enough reviewers have signed."""
    from . import verdicts
    from .learn import exit_code

    with call.open() as engine:
        result = engine.propose_promotion(ref, core_type, principle, covenant, reason)
        verdicts.tell(call, engine, result)
    return exit_code(result)


def retire(call: Call, ref: Annotated[str, _REF], reason: Annotated[str, _WHY] = "") -> int:
    """Propose that an invariant goes out of force. It holds until enough reviewers have signed."""
    from . import ruling
    from .recall import full_id

    words.reason(reason, "a retirement")
    with call.open() as engine:
        found = engine.propose_retirement(ref, reason)
        if call.json:
            call.out.json(ruling.proposal(found, full_id(engine)) | {"status": "proposed"})
        else:
            shown = engine.short(found.memory.id)
            call.out.data(f"Proposed to retire {shown} as {engine.short(found.id)}: it holds until that is approved")
    return 0
