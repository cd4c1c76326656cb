"""Maintenance of stored data: export and import of matches, backup, deletion of old data.

Export and import read, write and check files as they go: they are meant for a command with its own
event loop, not for the one that serves tables.
"""

import hashlib
import os
import sqlite3
import sys
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, closing, contextmanager, nullcontext
from pathlib import Path
from typing import BinaryIO
from urllib.request import pathname2url

import msgspec

from stichwerk.errors import BadFileError, BadRecordError, StichwerkError
from stichwerk.record import LARGEST, BrokenRecordError, Record, decode, verify
from stichwerk.server.storage.sqlite_errors import refusal
from stichwerk.server.storage.store import FinishedMatch, StorageError, Store

DAY = 24 * 60 * 60 * 1000
PAGE = 50
"""How many records are in memory at a time."""

Progress = Callable[[int], None]


def _silent(done: int) -> None:
    """Report no progress."""


def data_folder(given: str | None) -> Path:
    """Return the data folder: the given one, or the system's default."""
    if given:
        return Path(given).expanduser()
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Application Support" / "Stichwerk"
    if sys.platform == "win32":
        local = os.environ.get("LOCALAPPDATA")
        return (Path(local) if local else Path.home() / "AppData" / "Local") / "Stichwerk"
    configured = Path(os.environ.get("XDG_DATA_HOME", ""))
    # The XDG specification says to ignore relative paths.
    return (
        configured if configured.is_absolute() else Path.home() / ".local" / "share"
    ) / "stichwerk"


# Export and import


async def export(store: Store, file: Path, progress: Progress = _silent) -> int:
    """Write all finished matches to a file, one record per line; return how many.

    The file gets its name only when it is complete.
    """
    part = file.with_name(file.name + ".part")
    try:
        with _write_troubles(file):
            with _private(part) as out:
                count = await write_all(store, out, progress)
                out.flush()
                os.fsync(out.fileno())
            part.replace(file)
    finally:
        part.unlink(missing_ok=True)
    return count


async def write_all(store: Store, out: BinaryIO, progress: Progress = _silent) -> int:
    """Write all finished matches to an open file, one record per line; return how many."""
    count = 0
    page = await store.matches(most=PAGE)
    while page:
        for match in page:
            out.write(b" ".join(match.record.splitlines()) + b"\n")
        count += len(page)
        progress(count)
        page = await store.matches(after=page[-1].id, most=PAGE)
    return count


class Imported(msgspec.Struct, frozen=True):
    """The result of an import: records in the file, and how many of them were new."""

    read: int
    added: int


async def import_records(store: Store, file: Path, progress: Progress = _silent) -> Imported:
    """Import the matches of a JSON Lines file, verifying each by replaying it; existing ones stay.
    `-` is standard input.

    An invalid record ends the import, with its line in the error's `data`. Records before it may
    have been added; once the file is corrected, it can simply be imported again.
    """
    read = added = 0
    page: list[FinishedMatch] = []
    for line, raw in _lines(file):
        page.append(_checked(line, raw))
        read += 1
        if len(page) == PAGE:
            added += await store.add_matches(page)
            page.clear()
            progress(read)
    if page:
        added += await store.add_matches(page)
        progress(read)
    if not read:
        raise BadFileError("file-is-empty", file=os.fspath(file))
    return Imported(read, added)


def _lines(file: Path) -> Iterator[tuple[int, bytes]]:
    """Yield the non-empty lines, counted from 1; of a line that is too long only the beginning,
    which is refused."""
    with _read_troubles(file), _opened(file) as source:
        number = 0
        while raw := source.readline(LARGEST + 2):
            number += 1
            line = raw.removesuffix(b"\n")
            if len(line) > LARGEST:
                yield number, line
            elif line.strip():
                yield number, line.strip()


def _opened(file: Path) -> AbstractContextManager[BinaryIO]:
    """Open a file for reading; `-` is standard input, which stays open."""
    return nullcontext(sys.stdin.buffer) if file == Path("-") else file.open("rb")


def _checked(line: int, raw: bytes) -> FinishedMatch:
    """Return a line as a verified finished match."""
    try:
        record = decode(raw)
    except BadRecordError as error:
        raise _at_line(line, error) from None
    verdict = verify(record)
    if verdict.status == "unfinished":
        raise BadRecordError("storage-unfinished", line=line)
    if not verdict.ok:
        raise BrokenRecordError(verdict.id, verdict.place, **{**verdict.data, "line": line})
    return FinishedMatch(match_id(record, raw), record.game, raw)


