"""How long the gate's last answers took on this machine: a ring in a file outside of the store and its chain.

A record has the place that its event's number gives it, so writers need no lock: one `pwrite` of 16 bytes each. Whoever
removes the file loses the figures only.
"""

from __future__ import annotations

import os
import struct
from contextlib import suppress
from math import isfinite
from pathlib import Path
from typing import NamedTuple

from ..errors import NoHome
from ..home import state_folder

KEPT = 1024
"""Answers that are remembered."""
_RECORD = struct.Struct("<Qff")


class Took(NamedTuple):
    """Seconds of one answer: probe and verdict, and the whole."""

    weighed: float
    whole: float


def place(store: str) -> Path:
    """Return where the figures of a store lie. Raises NoHome."""
    return state_folder() / "pace" / f"{store}.bin"


def note(store: str, seq: int, took: Took) -> None:
    """Keep how long the answer took that event `seq` records; a folder that cannot be written troubles nobody."""
    with suppress(OSError, NoHome):
        path = place(store)
        try:
            handle = os.open(path, os.O_WRONLY | os.O_CREAT, 0o600)
        except FileNotFoundError:
            path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            handle = os.open(path, os.O_WRONLY | os.O_CREAT, 0o600)
        try:
            os.lseek(handle, seq % KEPT * _RECORD.size, os.SEEK_SET)
            os.write(handle, _RECORD.pack(seq, *took))
        finally:
            os.close(handle)


def read(store: str, upto: int) -> list[Took]:
    """Return what is remembered of the events up to `upto`; what makes no sense is left out."""
    try:
        data = place(store).read_bytes()[: KEPT * _RECORD.size]
    except (OSError, NoHome):
        return []
    whole = data[: len(data) // _RECORD.size * _RECORD.size]
    return [
        Took(weighed, took)
        for slot, (seq, weighed, took) in enumerate(_RECORD.iter_unpack(whole))
        if 0 < seq <= upto and seq % KEPT == slot and isfinite(took) and 0 <= weighed <= took
    ]
