"""Files that commands write, and progress bars for long work."""

import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, TypeVar

from rich.console import Console
from rich.progress import track

from stichwerk.cli.click_extensions import say
from stichwerk.errors import BadFileError

WHY_NOT_WRITTEN = {
    FileNotFoundError: "no-folder-to-write",
    IsADirectoryError: "writes-to-folder",
    PermissionError: "may-not-write",
}
Item = TypeVar("Item")


@contextmanager
def writing(path: str) -> Iterator[IO[bytes]]:
    """Open a file to write to, `-` for standard output; system errors become our own."""
    if path == "-":
        yield sys.stdout.buffer
        return
    check_writable(path)
    try:
        with Path(path).open("wb") as file:
            yield file
    except OSError as error:
        raise cannot_write(path, error) from None


def check_writable(path: str) -> None:
    """Refuse a file that cannot be written, before work starts."""
    try:
        with Path(path).open("ab"):
            pass
    except (OSError, ValueError) as error:
        raise cannot_write(path, error) from None


def cannot_write(path: str, error: Exception) -> BadFileError:
    """Return why a file could not be written."""
    for kind, id in WHY_NOT_WRITTEN.items():
        if isinstance(error, kind):
            return BadFileError(id, file=path)
    return BadFileError(
        "cannot-write", file=path, why=getattr(error, "strerror", None) or str(error)
    )


def watched(items: Iterable[Item], total: int | None, id: str) -> Iterable[Item]:
    """Yield the items, with a progress bar if standard error is a terminal."""
    if not sys.stderr.isatty():
        return items
    console = Console(stderr=True)
    return track(items, say(id), total, console=console, transient=True)
