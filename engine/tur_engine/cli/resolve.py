"""`tur resolve` and `tur undo`: settle a conflict, take it back."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Literal

import typer

from ..errors import BadInput
from ..text import visible
from .call import Call, answers

if TYPE_CHECKING:
    from ..engine import Engine
    from ..records import Conflict, ResolutionResult


def register(app: typer.Typer) -> None:
    """Add the commands."""
    app.command("resolve")(answers(resolve))
    app.command("undo")(answers(undo))


def resolve(
    call: Call,
    ref: Annotated[str, typer.Argument(metavar="CONFLICT", help="The conflict's id, or the start of it.")],
    verb: Annotated[
        str,
        typer.Argument(
            metavar="VERB",
            help="supersede, refute, merge, force, scope_branch, dismiss or abort; or its letter.",
        ),
    ],
    reason: Annotated[str, typer.Option("--reason", metavar="TEXT", help="Why; kept in the history.")] = "",
    revision: Annotated[
        int | None,
        typer.Option("--revision", metavar="N", help="Refuse where the conflict has moved since N."),
    ] = None,
    text: Annotated[str | None, typer.Option("--text", metavar="TEXT", help="merge: the text that holds.")] = None,
    edit: Annotated[bool, typer.Option("--edit", help="merge: write the text in $EDITOR.")] = False,
    side: Annotated[
        str | None,
        typer.Option("--side", metavar="incumbent|challenger", help="scope_branch: the side to narrow."),
    ] = None,
    scope: Annotated[
        str | None, typer.Option("--scope", metavar="SCOPE", help="scope_branch: where that side holds.")
    ] = None,
    whole_case: Annotated[bool, typer.Option("--all", help="Settle every conflict of the same candidate.")] = False,
) -> int:
    """Settle a conflict.

    supersede: the newer memory replaces the older. refute: the older stands. merge: one new text replaces
    both. force: both hold, contested. scope_branch: one is narrowed to a place. dismiss: it is no conflict.
    abort: the newer is dropped.
    """
    from .. import payloads
    from ..records import ConflictState, Scope, Verb
    from . import verdicts, words
    from .learn import HELD

    chosen = words.verb(verb)
    narrowed = _side(side)
    if chosen is Verb.MERGE and (text is None) == (not edit):
        raise BadInput("merge needs the text that holds: give --text TEXT, or --edit")
    if chosen is Verb.BRANCH and (narrowed is None or scope is None):
        raise BadInput("scope_branch needs --side incumbent|challenger and --scope SCOPE")
    if chosen is not Verb.MERGE and (text is not None or edit):
        raise BadInput(f"--text and --edit belong to merge, not to {chosen}")
    if chosen is not Verb.BRANCH and (narrowed is not None or scope is not None):
        raise BadInput(f"--side and --scope belong to scope_branch, not to {chosen}")
    place = None if scope is None else Scope.parse(scope)
    with call.open() as engine:
        if edit:
            text, revision = _edited(call, engine.conflict(ref), revision)
        if text is not None:
            verdicts.warn_of_merge(call.out, engine, text, ref)
        result = engine.resolve(
            ref,
            chosen,
            revision=revision,
            reason=reason,
            text=text,
            side=narrowed,
            scope=place,
            whole_case=whole_case,
        )
        if call.json:
            call.out.json(payloads.resolution(result))
        elif result.conflict.state is not ConflictState.ESCALATED:
            _tell(call, engine, result)
        if result.conflict.state is ConflictState.ESCALATED:
            call.out.say(f"{engine.short(result.conflict.id)} waits for a person now: {_why(engine, result)}")
            return HELD
    return 0


def _why(engine: Engine, result: ResolutionResult) -> str:
    [entry] = engine.entries([result.seq])
    return visible(entry.reason or entry.summary, newlines=False)


def _side(text: str | None) -> Literal["incumbent", "challenger"] | None:
    match text:
        case None | "incumbent" | "challenger":
            return text
        case _:
            raise BadInput(f"--side {text!r} is neither incumbent (the older) nor challenger (the newer)")


def _edited(call: Call, conflict: Conflict, revision: int | None) -> tuple[str, int]:
    from .editor import merge

    text = merge(conflict, call.out)
    if text is None:
        raise BadInput("no merged text was saved; the conflict is as it was")
    return text, conflict.revision if revision is None else revision


def undo(
    call: Call,
    ref: Annotated[
        str | None,
        typer.Argument(
            metavar="[ID]",
            help="A conflict, or the number of an event: a decision, a graph that came in, an edge that a pass drew. "
            "Without it your last resolution.",
        ),
    ] = None,
    reason: Annotated[str, typer.Option("--reason", metavar="TEXT", help="Why; kept in the history.")] = "",
    session: Annotated[
        str, typer.Option("--session", metavar="NAME", help="Instead: all that was learned and decided in a session.")
    ] = "",
    agent: Annotated[
        str, typer.Option("--agent", metavar="NAME", help="Instead: all that this agent learned and decided.")
    ] = "",
    since: Annotated[
        str,
        typer.Option(
            "--since",
            metavar="TIME",
            help="With --session or --agent: only from then on; a date or time, yesterday, 2d.",
        ),
    ] = "",
    yes: Annotated[bool, typer.Option("--yes", help="With --session or --agent: do it without asking.")] = False,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="With --session or --agent: say what would be taken back.")
    ] = False,
) -> int:
    """Take a resolution back, a graph that came in, or all of a bad session.

    What it changed is changed back, and the conflict is open again, under a new id. A graph goes as a whole: its edges,
    the nodes that came in with it, the conflicts that it claimed. An undo can be undone by its event's number, which
    the answer gives. Refused, with the event named, where something was built on it since.

    With --session or --agent the newest event goes first: decisions are undone, memories retracted. What
    cannot be taken back is listed with the reason. It is shown before it is done.
    """
    from .. import payloads
    from .rollback import roll_back

    if session or agent:
        if ref is not None:
            raise BadInput("--session and --agent take the place of ID; give one of them")
        return roll_back(call, session, agent, since, reason, yes=yes, dry_run=dry_run)
    if since or yes or dry_run:
        raise BadInput("--since, --yes and --dry-run belong to --session or --agent")
    with call.open() as engine:
        result = engine.undo(ref, reason=reason)
        if call.json:
            call.out.json(payloads.resolution(result))
        else:
            _tell(call, engine, result)
    return 0


def _undone(engine: Engine, result: ResolutionResult) -> str:
    """What an undo took back: a conflict by the id under which it was decided, a reaffirmation, what was drawn."""
    marks = [effect for effect in result.effects if effect.change == "suspect"]
    if marks and len(marks) == len(result.effects) and not result.reopened:
        shown = engine.short(marks[0].subject)
        doubted = marks[0].after == str(True)
        return f"the reaffirmation of {shown}" if doubted else f"the undoing of {shown}'s reaffirmation"
    if result.decided is None:
        return "what was drawn"
    former = result.decided.reopens if result.decided.id in result.reopened else None
    return engine.short(former or result.decided.id)


def _tell(call: Call, engine: Engine, result: ResolutionResult) -> None:
    shown = engine.short(result.decided.id) if result.decided else ""
    if result.waiting:
        head = f"Noted {result.verb} for {shown}"
    else:
        head = f"Undone {_undone(engine, result)}" if result.verb == "undo" else f"Settled {shown}: {result.verb}"
    call.out.data(call.out.paint(f"{head} (event {result.seq})", "yellow" if result.waiting else "green"))
    for effect in result.effects:
        call.out.data(f"  {visible(effect.sentence, newlines=False)}")
    if result.waiting:
        names = ", ".join(engine.short(ref) for ref in result.waiting)
        call.out.data(f"  Nothing changes until these are settled too: {names}")
    for ref in result.reopened:
        renamed = result.decided is not None and ref == result.decided.id and result.decided.reopens
        call.out.data(f"  Open again{' as' if renamed else ''}: {engine.short(ref)}")
    if result.verb == "undo":
        # Without `#`: a shell would take that for a comment.
        call.out.data(f"  Undo this undo with: {call.out.program} undo {result.seq}")
