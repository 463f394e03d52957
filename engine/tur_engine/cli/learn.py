"""`tur learn`: offer a memory to the gate, say what came of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, cast

from ..errors import BadInput, ConflictHeld
from .call import Call, answers
from .on_conflict import at_gate, choose_policy, flagged
from .output import terminal

if TYPE_CHECKING:
    import typer

    from ..engine import Engine
    from ..facade.learning import Learning
    from ..place import Place
    from ..records import Draft, LearnResult, OnConflict

HELD, VIOLATION = 3, 4


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("learn")(answers(learn))


def learn(
    call: Call,
    text: Annotated[str | None, typer.Argument(metavar="TEXT", help="What is to be remembered, in a sentence.")] = None,
    type: Annotated[
        str,
        typer.Option("--type", "-t", metavar="TYPE", help="fact, preference, event, insight, axiom or core."),
    ] = "fact",
    scope: Annotated[
        str, typer.Option("--scope", metavar="SCOPE", help="Where it holds: LEVEL[:PATH][@BRANCH].")
    ] = "incarnation",
    topic: Annotated[
        str | None, typer.Option("--topic", metavar="TEXT", help="The subject that --field values are about.")
    ] = None,
    field: Annotated[
        list[str] | None,
        typer.Option("--field", metavar="NAME=VALUE", help="A value to compare by; repeatable."),
    ] = None,
    tag: Annotated[list[str] | None, typer.Option("--tag", metavar="WORD", help="A label; repeatable.")] = None,
    relate: Annotated[
        list[str] | None,
        typer.Option("--relate", metavar="TYPE=ID", help="An edge, as in depends_on=ID; repeatable."),
    ] = None,
    node_type: Annotated[
        str | None,
        typer.Option("--node-type", metavar="TYPE", help="Its node type in the graph, where TYPE's own does not fit."),
    ] = None,
    session: Annotated[str | None, typer.Option("--session", metavar="NAME", help="The session it comes from.")] = None,
    occurred_at: Annotated[
        str | None, typer.Option("--occurred-at", metavar="TIME", help="When it became true, ISO 8601.")
    ] = None,
    confidence: Annotated[float, typer.Option("--confidence", metavar="0..1", help="How sure the author is.")] = 1.0,
    supersedes: Annotated[
        list[str] | None,
        typer.Option("--supersedes", metavar="ID", help="The memory it replaces; repeatable."),
    ] = None,
    on_conflict: Annotated[
        str | None,
        typer.Option("--on-conflict", metavar="ask|hold|allow|fail", help="What to do where it contradicts a memory."),
    ] = None,
    allow_conflict: Annotated[
        bool,
        typer.Option("--allow-conflict", help="The same as --on-conflict allow: commit, mark both as contested."),
    ] = False,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Say what the learn would do, write nothing.")] = False,
    allow_secret: Annotated[
        bool,
        typer.Option("--allow-secret", help="Store what looks like a password or key; for a person on a terminal."),
    ] = False,
    source: Annotated[
        str | None, typer.Option("--from", metavar="FILE|-", help="Learn JSON lines: one memory a line.")
    ] = None,
    whole: Annotated[
        bool,
        typer.Option(
            "--all-or-nothing",
            help="With --from: where one line clashes or is refused, keep none of it, whatever the mode.",
        ),
    ] = False,
    resume: Annotated[
        bool, typer.Option("--resume", help="With --from FILE: go on after the last line that is through.")
    ] = False,
) -> int:
    """Learn a memory; stop where it contradicts one that holds.

    On a clash: --on-conflict, else TUR_ON_CONFLICT, else the store's setting, else ask on a terminal and
    allow with a warning elsewhere.

    A line of --from is an object with content, and any of type, scope, topic, fields (an object), tags, relations
    (TYPE=ID, or objects with type and target), node_type, session, occurred_at, confidence, supersedes (ids), author
    and provenance (an object of texts). Other keys are left out with a warning.

    An axiom or core memory becomes a proposal. It waits, and has no force until reviewers approve it
    (`tur-adm proposal approve`).
    """
    from ..place import Place
    from ..records import Confidence, Draft, Scope
    from . import words

    named = flagged(on_conflict, allow_conflict, whole=whole)
    if source is not None:
        from . import batch

        _refuse_beside_from(text, dry_run, allow_secret)
        how = batch.Batch(source, whole=whole, resume=resume)
        return batch.learn_file(call, how, lambda engine: choose_policy(engine, named)[0])
    if whole or resume:
        raise BadInput(f"{'--all-or-nothing' if whole else '--resume'} is for many memories; give --from FILE with it")
    if text is None:
        raise BadInput("nothing to learn: give a sentence, or --from FILE for many")
    if allow_secret and not terminal():
        raise BadInput("--allow-secret is for a person on a terminal; say where the secret is kept, not what it is")
    if not 0 <= confidence <= 1:
        raise BadInput(f"--confidence {confidence} is outside 0..1")
    draft = Draft(
        content=text,
        type=words.memory_type(type),
        scope=Scope.parse(scope),
        topic=topic,
        fields=words.fields(field or ()),
        tags=tuple(tag or ()),
        relations=words.relations(relate or ()),
        author=call.actor,
        occurred_at=None if occurred_at is None else words.moment(occurred_at),
        confidence=Confidence(score=confidence),
        session=session,
        provenance=Place.of(None).provenance,
        node_type=node_type,
    )
    asked = terminal()  # and what is asked there may settle a conflict, which takes the whole engine
    with call.open(create=not dry_run) if asked else call.learning(create=not dry_run) as engine:
        policy, chosen = choose_policy(engine, named)
        here = Place.of(engine.root)
        return learn_one(
            call,
            engine,
            draft,
            policy,
            tuple(supersedes or ()),
            here,
            dry_run=dry_run,
            chosen=chosen,
            allow_secret=allow_secret,
        )


def _refuse_beside_from(text: str | None, dry_run: bool, allow_secret: bool) -> None:
    if allow_secret:
        raise BadInput("--allow-secret takes one TEXT that a person has read, not a batch; leave one of the two out")
    if text is not None:
        raise BadInput("--from takes the place of TEXT; give one of the two")
    if dry_run:
        raise BadInput("--dry-run takes one TEXT, not a batch; leave one of the two out")


def learn_one(
    call: Call,
    engine: Learning,
    draft: Draft,
    policy: OnConflict,
    supersedes: tuple[str, ...],
    here: Place,
    *,
    dry_run: bool,
    chosen: bool,
    allow_secret: bool = False,
) -> int:
    """Pass one draft through the gate and answer for it."""
    from ..records import OnConflict, Outcome
    from . import verdicts

    asking = policy is OnConflict.ASK and terminal() and not dry_run
    how = at_gate(policy)
    try:
        result = engine.learn(draft, on_conflict=how, supersedes=supersedes, dry_run=dry_run, allow_secret=allow_secret)
    except ConflictHeld as error:
        return verdicts.tell_failed(call, engine, error)
    if dry_run or not result.seq:
        call.out.done = "nothing was changed"
    elif result.id:
        call.out.done = f"{engine.short(result.id)} is kept all the same"
    if result.outcome is Outcome.CONFLICT and asking and result.conflicts:
        return _ask(call, engine, result, here)
    verdicts.tell(call, engine, result, policy=policy, by_default=not chosen)
    if result.outcome is Outcome.CONFLICT and policy is OnConflict.ASK and not dry_run:
        call.out.say("there is no terminal to ask on, so it is held")
    return exit_code(result)


def exit_code(result: LearnResult) -> int:
    """The exit code of an outcome (CONTRACTS 4)."""
    from ..records import Outcome

    return {Outcome.CONFLICT: HELD, Outcome.INVARIANT: VIOLATION}.get(result.outcome, 0)


def _ask(call: Call, opened: Learning, result: LearnResult, here: Place) -> int:
    from . import verdicts
    from .prompt import EndOfAnswers, Prompt

    engine = cast("Engine", opened)
    prompt = Prompt(call.out, engine, here)
    ended = False
    try:
        prompt.settle([report.conflict.id for report in result.conflicts])
    except EndOfAnswers:
        ended = True
    except KeyboardInterrupt:
        verdicts.tell_asked(call, engine, result, prompt.settled)
        raise
    verdicts.tell_asked(call, engine, result, prompt.settled)
    return HELD if ended else 0
