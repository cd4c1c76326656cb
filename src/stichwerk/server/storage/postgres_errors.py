"""Errors of PostgreSQL and of the way to it, as errors of the store."""

import asyncio

import asyncpg

from stichwerk.server.storage.store import StorageError

OWN_FAULTS = (
    asyncpg.DataError,
    asyncpg.IntegrityConstraintViolationError,
    asyncpg.CardinalityViolationError,
)
"""Errors that concern one change, not the database."""


_UNREACHABLE = (
    asyncpg.PostgresConnectionError,
    asyncpg.OperatorInterventionError,  # it stops, or starts
    asyncpg.InterfaceError,  # the connection is closed
    asyncpg.InternalClientError,  # its goodbye came when nothing was asked
    asyncpg.TooManyConnectionsError,
    asyncio.TimeoutError,
    OSError,
)

_IDS: tuple[tuple[tuple[type[BaseException], ...], str], ...] = (
    ((asyncpg.DiskFullError,), "storage-full"),
    (
        (asyncpg.ReadOnlySQLTransactionError, asyncpg.InsufficientPrivilegeError),
        "storage-read-only",
    ),
    ((asyncpg.LockNotAvailableError, asyncpg.DeadlockDetectedError), "storage-locked"),
    (
        (
            asyncpg.InvalidAuthorizationSpecificationError,
            asyncpg.InvalidCatalogNameError,
            asyncpg.InvalidSchemaNameError,
        ),
        "storage-refused",
    ),
    (_UNREACHABLE, "storage-unreachable"),
)


def refusal(error: BaseException) -> StorageError:
    """Return the StorageError for an error; a new one each time, as each is raised somewhere else.

    `why` is a class name such as DiskFullError: for logs, with nothing about the machine.
    """
    if isinstance(error, StorageError):
        return StorageError(error.id, **error.data)
    found = next((id for kinds, id in _IDS if isinstance(error, kinds)), "storage-failed")
    return StorageError(found, why=type(error).__name__)


def breaks_connection(error: BaseException) -> bool:
    """Return whether a connection should not be used again after an error.

    After a time-out nobody knows what it is doing.
    """
    return isinstance(error, _UNREACHABLE)
