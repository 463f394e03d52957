"""What stood where: the store that this machine saw at a place, noted beside the witness.

A store that is moved away takes its invariants along, and the one that is put in its place verifies by itself. The note
stays with the store that was written to first, until somebody removes it: where another stands there, that is told. A
store without an invariant in force is no such loss: the note goes over to the next.
"""

from __future__ import annotations

import json
import os
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

import apsw

from ..errors import NoHome
from ..home import state_folder
from ..text import counted
from . import witness
from .schema import OPEN


class Stood(NamedTuple):
    """The store that is known at a place."""

    store: str
    invariants: int
    """Those in force when it was last written to."""


def place(path: Path) -> Path:
    """Return where it is noted what stood at a store's place. Raises NoHome."""
    name = sha256(os.fsencode(os.path.realpath(path))).hexdigest()[:32]
    return state_folder() / "stood" / f"{name}.json"


def in_force(db: apsw.Connection) -> int:
    """Count the invariants in force."""
    return int(db.execute("SELECT count(DISTINCT mid) FROM approvals WHERE to_seq=?", (OPEN,)).get)


def note(path: Path, store: str, invariants: int) -> None:
    """Note that a store was written to where it stands, unless another with invariants is known there.

    It never lets a write fail.
    """
    now = Stood(store, invariants)
    with suppress(OSError, NoHome):
        known = read(path)
        if known == now or (known is not None and known.store != store and known.invariants):
            return
        from ..replacing import replace  # seldom needed, and a cold start should not pay for it

        target = place(path)
        target.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        replace(target, json.dumps(now._asdict()).encode())


def read(path: Path) -> Stood | None:
    """Return what is known of a place; None where nothing is, or what is noted makes no sense."""
    try:
        kept = json.loads(place(path).read_bytes())
        found = Stood(**kept)
    except (OSError, ValueError, TypeError, NoHome):
        return None
    return found if isinstance(found.store, str) and type(found.invariants) is int else None


def former(path: Path, store: str) -> str:
    """Say what is known at a place where this store stands now, and what to do.

    Empty where that is the same one, and where it had no invariant that could be missed.
    """
    known = read(path)
    if known is None or known.store == store or not known.invariants:
        return ""
    told = [f"store {known.store[:8]}"]
    with suppress(OSError, ValueError):
        if seen := witness.read(known.store):
            told.append(counted(seen.size, "event"))
    told.append(f"{counted(known.invariants, 'invariant')} in force")
    return (
        f"this machine knows another ledger at {path} ({', '.join(told)}), and nothing of it holds in the one that is "
        f"there now; put it back, or remove {place(path)} where this one is to take its place"
    )
