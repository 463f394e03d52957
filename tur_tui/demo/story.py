"""The demo without a terminal: the same store, agent, conflict and decisions, told as text.

Every line comes from the engine.
"""

from __future__ import annotations

import subprocess
import sys
import textwrap
from io import TextIOWrapper
from pathlib import Path
from typing import Protocol

from tur_engine.engine import Engine
from tur_engine.records import Belief, Conflict, Preview, ResolutionResult, Verb
from tur_engine.text import visible

from ..printing import print_lines
from .learning import learn
from .memories import PRISMA, REMEMBERED

REASON = "the project moved to Prisma"
QUESTION = "migrations"


class StartAgent(Protocol):
    """Starts the agent process; its output can be read when `told`."""

    def __call__(self, store: Path, *options: str, told: bool = False) -> subprocess.Popen[str]: ...


def tell(engine: Engine, agent: StartAgent) -> int:
    """Tell the story; 0 where it ended as it should: decided, verified."""
    if isinstance(sys.stdout, TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")  # whatever the encoding, the story goes on
    say(f"A sample project, {engine.path}")
    committed = learn(engine, REMEMBERED)
    say(f"{committed} memories of two agents and a person are committed; they hold together.")
    recalled(engine)

    heading("An agent, a process of its own, learns something new")
    for line in listen(agent(engine.path, "--pause", "0", "--steps", "1", told=True)):
        say(line)
    conflict = next((each for each in engine.conflicts() if each.challenger.memory.content == PRISMA), None)
    if conflict is None:
        say("The gate let it pass; that should not be. Nothing more can be shown.")
        return 1

    heading("The conflict: neither is believed silently, a person decides")
    describe(engine, conflict)
    foresee(engine.preview(conflict.id, Verb.SUPERSEDE))

    heading("A person supersedes")
    done(engine, engine.resolve(conflict.id, Verb.SUPERSEDE, revision=conflict.revision, reason=REASON))
    recalled(engine)

    heading("And takes it back")
    undone = engine.undo(reason="looked again")
    done(engine, undone)
    recalled(engine)

    heading("And supersedes after all")
    again = next((each for each in engine.conflicts() if each.challenger.memory.content == PRISMA), undone.conflict)
    done(engine, engine.resolve(again.id, Verb.SUPERSEDE, revision=again.revision, reason=REASON))
    recalled(engine)

    heading("The history of the old memory, as the ledger tells it")
    for entry in engine.history(conflict.incumbent.id):
        reason = f" ({entry.reason})" if entry.reason else ""
        say(f"#{entry.seq} {entry.at:%H:%M:%S} {entry.kind} by {entry.actor}: {entry.summary}{reason}")

    heading("Verified")
    report = engine.verify()
    say(f"{report.events} events, hash chain and salted bodies: {'intact' if report.ok else report.problem}")
    say(f"Merkle root of {report.head.size}: {report.head.root}")
    return 0 if report.ok else 5


def describe(engine: Engine, conflict: Conflict) -> None:
    """Both sides and the reasons."""
    say(f"{engine.short(conflict.id)}: {conflict.probability:.0%} likely that the two cannot both hold")
    for word, side in (("existing", conflict.incumbent), ("new", conflict.challenger)):
        say(f'{word:<9} {engine.short(side.id)} ({side.status}, by {side.memory.author}): "{side.memory.content}"')
    for piece in sorted(conflict.evidence, key=lambda each: -each.weight):
        say(f"why       {piece.weight:+.2f} {piece.sentence}")


def foresee(preview: Preview) -> None:
    """What the verb would change, before it is given."""
    say(f"to {preview.verb} would mean:")
    for effect in preview.effects:
        say(f"- {effect.sentence}")


def done(engine: Engine, result: ResolutionResult) -> None:
    """What a verb or an undo changed."""
    say(f"{result.verb}, event #{result.seq}")
    for effect in result.effects:
        say(f"- {effect.sentence}")
    for conflict_id in result.reopened:
        say(f"- open again as {engine.short(conflict_id)}")


def recalled(engine: Engine) -> None:
    """What an agent would be told now."""
    hits = engine.recall(QUESTION, limit=3)
    say(f'recall "{QUESTION}" answers:')
    for hit in hits:
        say(f"- {hit.belief.memory.content}{standing(hit.belief)}")


def standing(belief: Belief) -> str:
    """What a reader of the recall must know beside the text."""
    words = []
    if belief.suspect_because:
        words.append("suspect: what it rests on fell")
    if belief.contested or belief.pending:
        words.append("contested")
    return f" [{', '.join(words)}]" if words else ""


def listen(agent: subprocess.Popen[str]) -> list[str]:
    """What the agent process said, until its end."""
    output, _ = agent.communicate(timeout=60)
    return output.splitlines()


def heading(text: str) -> None:
    print_lines(["", f"== {text}"])


def say(text: str) -> None:
    print_lines(
        textwrap.wrap(visible(text), 110, subsequent_indent="     ", break_long_words=False, break_on_hyphens=False)
    )
