"""Connections to the store: one a thread, WAL, full sync, errors in our own words (CONTRACTS 9)."""

from __future__ import annotations

import contextlib
import os
import threading
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from importlib.util import find_spec
from pathlib import Path
from uuid import uuid4

import apsw

from ..errors import (
    DiskFull,
    IntegrityFailure,
    NewerStore,
    NoStore,
    OlderStore,
    ReadOnlyStore,
    StoreBusy,
    StoreError,
    StoreExists,
)
from ..text import excerpt
from . import schema
from .beginning import Beginning

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
    except (apsw.CorruptError, apsw.NotADBError, UnicodeDecodeError) as e:
        why = excerpt(str(e))
        raise IntegrityFailure(f"{path} is damaged or not a tur store ({why}); restore it from a backup") from e
    except apsw.CantOpenError as e:
        raise StoreError(f"{path} cannot be opened; check that the folder exists and may be read") from e
    except apsw.IOError as e:
        if _no_room(e):
            raise DiskFull(f"no room left on the disk of {path}; nothing was written") from e
        raise StoreError(f"{path}: the disk failed ({excerpt(str(e))}); nothing was written") from e


def _no_room(error: apsw.Error) -> bool:
    """True where the index of the log has no room on the disk, so more of the log has none either."""
    return getattr(error, "extendedresult", 0) == apsw.SQLITE_IOERR_SHMSIZE


class Connections:
    """Hands each thread its own connection to one store file."""

    def __init__(self, path: Path, *, read_only: bool = False) -> None:
        self.path = path
        self.read_only = read_only
        self._local = threading.local()
        self._file: tuple[int, int] | None = None
        """Device and inode of the file that was opened first."""
        self._beginning: Beginning | None = None
        self._all: list[apsw.Connection] = []
        self._lock = threading.Lock()

    def get(self) -> apsw.Connection:
        """Return this thread's connection, opened on first use."""
        connection: apsw.Connection | None = getattr(self._local, "connection", None)
        if connection is None:
            if moved := self.displaced():
                raise StoreError(moved)
            with translated(self.path):
                try:
                    connection = self._open()
                    self._file = self._file or self._named()
                except OSError as e:
                    raise StoreError(f"{self.path} cannot be opened: {e.strerror}") from e
                except apsw.SQLError as e:  # a header that SQLite does not know
                    raise IntegrityFailure(f"{self.path} is damaged ({e}); restore it from a backup") from e
            self._local.connection = connection
            with self._lock:
                self._all.append(connection)
        return connection

    def displaced(self) -> str:
        """Return in a sentence how the path stopped naming the open file; nothing while it names it.

        SQLite would go on with the old file, and a new thread would open the other one.
        """
        if self._file is None:
            return ""
        try:
            now = self._named()
        except OSError:
            return f"the store at {self.path} is gone: it was moved or removed; nothing is written until it is back"
        if now != self._file:
            return f"the store at {self.path} was replaced by another file; nothing is written, open it anew"
        return ""

    def overwritten(self) -> bool:
        """Whether something that is no store was written over the open file."""
        if self._file is None or not hasattr(os, "pread"):
            return False
        with self._lock:
            if self._beginning is None and not self.displaced():
                with contextlib.suppress(OSError):
                    self._beginning = Beginning(self.path, self._file)
            return self._beginning is not None and self._beginning.overwritten()

    def _named(self) -> tuple[int, int]:
        found = self.path.stat()
        return found.st_dev, found.st_ino

    def _open(self) -> apsw.Connection:
        if not self.path.exists():
            raise NoStore(f"there is no store at {self.path}; make one with `tur init`")
        if self.read_only:
            connection = _open_read_only(self.path)
        elif has_another_name(self.path):
            raise StoreError(
                f"{self.path} has another name too, a hard link: what is written by one is lost by the other; "
                f"remove the link (`find / -xdev -samefile {self.path}` names it), or copy with `tur-adm backup`"
            )
        else:
            connection = apsw.Connection(str(self.path), flags=apsw.SQLITE_OPEN_READWRITE)
        connection.set_busy_timeout(BUSY_MS)
        load_extension(connection)
        check_identity(connection, self.path)
        if not self.read_only:
            prepare(connection)
        return connection

    def close(self) -> None:
        """Close every thread's connection."""
        with self._lock:
            for connection in self._all:
                with contextlib.suppress(apsw.ThreadingViolationError):  # another thread is reading: it ends with that
                    connection.close()
            self._all.clear()
            if self._beginning is not None:
                self._beginning.close()
                self._beginning = None
        self._local = threading.local()


def _vec0() -> str:
    """Return where sqlite-vec's extension lies; importing the package itself would load numpy."""
    found = find_spec("sqlite_vec")
    assert found is not None
    assert found.submodule_search_locations is not None
    return str(Path(found.submodule_search_locations[0]) / "vec0")


