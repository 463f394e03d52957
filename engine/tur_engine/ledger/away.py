"""The replay in a second process: while this one checks chain and texts, the other makes the tables on its own core.

It is only ever believed where everything fits: on any difference or fault `verify` starts over by itself, and names it.
"""

from __future__ import annotations

import gc
import marshal
import os
import sys
from collections import defaultdict
from collections.abc import Callable
from contextlib import closing, suppress
from typing import IO, TYPE_CHECKING, Any, cast

import apsw

from . import schema
from .projector import MENTION, Arrival, Projector
from .replay import Replay, fingerprint, placed_vectors, questions

if TYPE_CHECKING:
    from subprocess import Popen

WORTH = 10_000
"""Events from which on a second process is worth its start."""
_SERVE = "import sys; sys.path[:] = sys.argv[1:]; from tur_engine.ledger.away import serve; serve()"
_ARRIVALS, _ROWS, _STATEMENT = range(3)


class Differs(Exception):
    """What the second process made is not what the store keeps, or it could not make it."""


def worth(events: int) -> bool:
    """True where a second process can be had and pays."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return events >= WORTH and cores > 1 and bool(sys.executable) and not getattr(sys, "frozen", False)


class Away:
    """The projections of the events applied so far, in another process. Stands in for `Replay`."""

    def __init__(self, read: Callable[[str], bytes | None]) -> None:
        """`read` gives bodies. Raises OSError where no process can be started."""
        self._child = _start()
        self._sender = _Sender(read)
        self.apply = self._sender.apply

    def flush(self) -> None:
        """Hand over what was applied. Raises OSError where the other is gone."""
        marshal.dump(self._sender.taken(), _end(self._child.stdin))

    def finish(self) -> None:
        """There are no more events: the other may make its indexes."""
        with _end(self._child.stdin) as stream:
            marshal.dump(None, stream)

    def close(self) -> None:
        """End the other process."""
        self._child.kill()
        for stream in (self._child.stdin, self._child.stdout):
            with suppress(OSError):
                _end(stream).close()
        self._child.wait()

    def compare(self, kept: apsw.Connection, total: int) -> None:
        """Raises Differs, or Bad where the vectors cannot be found."""
        with closing(apsw.Connection(":memory:")) as fresh:
            fresh.execute(schema.PROJECTIONS)
            asked = [query for _, query, _ in questions(fresh, as_they_lie=True)]
        found = [fingerprint(kept.execute(query)) for query in asked]
        found.append(fingerprint(iter(sorted(placed_vectors(kept)))))
        try:
            due = marshal.load(_end(self._child.stdout))
        except (EOFError, ValueError, TypeError) as e:
            raise Differs from e
        if due != found:
            raise Differs


class _Sender(Projector):
    """Applies events like its base, to tables that lie elsewhere: what they are asked for is known here."""

    def __init__(self, read: Callable[[str], bytes | None]) -> None:
        super().__init__(cast(apsw.Connection, self), read=read, insert=self._keep)
        self._mids: dict[bytes, int] = {}
        self._scopes: dict[str, int] = {}
        self._arrivals: list[tuple[Any, ...]] = []
        self._rows: defaultdict[str, list[tuple[Any, ...]]] = defaultdict(list)
        self._frame: list[tuple[int, str, list[Any]]] = []

    def _keep(self, statement: str, row: tuple[Any, ...]) -> None:
        self._rows[statement].append(row)
        if statement != MENTION:  # rows of one table keep their order
            self._settle()

    def execute(self, statement: str, values: tuple[Any, ...] = ()) -> None:
        """Let the statement follow what came before it."""
        self._settle()
        self._frame.append((_STATEMENT, statement, list(values)))

    def taken(self) -> list[tuple[int, str, list[Any]]]:
        """Return what was done since the last time."""
        self._settle()
        frame, self._frame = self._frame, []
        return frame

    def _settle(self) -> None:
        if self._arrivals:
            self._frame.append((_ARRIVALS, "", self._arrivals))
            self._arrivals = []
        self._frame += [(_ROWS, statement, rows) for statement, rows in self._rows.items()]
        self._rows.clear()

    def arrive(self, new: Arrival) -> None:
        key = bytes.fromhex(new.digest)
        if key in self._mids:
            raise ValueError("a memory came in twice")
        self._mids[key] = new.seq
        self._scopes.setdefault(new.scope, len(self._scopes) + 1)
        self._arrivals.append(tuple(new))

    def mid(self, digest: str) -> int:
        return self._mids[bytes.fromhex(digest)]

    def _scope_id(self, scope: str) -> int:
        if scope not in self._scopes:
            self._scopes[scope] = len(self._scopes) + 1
            self.execute("INSERT INTO scopes(scope) VALUES(?)", (scope,))
        return self._scopes[scope]

    def _spoken(self, mid: int) -> bool:
        return True  # where there are none, none are taken away


def _start() -> Popen[bytes]:
    from subprocess import DEVNULL, PIPE, Popen

    return Popen([sys.executable, "-c", _SERVE, *sys.path], stdin=PIPE, stdout=PIPE, stderr=DEVNULL)


def _end(stream: IO[bytes] | None) -> IO[bytes]:
    assert stream is not None
    return stream


def serve() -> None:
    """Be the second process: read what was applied, answer with the fingerprints of what follows from it."""
    gc.disable()  # nothing here refers back to itself
    replay = Replay(lambda ref: None, batched=True)
    with closing(replay):
        while (frame := marshal.load(sys.stdin.buffer)) is not None:
            for kind, statement, rows in frame:
                replay.take(statement, rows, arrivals=kind == _ARRIVALS, at_once=kind == _STATEMENT)
            replay.flush()
        replay.finish()
        due = [fingerprint(replay.db.execute(query)) for _, query, _ in questions(replay.db, as_they_lie=True)]
        due.append(fingerprint(replay.vectors()))
        marshal.dump(due, sys.stdout.buffer)
