"""`tur recall`, `tur list`, `tur show`: what is believed, and what was."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Annotated

from ..errors import BadInput
from ..text import excerpt, tokens, visible
from .call import Call, answers

if TYPE_CHECKING:
    import typer

    from ..engine import Engine
    from ..records import Belief, Proposal
    from .output import Colour, Output


def register(app: typer.Typer) -> None:
    """Add the commands."""
    app.command("recall")(answers(recall))
    app.command("list")(answers(list_memories))
    app.command("show")(answers(show))


def recall(
    call: Call,
    query: Annotated[str, typer.Argument(metavar="QUERY", help="Words or a question.")],
    limit: Annotated[int, typer.Option("--limit", "-n", metavar="N", min=1, max=1000, help="At most this many.")] = 10,
    path: Annotated[
        str | None,
        typer.Option("--path", metavar="PATH", help="As seen from this folder, relative to the root."),
    ] = None,
    branch: Annotated[str | None, typer.Option("--branch", metavar="NAME", help="As seen from this branch.")] = None,
    include_superseded: Annotated[
        bool, typer.Option("--include-superseded", help="Also what no longer holds.")
    ] = False,
    session: Annotated[
        str, typer.Option("--session", metavar="NAME", help="The session it is for; noted beside the store.")
    ] = "",
) -> int:
    """Find what is believed. A contested memory comes with the other side.

    Seen from the working directory and its git branch: memories of other folders and branches stay out.
    """
    from .. import payloads
    from ..place import Place

    if not query.strip():
        raise BadInput("nothing to look for: give words or a question")
    with call.open(read_only=True) as engine:
        here = Place.of(engine.root)
        hits = engine.recall(
            query,
            limit=limit,
            path=path if path is not None else here.path,
            branch=branch if branch is not None else here.branch,
            include_superseded=include_superseded,
            session=session,
        )
        if call.json:
            call.out.json(payloads.recall(hits, full_id(engine)))
        elif hits:
            _table(call.out, engine, [hit.belief for hit in hits])
        elif tokens(query):
            call.out.say("nothing found")
        else:
            call.out.say(f"nothing found: {excerpt(query, 40)} holds no word to look for")
    return 0


def list_memories(
    call: Call,
    type: Annotated[str | None, typer.Option("--type", "-t", metavar="TYPE", help="Only this type.")] = None,
    status: Annotated[
        list[str] | None, typer.Option("--status", metavar="STATUS", help="Only this status; repeatable.")
    ] = None,
    every: Annotated[bool, typer.Option("--all", help="Also what no longer holds, and what waits.")] = False,
    limit: Annotated[
        int, typer.Option("--limit", "-n", metavar="N", min=1, max=100000, help="At most this many.")
    ] = 100,
) -> int:
    """List memories, the newest first.

    Those that hold, unless --all or --status says otherwise.
    """
    from .. import payloads
    from ..records import Status
    from . import words

    if every and status:
        raise BadInput("--all and --status contradict each other; give one of the two")
    states = set(Status) if every else {words.status(text) for text in status or ()}
    states = states or {state for state in Status if state.live}
    kind = None if type is None else words.any_type(type)
    with call.open(read_only=True) as engine:
        beliefs = engine.memories(status=states, type=kind, limit=limit)
        if call.json:
            call.out.json({"memories": [payloads.memory(belief, full_id(engine)) for belief in beliefs]})
        elif beliefs:
            _table(call.out, engine, beliefs)
        else:
            call.out.say("no memories")
    return 0


def show(
    call: Call,
    ref: Annotated[str, typer.Argument(metavar="ID", help="An id, or the first 4 digits or more of one.")],
) -> int:
    """Show a memory, a conflict or a proposal in full.

    A conflict comes with the reasons and what each verb would change, a proposal with what it asks for.
    """
    from .. import payloads
    from . import ruling
    from .conflicts import show_conflict

    with call.open(read_only=True) as engine:
        ref = engine.full_id(ref)
        if ref.startswith("conflict-"):
            return show_conflict(call, engine, engine.conflict(ref))
        proposal = engine.proposal(ref) if ref.startswith("proposal-") else None
        belief = proposal.memory if proposal is not None else engine.memory(ref)
        if call.json:
            payload = payloads.memory_in_full(belief, full_id(engine))
            payload["edges"] = [edge.model_dump(mode="json") for edge in engine.edges(belief.id)]
            if proposal is not None:
                payload["proposal"] = ruling.proposal(proposal, full_id(engine))
            call.out.json(payload)
        else:
            _show(call.out, engine, belief, [] if proposal is None else _asked(engine, proposal))
    return 0


def _asked(engine: Engine, proposal: Proposal) -> list[tuple[str, str]]:
    """What is asked for about a memory, for the rows under it."""
    valid = sum(signature.valid for signature in proposal.signatures)
    return [
        (
            "proposal",
            f"{engine.short(proposal.id)}: {proposal.kind}, {proposal.state}, {valid} of {proposal.quorum} signed",
        ),
        ("proposed by", f"{proposal.proposed_by}: {proposal.reason or 'no reason was given'}"),
        *[("in place of", engine.short(belief.id)) for belief in proposal.replaces],
    ]


def full_id(engine: Engine) -> _FullId:
    """Digest to id, asking the store once a digest."""
    return _FullId(engine)


class _FullId:
    def __init__(self, engine: Engine) -> None:
        self.engine = engine
        self.known: dict[str, str] = {}

    def __call__(self, digest: str) -> str:
        if digest not in self.known:
            self.known[digest] = self.engine.memory(digest).id
        return self.known[digest]


def marks(belief: Belief) -> str:
    """Status and what else a reader must know, in words."""
    words = [belief.status.value]
    if belief.contested or belief.pending:
        words.append("contested")
    if belief.approved:
        words.append("invariant")
    return ", ".join(words)


def _table(out: Output, engine: Engine, beliefs: list[Belief]) -> None:
    colours: list[Colour | None] = ["bold", "yellow"]
    out.rows(
        [(engine.short(belief.id), marks(belief), belief.memory.content) for belief in beliefs],
        colours,
        below=[list(_other_sides(engine, belief)) for belief in beliefs],
    )


def _other_sides(engine: Engine, belief: Belief) -> Iterator[str]:
    """Say what a memory is contested by, each with the conflict that waits on it, if one does."""
    told = set()
    for ref in belief.pending:
        conflict = engine.conflict(ref)
        other = conflict.challenger if conflict.incumbent.id == belief.id else conflict.incumbent
        told.add(other.memory.digest)
        yield f"{_contested_by(engine, other)}; see tur show {engine.short(ref)}"
    for digest in belief.contested_by:
        if digest not in told:
            yield _contested_by(engine, engine.memory(digest))


def _contested_by(engine: Engine, other: Belief) -> str:
    return f"contested by {engine.short(other.id)} ({other.status}): {excerpt(other.memory.content, 120)}"


def _show(out: Output, engine: Engine, belief: Belief, asked: Sequence[tuple[str, str]]) -> None:
    memory = belief.memory
    name = full_id(engine)
    out.data(visible(memory.content))
    out.data()
    rows = [
        ("id", belief.id),
        ("status", marks(belief)),
        *asked,
        ("scope", str(memory.scope)),
        ("author", str(memory.author)),
        ("occurred", f"{memory.occurred_at.astimezone():%Y-%m-%d %H:%M:%S %z}"),
        ("recorded", f"{memory.recorded_at.astimezone():%Y-%m-%d %H:%M:%S %z} (event {memory.seq})"),
    ]
    if memory.redacted:
        rows += [
            (
                "redacted",
                f"by {each.actor}, {each.at.astimezone():%Y-%m-%d %H:%M:%S %z} (event {each.seq}): {each.reason}",
            )
            for each in engine.history(belief.id)
            if each.kind == "redacted"
        ]
    if memory.declared_scope != memory.scope:
        rows.append(("declared", str(memory.declared_scope)))
    if memory.topic:
        rows.append(("topic", memory.topic))
    rows += [(f"field {key}", _scalar(value)) for key, value in memory.fields.items()]
    if memory.node_type:
        rows.append(("node type", memory.node_type))
    if memory.tags:
        rows.append(("tags", ", ".join(memory.tags)))
    if memory.confidence.score < 1:
        rows.append(("confidence", f"{memory.confidence.score:g} {memory.confidence.reasoning}".strip()))
    if memory.session:
        rows.append(("session", memory.session))
    rows += [(key, value) for key, value in memory.provenance.items()]
    rows += [("against", engine.short(name(digest))) for digest in belief.contested_by]
    rows += [("suspect for", engine.short(name(digest))) for digest in belief.suspect_because]
    rows += [("conflict", engine.short(ref)) for ref in belief.pending]
    for edge in engine.edges(belief.id):
        other, arrow = (edge.target, "->") if edge.source == memory.digest else (edge.source, "<-")
        rows.append(("edge", f"{edge.type} {arrow} {engine.short(name(other))}"))
    out.rows(rows, ["dim"])


def _scalar(value: object) -> str:
    import json

    return json.dumps(value, ensure_ascii=False)