def load_extension(connection: apsw.Connection) -> None:
    """Give the connection vec0."""
    connection.enable_load_extension(True)
    connection.load_extension(_vec0())
    connection.enable_load_extension(False)


def prepare(connection: apsw.Connection) -> None:
    """Set what is not kept in the file: full sync, secure delete."""
    connection.execute(
        "PRAGMA synchronous=FULL; PRAGMA secure_delete=ON; PRAGMA foreign_keys=OFF; PRAGMA temp_store=MEMORY"
    )


def _open_read_only(path: Path) -> apsw.Connection:
    """Open without writing a byte. A medium where WAL's index cannot be made, or has no room, is read as immutable."""
    connection = apsw.Connection(str(path), flags=apsw.SQLITE_OPEN_READONLY)
    connection.set_busy_timeout(BUSY_MS)
    try:
        connection.execute("SELECT count(*) FROM sqlite_schema").fetchall()
    except (apsw.CantOpenError, apsw.ReadOnlyError, apsw.IOError) as e:
        connection.close()
        if isinstance(e, apsw.IOError) and (not _no_room(e) or _has_log(path)):
            raise
        connection = apsw.Connection(immutable(path), flags=apsw.SQLITE_OPEN_READONLY | apsw.SQLITE_OPEN_URI)
    return connection


def _has_log(path: Path) -> bool:
    """True where something stands in the log, which an immutable reader passes over."""
    log = path.with_name(f"{path.name}-wal")
    return log.exists() and log.stat().st_size > 0


def immutable(path: Path) -> str:
    """Return the URI under which SQLite reads a file without locks, and without files beside it."""
    return f"{path.resolve().as_uri()}?immutable=1"


def check_identity(connection: apsw.Connection, path: Path, *, older: bool = False) -> int:
    """Return the store's format. Raises IntegrityFailure, NewerStore, and OlderStore unless `older` ones are wanted."""
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
    if version < schema.VERSION and not older:
        connection.close()
        raise OlderStore(
            f"{path} was written by an older version of tur (store format {version}, this one reads {schema.VERSION}); "
            "`tur-adm migrate` brings it up to date and keeps a copy"
        )
    return int(version)


def copy(source: apsw.Connection, target: Path, named: Path | None = None) -> None:
    """Copy the store as it stands now to a file that is not there yet, and is told as `named`. Raises StoreError."""
    named = named or target
    with translated(named):
        try:
            made = apsw.Connection(str(target))
        except apsw.CantOpenError:
            raise StoreError(
                f"{named} cannot be made; its folder must be there, and you must be allowed to write in it"
            ) from None
        try:
            with closing(made), made.backup("main", source, "main") as step:
                while not step.done:
                    step.step(1000)
        except BaseException:  # half a copy is none
            target.unlink(missing_ok=True)
            raise


def has_another_name(path: Path) -> bool:
    """True for a file that a hard link names too: SQLite keeps its log beside one name only."""
    path = path.resolve()
    if path.stat().st_nlink < 2:
        return False
    being_made = [each for each in path.parent.glob(f".{path.name}.*.new") if each.samefile(path)]
    return path.stat().st_nlink - len(being_made) > 1


def create(path: Path, found: Callable[[apsw.Connection], None]) -> None:
    """Make a store file with what `found` writes, whole or not at all. Raises StoreExists, StoreError."""
    if path.exists():
        raise StoreExists(f"there is a store at {path} already")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as e:
        raise ReadOnlyStore(f"cannot make the folder {path.parent}: {e.strerror}") from e
    fresh = path.with_name(f".{path.name}.{uuid4().hex}.new")
    try:
        with translated(path), closing(apsw.Connection(str(fresh))) as connection:
            load_extension(connection)
            prepare(connection)
            with connection:
                connection.execute(schema.TRUTH + schema.PROJECTIONS + schema.SEARCH)
                connection.execute(
                    f"PRAGMA application_id={schema.APPLICATION_ID}; PRAGMA user_version={schema.VERSION}"
                )
                found(connection)
            connection.execute("PRAGMA journal_mode=WAL")
        _put(fresh, path)
    except OSError as e:
        raise StoreError(f"cannot make {path}: {e.strerror}") from e
    finally:
        for ending in ("", "-journal", "-wal", "-shm"):
            fresh.with_name(fresh.name + ending).unlink(missing_ok=True)


def _put(fresh: Path, path: Path) -> None:
    """Give the finished file its name. Never replaces: of two founders one wins."""
    try:
        path.hardlink_to(fresh)
    except OSError as e:
        if path.exists():
            raise StoreExists(f"{path} was made by another process a moment ago") from e
        fresh.rename(path)  # a file system without hard links
