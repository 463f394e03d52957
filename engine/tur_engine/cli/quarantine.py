"""`tur-adm quarantine`, `release` and `admit`: hold what an agent writes, and let it in again."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from ..errors import TurError
from ..text import visible
from .call import Call, answers
from .keys import KeyOption

if TYPE_CHECKING:
    from ..engine import Engine

_AGENT = typer.Argument(metavar="AGENT", help="The agent's name, as tur history shows it.")
_WHY = typer.Option("--reason", metavar="TEXT", help="Why; kept in the history. Needed.")


def register(app: typer.Typer) -> None:
    """Add the commands."""
    app.command("quarantine")(answers(quarantine))
    app.command("release")(answers(release))
    app.command("admit")(answers(admit))


def quarantine(
    call: Call,
    agent: Annotated[str, _AGENT],
    reason: Annotated[str, _WHY] = "",
    key: KeyOption = None,
) -> int:
    """Hold whatever an agent writes from now on, with your key.

    Its verbs wait for people too. What it wrote before stays; tur undo --agent takes that back.
    """
    from ..governor import Governor
    from . import passphrase, words

    words.reason(reason, "a quarantine")
    with call.open() as engine:
        governor = Governor(engine)
        with passphrase.signer(governor, key, f"to quarantine {agent}") as signer:
            seq = governor.quarantine(agent, signer, reason)
    if call.json:
        call.out.json({"status": "quarantined", "agent": agent, "seq": seq})
    else:
        call.out.data(f"Quarantined {visible(agent, newlines=False)} (event {seq}): what it writes is held for people")
    return 0


def release(
    call: Call,
    agent: Annotated[str, _AGENT],
    reason: Annotated[str, _WHY] = "",
    let_in: Annotated[
        bool, typer.Option("--admit", help="Let in what was held meanwhile, each weighed once more.")
    ] = False,
    key: KeyOption = None,
) -> int:
    """Let an agent write again, with your key. What was held stays held, unless --admit."""
    from ..governor import Governor
    from . import passphrase, words

    words.reason(reason, "a release")
    with call.open() as engine:
        governor = Governor(engine)
        with passphrase.signer(governor, key, f"to release {agent}") as signer:
            seq = governor.release(agent, signer, reason)
        admitted, kept = _admit_all(engine, agent, reason) if let_in else ([], [])
        if call.json:
            call.out.json({"status": "released", "agent": agent, "seq": seq, "admitted": admitted, "kept": dict(kept)})
            return 0
        call.out.data(f"Released {visible(agent, newlines=False)} (event {seq})")
        for ref in admitted:
            call.out.data(f"  Admitted {engine.short(ref)}")
        for ref, why in kept:
            call.out.say(f"{engine.short(ref)} stays held: {visible(why, newlines=False)}")
    return 0


def _admit_all(engine: Engine, agent: str, reason: str) -> tuple[list[str], list[tuple[str, str]]]:
    from ..records import Author, AuthorKind

    author = Author.parse(agent, AuthorKind.AGENT)
    admitted, kept = [], []
    for item in engine.held_back():
        if item.belief.memory.author != author:
            continue
        try:
            engine.admit(item.belief.id, reason=reason)
        except TurError as error:
            kept.append((item.belief.id, str(error)))
        else:
            admitted.append(item.belief.id)
    return admitted, kept


def admit(
    call: Call,
    ref: Annotated[str, typer.Argument(metavar="ID", help="A memory that tur conflicts lists as held for a person.")],
    reason: Annotated[str, _WHY] = "",
) -> int:
    """Let in one memory that is held though no conflict stops it."""
    from . import words

    words.reason(reason, "letting it in")
    with call.open() as engine:
        found = engine.memory(ref)
        seq = engine.admit(found.id, reason=reason)
        if call.json:
            call.out.json({"status": "admitted", "id": found.id, "seq": seq})
        else:
            call.out.data(f"Admitted {engine.short(found.id)} (event {seq})")
    return 0
