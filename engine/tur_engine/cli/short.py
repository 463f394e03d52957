"""`tur status --short`: one line for a shell's prompt or a status bar, before anything heavy is loaded."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from ..errors import TurError
from .output import Output, Unanswered


def at_once(options: Sequence[str]) -> int | None:
    """Answer `status OPTIONS` without the rest of the program; None where it takes more than that.

    What cannot be answered is left to the command itself, which says why.
    """
    rest = [option for option in options if option not in ("--short", "--json")]
    if rest[:1] == ["--store"] and len(rest) == 2:
        store: Path | None = Path(rest[1])
    elif len(rest) == 1 and rest[0].startswith("--store="):
        store = Path(rest[0].removeprefix("--store="))
    elif rest:
        return None
    else:
        store = None
    if "--store=" in rest or "" in rest:  # an empty name, which the command refuses
        return None
    try:
        return tell(Output("tur"), store, json="--json" in options)
    except (TurError, OSError, Unanswered):
        return None


def tell(out: Output, store: Path | None, *, json: bool) -> int:
    """Write the counts of the store that holds here. Raises NoStore, NewerStore, IntegrityFailure, StoreError."""
    from .. import whereabouts
    from ..ledger.glance import glance

    counts = glance(whereabouts.find(store))
    if json:
        out.json(counts._asdict())
    else:
        out.data(f"{counts.open:,} open · {counts.waits:,} waits · {counts.live:,}")
    return 0
