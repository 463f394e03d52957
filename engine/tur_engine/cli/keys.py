"""`tur-adm key` and `tur-adm policy`: who may sign, and how many must."""

from __future__ import annotations

import re
from typing import Annotated

import typer

from ..errors import BadInput
from ..text import visible
from . import program
from .call import Call, answers

KeyOption = Annotated[
    str | None, typer.Option("--key", metavar="KEY", help="Sign with this key: its name or the start of its id.")
]
SignersOption = Annotated[
    list[str] | None,
    typer.Option("--key", metavar="KEY", help="Sign with this key, by name or id; repeat for a higher quorum."),
]
_NAME = typer.Option("--name", metavar="NAME", help="The reviewer's name.")


def register(app: typer.Typer) -> None:
    """Add the families."""
    family = program.family("Reviewers' keys: make, list, enrol, revoke, export.")
    family.command("init")(answers(init))
    family.command("list")(answers(list_keys))
    family.command("enrol")(answers(enrol))
    family.command("revoke")(answers(revoke))
    family.command("export-public")(answers(export_public))
    family.command("log")(answers(log))
    app.add_typer(family, name="key")
    rules = program.family("The rules of approval.")
    rules.command("quorum")(answers(quorum))
    app.add_typer(rules, name="policy")


def init(call: Call, name: Annotated[str | None, _NAME] = None) -> int:
    """Make your key; in a store that has no reviewer yet it becomes the first one's.

    The private half stays on this machine, encrypted by a passphrase of 8 characters or more that is asked on
    the terminal. A key of that name that is here already is taken up in a new store. Nobody can recover a
    passphrase: note it where you keep such things.
    """
    from ..governor import Governor, KeyFile
    from . import passphrase, ruling

    with call.open() as engine:
        governor = Governor(engine)
        chosen = name if name is not None else call.actor.name
        known = any(key.name == chosen for key in governor.own_keys())
        word = passphrase.ask(f"of the key of {chosen}") if known else passphrase.ask_new()
        made = governor.init_key(chosen, word)
        if call.json:
            call.out.json(ruling.key(made))
        elif isinstance(made, KeyFile):
            call.out.data(f"Made {made.id[:12]} of {visible(made.name)}: {visible(made.path)}")
            call.out.say(
                "this store has reviewers already, so one of them must enrol it: "
                f"tur-adm key enrol {made.public} --name NAME"
            )
        else:
            call.out.data(f"{visible(made.name)} is the first reviewer of this store, with {made.id[:12]}")
    return 0


def list_keys(call: Call) -> int:
    """List the reviewers of this store, and the keys on this machine."""
    from ..govern import keys
    from ..governor import Governor
    from . import ruling

    with call.open(read_only=True) as engine:
        governor = Governor(engine)
        enrolled = governor.keys()
        known = {key.id: key for key in enrolled}  # one that was enrolled again as it stands now
        found = [*known.values(), *(key for key in governor.own_keys() if key.id not in known)]
        rules = governor.quorum()
    unfit = [{"file": str(path), "problem": why} for path, why in keys.unfit()]
    if call.json:
        call.out.json({"keys": [ruling.key(key) for key in found], "quorum": rules.model_dump(), "unfit": unfit})
        return 0
    for each in unfit:
        call.out.say(visible(f"{each['file']} {each['problem']}", newlines=False))
    if not found:
        call.out.say("no reviewer yet; make the first key with tur-adm key init")
        return 0
    call.out.rows([(key["id"][:12], key["name"], _state(key)) for key in map(ruling.key, found)], ["bold", None, "dim"])
    call.out.data(f"Quorum: axiom {rules.axiom}, core {rules.core}")
    return 0


def _state(key: dict[str, object]) -> str:
    if key.get("revoked_seq"):
        state = f"revoked (event {key['revoked_seq']})"
    elif key["enrolled"]:
        state = f"enrolled (event {key['enrolled_seq']})"
    else:
        state = "not enrolled in this store"
    return f"{state}, on this machine" if key["here"] else state


def enrol(
    call: Call,
    public: Annotated[str, typer.Argument(metavar="PUBLIC", help="64 hex digits, from tur-adm key export-public.")],
    name: Annotated[str, _NAME],
    key: SignersOption = None,
) -> int:
    """Let another reviewer sign. An enrolled key signs for it, or as many as the quorum asks for."""
    from ..governor import Governor
    from . import passphrase, ruling

    with call.open() as engine:
        governor = Governor(engine)
        with passphrase.unlocked(governor, key, "to enrol a reviewer") as signers:
            made = governor.enrol(public, name, signers)
    if call.json:
        call.out.json(ruling.key(made))
    else:
        call.out.data(f"{visible(made.name)} may sign from now on, with {made.id[:12]} (event {made.enrolled_seq})")
    return 0


