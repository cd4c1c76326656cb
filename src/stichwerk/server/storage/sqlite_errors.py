"""Errors of SQLite and the operating system, as errors of the store."""

import errno
import sqlite3

from stichwerk.server.storage.store import StorageError

OWN_FAULTS = (sqlite3.IntegrityError, sqlite3.DataError, sqlite3.ProgrammingError)
"""SQLite errors that concern one change, not the file."""


PASSING = {sqlite3.SQLITE_FULL, sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED}
"""After these errors a connection is still usable; reads go on."""


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
"""SQLite's primary codes (below 256), and those of the operating system with an offset."""


def refusal(error: Exception) -> StorageError:
    """Return the StorageError for an error; a new one each time, as each is raised somewhere else.

    `why` is a name such as SQLITE_IOERR_WRITE: for logs, with nothing about the machine.
    """
    if isinstance(error, StorageError):
        return StorageError(error.id, **error.data)
    why = getattr(error, "sqlite_errorname", None) or type(error).__name__
    return StorageError(_IDS.get(error_code(error), "storage-failed"), why=why)


def error_code(error: Exception) -> int:
    """Return the key of an error in `_IDS`; 0 if it has none."""
    if isinstance(error, OSError):
        return (error.errno or 0) << 8
    code = getattr(error, "sqlite_errorcode", 0)
    return code & 0xFF if isinstance(code, int) else 0
