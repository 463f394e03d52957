"""`tur-adm rebuild`, `backup`, `restore` and `migrate`: keeping the store itself."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ..text import counted, visible
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

    Nothing of the ledger itself changes. What cannot be made from the events is told afterwards, as verify does.
    """
    from ..errors import IntegrityFailure

    with call.open(to_mend=True) as engine:
        with bar("rebuild") as progress:
            events = engine.rebuild(progress)
        with bar("verify") as progress:
            report = engine.verify(progress, witnessed=False)
    if not report.ok:
        at = f" at event {report.first_bad}" if report.first_bad is not None else ""
        raise IntegrityFailure(
            f"what follows from the {counted(events, 'event')} is made anew, but the ledger does not verify{at}: "
            f"{report.problem}"
        )
    if call.json:
        call.out.json({"status": "rebuilt", "events": events})
    else:
        call.out.data(f"Rebuilt from {counted(events, 'event')}")
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
        told = {"status": "restored", "events": head.size, "signed": signed, "file": str(path), "kept": kept}
        revived = [f"key-{key}" for key in sorted(done.barred)]
        call.out.json({**told, "known": done.known, "revoked_since": revived})
        return 0
    call.out.data(f"Restored {counted(head.size, 'event')} to {visible(str(path), newlines=False)}")
    if done.kept is not None:
        call.out.say(f"what stood there is kept: {visible(str(done.kept), newlines=False)}")
    if not signed:
        call.out.say("the store has no reviewers, so nobody signed that it was restored")
    if not done.known:
        call.out.say("nothing on this machine knows who may sign for it: compare its head with one noted elsewhere")
    for name, who in _revived(call, path, done.barred):
        call.out.say(
            f"key-{name[:8]} of {visible(who, newlines=False)} may sign in it again, though it was revoked since: "
            f"tur-adm key revoke key-{name[:8]} --reason WHY"
        )
    return 0


def _revived(call: Call, path: Path, keys: frozenset[str]) -> list[tuple[str, str]]:
    """Return these keys with the names of their reviewers."""
    from ..engine import Engine
    from ..governor import Governor

    if not keys:
        return []
    with Engine.open(path, actor=call.actor, read_only=True) as engine:
        held = Governor(engine).keys()
    names = {key.id.removeprefix("key-"): key.name for key in held if key.revoked_seq is None}
    return [(key, names[key]) for key in sorted(keys)]


def _checked(call: Call, source: Path, reason: str) -> tuple[Merkle, bool]:
    """Return the backup's tree head, and whether it has reviewers. Raises NoStore, IntegrityFailure, BadInput."""
    from ..engine import Engine
    from ..errors import BadInput, IntegrityFailure, NoStore
    from ..gate.secrets import kept_reason
    from ..governor import Governor

    kept_reason(reason)
    if not source.is_file():
        what = f"{source} is no file" if source.exists() else f"there is no file {source}"
        raise NoStore(f"{what}; name a copy that `tur-adm backup` made. Nothing was changed")
    try:
        opened = Engine.open(source, actor=call.actor, read_only=True)
    except IntegrityFailure as e:
        raise IntegrityFailure(f"{str(e).rpartition('; ')[0] or e}; take another backup. Nothing was changed") from e
    with opened as engine:
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
    from .. import ignored, whereabouts
    from ..ledger.migrations import migrate as bring

    path = whereabouts.find(call.store)
    with bar("migrate") as progress:
        done = bring(path, progress)
    ignored.renew(path)
    if call.json:
        kept = None if done.backup is None else str(done.backup)
        call.out.json(
            {"status": "migrated" if kept else "up_to_date", "from": done.before, "to": done.after, "backup": kept}
        )
    elif done.backup is None:
        call.out.data(f"The store has format {done.after} already; there is nothing to do")
    else:
        call.out.data(f"Brought {counted(done.events, 'event')} from format {done.before} to {done.after}")
        call.out.say(f"the store as it was: {visible(str(done.backup), newlines=False)}")
    return 0
