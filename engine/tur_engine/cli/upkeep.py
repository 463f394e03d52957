"""`tur-adm rebuild`, `backup`, `restore` and `migrate`: keeping the store itself."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ..text import visible
from .call import Call, answers
from .keys import KeyOption
from .progress import bar

if TYPE_CHECKING:
    from ..records import Merkle


def register(app: typer.Typer) -> None:
    """Add the commands."""
    for command in (rebuild, backup, restore, migrate):
        app.command(command.__name__)(answers(command))


def rebuild(call: Call) -> int:
    """Make every projection anew from the events.

    Nothing of the ledger itself changes.
    """
    with call.open() as engine, bar("rebuild") as progress:
        events = engine.rebuild(progress)
    if call.json:
        call.out.json({"status": "rebuilt", "events": events})
    else:
        call.out.data(f"Rebuilt from {events:,} events")
    return 0


def backup(
    call: Call,
    file: Annotated[str, typer.Argument(metavar="FILE", help="Where the copy goes; must not exist.")],
) -> int:
    """Copy the ledger to one file, while others may go on writing."""
    target = Path(file)
    with call.open(read_only=True) as engine:
        engine.backup(target)
    if call.json:
        call.out.json({"status": "backed_up", "file": str(target.resolve())})
    else:
        call.out.data(f"Copied to {visible(file, newlines=False)}")
    return 0


def restore(
    call: Call,
    file: Annotated[str, typer.Argument(metavar="BACKUP", help="A copy that `tur-adm backup` made.")],
    reason: Annotated[
        str, typer.Option("--reason", metavar="TEXT", help="Why; needed where the store has reviewers, who sign it.")
    ] = "",
    key: KeyOption = None,
) -> int:
    """Put a backup in the store's place, once it verifies.

    What stood there is kept beside it. Where the store has reviewers, one of them signs.
    """
    from .. import whereabouts
    from ..ledger.restore import restore as put

    source, path = Path(file), whereabouts.place_to_restore(call.store)
    head, signed = _checked(call, source, reason)

    def sign(fresh: Path) -> None:
        from ..engine import Engine
        from ..governor import Governor
        from . import passphrase

        if signed:
            with Engine.open(fresh, actor=call.actor) as engine:
                governor = Governor(engine)
                with passphrase.signer(governor, key, "to restore") as signer:
                    governor.restored(signer, size=head.size, root=head.root, reason=reason)

    done = put(source, path, sign)
    if call.json:
        kept = None if done.kept is None else str(done.kept)
        call.out.json({"status": "restored", "events": head.size, "signed": signed, "file": str(path), "kept": kept})
        return 0
    call.out.data(f"Restored {head.size:,} events to {visible(str(path), newlines=False)}")
    if done.kept is not None:
        call.out.say(f"what stood there is kept: {visible(str(done.kept), newlines=False)}")
    if not signed:
        call.out.say("the store has no reviewers, so nobody signed that it was restored")
    return 0


def _checked(call: Call, source: Path, reason: str) -> tuple[Merkle, bool]:
    """Return the backup's tree head, and whether it has reviewers. Raises IntegrityFailure, BadInput."""
    from ..engine import Engine
    from ..errors import BadInput, IntegrityFailure
    from ..governor import Governor

    with Engine.open(source, actor=call.actor, read_only=True) as engine:
        with bar("verify") as progress:
            report = engine.verify(progress, witnessed=False)
        if not report.ok:
            at = f" at event {report.first_bad}" if report.first_bad is not None else ""
            raise IntegrityFailure(f"{source} does not verify{at}: {report.problem}; nothing was changed")
        signed = bool(Governor(engine).keys())
    if signed and not reason.strip():
        raise BadInput("a restoration is signed with its reason: give --reason")
    return report.head, signed


def migrate(call: Call) -> int:
    """Bring a store of an older version up to date.

    A copy of it is made first, beside it.
    """
    from .. import whereabouts
    from ..ledger.migrations import migrate as bring

    path = whereabouts.find(call.store)
    with bar("migrate") as progress:
        done = bring(path, progress)
    if call.json:
        kept = None if done.backup is None else str(done.backup)
        call.out.json(
            {"status": "migrated" if kept else "up_to_date", "from": done.before, "to": done.after, "backup": kept}
        )
    elif done.backup is None:
        call.out.data(f"The store has format {done.after} already; there is nothing to do")
    else:
        call.out.data(f"Brought {done.events:,} events from format {done.before} to {done.after}")
        call.out.say(f"the store as it was: {visible(str(done.backup), newlines=False)}")
    return 0