def revoke(
    call: Call,
    ref: Annotated[str, typer.Argument(metavar="KEY", help="The key to revoke: its name or the start of its id.")],
    reason: Annotated[str, typer.Option("--reason", metavar="TEXT", help="Why; signed and kept. Needed.")] = "",
    key: SignersOption = None,
) -> int:
    """Let a key sign no more. What it signed stands; the last key cannot be revoked."""
    from ..governor import Governor
    from . import passphrase, words

    words.reason(reason, "revoking a key")
    with call.open() as engine:
        governor = Governor(engine)
        with passphrase.unlocked(governor, key, "to revoke a key") as signers:
            seq = governor.revoke(ref, signers, reason)
    if call.json:
        call.out.json({"status": "revoked", "key": ref, "seq": seq})
    else:
        call.out.data(f"Revoked {visible(ref)} (event {seq})")
    return 0


def export_public(
    call: Call,
    ref: Annotated[
        str | None, typer.Argument(metavar="KEY", help="Which key on this machine; needed for several.")
    ] = None,
) -> int:
    """Print the public half of your key, for a reviewer to enrol."""
    from ..govern import keys
    from . import ruling

    files = keys.listed() if ref is None else keys.named(keys.listed(), ref)
    if not files:
        raise BadInput(
            "there is no key on this machine; make one with tur-adm key init"
            if ref is None
            else f"no key on this machine is named {ref!r}; tur-adm key list shows them"
        )
    if len(files) > 1:
        raise BadInput(f"there are {len(files)} keys on this machine; name one: {', '.join(k.name for k in files)}")
    if call.json:
        call.out.json(ruling.key(files[0]))
    else:
        call.out.data(files[0].public)
    return 0


def log(
    call: Call,
    limit: Annotated[int, typer.Option("--limit", metavar="N", min=1, max=100_000, help="Only the latest.")] = 1000,
) -> int:
    """Show who signed what, oldest first, and whether each signature holds."""
    from ..governor import Governor
    from . import ruling

    with call.open(read_only=True) as engine:
        entries = Governor(engine).signed_log(limit)
    if call.json:
        call.out.json({"signed": [ruling.signed(entry) for entry in entries]})
    elif not entries:
        call.out.say("nothing was signed yet")
    else:
        call.out.rows(
            [
                (
                    f"#{entry.seq}",
                    f"{entry.at.astimezone():%Y-%m-%d %H:%M}",
                    entry.name,
                    "holds" if entry.valid else "DOES NOT HOLD",
                    f"{entry.act} {_short(entry.subject)}{f': {entry.reason}' if entry.reason else ''}",
                )
                for entry in entries
            ],
            ["bold", "dim"],
        )
    return 0


def _short(subject: str) -> str:
    """An id as other answers show it: its kind and 8 digits; --json and `show` give it whole."""
    return re.sub(r"\b([0-9a-f]{8})[0-9a-f]{24,56}\b", r"\1", visible(subject, newlines=False))


def quorum(
    call: Call,
    numbers: Annotated[
        list[str] | None, typer.Argument(metavar="axiom=N core=N", help="How many must sign, by tier; none: show it.")
    ] = None,
    key: SignersOption = None,
) -> int:
    """Show or set how many reviewers must sign before an axiom or a core memory is in force."""
    from ..governor import Governor
    from . import passphrase

    wanted = _numbers(numbers or [])
    with call.open(read_only=not wanted) as engine:
        governor = Governor(engine)
        rules = governor.quorum()
        seq = None
        if wanted:
            rules = rules.model_copy(update=wanted)
            with passphrase.unlocked(governor, key, "to set the quorum") as signers:
                seq = governor.set_quorum(rules, signers)
    if call.json:
        call.out.json({"quorum": rules.model_dump(), "seq": seq})
    else:
        done = f" (event {seq})" if seq else ""
        call.out.data(f"Quorum: axiom {rules.axiom}, core {rules.core}{done}")
    return 0


def _numbers(texts: list[str]) -> dict[str, int]:
    wanted: dict[str, int] = {}
    for text in texts:
        tier, _, number = text.partition("=")
        if tier not in ("axiom", "core") or not number.isdecimal() or not 1 <= int(number[:9]) <= 99:
            raise BadInput(f"{text!r} is no quorum; write axiom=2 or core=1, from 1 to 99")
        wanted[tier] = int(number)
    return wanted
