"""The lock of a data folder: one server at a time uses it."""

import os
import sys
from pathlib import Path
from typing import IO

from stichwerk.server.serve_options import CannotServeError
from stichwerk.server.storage.sqlite_errors import refusal

LOCK_FILE = "server.lock"


def only_server(folder: Path) -> IO[bytes]:
    """Lock the data folder as long as the file is open, so that only one server uses it; the system
    releases the lock whatever happens to this process."""
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        file = (folder / LOCK_FILE).open("ab")
    except OSError as error:
        raise refusal(error) from None
    try:
        lock(file)
    except OSError:
        file.close()
        raise CannotServeError("folder-in-use", folder=os.fspath(folder)) from None
    return file


def lock(file: IO[bytes]) -> None:
    """Lock a file, or raise OSError at once."""
    if sys.platform == "win32":
        import msvcrt

        msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
    else:
        import fcntl

        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
