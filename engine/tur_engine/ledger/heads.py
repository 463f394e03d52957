"""What `meta` keeps of the events: the store's name, the last hash, the Merkle tree, the clock of beliefs.

All of it follows from the events. A write goes on from it, so it is compared first with what can be seen at once.
"""

from __future__ import annotations

import json
import re
from hashlib import sha256
from typing import Any

import apsw

from ..records import EventKind
from ..text import counted
from .merkle import Peaks, leaf_hash
from .projector import QUIET

_STORE_ID = re.compile(r"[0-9a-f]{32}")
_BELIEVED = json.dumps(sorted(set(map(str, EventKind)) - QUIET))
_CLOCK = "SELECT coalesce(max((SELECT max(seq) FROM events WHERE kind=k.value)), 0) FROM json_each(?) k"
"""By the index of kinds: as fast in a long ledger as in a short one."""


def is_store_id(named: object) -> bool:
    """True for what may name a store: files of this machine are called by it."""
    return isinstance(named, str) and _STORE_ID.fullmatch(named) is not None


def founded(db: apsw.Connection) -> str | None:
    """Return the name that the founding event gives the store; None where that event is missing or altered."""
    payload, digest = db.execute("SELECT json, hash FROM events WHERE seq=1").get or (b"", b"")
    if not isinstance(payload, bytes) or sha256(payload).digest() != digest:
        return None
    try:
        name = json.loads(payload)["data"]["store"]
    except (ValueError, TypeError, KeyError, RecursionError):
        return None
    return name if is_store_id(name) else None


def named(db: apsw.Connection) -> tuple[str | None, bool]:
    """Return the store's name, None where nothing tells it, and whether `meta` keeps it as the founding event does."""
    kept = db.execute("SELECT value FROM meta WHERE key='store_id'").get
    first = founded(db)
    sound = is_store_id(kept) and first in (None, kept)
    return (kept if sound else first), sound


def fault(db: apsw.Connection) -> str:
    """Return in words what of `meta` cannot be right; nothing where an event may be appended."""
    kept = {str(key): value for key, value in db.execute("SELECT key, value FROM meta").fetchall()}
    for row in db.execute("SELECT seq, json, hash FROM events ORDER BY seq DESC LIMIT 1").fetchall():
        if not named(db)[1]:
            return not_of("store_id")
        return _behind(kept, row) or ("" if _clock(db) == kept.get("memory_clock") else not_of("memory_clock"))
    return ""


def not_of(name: object) -> str:
    """Return the sentence on a cell."""
    return f"the {str(name)[:40]} kept in the store is not that of its events"


def _clock(db: apsw.Connection) -> str:
    return str(db.execute(_CLOCK, (_BELIEVED,)).get)


def _behind(kept: dict[str, Any], row: tuple[Any, ...]) -> str:
    """Compare with the last event. A tree of odd size ends in its leaf."""
    seq, payload, digest = row
    if not isinstance(payload, bytes) or sha256(payload).digest() != digest:
        return f"event {seq} was altered: its hash does not fit its bytes"
    if kept.get("head_hash") != digest.hex():
        return not_of("head_hash")
    try:
        peaks = Peaks.load(str(kept.get("peaks")))
    except ValueError:
        return not_of("peaks")
    ends = not peaks.size & 1 or peaks.hashes[-1] == leaf_hash(payload)
    return "" if peaks.size == seq and ends else not_of("peaks")


def speaks_of_others(kept: dict[str, Any], due: dict[str, str]) -> str:
    """Return in words that well-formed heads are those of other events: to make them anew would hide that.

    One of hash and tree that agrees vouches for the events, and the other one is merely spoilt.
    """
    if kept.get("head_hash") == due["head_hash"] or kept.get("peaks") == due["peaks"]:
        return ""
    try:
        size = Peaks.load(str(kept.get("peaks"))).size
    except ValueError:
        return ""
    total = Peaks.load(due["peaks"]).size
    return (
        f"the tree head says {counted(size, 'event')} and the log holds {total:,}"
        if size != total
        else "its last hash and its tree head are those of other events"
    ) + ": the end was cut off, or events were put in the place of others"
