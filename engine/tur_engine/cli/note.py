"""`tur note`: scratch of a session. Never a memory, never stopped, only warned about."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from ..text import visible
from .call import Call, answers

if TYPE_CHECKING:
    import typer


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("note")(answers(note))


def note(
    call: Call,
    text: Annotated[str, typer.Argument(metavar="TEXT", help="What to jot down.")],
    session: Annotated[str | None, typer.Option("--session", metavar="NAME", help="The session it belongs to.")] = None,
) -> int:
    """Jot something down for this session.

    A note is not a memory: never recalled as fact, never held, but it says where it clashes with one.
    """
    from .. import payloads
    from ..text import accept

    accept(text, "note")
    with call.learning(create=True) as engine:
        result = engine.note(text, session=session)
    for warning in result.warnings:
        call.out.warn(visible(warning, newlines=False))
    if call.json:
        call.out.json(payloads.note(result))
    else:
        call.out.data(f"Noted (event {result.seq})")
    return 0
