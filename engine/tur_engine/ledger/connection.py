"""Connections to the store: one a thread, WAL, full sync, errors in our own words (CONTRACTS 9)."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import quote

import apsw
import sqlite_vec

from ..errors import (
    DiskFull,
    IntegrityFailure,
    NewerStore,
    NoStore,
    ReadOnlyStore,
    StoreBusy,
    StoreError,
    TurError,
)
from . import schema

BUSY_MS = 5000


@contextmanager
def translated(path: Path) -> Iterator[None]:
    """Turn SQLite's errors into ours, naming the file."""
    try:
        yield
    except apsw.BusyError as e:
        raise StoreBusy(f"{path} is being written by another process for over {BUSY_MS // 1000} s; try again") from e
    except apsw.ReadOnlyError as e:
        raise ReadOnlyStore(f"{path} cannot be written: it or its folder is read-only") from e
    except apsw.FullError as e:
        raise DiskFull(f"no room left on the disk of {path}; nothing was written") from e
    except (apsw.CorruptError, apsw.NotADBError) as e:
        raise IntegrityFailure(f"{path} is damaged or not a tur store ({e}); restore it from a backup") from e
    except apsw.CantOpenError as e:
        raise StoreError(f"{path} cannot be opened; check that the folder exists and may be read") from e
    except apsw.IOError as e:
        raise StoreError(f"{path}: the disk failed ({e}); nothing was written") from e


class Connections:
    """Hands each thread its own connection to one store file."""

    def __init__(self, path: Path, *, read_only: bool = False) -> None:
        self.path = path
        self.read_only = read_only
        self._local = threading.local()
        self._all: list[apsw.Connection] = []
        self._lock = threading.Lock()

    def get(self) -> apsw.Connection:
        """Return this thread's connection, opened on first use."""
        connection: apsw.Connection | None = getattr(self._local, "connection", None)
        if connection is None:
            with translated(self.path):
                connection = self._open()
            self._local.connection = connection
            with self._lock:
                self._all.append(connection)
        return connection

    def _open(self) -> apsw.Connection:
        if not self.path.exists():
            raise NoStore(f"there is no store at {self.path}; make one with `tur init`")
        if self.read_only:
            connection = _open_read_only(self.path)
        else:
            connection = apsw.Connection(str(self.path), flags=apsw.SQLITE_OPEN_READWRITE)
        connection.set_busy_timeout(BUSY_MS)
        load_extension(connection)
        _check_identity(connection, self.path)
        if not self.read_only:
            prepare(connection)
        return connection

    def close(self) -> None:
        """Close every thread's connection."""
        with self._lock:
            for connection in self._all:
                connection.close()
            self._all.clear()
        self._local = threading.local()


def load_extension(connection: apsw.Connection) -> None:
    """Give the connection vec0."""
    connection.enable_load_extension(True)
    connection.load_extension(sqlite_vec.loadable_path())
    connection.enable_load_extension(False)


def prepare(connection: apsw.Connection) -> None:
    """Set what is not kept in the file: full sync, secure delete."""
    connection.execute(
        "PRAGMA synchronous=FULL; PRAGMA secure_delete=ON; PRAGMA foreign_keys=OFF; PRAGMA temp_store=MEMORY"
    )


def _open_read_only(path: Path) -> apsw.Connection:
    """Open without writing a byte. A medium where WAL's index cannot be made is read as immutable."""
    connection = apsw.Connection(str(path), flags=apsw.SQLITE_OPEN_READONLY)
    try:
        connection.execute("SELECT count(*) FROM sqlite_schema").fetchall()
    except (apsw.CantOpenError, apsw.ReadOnlyError):
        connection.close()
        uri = f"file:{quote(str(path.resolve()))}?immutable=1"
        connection = apsw.Connection(uri, flags=apsw.SQLITE_OPEN_READONLY | apsw.SQLITE_OPEN_URI)
    return connection


def _check_identity(connection: apsw.Connection, path: Path) -> None:
    application, version = (connection.execute(f"PRAGMA {name}").get for name in ("application_id", "user_version"))
    if application != schema.APPLICATION_ID:
        connection.close()
        raise IntegrityFailure(f"{path} is not a tur store, or it is damaged; restore it from a backup or move it away")
    if version > schema.VERSION:
        connection.close()
        raise NewerStore(
            f"{path} was written by a newer version of tur (store format {version}, this one reads {schema.VERSION}); "
            "upgrade tur-tui"
        )


def create(path: Path) -> None:
    """Make an empty store file. Raises StoreError where one is there."""
    if path.exists():
        raise StoreError(f"{path} exists already")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as e:
        raise ReadOnlyStore(f"cannot make the folder {path.parent}: {e.strerror}") from e
    fresh = path.with_name(f".{path.name}.{threading.get_ident()}.new")
    fresh.unlink(missing_ok=True)
    try:
        with translated(path):
            connection = apsw.Connection(str(fresh))
            load_extension(connection)
            with connection:
                connection.execute(schema.TRUTH + schema.PROJECTIONS + schema.SEARCH)
                connection.execute(
                    f"PRAGMA application_id={schema.APPLICATION_ID}; PRAGMA user_version={schema.VERSION}"
                )
            connection.execute("PRAGMA journal_mode=WAL")
            connection.close()
        try:
            path.hardlink_to(fresh)  # never replaces: of two founders one wins
        except FileExistsError as e:
            raise StoreError(f"{path} was made by another process a moment ago; try again") from e
        except OSError:
            fresh.rename(path)
    except TurError:
        raise
    except OSError as e:
        raise StoreError(f"cannot make {path}: {e.strerror}") from e
    finally:
        for leftover in (fresh, fresh.with_name(fresh.name + "-wal"), fresh.with_name(fresh.name + "-shm")):
            leftover.unlink(missing_ok=True)
