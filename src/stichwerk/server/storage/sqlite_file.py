"""The SQLite file of a store: creating, checking, opening and closing it."""

import os
import sqlite3
from collections.abc import Callable
from contextlib import closing, suppress
from pathlib import Path

from stichwerk.server.storage import schema
from stichwerk.server.storage.store import StorageError

Connect = Callable[[Path], sqlite3.Connection]


def connect_sqlite(path: Path) -> sqlite3.Connection:
    """Open a connection without Python's implicit transactions."""
    return sqlite3.connect(path, isolation_level=None)


def make_file(path: Path, connect: Connect) -> None:
    """Create a store and its folder, readable by their owner only. An existing folder is left as it
    is: it may be anyone's.

    The store gets its name when its schema is complete. So a file without the schema is never one
    whose creation was interrupted, but one that lost its content.
    """
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    if not path.exists():
        part = path.with_name(f"{path.name}.{os.getpid()}.new")
        try:
            _make_store(part, connect)
            with suppress(FileExistsError):  # another program was faster: use its store
                _name_file(part, path)
        finally:
            part.unlink(missing_ok=True)
    # An existing file is never opened here: closing it would break the locks of SQLite's other
    # connections in this process.
    with suppress(OSError):
        path.chmod(0o600)


def _make_store(part: Path, connect: Connect) -> None:
    """Create an empty store. A leftover of a crash under this name is deleted first."""
    part.unlink(missing_ok=True)
    part.with_name(f"{part.name}-journal").unlink(missing_ok=True)
    os.close(os.open(part, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))
    with closing(connect(part)) as connection:
        connection.execute("PRAGMA synchronous = FULL")
        schema.migrate(connection)


def _name_file(part: Path, path: Path) -> None:
    """Rename a file, unless the name is taken."""
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
    """Make a new name durable; not every system can do it."""
    with suppress(OSError):
        opened = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(opened)
        finally:
            os.close(opened)


def check_content(path: Path) -> None:
    """Refuse an existing file without content: it was a store once, and SQLite would take it for a
    new one and delete the write-ahead log beside it."""
    if path.stat().st_size == 0:
        raise StorageError("storage-empty", file=os.fspath(path))


def prepared(connection: sqlite3.Connection, path: Path, busy_seconds: float) -> sqlite3.Connection:
    """Configure a new connection: durable, and with the current schema."""
    try:
        connection.execute(f"PRAGMA busy_timeout = {round(busy_seconds * 1000)}")
        if not schema.is_ours(connection):
            raise StorageError("storage-foreign", file=os.fspath(path))
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = FULL")
        connection.execute("PRAGMA fullfsync = ON")  # macOS: flush the disk's own cache
        connection.execute("PRAGMA secure_delete = ON")  # overwrite deleted names
        found = schema.version(connection)
        if found > schema.VERSION:
            raise StorageError("storage-too-new", version=found, known=schema.VERSION)
        schema.migrate(connection)
    except BaseException:
        connection.close()
        raise
    return connection


def empty_wal(connection: sqlite3.Connection) -> None:
    """Checkpoint the write-ahead log and truncate it, unless someone is reading it."""
    (wait,) = connection.execute("PRAGMA busy_timeout").fetchall()[0]
    connection.execute("PRAGMA busy_timeout = 0")
    try:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
    finally:
        connection.execute(f"PRAGMA busy_timeout = {wait}")