def _at_line(line: int, error: BadRecordError) -> BadRecordError:
    facts = {**error.data, "line": line}
    return BadRecordError(error.id, **facts)


def match_id(record: Record, raw: bytes) -> str:
    """Return the id of an imported match: that of its proof, or one derived from the record
    itself."""
    if isinstance(record.fairness, msgspec.UnsetType):
        return hashlib.sha256(raw).hexdigest()[:32]
    return record.fairness.match


# Backup


def backup(store_path: Path, target: Path) -> None:
    """Copy the whole store to a single file, even while a server writes to it.

    The copy is a consistent snapshot. An existing file is never overwritten.
    """
    if not store_path.is_file():
        raise BadFileError("no-such-file", file=os.fspath(store_path))
    with _write_troubles(target):
        try:
            _private(target, new=True).close()  # reserve the name
        except FileExistsError:
            raise BadFileError("storage-backup-exists", file=os.fspath(target)) from None
        part = target.with_name(target.name + ".part")
        try:
            _private(part).close()
            _copy(store_path, part)
            part.replace(target)
        except BaseException:
            target.unlink(missing_ok=True)
            raise
        finally:
            part.unlink(missing_ok=True)


def _copy(store_path: Path, part: Path) -> None:
    """Copy in one go, from one snapshot: in steps it would start over with each stored move."""
    # Writable, but never created: after a crash, the last moves must be recovered from the WAL.
    source = f"file:{pathname2url(os.fspath(store_path.absolute()))}?mode=rw"
    try:
        with (
            closing(sqlite3.connect(source, uri=True)) as stored,
            closing(sqlite3.connect(part, isolation_level=None)) as copy,
        ):
            stored.backup(copy)
            # A single file that any program can read; a server switches back when it opens it.
            copy.execute("PRAGMA journal_mode = DELETE")
            (verdict,) = copy.execute("PRAGMA quick_check(1)").fetchall()[0]
    except sqlite3.Error as error:
        raise refusal(error) from error
    if verdict != "ok":
        raise StorageError("storage-failed", why="quick_check")


# Old data


def _never(table: str) -> bool:
    """Return that no table is in use."""
    return False


async def delete_old(
    store: Store, now: int, days: int, *, in_use: Callable[[str], bool] = _never
) -> list[str]:
    """Delete the logs and summaries (names, tokens and chat) of marked tables (`retention.py`) that
    were idle for this many days. Finished records stay, with seat numbers for names. Tables in use
    are kept. Return the deleted tables."""
    before = now - days * DAY
    deleted = []
    for table in await store.marked_for_deletion(before=before, now=now):
        matches = await store.matches_of(table)
        if in_use(table):
            continue
        nameless = [kept for kept in map(without_names, matches) if kept is not None]
        if await store.forget(table, nameless, before=before):
            deleted.append(table)
    return deleted


def without_names(match: FinishedMatch) -> FinishedMatch | None:
    """Return a match with seat numbers for names; None if nobody could read it anyway.

    It is changed as JSON, not as a record, so that this works for every version of the format.
    """
    try:
        content = msgspec.json.decode(match.record, type=dict[str, object])
        names = msgspec.convert(content["names"], list[str])
    except (msgspec.DecodeError, UnicodeDecodeError, KeyError):
        return None
    content["names"] = [str(seat) for seat in range(len(names))]
    return msgspec.structs.replace(match, record=msgspec.json.encode(content))


# Files


def _private(path: Path, new: bool = False) -> BinaryIO:
    """Open a file for writing that only its owner can read: it contains names."""
    flags = os.O_CREAT | os.O_WRONLY | (os.O_EXCL if new else os.O_TRUNC)
    flags |= getattr(os, "O_BINARY", 0)  # Windows would change line endings
    return os.fdopen(os.open(path, flags, 0o600), "wb")


@contextmanager
def _write_troubles(file: Path) -> Iterator[None]:
    """Turn an error of the operating system into one that names the file."""
    try:
        yield
    except OSError as error:
        raise _bad_file("cannot-write", file, error) from None


@contextmanager
def _read_troubles(file: Path) -> Iterator[None]:
    try:
        yield
    except FileNotFoundError:
        raise BadFileError("no-such-file", file=os.fspath(file)) from None
    except IsADirectoryError:
        raise BadFileError("file-is-folder", file=os.fspath(file)) from None
    except OSError as error:
        raise _bad_file("cannot-read", file, error) from None


def _bad_file(id: str, file: Path, error: OSError) -> StichwerkError:
    return BadFileError(id, file=os.fspath(file), why=error.strerror or type(error).__name__)
