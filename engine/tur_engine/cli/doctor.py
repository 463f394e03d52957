"""`tur doctor`: the proof that a clash is stopped through every wired surface."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ..ignored import NAME
from ..text import counted, visible
from ..working_folder import here
from .call import Call, answers

if TYPE_CHECKING:
    from ..wiring.findings import Finding
    from .output import Colour

_COLOURS: dict[str, Colour] = {"ok": "green", "missing": "red", "-": "dim"}


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("doctor")(answers(doctor))


def doctor(
    call: Call,
    names: Annotated[
        list[str] | None, typer.Argument(metavar="[HARNESS]...", help="Only these, and all of them.")
    ] = None,
    trust: Annotated[
        bool, typer.Option("--trust", help="Start what the repository's files name, whatever it is.")
    ] = False,
) -> int:
    """Prove that a test clash is stopped through each surface that is wired, and name what is missing.

    In a throw-away store with a home of its own: the command line, each MCP server and each hook are started as the
    harnesses' files name them, fed what a harness sends, and must hold, stop or let go as they should. The models'
    hashes, the ledger that holds here and what git would take in of it are checked too. Nothing of yours is written.
    Of the repository's files only plain calls of tur are started, unless you --trust them. Exit 0 where all is proved,
    1 where something is missing; each comes with the command that mends it.
    """
    from ..sources.discovery import repository_of
    from ..wiring.doctor import examine
    from ..wiring.harnesses import harness_named

    named = list(dict.fromkeys(harness_named(name) for name in names or ()))
    found: list[Finding] = []
    root = repository_of(here())
    for finding in chain(examine(root, call.store, call.actor, named, trusted=trust), _git(call, root)):
        found.append(finding)
        if not call.json:
            _tell(call, finding)
    missing = sum(finding.ok is False for finding in found)
    if call.json:
        checks = [
            {"surface": each.surface, "ok": each.ok, "sentence": each.sentence, "mend": each.mend or None}
            for each in found
        ]
        call.out.json({"status": "missing" if missing else "proved", "checks": checks})
    elif missing:
        call.out.say(f"{missing:,} of {counted(len(found), 'check')} failed; each has the command that mends it")
    return 1 if missing else 0


def _git(call: Call, root: Path) -> Iterator[Finding]:
    """Find what git would set back with a checkout."""
    from .. import whereabouts
    from ..errors import TurError
    from ..sources.tracking import would_track
    from ..wiring.findings import Finding

    with suppress(TurError):  # which the finding on the ledger tells
        store = whereabouts.standing(call.store, root)
        if store is not None and (lines := would_track(store)):
            ignored = store.with_name(NAME)
            yield Finding(
                "git",
                False,
                f"git would take in of {store.parent} what every checkout then sets back: {', '.join(lines)}",
                f"add to {ignored}, a line each: {' '.join(lines)}",
            )


def _tell(call: Call, finding: Finding) -> None:
    word = call.out.paint(f"{finding.word:8}", _COLOURS[finding.word])
    call.out.data(f"{word}{visible(finding.surface)}: {visible(finding.sentence, newlines=False)}")
    if finding.mend and finding.ok is not True:
        call.out.data(f"        {'mend it' if finding.ok is False else 'wire it'}: {visible(finding.mend)}")
