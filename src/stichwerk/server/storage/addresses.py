"""Where a store is: in a folder, or in a PostgreSQL database named by its address."""

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit, urlunsplit

from stichwerk.server.storage.store import StorageError

if TYPE_CHECKING:
    from stichwerk.server.storage.postgres_store import PostgresStore

STORE_FILE = "tables.sqlite"
SCHEMES = ("postgresql", "postgres")
VARIABLE = "STICHWERK_STORE"
"""An environment variable with the address: unlike a command line, others cannot read it."""


def is_database(place: str) -> bool:
    """Return whether a place is the address of a database, not a folder."""
    return "://" in place


def store_file(place: str) -> Path:
    """Return the file of a store in a folder; the file itself may be named, too."""
    path = Path(place)
    return path if path.suffix == Path(STORE_FILE).suffix else path / STORE_FILE


def check_address(address: str) -> None:
    """Refuse what is no address of a PostgreSQL database."""
    if urlsplit(address).scheme not in SCHEMES or not urlsplit(address).path.strip("/"):
        raise StorageError("storage-bad-address", address=without_password(address))


def postgres_store(
    address: str, *, alone: bool = False, checkpoint: Callable[[str], None] | None = None
) -> "PostgresStore":
    """Return the store in a database; `alone` refuses to open it beside a running server."""
    check_address(address)
    try:
        from stichwerk.server.storage.postgres_store import PostgresStore
    except ImportError:  # an extra
        raise StorageError("storage-no-postgres") from None
    if checkpoint is None:
        return PostgresStore(address, alone=alone)
    return PostgresStore(address, alone=alone, checkpoint=checkpoint)


def without_password(address: str) -> str:
    """Return an address that may be shown."""
    parts = urlsplit(address)
    user, _, host = parts.netloc.rpartition("@")
    name = user.partition(":")[0]
    return urlunsplit((parts.scheme, f"{name}@{host}" if name else host, parts.path, "", ""))
