"""`tur guard`: an action or plan against what people have laid down, before it is carried out (EP-0134, section 3)."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated

from ..text import excerpt, visible
from .call import Call, answers
from .guarding import opened
from .warned import LONGEST, headline, left_out

if TYPE_CHECKING:
    import typer

    from ..records import GuardReport

VIOLATION = 4


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("guard")(answers(guard))


def guard(
    call: Call,
    text: Annotated[
        str | None,
        typer.Argument(metavar="TEXT", help="A command, an action or a whole plan; - reads standard input."),
    ] = None,
    path: Annotated[
        str | None, typer.Option("--path", metavar="FOLDER", help="Where it is done, relative to the store's root.")
    ] = None,
    branch: Annotated[
        str | None, typer.Option("--branch", metavar="NAME", help="The git branch it is done on.")
    ] = None,
    command: Annotated[
        bool | None, typer.Option("--command/--plan", help="Say that TEXT is a shell line, or that it is none.")
    ] = None,
    session: Annotated[
        str, typer.Option("--session", metavar="NAME", help="The session it is for; kept with a warning.")
    ] = "",
    log: Annotated[bool, typer.Option("--log", help="List the warnings that were given, the newest first.")] = False,
    hook: Annotated[
        bool, typer.Option("--hook", help="Read a harness's tool call as JSON on stdin; exit 2 stops it.")
    ] = False,
) -> int:
    """Ask whether an action would break an axiom or core memory in force.

    Every invariant is weighed, those of stores above too, and every live memory of the topic "constraint". Commands are
    read as what they do. Exit 4 where it breaks an invariant, 0 otherwise. Nothing is written to the ledger; a warning
    is kept beside it, for --log and the workbench's feed.
    """
    from ..errors import BadInput

    if log:
        from . import guarded

        if text is not None or hook:
            raise BadInput("--log lists the warnings that were given; it takes no text and goes with no --hook")
        return guarded.log(call)
    if hook:
        from .hook import run

        if text is not None:
            raise BadInput("--hook reads the tool call from standard input and takes no text")
        return run(call, None if sys.stdin is None else sys.stdin.buffer, branch)
    if text is None:
        raise BadInput("say what is to be done: a command, an action or a plan; - reads standard input")
    if text == "-":
        if sys.stdin is None:
            raise BadInput("standard input is closed; give the command, the action or the plan as an argument")
        read = sys.stdin.buffer.read(LONGEST + 1)
        if len(read) > LONGEST:
            raise BadInput("standard input is longer than 1 MB; ask about it in parts")
        text = read.decode("utf-8-sig")

    from .. import payloads
    from ..records import GuardOutcome
    from ..text import accept

    accept(text, "action", LONGEST)
    with opened(call, call.store) as engine:
        there = engine.root / path if path else None
        on = engine.place(there if there is not None and there.is_dir() else None).branch
        report = engine.guard(text, path=path, branch=branch, on=on, is_command=command, session=session)
    for sentence in left_out(report):
        call.out.warn(sentence)
    if call.json:
        call.out.json(payloads.guard(report))
    else:
        tell(call, report)
    return VIOLATION if report.outcome is GuardOutcome.VIOLATION else 0


def tell(call: Call, report: GuardReport) -> None:
    """Say what speaks against it, one clash a paragraph."""
    for warning in report.warnings:
        colour = "red" if warning.binding else "yellow"
        call.out.data(call.out.paint(headline(warning), colour))  # type: ignore[arg-type]
        call.out.data(f"    action  {excerpt(warning.action, 200)}")
        if warning.read_as != warning.action:
            call.out.data(f"    read as {excerpt(warning.read_as, 200)}")
        if warning.reason:
            call.out.data(f"    why     {visible(warning.reason, newlines=False)} ({warning.probability:.0%})")
        call.out.data(f"    advice  {visible(warning.advice, newlines=False)}")
    if not report.warnings:
        call.out.data(_clear(report))


def _clear(report: GuardReport) -> str:
    if not report.weighed:
        return "Clear: no invariant or constraint is in force here"
    if report.left_out or report.rules_left_out:
        return "Nothing speaks against what was weighed of it"
    if not report.actions:
        return f"Clear: nothing in it acts ({report.weighed} in force)"
    return f"Clear: nothing in force speaks against it ({report.weighed} weighed)"
