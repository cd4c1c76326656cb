"""Looking after what is stored: export and import of matches, backup, deletion of old data.

Export and import read, write and check files as they go: they are meant for a command with an event
loop of its own, not for the one that serves tables.
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
"""So many records are in memory at a time."""

Progress = Callable[[int], None]


def _silent(done: int) -> None:
    """Nobody wants to know."""


def data_folder(given: str | None) -> Path:
    """Where the data live: as someone wished, else where such data live on this system."""
    if given:
        return Path(given).expanduser()
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Application Support" / "Stichwerk"
    if sys.platform == "win32":
        local = os.environ.get("LOCALAPPDATA")
        return (Path(local) if local else Path.home() / "AppData" / "Local") / "Stichwerk"
    wish = Path(os.environ.get("XDG_DATA_HOME", ""))
    # The specification of these folders says that a relative one does not count.
    return (wish if wish.is_absolute() else Path.home() / ".local" / "share") / "stichwerk"


# Export and import


async def export(store: Store, file: Path, progress: Progress = _silent) -> int:
    """Write all finished matches to a file, a record a line; how many they are.

    The file takes its name when it is complete: whoever finds it finds all of it.
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
    """Write all finished matches to an open file, a record a line; how many they are."""
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
    """What an import did: records in the file, and how many of them were new."""

    read: int
    added: int


async def import_records(store: Store, file: Path, progress: Progress = _silent) -> Imported:
    """Add the matches of a file of JSON Lines, each played again first; those already there stay.
    `-` is standard input.

    A record that does not hold ends it, with its line in the refusal's `data`. What stands before
    it may have been added; once the file is right, it can simply be imported again.
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
    """The lines that hold something, counted from 1; of one that is too long only the beginning,
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
    """The file to read; `-` is standard input, which stays open."""
    return nullcontext(sys.stdin.buffer) if file == Path("-") else file.open("rb")


def _checked(line: int, raw: bytes) -> FinishedMatch:
    """A line as a finished match that holds."""
    try:
        told = decode(raw)
    except BadRecordError as error:
        raise _at_line(line, error) from None
    verdict = verify(told)
    if verdict.status == "unfinished":
        raise BadRecordError("storage-unfinished", line=line)
    if not verdict.ok:
        raise BrokenRecordError(verdict.id, verdict.place, **{**verdict.data, "line": line})
    return FinishedMatch(match_id(told, raw), told.game, raw)


def _at_line(line: int, error: BadRecordError) -> BadRecordError:
    facts = {**error.data, "line": line}
    return BadRecordError(error.id, **facts)


def match_id(told: Record, raw: bytes) -> str:
    """The id of a match from elsewhere: that of its proof, else made from the record itself."""
    if isinstance(told.fairness, msgspec.UnsetType):
        return hashlib.sha256(raw).hexdigest()[:32]
    return told.fairness.match


# Backup


def backup(store_path: Path, target: Path) -> None:
    """Copy the whole store to a file of its own, also while a server writes to it.

    The copy is as the store was at one moment. An existing file is never overwritten.
    """
    if not store_path.is_file():
        raise BadFileError("no-such-file", file=os.fspath(store_path))
    with _write_troubles(target):
        try:
            _private(target, new=True).close()  # now the name is ours
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
    """In one go, from one snapshot: in steps it would begin again with each move stored."""
    # Writable, but never made: after a crash its last moves have to be taken from beside the file.
    source = f"file:{pathname2url(os.fspath(store_path.absolute()))}?mode=rw"
    try:
        with (
            closing(sqlite3.connect(source, uri=True)) as stored,
            closing(sqlite3.connect(part, isolation_level=None)) as copy,
        ):
            stored.backup(copy)
            # One file that any program can read; a server turns it back when it opens it.
            copy.execute("PRAGMA journal_mode = DELETE")
            (verdict,) = copy.execute("PRAGMA quick_check(1)").fetchall()[0]
    except sqlite3.Error as error:
        raise refusal(error) from error
    if verdict != "ok":
        raise StorageError("storage-failed", why="quick_check")


# Old data


def _never(table: str) -> bool:
    """Nobody is at any table."""
    return False


async def delete_old(
    store: Store, now: int, days: int, *, in_use: Callable[[str], bool] = _never
) -> list[str]:
    """Delete names, tokens and chat of the marked tables (`retention.py`) that were idle for so
    many days: their logs and summaries. Finished records stay, with seat numbers for names.
    Tables in use stay as they are. The tables that were deleted."""
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
    """A match with seat numbers for names; None if nobody could read it anyway.

    It is changed as JSON, not as a record, so that it works for every version of the format.
    """
    try:
        told = msgspec.json.decode(match.record, type=dict[str, object])
        names = msgspec.convert(told["names"], list[str])
    except (msgspec.DecodeError, UnicodeDecodeError, KeyError):
        return None
    told["names"] = [str(seat) for seat in range(len(names))]
    return msgspec.structs.replace(match, record=msgspec.json.encode(told))


# Files


def _private(path: Path, new: bool = False) -> BinaryIO:
    """A file to write, readable by its owner only: it holds names."""
    flags = os.O_CREAT | os.O_WRONLY | (os.O_EXCL if new else os.O_TRUNC)
    flags |= getattr(os, "O_BINARY", 0)  # Windows would change the ends of lines
    return os.fdopen(os.open(path, flags, 0o600), "wb")


@contextmanager
def _write_troubles(file: Path) -> Iterator[None]:
    """An error of the operating system in here as a refusal that names the file."""
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
