"""What SQLite and the operating system report, as refusals of the store."""

import errno
import sqlite3

from stichwerk.server.storage.store import StorageError

OWN_FAULTS = (sqlite3.IntegrityError, sqlite3.DataError, sqlite3.ProgrammingError)
"""Of SQLite's errors those that are about one change, not about the file."""


PASSING = {sqlite3.SQLITE_FULL, sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED}
"""After these a connection is as good as before; reads go on."""


_IDS = {
    sqlite3.SQLITE_FULL: "storage-full",
    sqlite3.SQLITE_READONLY: "storage-read-only",
    sqlite3.SQLITE_PERM: "storage-read-only",
    sqlite3.SQLITE_BUSY: "storage-locked",
    sqlite3.SQLITE_LOCKED: "storage-locked",
    errno.ENOSPC << 8: "storage-full",
    errno.EDQUOT << 8: "storage-full",
    errno.EROFS << 8: "storage-read-only",
    errno.EACCES << 8: "storage-read-only",
    errno.EPERM << 8: "storage-read-only",
}
"""SQLite's primary codes (below 256), and those of the operating system moved out of their way."""


def refusal(error: Exception) -> StorageError:
    """Any error of the file as a refusal; a new one each time, as each is raised somewhere else.

    `why` is a name like SQLITE_IOERR_WRITE: for logs, without anything about the machine.
    """
    if isinstance(error, StorageError):
        return StorageError(error.id, **error.data)
    why = getattr(error, "sqlite_errorname", None) or type(error).__name__
    return StorageError(_IDS.get(error_code(error), "storage-failed"), why=why)


def error_code(error: Exception) -> int:
    """What `_IDS` knows an error by; 0 for no such code."""
    if isinstance(error, OSError):
        return (error.errno or 0) << 8
    code = getattr(error, "sqlite_errorcode", 0)
    return code & 0xFF if isinstance(code, int) else 0
