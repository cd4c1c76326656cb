"""The file of a store: made, checked, opened and left tidy."""

import os
import sqlite3
from collections.abc import Callable
from contextlib import closing, suppress
from pathlib import Path

from stichwerk.server.storage import schema
from stichwerk.server.storage.store import StorageError

Connect = Callable[[Path], sqlite3.Connection]


def connect_sqlite(path: Path) -> sqlite3.Connection:
    """A connection without the transactions Python would begin by itself."""
    return sqlite3.connect(path, isolation_level=None)


def make_file(path: Path, connect: Connect) -> None:
    """A new store, and its folder, for nobody else's eyes. A folder that exists stays as it is: it
    may be anyone's.

    The store takes its name when its tables are there. So a file without them is never one whose
    making was interrupted, but one that lost its content.
    """
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    if not path.exists():
        part = path.with_name(f"{path.name}.{os.getpid()}.new")
        try:
            _make_store(part, connect)
            with suppress(FileExistsError):  # another program was quicker: that store counts
                _name_file(part, path)
        finally:
            part.unlink(missing_ok=True)
    # An existing file is never opened here: closing it would break the locks of SQLite's other
    # connections in this process.
    with suppress(OSError):
        path.chmod(0o600)


def _make_store(part: Path, connect: Connect) -> None:
    """An empty store. What a crash has left under this name goes first."""
    part.unlink(missing_ok=True)
    part.with_name(f"{part.name}-journal").unlink(missing_ok=True)
    os.close(os.open(part, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))
    with closing(connect(part)) as connection:
        connection.execute("PRAGMA synchronous = FULL")
        schema.migrate(connection)


def _name_file(part: Path, path: Path) -> None:
    """Give a file its name, unless there is one of that name."""
    try:
        os.link(part, path)
    except FileExistsError:
        raise
    except OSError:  # a file system without hard links
        if path.exists():
            raise FileExistsError(path) from None
        part.rename(path)
    _sync_folder(path.parent)


def _sync_folder(folder: Path) -> None:
    """A name is as durable as the file only then; not every system can do it."""
    with suppress(OSError):
        opened = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(opened)
        finally:
            os.close(opened)


def check_content(path: Path) -> None:
    """An existing file without any content was a store once: nothing tells that it should be a new
    one. SQLite would take it for that, and delete the write-ahead log beside it."""
    if path.stat().st_size == 0:
        raise StorageError("storage-empty", file=os.fspath(path))


def prepared(connection: sqlite3.Connection, path: Path, busy_seconds: float) -> sqlite3.Connection:
    """A new connection, durable and with the newest tables."""
    try:
        connection.execute(f"PRAGMA busy_timeout = {round(busy_seconds * 1000)}")
        if not schema.is_ours(connection):
            raise StorageError("storage-foreign", file=os.fspath(path))
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = FULL")
        connection.execute("PRAGMA fullfsync = ON")  # macOS: through the disk's own cache
        connection.execute("PRAGMA secure_delete = ON")  # names that are deleted are overwritten
        found = schema.version(connection)
        if found > schema.VERSION:
            raise StorageError("storage-too-new", version=found, known=schema.VERSION)
        schema.migrate(connection)
    except BaseException:
        connection.close()
        raise
    return connection


def empty_wal(connection: sqlite3.Connection) -> None:
    """Fold the write-ahead log into the file and empty it, unless someone is reading it."""
    (wait,) = connection.execute("PRAGMA busy_timeout").fetchall()[0]
    connection.execute("PRAGMA busy_timeout = 0")
    try:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
    finally:
        connection.execute(f"PRAGMA busy_timeout = {wait}")
